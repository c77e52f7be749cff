#!/usr/bin/env bash
# Installs code-server, which is VS Code for a browser, as code-server/package-lock.json has it, into the folder that is
# named. On Debian as root it installs what that needs; anybody else is told what to install.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
folder=${1:?Name the folder to install code-server into.}

case "$(node --version 2>/dev/null || echo none)" in
v20.*) ;;
*) echo "The editor tests need Node 20 (code-server 4.100 runs on no other): here is $(node --version 2>/dev/null || echo none)." >&2 && exit 1 ;;
esac

missing=()
[ -x /usr/bin/chromium ] || missing+=(chromium)
[ -e /usr/include/gssapi/gssapi.h ] || missing+=(libkrb5-dev)
fc-list 2>/dev/null | grep -q DejaVu || missing+=(fonts-dejavu-core)
command -v rg >/dev/null || missing+=(ripgrep)
command -v g++ >/dev/null && command -v make >/dev/null || missing+=(build-essential)
if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "The editor tests need ${missing[*]}. Install them, as with: sudo apt-get install ${missing[*]}" >&2
        exit 1
    fi
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}" fontconfig
fi

rm -rf "$folder"
mkdir -p "$folder"
cp "$here"/code-server/{package.json,package-lock.json,.npmrc} "$folder"

# VS Code's package for ripgrep downloads a build when it is installed, but looks into its own cache before: there it
# finds the system's.
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
cache=$TMPDIR/vscode-ripgrep-cache-1.15.11
mkdir "$cache"
tar czf "$cache/ripgrep-v13.0.0-10-$(uname -m)-unknown-linux-musl.tar.gz" -C "$(dirname "$(command -v rg)")" rg

# Its native modules are compiled, against the headers that came with Node where there are some.
node=$(readlink -f "$(command -v node)")
if [ -e "${node%/bin/node}/include/node/node.h" ]; then
    npm_config_nodedir=${node%/bin/node}
    export npm_config_nodedir
fi
export npm_config_unsafe_perm=true JOBS=2 MAKEFLAGS=-j2
cd "$folder"
npm ci --no-audit --no-fund >"$folder/install.log" 2>&1 || { tail -n 40 "$folder/install.log" >&2 && exit 1; }
# With a configuration of its own: else it would write one into the home of whoever runs it.
XDG_CONFIG_HOME=$folder/configuration node_modules/.bin/code-server --version >>"$folder/install.log"
touch "$folder/installed"

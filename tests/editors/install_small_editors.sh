#!/usr/bin/env bash
# Installs what the tests of Emacs, Vim, Kate and Sublime Text's syntax run: from Debian's packages as root, and else says
# what is missing. The folder that is named only notes that it was done.
set -euo pipefail
folder=${1:?Name the folder that notes it.}

missing=()
command -v emacs >/dev/null || missing+=(emacs-nox)
compgen -G '/usr/share/emacs/site-lisp/elpa/eglot-*' >/dev/null || missing+=(elpa-eglot)
vim --version 2>/dev/null | grep -q '+channel' || missing+=(vim)
[ -d /usr/share/vim-ale ] || missing+=(vim-ale)
command -v kate-syntax-highlighter >/dev/null || missing+=(libkf5syntaxhighlighting-tools)
command -v kate >/dev/null || missing+=(kate)
command -v dbus-run-session >/dev/null || missing+=(dbus-daemon)
command -v batcat >/dev/null || missing+=(bat)
if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
        echo "The editor tests need ${missing[*]}. Install them, as with: sudo apt-get install ${missing[*]}" >&2
        exit 1
    fi
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "${missing[@]}"
fi
mkdir -p "$folder"
touch "$folder/installed"

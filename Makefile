# Every target does its own set-up: a virtual environment in .venv, and everything in it through constraints.txt.
# `make demo` installs only what the demo and its next steps need; the other targets add the rest to the same environment.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
LIGHT := $(VENV)/.installed-demo
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: demo test chaos check bench setup docs docs-site vscode clean

demo: $(LIGHT)          ## run the main job on the bundled corpus
	$(BIN)/naturalproofs demo

test: check             ## lint, types, layers, and every test
	$(BIN)/pytest -n 2

chaos: $(STAMP)         ## kills, failing writes, little memory, damaged files, mutated input, hostile clients: 12,000 cases
	cd tests && ../$(BIN)/python -m chaos --state ../.chaos.json

check: $(STAMP)         ## what must hold before a commit
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(MAKE) --no-print-directory docs-site

bench: $(STAMP)         ## speed, as ratios against peers in one run
	$(BIN)/python benchmarks/latex.py
	$(BIN)/python benchmarks/ranking.py
	$(BIN)/python benchmarks/ranks.py

docs: $(STAMP)          ## regenerate the generated pages
	$(BIN)/python docs/generate.py

docs-site: $(STAMP)     ## docs/ as a web site, build/docs-site; fails on a broken link or a page without a place
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

vscode:                 ## the extension for VS Code, editors/vscode/naturalproofs.vsix; needs node
	cd editors/vscode && npm ci --ignore-scripts && npm run package

setup: $(STAMP)         ## only install

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

# Modules are compiled when they are first imported: compiling all of them would double the time and the space.
$(LIGHT): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) --no-compile -e '.[plots,web]'
	touch $@

$(STAMP): pyproject.toml constraints.txt | $(BIN)/python
	$(PIP) -e '.[dev]'
	touch $(LIGHT) $@

clean:
	rm -rf $(VENV) demo build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .chaos.json
	rm -rf editors/vscode/node_modules editors/vscode/dist editors/vscode/*.vsix

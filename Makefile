# Short names for what tools/ does. Every target first makes sure that the Debian packages it needs
# are there (tools/setup); on a machine that has them this takes a fraction of a second.
# CXX=clang++-19 (or another compiler) may be given to any target; PREFIX and DESTDIR to install.

PREFIX ?= /usr/local
FUZZ_SECONDS ?= 60
ifneq ($(origin CXX),default)
export CXX
endif

.DEFAULT_GOAL := release
.PHONY: release run test test-nodes test-python wheel package check docs format bench record tables figures curves sweeps structures papers fuzz soak install clean help

release: ## build the program: build/release/bin/gossamer
	@tools/setup build
	@tools/build release

run: release ## build, then analyse the graph in data/
	@tools/first-look

test: ## build with assertions and pass every test
	@tools/setup test
	@tools/python-env || echo "the tests of the Python package are left out"
	@tools/test dev

test-nodes: ## build the program and pass the tests on several nodes of this machine, the long ones, too (GOSSAMER_TEST_ENDS, GOSSAMER_TEST_KILLS)
	@tools/setup test
	@GOSSAMER_TEST_NODES=all GOSSAMER_TEST_TARGETS='gossamer_cli transport_program' tools/test dev -L '^nodes$$'

test-python: ## build the Python package and pass its tests, and NetworkX's own with the backend on
	@tools/setup python
	@tools/python-env
	@GOSSAMER_TEST_TARGETS="gossamer_python gossamer_python_stub gossamer_python_questions gossamer_cli" tools/test dev -L '^python$$'
	@PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=build/dev/python build/python-env/bin/python -m pytest -q -p no:cacheprovider --networkx-suite=all \
	  python/tests/test_networkx_suite.py

wheel: ## the Python package for this Python: build/wheels
	@tools/setup python
	@tools/python-env
	@tools/wheel

package: ## Debian packages and a relocatable archive: build/packages
	@tools/setup package
	@tools/build portable
	@tools/package

check: ## format, layers, words, headers alone, clang-tidy
	@tools/setup check
	@tools/check

docs: ## the site: guide, glossary, API reference; build/docs/html/index.html
	@tools/setup docs
	@tools/docs

format: ## format the sources in place
	@tools/setup check
	@tools/check-format --fix

bench: ## build and run the benchmarks with their peers; tables and curves in bench/results/index.html
	@tools/setup bench
	@tools/build bench gossamer_cli benches
	@tools/bench
	@code=0; tools/bench-jobs || code=$$?; tools/bench-examples || code=$$?; tools/bench-page && exit $$code

record: ## keep the last `make bench` in docs/performance/recorded, with commit, day and machine; write the tables
	@tools/bench --record
	@tools/performance-tables

tables: ## write the tables of docs/performance and README.md from docs/performance/recorded
	@tools/performance-tables

figures: tables ## draw what is recorded: build/figures; of the last `make bench`, if there was one: docs/figures
	@tools/setup bench
	@tools/figures
	@[ ! -e bench/results/micro.json ] || tools/bench-page --figures docs/figures

curves: release ## simulate 1 to 128 processes (hours the first time; goes on where it was): docs/performance/simulation.md, mapreduce.md
	@tools/setup bench
	@tools/curves
	@tools/mapreduce --simulated

sweeps: release ## sweep settings over programs that wait, simulated (minutes; goes on where it was): docs/performance/sensitivity.md
	@tools/sweeps

fuzz: ## fuzz every parser for FUZZ_SECONDS (60) each
	@tools/setup fuzz
	@tools/fuzz $(FUZZ_SECONDS)

structures: release ## record figures 6 to 9 of the flat combining paper, simulated and real, and draw them (hours; goes on where it was)
	@tools/setup bench
	@tools/structures --simulated --real

papers: ## record and draw every figure of the five papers (QUICK=1: small sizes; FIGURES=...; goes on where it was): build/papers
	@tools/setup bench
	@tools/build bench gossamer_cli gossamer_studies benches
	@tools/papers --programs build/bench/bin $(if $(QUICK),--quick) $(FIGURES)

soak: ## every protocol under GOSSAMER_SEEDS (1..100000) of the simulation
	@tools/setup test
	@tools/soak

install: release ## install program, library and CMake package under PREFIX (/usr/local)
	@cmake --install build/release --prefix "$(abspath $(PREFIX))"

clean: ## remove build/
	rm -rf build

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s  %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

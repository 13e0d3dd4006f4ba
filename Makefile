# Short names for what one does with this tree. CMakePresets.json has the builds themselves.

PREFIX ?= /usr/local
SECONDS ?= 60
CTEST_JOBS ?= $(shell nproc)
# One seed for the random tests, so that a run can be repeated; try others with RC_PARAMS='seed=...'.
RC_PARAMS ?= seed=2019
export RC_PARAMS
BENCH_PYTHON = build/venv/bin/python
PYTHON = build/python-venv/bin/python
DOCS_PYTHON = build/docs-venv/bin/python

.DEFAULT_GOAL := help
.PHONY: help build demo test test-mpi test-python python-module wheel check-shared install format lint census fuzz fuzz-long fuzz-merge check-sanitizers data bench bench-peers bench-population bench-paths bench-scale paper-l1 paper-trace docs clean

help:  ## Show this list
	@echo 'make <target>, where <target> is one of'
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 22

build:  ## Release build; the tool is build/release/pdbfw
	@scripts/install-packages.sh build
	cmake --preset release
	cmake --build --preset release

demo: build  ## Build, then train on generated data and show the result
	build/release/pdbfw demo

install: build  ## Install under PREFIX=/usr/local
	cmake --install build/release --prefix '$(abspath $(PREFIX))'

test:  ## Set up, build and run all tests but check-shared; the last line is N passed, N failed, N skipped
	@scripts/install-packages.sh build test
	@scripts/test.py --jobs $(CTEST_JOBS)

test-mpi:  ## Of the tests, those of several processes
	@scripts/install-packages.sh build test
	cmake --preset dev
	cmake --build --preset dev --target pdbfw_tool pdbfw_mpi_module solvers_tests
	ctest --preset dev -R '^(cli\.mpi_test|solvers\.Sharded)'

test-python: python-module  ## Build the Python module with the dev build of the library and test it
	PYTHONPATH=build/dev/python $(PYTHON) -m pytest -q -p no:cacheprovider -n $(CTEST_JOBS)

python-module: build/python-venv/ready
	@scripts/install-packages.sh build test
	cmake --preset dev -DPDBFW_BUILD_PYTHON=ON -DPython_EXECUTABLE='$(abspath $(PYTHON))'
	cmake --build --preset dev --target _core

build/python-venv/ready: python/requirements.txt
	@scripts/install-packages.sh python
	python3 -m venv build/python-venv
	$(PYTHON) -m pip install --quiet --disable-pip-version-check --retries 1 -r python/requirements.txt
	@touch $@

wheel:  ## Build a wheel into dist/, install it in a fresh environment and run the tests against it
	@scripts/install-packages.sh build python
	rm -rf dist build/wheel-venv
	python3 -m venv build/wheel-venv
	build/wheel-venv/bin/pip wheel --quiet --no-deps --wheel-dir dist --config-settings build-dir=build/release .
	build/wheel-venv/bin/pip install --quiet matplotlib pandas pytest pytest-xdist dist/pdbfw-*.whl
	build/wheel-venv/bin/python -m pytest -q -p no:cacheprovider -n $(CTEST_JOBS)

check-shared:  ## Build all once more as a shared library, install it and use it; compile each public header alone
	@scripts/install-packages.sh build test
	cmake --preset dev
	ctest --preset dev -R '^(packaging.shared|headers.compile_alone)$$'

format:  ## Format all sources in place
	@scripts/install-packages.sh check
	scripts/sources.sh | xargs clang-format -i

lint:  ## Check the formatting and run clang-tidy
	@scripts/install-packages.sh build test check
	scripts/lint.sh

census:  ## Count lines, headers, files, long functions and repeated places
	@scripts/census.py

check-sanitizers:  ## Run the tests under address, undefined-behaviour and thread sanitizers
	@scripts/install-packages.sh build test check
	scripts/check-sanitizers.sh

fuzz:  ## Run every fuzz target for SECONDS=60
	@scripts/install-packages.sh build test check
	scripts/fuzz.sh '$(SECONDS)'

fuzz-long:  ## Run every fuzz target for ten minutes, two at a time
	@$(MAKE) --no-print-directory fuzz SECONDS=600

fuzz-merge:  ## Add to the corpus what fuzzing has learnt, as far as it is short and reaches new code
	@scripts/install-packages.sh build test check
	scripts/merge-corpus.sh

data: build  ## Bring the paper's data sets from their home page into DATA=data, and check them
	@scripts/install-packages.sh build data
	scripts/fetch_data.py --folder '$(or $(DATA),data)'

bench: build build/venv/ready  ## Measure the kernels and, with DATA=folder, the solvers on real data
	@scripts/install-packages.sh build bench
	cmake --preset bench
	cmake --build --preset bench
	$(BENCH_PYTHON) bench/kernels.py
	$(BENCH_PYTHON) bench/dense_products.py
	$(BENCH_PYTHON) bench/scaling.py
	$(BENCH_PYTHON) bench/load.py
	$(BENCH_PYTHON) bench/split.py $(if $(DATA),--data '$(DATA)')
	$(if $(DATA),$(BENCH_PYTHON) bench/speed.py --data '$(DATA)')
	$(if $(DATA),$(BENCH_PYTHON) bench/screening.py --data '$(DATA)')
	$(BENCH_PYTHON) bench/selection_rules.py $(if $(DATA),--data '$(DATA)')
	$(BENCH_PYTHON) bench/trace_speed.py
	$(BENCH_PYTHON) bench/include_tables.py
	$(if $(DATA),$(BENCH_PYTHON) bench/theory_rate.py --data '$(DATA)/rcv1_sample.binary.xz')
	$(if $(DATA),$(BENCH_PYTHON) bench/cases.py --data '$(DATA)')

# Without matplotlib the benchmarks write their tables all the same, only the plots are left out.
build/venv/ready: bench/requirements.txt
	@scripts/install-packages.sh bench
	python3 -m venv build/venv
	build/venv/bin/pip install --quiet -r bench/requirements.txt && touch $@ || echo 'no matplotlib: tables without plots'

bench-peers: build  ## Side by side with other libraries on DATA=folder; ONLY=pattern, RESUME=1, QUICK=1, LIMIT=3 for less
	@test -n '$(DATA)' || { echo 'make bench-peers needs DATA=folder'; exit 1; }
	@scripts/install-packages.sh build bench peers
	cmake --preset bench
	cmake --build --preset bench --target bench_judge
	bench/peers/setup.sh
	bench/peers/run.py --data '$(DATA)' $(if $(ONLY),--only '$(ONLY)') $(if $(RESUME),--resume) $(if $(QUICK),--quick) \
	  $(if $(LIMIT),--limit '$(LIMIT)')

# QUICK needs what the tests of the Python package need, all of it the other libraries too.
bench-population: build/python-venv/ready  ## Hundreds of problems beside other libraries; DATA=folder, HALF=tune or report, RESUME=1, BUDGET=12 minutes, QUICK=1 for small ones without the others
	@scripts/install-packages.sh build python $(if $(QUICK),,peers)
	cmake --preset release -DPDBFW_BUILD_PYTHON=ON -DPython_EXECUTABLE='$(abspath $(PYTHON))'
	cmake --build --preset release --target _core
	$(if $(QUICK),,bench/peers/setup.sh)
	PYTHONPATH=build/release/python bench/population.py $(if $(QUICK),--quick --python $(PYTHON),--python build/peers-venv/bin/python) \
	  $(if $(DATA),--data '$(DATA)') $(if $(HALF),--half '$(HALF)') $(if $(ONLY),--only '$(ONLY)') $(if $(RESUME),--resume) \
	  $(if $(BUDGET),--budget '$(BUDGET)')

bench-paths: build/python-venv/ready  ## Paths and cross-validation by penalty beside other libraries; DATA=folder, ONLY=pattern, QUICK=1 for small data
	@scripts/install-packages.sh build python peers
	cmake --preset release -DPDBFW_BUILD_PYTHON=ON -DPython_EXECUTABLE='$(abspath $(PYTHON))'
	cmake --build --preset release --target _core
	bench/peers/setup.sh
	PYTHONPATH=build/release/python bench/paths.py --python build/peers-venv/bin/python $(if $(QUICK),--quick) \
	  $(if $(DATA),--data '$(DATA)') $(if $(ONLY),--only '$(ONLY)')

bench-scale: build/venv/ready  ## Several processes, here and in networks between namespaces (root); DATA=folder, RESUME=1, QUICK=1, MINUTES=8
	@scripts/install-packages.sh build bench
	cmake --preset bench
	cmake --build --preset bench --target pdbfw_tool pdbfw_mpi_module bench_exchange bench_network
	$(BENCH_PYTHON) bench/scale.py $(if $(DATA),--data '$(DATA)') $(if $(RESUME),--resume) $(if $(QUICK),--quick) $(if $(MINUTES),--minutes '$(MINUTES)')
	$(BENCH_PYTHON) bench/include_tables.py --page docs/scaling.md

paper-l1: build build/venv/ready  ## The paper's l1 experiments; DATA=folder, BUDGET=15 seconds per method, QUICK=1 on generated data
	$(BENCH_PYTHON) experiments/paper_l1/run.py $(if $(QUICK),--quick) $(if $(DATA),--data '$(DATA)') $(if $(BUDGET),--budget '$(BUDGET)') \
	  $(if $(ONLY),--only '$(ONLY)')

paper-trace: build build/venv/ready  ## The paper's trace-norm experiment; BUDGET=20 seconds per method, QUICK=1 at small size
	$(BENCH_PYTHON) experiments/paper_trace/run.py $(if $(QUICK),--quick) $(if $(BUDGET),--budget '$(BUDGET)') $(if $(ONLY),--only '$(ONLY)')

# The gallery reads real data from DATA=folder, or from beside the checkout if they are there, and makes data otherwise.
MAKE_SITE = PYTHONPATH='$(abspath build/dev/python)' PDBFW_DATA='$(abspath $(or $(DATA),$(wildcard ../shared/data)))' $(DOCS_PYTHON)

docs: build python-module build/docs-venv/ready  ## Build the site into build/site; docs/settings.md and the guide's pictures are made anew
	build/release/pdbfw reference > build/settings.md
	mv build/settings.md docs/settings.md
	$(MAKE_SITE) docs/site/pictures.py docs/guide/pictures
	$(MAKE_SITE) docs/site/stage.py build/site-source
	$(MAKE_SITE) -m sphinx -q -W --keep-going -c docs/site -d build/site-doctrees build/site-source build/site
	@echo 'The site is build/site/index.html'

build/docs-venv/ready: docs/site/requirements.txt
	@scripts/install-packages.sh python
	python3 -m venv build/docs-venv
	$(DOCS_PYTHON) -m pip install --quiet --disable-pip-version-check -r docs/site/requirements.txt
	@touch $@

clean:  ## Remove all build folders
	rm -rf build dist fuzz-work

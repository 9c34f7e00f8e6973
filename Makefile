# The commands a user needs. `make demo` and `make test` do all set-up by themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORES ?= all
CONFIG ?=
TARGET ?= all
# More options of Snakemake for make resume: make resume ARGS="--config 'models=[all-MiniLM-L6-v2]'"
ARGS ?=
# Extra package index for torch, for example that of its CPU builds (see README).
TORCH_INDEX ?=
STAMP := $(VENV)/.requirements-installed
RUN := $(BIN)/snakemake --cores $(CORES) $(if $(CONFIG),--configfile $(CONFIG))

.PHONY: help venv mteb-venv demo test lint format resume report

help:
	@echo "make demo     run the whole workflow on bundled data (CPU, minutes)"
	@echo "make test     run the tests"
	@echo "make resume   go on after a kill: make resume CONFIG=config/demo.yaml TARGET=all"
	@echo "make report   write results/report.html: make report CONFIG=config/demo.yaml"
	@echo "make mteb-venv  an environment that runs MTEB on the dataset folder"
	@echo "make lint     ruff, snakefmt and snakemake --lint"

venv: $(STAMP)

$(STAMP): requirements.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed: make PYTHON=python3.11 ...")'
	test -x $(BIN)/python || $(PYTHON) -m venv --without-pip $(VENV)
	$(PYTHON) -m pip --python $(BIN)/python install --quiet --disable-pip-version-check \
		$(if $(TORCH_INDEX),--extra-index-url $(TORCH_INDEX)) -r requirements.txt
	touch $@

# MTEB in an environment of its own: few packages on top of those of the main one.
mteb-venv: venv
	$(BIN)/python -m venv --without-pip $(VENV)-mteb
	$(BIN)/python -c 'import site; print(site.getsitepackages()[0])' > \
		"$$($(VENV)-mteb/bin/python -c 'import site; print(site.getsitepackages()[0])')/main.pth"
	$(BIN)/python -m pip --python $(VENV)-mteb/bin/python install --quiet \
		--disable-pip-version-check --no-deps -r envs/mteb.txt

demo: venv
	$(BIN)/snakemake --cores $(CORES) --resources gpu=0 --configfile config/demo.yaml -- all
	@$(MAKE) --no-print-directory report CONFIG=config/demo.yaml
	@echo "tables:  results/tables/   (index: results/README.md)"
	@echo "figures: figures/          (index: figures/README.md)"
	@echo "report:  results/report.html"

report: venv
	$(BIN)/snakemake --cores 1 $(if $(CONFIG),--configfile $(CONFIG)) --report results/report.html --quiet

test: venv
	$(BIN)/python -m pytest

lint: venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/snakefmt --check Snakefile workflow
	$(BIN)/snakemake --lint

format: venv
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/snakefmt Snakefile workflow

resume: venv
	PYTHONPATH=scripts $(BIN)/python -m embsyntax.recovery
	$(BIN)/snakemake $(if $(CONFIG),--configfile $(CONFIG)) $(ARGS) --unlock --cores 1 --quiet
	$(RUN) --rerun-incomplete --resources gpu=$(or $(GPU),0) $(ARGS) -- $(TARGET)

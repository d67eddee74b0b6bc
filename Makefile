# Every target is one line over the bootstrap, so that Windows can type the same without make:
#   python packaging/bootstrap.py run -- python packaging/recipes.py test
PYTHON ?= python3
RECIPE := $(PYTHON) packaging/bootstrap.py run -- python packaging/recipes.py
TARGETS := demo tour pictures tutorials test in-full dialogs attack sample sample-run workspace-pictures bench kills quirks reliability measurements soak soak-short fuzz loaders clients companion companion-test check lint format docs wheel freeze test-versions clean-systems translations untranslated

.DEFAULT_GOAL := help
.PHONY: help $(TARGETS)

help: ; @$(PYTHON) packaging/recipes.py --help

$(TARGETS): ; @$(RECIPE) $@

# Every step of work on Tact. `make help` lists them; ARGS="..." is handed on to the command.
SHELL := bash
UV := scripts/uv
MANAGE := $(UV) run --locked --no-dev python manage.py
TOOL := $(UV) run --locked
# Two test processes pay on two cores; tests of one file stay together.
TEST := $(TOOL) pytest -n 2 --dist loadfile
POSTGRES ?= postgres://root@127.0.0.1:5432/postgres
export PLAYWRIGHT_BROWSERS_PATH ?= $(CURDIR)/.tools/browsers
export PATH := $(PATH):$(CURDIR)/.tools/bin

.DEFAULT_GOAL := help
.PHONY: help demo serve worker test test-postgres picture lint format

help: ## List these targets.
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "make %-15s %s\n", $$1, $$2}'

demo: ## Try everything: sample corpus, labels, gold release, a small benchmark run, then the site.
	$(MANAGE) demo $(ARGS)

serve: ## Serve the site (ARGS="--port 8080").
	$(MANAGE) serve $(ARGS)

worker: ## Work on queued runs until stopped.
	$(MANAGE) work $(ARGS)

# In CI, or where TACT_TEST_POSTGRES is set, tests that touch the database run a second time on PostgreSQL.
test: ## Run all tests, browser tests included (ARGS="tests/annotate -k name").
	scripts/chromium
	$(TEST) $(ARGS)
	$(if $(TACT_TEST_POSTGRES)$(filter true,$(CI)),$(MAKE) test-postgres)

test-postgres: ## Run the tests that touch the database on PostgreSQL (POSTGRES=postgres://user@host:port/database).
	scripts/chromium
	DATABASE_URL=$(POSTGRES) $(TEST) $(ARGS)

picture: ## Take the README's picture anew, in the browser test that labels by keyboard.
	scripts/chromium
	$(TOOL) pytest -q tests/browser/test_labelling.py -k accessible
	cp var/screenshots/label.png docs/label.png

lint: ## Check style, types, templates, migrations and the production settings.
	$(TOOL) ruff check
	$(TOOL) ruff format --check
	$(TOOL) mypy
	$(TOOL) djlint templates --lint --quiet
	$(TOOL) python manage.py makemigrations --check --dry-run
	TACT_PROFILE=production ALLOWED_HOSTS=tact.example.org BEHIND_PROXY=true \
	SECRET_KEY=made-up-by-make-lint-to-check-the-settings-and-used-nowhere \
	    $(TOOL) python manage.py check --deploy --fail-level WARNING

format: ## Put the code into its standard form.
	$(TOOL) ruff check --fix
	$(TOOL) ruff format

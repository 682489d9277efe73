"""What every test may ask for."""

import os

import hypothesis
import pytest

# How long one example takes says more about the machine's load than about the code.
hypothesis.settings.register_profile("tact", deadline=None)
hypothesis.settings.load_profile("tact")


DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "django_db_setup"}


def pytest_collection_modifyitems(config, items):
    """On PostgreSQL run only what touches the database: the rest cannot tell it from SQLite."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return
    touching = [item for item in items if item.get_closest_marker("django_db") or uses_database(item)]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(touching)])
    items[:] = touching


def uses_database(item: pytest.Item) -> bool:
    return not DATABASE_FIXTURES.isdisjoint(getattr(item, "fixturenames", ()))


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix):
    """Give each test process a database of its own, on disk also for SQLite, so that threads share it."""
    from django.conf import settings

    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3"):
        database["TEST"]["NAME"] = str(settings.VAR_DIR / f"test_{os.getpid()}.sqlite3")
    else:
        database["TEST"]["NAME"] = f"test_tact_{os.getpid()}"


@pytest.fixture(scope="session", autouse=True)
def groups_outlive_emptied_tables():
    """Give back the groups that a migration made, each time a transactional test has emptied every table."""
    from django.apps import apps
    from django.contrib.auth.models import Group
    from django.db.models.signals import post_migrate

    def make_groups(using, **_) -> None:
        for name in ("annotator", "lead"):
            Group.objects.using(using).get_or_create(name=name)

    auth = apps.get_app_config("auth")
    post_migrate.connect(make_groups, sender=auth, weak=False)
    yield
    post_migrate.disconnect(make_groups, sender=auth)


@pytest.fixture(autouse=True)
def quick_passwords(settings):
    """Hash passwords in no time: the real hasher is slow on purpose, and most tests make accounts."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

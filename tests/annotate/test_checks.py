"""Settings mistakes that a system check tells."""

from annotate import checks


def ids(messages):
    return [message.id for message in messages]


def test_the_settings_of_the_tests_are_fine():
    assert checks.check_database_engine(None) == []
    assert checks.check_database_folder(None) == []
    assert checks.check_web_workers(None) == []


def test_an_untried_database_is_refused(settings):
    settings.DATABASES = {"default": {"ENGINE": "django.db.backends.mysql", "NAME": "tact"}}
    assert ids(checks.check_database_engine(None)) == ["annotate.E001"]


def test_many_processes_are_fine_on_postgresql_only(settings):
    settings.WEB_WORKERS = 2
    settings.DATABASES = {"default": {"ENGINE": checks.POSTGRESQL, "NAME": "tact"}}
    assert checks.check_web_workers(None) == []
    settings.DATABASES = {"default": {"ENGINE": checks.SQLITE, "NAME": "tact"}}
    assert ids(checks.check_web_workers(None)) == ["annotate.W001"]


def test_every_message_says_what_to_do(settings, tmp_path):
    settings.WEB_WORKERS = 2
    settings.ALLOWED_HOSTS = ["*"]
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = None
    settings.DATABASES = {"default": {"ENGINE": checks.SQLITE, "NAME": tmp_path / "missing" / "db"}}
    found = [
        message
        for check in (
            checks.check_database_folder,
            checks.check_web_workers,
            checks.check_https_at_the_proxy,
            checks.check_allowed_hosts,
        )
        for message in check(None)
    ]
    assert ids(found) == ["annotate.E002", "annotate.W001", "annotate.W002", "annotate.W003"]
    assert all(message.hint for message in found)

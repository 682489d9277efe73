"""Settings mistakes that a system check tells."""

from annotate import checks


def ids(messages):
    return [message.id for message in messages]


def test_many_processes_are_fine_on_postgresql_only(settings):
    settings.WEB_WORKERS = 2
    settings.ON_SQLITE = False
    assert checks.check_web_workers(None) == []
    settings.ON_SQLITE = True
    assert ids(checks.check_web_workers(None)) == ["annotate.W001"]


def test_one_process_is_fine_on_sqlite(settings):
    settings.WEB_WORKERS = 1
    settings.ON_SQLITE = True
    assert checks.check_web_workers(None) == []


def test_every_message_says_what_to_do(settings):
    settings.WEB_WORKERS = 2
    settings.ON_SQLITE = True
    settings.ALLOWED_HOSTS = ["*"]
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = None
    found = [
        message
        for check in (checks.check_web_workers, checks.check_https_at_the_proxy, checks.check_allowed_hosts)
        for message in check(None)
    ]
    assert ids(found) == ["annotate.W001", "annotate.W002", "annotate.W003"]
    assert all(message.hint for message in found)

"""A real Chromium against a real server.

`page` is a fresh browser window; its test fails if the page threw an error, broke the content security
policy, or asked for anything beyond this machine. `sign_in(user)` puts a session into it,
`check_accessibility()` runs axe, `take_screenshots(name)` writes the page in light, dark and at 360 px
into var/screenshots/.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.test import Client
from playwright.sync_api import Browser, Page, sync_playwright

SCREENSHOTS = Path(settings.VAR_DIR) / "screenshots"
WIDE, NARROW = {"width": 1100, "height": 760}, {"width": 360, "height": 740}
CHROMIUM_ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Start one Chromium for all browser tests: the system's own, or Playwright's where there is none.

    Playwright's event loop runs in the test's thread, where Django would refuse the database.
    """
    with pytest.MonkeyPatch.context() as environment, sync_playwright() as playwright:
        environment.setitem(os.environ, "DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=CHROMIUM_ARGUMENTS
        )
        yield chromium
        chromium.close()


@pytest.fixture
def page(browser: Browser, live_server) -> Iterator[Page]:
    """Open a window whose relative addresses lead to the live server."""
    context = browser.new_context(base_url=live_server.url, viewport=WIDE, color_scheme="light")
    context.set_default_timeout(30_000)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(f"error in the page: {error}"))
    page.on("console", lambda message: faults.extend(_policy_faults(message.text)))
    page.on("request", lambda request: faults.extend(_foreign_requests(request.url)))
    yield page
    context.close()
    assert faults == []


def _policy_faults(message: str) -> list[str]:
    return [message] if "Content Security Policy" in message else []


def _foreign_requests(url: str) -> list[str]:
    address = urlsplit(url)
    if address.scheme in {"data", "blob"} or address.hostname in {"127.0.0.1", "localhost"}:
        return []
    return [f"request to {url}"]


@pytest.fixture
def make_user(transactional_db) -> Callable[..., User]:
    """Make an account in a group: `make_user("ana", "annotator")`."""

    def make(username: str, group: str) -> User:
        user = User.objects.create_user(username, password=f"the-pass-of-{username}")
        user.groups.add(Group.objects.get_or_create(name=group)[0])
        return user

    return make


@pytest.fixture
def sign_in(page: Page, live_server) -> Callable[[User], None]:
    """Sign a user in without the form."""

    def sign(user: User) -> None:
        client = Client()
        client.force_login(user)
        session = client.cookies[settings.SESSION_COOKIE_NAME].value
        page.context.add_cookies(
            [{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": live_server.url}]
        )

    return sign


@pytest.fixture
def check_accessibility(page: Page) -> Callable[[], None]:
    """Run axe on the page as it stands, and fail with its report on any violation."""

    def check() -> None:
        page.wait_for_load_state()
        page.locator("h1").first.wait_for()
        results = Axe().run(page)
        assert results.violations_count == 0, results.generate_report()

    return check


@pytest.fixture
def take_screenshots(page: Page) -> Callable[[str], None]:
    """Write the page as it stands, light, dark and narrow: `take_screenshots("label")`."""

    def take(name: str) -> None:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        for suffix, scheme, size in [("", "light", WIDE), ("-dark", "dark", WIDE), ("-360", "light", NARROW)]:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size(size)
            # Hiding the caret, the default, would add an inline style that the page's policy forbids.
            page.screenshot(path=SCREENSHOTS / f"{name}{suffix}.png", full_page=True, caret="initial")
        page.set_viewport_size(WIDE)

    return take

"""A real browser, what it needs, and what every page that is open in it can be asked."""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

CHROMIUM, DRIVER = (shutil.which(name) for name in ("chromium", "chromedriver"))
needed = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="needs chromium and chromedriver (Debian: chromium, chromium-driver)"
)
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
).split()


@contextmanager
def started(profile: Path, size: str) -> Iterator[object]:
    """A browser that logs its messages and requests."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*FLAGS, f"--window-size={size}", f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def clear_messages(driver: object) -> None:
    """Drop the messages and requests so far."""
    driver.get_log("browser")
    driver.get_log("performance")


def requests(driver: object) -> list[dict]:
    """The requests since: each with its URL and that of the page that sent it."""
    messages = [json.loads(row["message"])["message"] for row in driver.get_log("performance")]
    return [message["params"] for message in messages if message["method"] == "Network.requestWillBeSent"]


class Tab:
    """A page that is open."""

    def __init__(self, driver: object) -> None:
        self.driver = driver

    def run(self, script: str, *arguments: object) -> object:
        return self.driver.execute_script(script, *arguments)

    def type(self, css: str, *keys: str) -> None:
        self.driver.find_element("css selector", css).send_keys(*keys)

    def until(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + 300
        while not condition():
            assert time.monotonic() < end, "the page did not reach the expected state"
            time.sleep(0.03)

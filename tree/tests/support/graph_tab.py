"""The graph page, and what a reader does with it."""

import time
from pathlib import Path

from support.chromium import Tab


class GraphTab(Tab):
    """A page that is open, and what a reader does with it."""

    def __init__(self, driver: object, page: Path) -> None:
        super().__init__(driver)
        self.page = page

    def open(self, fragment: str = "") -> "GraphTab":
        self.driver.get("about:blank")
        self.driver.get(self.page.as_uri() + fragment)
        self.until(lambda: self.data("nodes") is not None)
        return self

    def data(self, name: str) -> str | None:
        return self.run(f"return document.body.dataset.{name} ?? null")

    def text(self, css: str) -> str:
        return self.run("return document.querySelector(arguments[0])?.textContent ?? ''", css)

    def address(self) -> str:
        return self.run("return decodeURIComponent(location.hash)")

    def pointer(self, kind: str, label: str, **more: object) -> None:
        self.until(lambda: self.where(label) is not None)
        self.still(label)
        place = self.where(label)
        self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, **place, **more})

    def still(self, label: str) -> None:
        """Wait until the camera rests."""
        last = None
        while last != (last := self.where(label)):
            time.sleep(0.1)

    def where(self, label: str) -> dict[str, float] | None:
        return self.run("return graphPage.where(arguments[0])", label)

    def click(self, label: str, count: int = 1) -> None:
        for number in range(1, count + 1):
            self.pointer("mousePressed", label, button="left", clickCount=number)
            self.pointer("mouseReleased", label, button="left", clickCount=number)

    def change(self, css: str, value: object) -> None:
        self.run(
            "const e = document.querySelector(arguments[0]); if (e.type === 'checkbox') e.checked = arguments[1];"
            "else e.value = arguments[1]; e.dispatchEvent(new Event('input', {bubbles: true}));"
            "e.dispatchEvent(new Event('change', {bubbles: true}));",
            css,
            value,
        )

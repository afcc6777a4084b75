"""A page of our site, and what a reader does with it."""

from support.chromium import Tab, requests


class SiteTab(Tab):
    """A browser at our address, and what a reader does with it."""

    def __init__(self, driver: object, address: str) -> None:
        super().__init__(driver)
        self.address = address

    def open(self, path: str) -> "SiteTab":
        self.driver.get(self.address + path)
        return self

    def check_messages_and_requests(self, *schemes: str, expected: str = "") -> None:
        """No script has failed, and our pages have asked for nothing outside the site.

        Args:
            schemes: Other addresses that pages may ask for, such as ``data:``.
            expected: A message of the browser that holds this is no mistake of ours.
        """
        messages = [row["message"] for row in self.driver.get_log("browser")]
        assert [one for one in messages if not expected or expected not in one] == []
        # The tab that the browser starts with asks for things of its own; what counts is what our pages ask for.
        sent = [one for one in requests(self.driver) if one["documentURL"].startswith(self.address)]
        assert sent
        assert [url for one in sent if not (url := one["request"]["url"]).startswith((self.address, *schemes))] == []

    def text(self, css: str) -> str:
        return self.run("return document.querySelector(arguments[0])?.innerText ?? ''", css)

    def count(self, css: str) -> int:
        return self.run("return document.querySelectorAll(arguments[0]).length", css)

    def value(self, css: str) -> str:
        return self.run("return document.querySelector(arguments[0])?.value ?? ''", css)

    def press(self, *keys: str) -> None:
        self.driver.switch_to.active_element.send_keys(*keys)

    def click(self, css: str) -> None:
        self.driver.find_element("css selector", css).click()

    def path(self) -> str:
        return self.driver.current_url.removeprefix(self.address)

    def cdp(self, command: str, **arguments: object) -> None:
        self.driver.execute_cdp_cmd(command, arguments)

    def screen(self, width: int, height: int, *, dark: bool = False) -> None:
        mobile = width < 500
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=mobile)
        scheme = "dark" if dark else "light"
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

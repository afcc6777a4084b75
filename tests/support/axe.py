"""What axe-core finds on the page that is open."""

from importlib.resources import files


def violations(driver: object, *, formulas: bool = True) -> list[str]:
    """Every rule that is broken, with the first element that breaks it; formulas of long pages can be left out."""
    driver.execute_script((files("axe_selenium_python") / "node_modules/axe-core/axe.min.js").read_text("utf-8"))
    return driver.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run(arguments[0]).then(r => done(r.violations.map(v => `${v.id}: ${v.nodes[0].html}`)))",
        {"include": [["html"]], "exclude": [] if formulas else [["math"]]},
    )

"""The templates: all compile, all escape, none declares text safe."""

from importlib.resources import files

import pytest
from markupsafe import Markup

from naturalproofs.apps.web.templating import environment, plural, render

TEMPLATES = environment().list_templates()


def test_there_are_templates_in_the_package() -> None:
    assert {"layout.html", "search.html", "statement.html"} <= set(TEMPLATES)


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_template_compiles_and_leaves_escaping_on(name: str) -> None:
    assert environment().get_template(name).environment.autoescape is True
    source = (files("naturalproofs.apps.web") / "templates" / name).read_text("utf-8")
    assert "safe" not in source
    assert "autoescape" not in source


def test_text_is_escaped_and_markup_is_not() -> None:
    page = render("error.html", heading="<b>", message=Markup("<i>x</i>"))
    assert "<h1>&lt;b&gt;</h1>" in page
    assert "<p><i>x</i>.</p>" in page


def test_numbers_have_their_noun() -> None:
    assert [plural(number, "proof") for number in (0, 1, 1200)] == ["0 proofs", "1 proof", "1,200 proofs"]

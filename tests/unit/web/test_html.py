"""HTML as a value."""

from naturalproofs.web.html import Html, h, join


def test_text_is_escaped_and_html_is_not() -> None:
    assert h("p", "a < b & c", h("b", '"')) == "<p>a &lt; b &amp; c<b>&quot;</b></p>"


def test_attributes_are_escaped_renamed_and_left_out() -> None:
    made = h("a", "x", href='"><script>', class_="k", aria_label="a", hidden=True, title=None, open=False)
    assert made == '<a href="&quot;&gt;&lt;script&gt;" class="k" aria-label="a" hidden>x</a>'


def test_nothing_numbers_and_lists_are_children() -> None:
    assert join([None, 1234, ["a", ["b"]]]) == "1,234ab"


def test_elements_without_content_are_not_closed_and_those_of_pictures_are() -> None:
    assert h("input", type="text") == '<input type="text">'
    assert h("rect", x=1) == '<rect x="1"></rect>'


def test_what_is_joined_is_html() -> None:
    assert isinstance(join(["<"]), Html)
    assert h("i", join(["<"])) == "<i>&lt;</i>"

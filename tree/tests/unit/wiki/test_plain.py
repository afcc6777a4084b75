import pytest

from naturalproofs.sources.wiki.wikitext import lines, unescape, verbatim


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n\n b \n", ("a", "b")),
        (":$x$", ("$x$",)),
        ("::* deep", ("* deep",)),
        ("* one\n## two", ("* one", "## two")),
        ("=== Part ===", ("Part",)),
        ("= x", ("= x",)),
        ("-----", ()),
        ("- 1", ("- 1",)),
        ("'''bold''' ''it'' $f''$", ("bold it $f''$",)),
        ("''a'' $x''$ costs $5, ''b''", ("a $x''$ costs $5, b",)),
        ("a<br/>b<BR>c", ("a", "b", "c")),
        ("<span style='x'>a</span> $x<y>z$", ("a $x<y>z$",)),
        ("a<ref name='x'>b [c]</ref>d<ref name='x' />", ("ad",)),
        ("[https://x.org a link] [//y.org]", ("a link",)),
        ("__NOTOC__a", ("a",)),
        ("a &lt; b &amp; c &alpha; &nbsp;d &not x &bogus;", ("a < b & c α  d &not x &bogus;",)),
        ('{| class="t"\n|+ cap\n! a !! b\n|-\n| style="x" | 1 || $|y|$\n|}\nend', ("cap", "a | b", "1 | $|y|$", "end")),
        (r"$\frac{|x|}{2}$", (r"$\frac{|x|}{2}$",)),
    ],
)
def test_readable_lines(text, expected):
    assert lines(text) == expected


def test_references_need_their_semicolon():
    assert unescape("&#65;&#x42;&copy &lt;") == "AB&copy <"


def test_verbatim_text_comes_through():
    assert lines(verbatim("''a'' == <b> [[x]] {{y}} __NOTOC__")) == ("''a'' == <b> [[x]] {{y}} __NOTOC__",)

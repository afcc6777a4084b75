"""Whatever a Markdown or XML file holds, reading it ends, and lines are kept."""

from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.sources.markdown.inline import find_keys, last_line, to_latex
from naturalproofs.sources.markdown.scanner import Block, Scanner
from naturalproofs.sources.pretext.keys import find_keys as find_xml_keys
from naturalproofs.sources.pretext.keys import last_line as last_xml_line

_MARKDOWN = st.lists(
    st.sampled_from(
        [
            ":::", "::::", "```", "````", "~~~", "::: {#thm-a}", "::: {.proof}", "```{r}", "```{theorem, b}", "$$",
            ":::{prf:lemma} T", ":label: c", "```{math}", "# H {#sec-d}", "(e)=", "\\begin{theorem}", "\\end{theorem}",
            "- item", "  1. item", "", "text @thm-a", "[x](#sec-d)", "<!--", "-->", "---", "{ref}`e`", "*a",
            "**b** $c$",
        ]
    )
)  # fmt: skip
_XML = st.lists(
    st.sampled_from(
        [
            "<theorem>", "</theorem>", '<p xml:id="a">', "</p>", '<xref ref="a, b"/>', "<!--", "-->", "<![CDATA[",
            "]]>", "<", "&", "x",
        ]
    )
)  # fmt: skip


@given(_MARKDOWN)
def test_blocks_of_markdown_keep_their_lines(lines: list[str]):
    text = "\n".join(lines)
    for item in Scanner(text).scan():
        assert 1 <= item.line <= max(len(lines), 1)
        if isinstance(item, Block):
            assert item.start + len(item.lines) - 1 <= len(lines)
            assert item.line <= last_line(lines, item.line) <= len(lines)


@given(_MARKDOWN)
def test_inline_markdown_keeps_its_lines(lines: list[str]):
    visible = [line for line in lines if not line.startswith(":::")]
    assert to_latex(visible, bool).count("\n") == max(len(visible) - 1, 0)


@given(st.one_of(_MARKDOWN.map("\n".join), st.text()))
def test_keys_of_markdown_have_places(text: str):
    lines = text.split("\n")
    assert all(1 <= one.line <= len(lines) and one.column >= 1 for one in find_keys(text))


@given(st.one_of(_XML.map("\n".join), st.text()))
def test_keys_of_xml_have_places(text: str):
    lines = text.split("\n")
    assert all(lines[one.line - 1][one.column - 1 :].startswith(one.key) for one in find_xml_keys(text))
    assert all(last_xml_line(lines, number) <= len(lines) for number in range(1, len(lines) + 1))

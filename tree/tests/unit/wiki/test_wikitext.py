import pytest
from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.sources.wiki.wikitext import MASK, Node, Wikitext, mask, scan


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("a<!-- b -->c", "ac"),
        ("a<!-- never closed", "a"),
        ("<nowiki>[[x]]</nowiki>y", "y"),
        ("<nowiki />[[x]]", "[[x]]"),
        ("<nowiki>[[x]]", "<nowiki>[[x]]"),
        ("</nowiki>x", "</nowiki>x"),
        ("<PRE class='a'>x</Pre >y", "y"),
        ("<math>a<b</math>y", "y"),
        ("<!-- <nowiki> -->[[x]]</nowiki>", "[[x]]</nowiki>"),
        ("<nowiki><!-- </nowiki>x", "x"),
        ("<includeonly>x</includeonly>y", "y"),
        ("y<includeonly>x", "y"),
        ("<noinclude>x</noinclude><onlyinclude>y</onlyinclude>", "xy"),
        ("$a<b$ <prefix>", "$a<b$ <prefix>"),
        ("İ<nowiki>x</nowiki>y", "İy"),
    ],
)
def test_only_markup_is_left(text, seen):
    masked = mask(text)
    assert masked.text.replace(MASK, "") == seen
    assert len(masked.text) == len(text)


def test_line_ends_stay():
    text = "a\n<!-- b\nc -->\nd"
    assert mask(text).text.count("\n") == text.count("\n")


def test_blots_of_the_author_are_not_ours():
    assert MASK not in mask(f"a{MASK}b").text
    assert MASK not in mask(f"a{MASK}b<pre>").text


@pytest.mark.parametrize(
    ("text", "brought"),
    [
        ("a<onlyinclude>b</onlyinclude>c<onlyinclude>d</onlyinclude>", "bd"),
        ("a<noinclude>b</noinclude>c", "ac"),
        ("a<includeonly>b</includeonly>c", "abc"),
        ("a<noinclude>b<includeonly>x</includeonly></noinclude>c", "ac"),
        ("a<noinclude>b", "a"),
        ("plain", "plain"),
    ],
)
def test_what_a_transclusion_brings(text, brought):
    # The tags themselves are blotted out when the text is read where it was brought to.
    assert mask(Wikitext(text).transcluded()).text.replace(MASK, "") == brought


def shape(node: Node, text: str) -> object:
    parts = [text[a:b] for a, b in node.parts()]
    return (node.kind[0], parts, *(shape(child, text) for child in node.children))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[A]] [[B|b]]", [("l", ["A"]), ("l", ["B", "b"])]),
        ("[[A|x[1]]]", [("l", ["A", "x[1]"])]),
        ("[[A]]]", [("l", ["A"])]),
        ("[[F|c [[A]]]]", [("l", ["F", "c [[A]]"], ("l", ["A"]))]),
        ("{{a|{{b|c}}|[[D|e]]}}", [("t", ["a", "{{b|c}}", "[[D|e]]"], ("t", ["b", "c"]), ("l", ["D", "e"]))]),
        ("{{{1|x}}}", [("p", ["1", "x"])]),
        ("{{{{{1}}}}}", [("t", ["{{{1}}}"], ("p", ["1"]))]),
        ("{{{a}}", [("t", ["a"])]),
        ("{{a|b_{c}|d}}", [("t", ["a", "b_{c}", "d"])]),
        ("{{a|[[b}} [[C]]", [("t", ["a", "[[b"]), ("l", ["C"])]),
        ("{{never [[A]]", [("l", ["A"])]),
        ("[[never {{a}} [[B]]", [("t", ["a"]), ("l", ["B"])]),
        ("x^{a_{b}} | ]] }}", []),
        ("[[A\nB]]", [("l", ["A\nB"])]),
        ("{{:A}}{{:B}}", [("t", [":A"]), ("t", [":B"])]),
    ],
)
def test_tree(text, expected):
    assert [shape(node, text) for node in scan(text)] == expected


def nested(nodes, start: int, end: int) -> bool:
    for node in nodes:
        if not (start <= node.start < node.end <= end and nested(node.children, node.start, node.end)):
            return False
        start = node.end
    return True


@given(st.text(alphabet="[]{}|a\n$ "))
def test_any_text_gives_nodes_in_order_and_inside_each_other(text):
    assert nested(scan(text), 0, len(text))


@pytest.mark.parametrize("text", ["[[", "{{", "{{[[a]]", "[[a|", "]]", "}}", "[[a|b]] {{c|", "{{{"])
def test_long_runs_of_unclosed_markup_are_read(text):
    # With a scanner that looks back, these would not end.
    assert nested(scan(text * 50_000 + "]]}}"), 0, len(text) * 50_000 + 4)

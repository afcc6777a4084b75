import pytest

from naturalproofs.wiki.masking import BLOT, mask, transcluded


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
    assert masked.text.replace(BLOT, "") == seen
    assert len(masked.text) == len(text)


def test_line_ends_stay():
    text = "a\n<!-- b\nc -->\nd"
    assert mask(text).text.count("\n") == text.count("\n")


def test_blots_of_the_author_are_not_ours():
    assert BLOT not in mask(f"a{BLOT}b").text
    assert BLOT not in mask(f"a{BLOT}b<pre>").text


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
    assert mask(transcluded(text, mask(text))).text.replace(BLOT, "") == brought

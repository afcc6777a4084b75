from naturalproofs.wiki.outline import Outline
from naturalproofs.wiki.pages import Pages

TEXT = "lead <!-- == No == -->\n== Theorem ==\na\n=== Corollary ===\nb\n== Proof ==\nc"


def test_a_page_that_was_written_down_reads_as_before():
    page = Outline("A", TEXT)
    pages = Pages()
    pages.add("B", "other")
    pages.add("A", "older")
    pages.add("A", TEXT)
    again = pages["A"]
    assert (again.title, again.text, again.masked, again.parts) == ("A", TEXT, page.masked, page.parts)
    assert [part.role for part in again.parts] == ["statement", "proof"]
    assert pages.roles("A") == {"statement", "proof"}
    assert (list(pages), len(pages), pages["B"].text) == (["B", "A"], 2, "other")

from naturalproofs.sources.proofwiki.outline import Outline

TEXT = "lead <!-- == No == -->\n== Theorem ==\na\n=== Corollary ===\nb\n== Proof ==\nc"


def test_a_page_that_was_forgotten_is_worked_out_again():
    page = Outline("A", TEXT)
    before = page.parts, page.masked
    page.forget()
    assert page.parts is not before[0]
    assert (page.parts, page.masked) == before
    assert [part.role for part in page.parts] == ["statement", "proof"]

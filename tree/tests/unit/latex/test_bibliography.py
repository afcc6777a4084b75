"""Entries of bibliographies, from .bib files and from the document."""

from naturalproofs.sources.latex.read.works import read_bib, read_items, resource_names

BIB = r"""
@string{x = "y"}
@book{EGA, author = {Grothendieck, Alexander and Jean Dieudonn{\'e}}, title = "{\'E}l{\'e}ments", year = 1960,
  url = {https://example.org/a_b}, ids = {ega1, ega2}}
@article{AM,
  author={M. F. Atiyah},
  title={{Commutative} Algebra},
  date = {1969-01-01},
  doi = {10.1/2},
}
@book{broken, title = {open
"""


def test_fields_become_plain_text():
    entries = {entry.key: entry for entry in read_bib(BIB)}
    assert list(entries) == ["EGA", "ega1", "ega2", "AM", "broken"]
    assert str(entries["EGA"]) == "Alexander Grothendieck, Jean Dieudonné, Éléments (1960)"
    assert entries["ega2"].url == "https://example.org/a_b"
    assert (entries["AM"].title, entries["AM"].year, entries["AM"].url) == (
        "Commutative Algebra",
        "1969",
        "https://doi.org/10.1/2",
    )
    assert str(entries["broken"]) == "broken"


def test_items_have_a_text():
    source = (
        "\\bibitem[Ser]{Serre} J.-P. Serre.\n\\newblock {\\em Local fields}.\n\n"
        "\\bibitem{b} B % no\n\\end{thebibliography}x"
    )
    assert [(one.key, str(one)) for one in read_items(source)] == [("Serre", "J.-P. Serre. Local fields."), ("b", "B")]


def test_files_of_entries():
    assert resource_names("\\bibliography{a, b}\n% \\bibliography{c}\n\\addbibresource[x]{d.bib}") == {
        "a",
        "b",
        "d.bib",
    }

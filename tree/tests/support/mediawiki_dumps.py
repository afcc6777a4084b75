"""MediaWiki exports made on the spot for tests."""

from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

NAMESPACES = {
    -2: "Media", -1: "Special", 0: "", 1: "Talk", 2: "User", 3: "User talk", 4: "Test Wiki", 6: "File", 8: "MediaWiki",
    10: "Template", 12: "Help", 14: "Category", 15: "Category talk", 100: "Axiom", 102: "Definition", 104: "Symbols",
    106: "Mathematician", 108: "Book", 828: "Module",
}  # fmt: skip


def namespace_of(title: str) -> int:
    """Give the namespace that a title's prefix names."""
    prefix, colon, _ = title.partition(":")
    return next((key for key, name in NAMESPACES.items() if colon and name == prefix), 0)


def page_xml(title: str, text: str) -> str:
    """Write one page as MediaWiki exports it."""
    redirect = ""
    if text.lower().startswith("#redirect [["):
        target = text[text.index("[[") + 2 : text.index("]]")].partition("#")[0]
        redirect = f"\n    <redirect title={quoteattr(target)} />"
    return f"""  <page>
    <title>{escape(title)}</title>
    <ns>{namespace_of(title)}</ns>
    <id>7</id>{redirect}
    <revision>
      <id>9</id>
      <timestamp>2020-11-12T00:00:00Z</timestamp>
      <contributor><username>A</username><id>3</id></contributor>
      <comment>a comment</comment>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text xml:space="preserve">{escape(text)}</text>
      <sha1>k9c3sha1</sha1>
    </revision>
  </page>
"""


def dump_xml(pages: dict[str, str], version: str = "0.11") -> str:
    """Write a whole export."""
    spaces = "".join(f'      <namespace key="{k}" case="first-letter">{n}</namespace>\n' for k, n in NAMESPACES.items())
    head = f"""<mediawiki xmlns="http://www.mediawiki.org/xml/export-{version}/" version="{version}" xml:lang="en">
  <siteinfo>
    <sitename>Test Wiki</sitename>
    <base>https://example.org/wiki/Main_Page</base>
    <case>first-letter</case>
    <namespaces>
{spaces}    </namespaces>
  </siteinfo>
"""
    return head + "".join(page_xml(title, text) for title, text in pages.items()) + "</mediawiki>\n"


def write_dump(path: Path, pages: dict[str, str]) -> Path:
    """Write an export to a file."""
    path.write_text(dump_xml(pages), encoding="utf-8")
    return path

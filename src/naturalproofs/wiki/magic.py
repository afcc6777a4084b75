"""MediaWiki's magic words for the name of the page one is on."""

import re

_WORD = re.compile(r"\{\{\s*((?:FULL|BASE|SUB|ROOT)?PAGENAMEE?|NAMESPACEE?)\s*\}\}")


def value(word: str, title: str) -> str | None:
    """Give what a magic word stands for on a page, or None for any other word."""
    if not word.isupper():
        return None
    prefix, colon, name = title.rpartition(":") if ":" in title.partition(" ")[0] else ("", "", title)
    return {
        "FULLPAGENAME": title,
        "PAGENAME": name,
        "BASEPAGENAME": name.rpartition("/")[0] or name,
        "ROOTPAGENAME": name.partition("/")[0],
        "SUBPAGENAME": name.rpartition("/")[2],
        "NAMESPACE": prefix if colon else "",
    }.get(word.removesuffix("E") if word.endswith("NAMEE") or word == "NAMESPACEE" else word)


def substituted(text: str, title: str) -> str:
    """Replace the magic words in a target or template name."""
    return _WORD.sub(lambda match: value(match[1], title) or "", text)

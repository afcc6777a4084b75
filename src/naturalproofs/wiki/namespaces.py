"""Namespaces and interwiki prefixes that every MediaWiki knows, as data."""

MAIN, TALK, USER, PROJECT, FILE, MEDIAWIKI, TEMPLATE, HELP, CATEGORY = 0, 1, 2, 4, 6, 8, 10, 12, 14
MEDIA, SPECIAL = -2, -1

CANONICAL: dict[str, int] = {
    "media": MEDIA,
    "special": SPECIAL,
    "talk": TALK,
    "user": USER,
    "user talk": 3,
    "project": PROJECT,
    "project talk": 5,
    "file": FILE,
    "file talk": 7,
    "image": FILE,
    "image talk": 7,
    "mediawiki": MEDIAWIKI,
    "mediawiki talk": 9,
    "template": TEMPLATE,
    "template talk": 11,
    "help": HELP,
    "help talk": 13,
    "category": CATEGORY,
    "category talk": 15,
}
"""Names that mean the same in every language, in lower case; aliases included."""

NAMES: dict[int, str] = {
    key: name[:1].upper() + name[1:] for name, key in CANONICAL.items() if not name.startswith(("image", "project"))
}
"""The printed name of a standard namespace, for exports that do not list theirs."""
NAMES[MEDIAWIKI], NAMES[9] = "MediaWiki", "MediaWiki talk"

TECHNICAL: frozenset[int] = frozenset({274, 460, 486, 710, 828, 1198, 2300, 2302, 2600})
"""Namespaces of extensions (widgets, modules, gadgets, translations), which hold no prose."""

INTERWIKI: frozenset[str] = frozenset(
    {
        "acronym",
        "arxiv",
        "citizendium",
        "commons",
        "creativecommons",
        "doi",
        "encyclopediaofmath",
        "enwiki",
        "freebsdman",
        "gutenberg",
        "iarchive",
        "isbn",
        "jstor",
        "m",
        "mathworld",
        "mathoverflow",
        "mediawikiwiki",
        "meta",
        "metawikimedia",
        "metawikipedia",
        "mw",
        "nlab",
        "oeis",
        "oeiswiki",
        "orcid",
        "planetmath",
        "pmid",
        "pmc",
        "rfc",
        "species",
        "stackexchange",
        "w",
        "wikia",
        "wikibooks",
        "wikicities",
        "wikidata",
        "wikimedia",
        "wikinews",
        "wikipedia",
        "wikiquote",
        "wikisource",
        "wikispecies",
        "wikiversity",
        "wikivoyage",
        "wikt",
        "wiktionary",
        "zbl",
        "zbmath",
        "ar",
        "ca",
        "cs",
        "da",
        "de",
        "el",
        "en",
        "eo",
        "es",
        "fa",
        "fi",
        "fr",
        "gl",
        "he",
        "hi",
        "hu",
        "id",
        "it",
        "ja",
        "ko",
        "la",
        "ms",
        "nl",
        "no",
        "pl",
        "pt",
        "ro",
        "ru",
        "simple",
        "sk",
        "sv",
        "tr",
        "uk",
        "vi",
        "zh",
    }
)
"""Prefixes taken for another site; an export does not carry the wiki's own table."""


def is_content(key: int) -> bool:
    """Whether pages of a namespace are reading matter: the main one, and the wiki's own ones."""
    return key == MAIN or (key >= 100 and key % 2 == 0 and key not in TECHNICAL)

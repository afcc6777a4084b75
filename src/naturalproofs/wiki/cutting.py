"""Pages in the very form that MediaWiki writes, cut out of an export by one pattern, without the XML parser.

The pattern is narrow enough that whatever it matches is sound XML; pages of any other form are left to the parser. That
a stretch begins between two pages, and not in a comment, is for the caller to know.
"""

import re

from naturalproofs.wiki import handlers
from naturalproofs.wiki.contents import Page

MAX_LENGTH = 1 << 20
"""Bytes after which a page that has not ended is left to the parser."""

_DATA = rb"[^<>]*+"
_GAP = rb"[ \n]*+"


def _element(name: str, data: bytes = _DATA) -> bytes:
    return b"<%s>%s</%s>%s" % (name.encode(), data, name.encode(), _GAP)


_WHO = rb"<contributor>%s(?:%s%s|%s)</contributor>%s|<contributor deleted=\"deleted\" />%s" % (
    _GAP,
    _element("username"),
    _element("id", rb"\d++"),
    _element("ip"),
    _GAP,
    _GAP,
)
_SPACE = rb' xml:space="preserve"'
_PAGE = re.compile(
    _GAP
    + rb"<page>"
    + _GAP
    + _element("title", rb"([^<>]{1,1024}+)")
    + _element("ns", rb"(-?\d{1,6}+)")
    + _element("id", rb"\d++")
    + rb'(?:<redirect title="([^<>"\n\t]{0,1024}+)" />%s)?+' % _GAP
    + rb"<revision>"
    + _GAP
    + _element("id", rb"\d++")
    + rb"(?:%s)?+" % _element("parentid", rb"\d++")
    + _element("timestamp")
    + rb"(?:%s)" % _WHO
    + rb"(?:<minor ?/>%s)?+" % _GAP
    + rb"(?:%s|<comment deleted=\"deleted\" />%s)?+" % (_element("comment"), _GAP)
    + rb"(?:%s)?+" % _element("origin", rb"\d++")
    + _element("model", rb"([^<>]{1,256}+)")
    + _element("format")
    + rb'<text(?:%s bytes="\d+"| bytes="\d+" sha1="\w+"%s|%s)' % (_SPACE, _SPACE, _SPACE)
    + rb"(?: />|>([^<]*+)</text>)"
    + _GAP
    + rb"(?:<sha1 ?/>%s|%s)?+" % (_GAP, _element("sha1", rb"\w*+"))
    + rb"</revision>%s</page>" % _GAP
)
_STRANGE = re.compile(r"&(?!(?:lt|gt|quot|amp|#039);)")
_FORBIDDEN = bytes([*range(9), *range(11, 32)])
"""Bytes that XML forbids, and the carriage return, which it changes."""
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#039;", "'"), ("&amp;", "&"))
"""The ampersand comes last, so that nothing is replaced twice."""
_HEAD = re.compile(
    rb"(?:\xef\xbb\xbf)?(?:<\?xml version=[\"']1\.0[\"'](?: encoding=[\"'](?i:utf-8)[\"'])?\s*\?>)?\s*<mediawiki\b"
)


def may_cut(head: bytes) -> bool:
    """Whether an export that begins so is written in UTF-8."""
    return _HEAD.match(head) is not None


def is_clean(data: bytes) -> bool:
    """Whether there is no byte that the parser would refuse or change."""
    return len(data.translate(None, _FORBIDDEN)) == len(data)


def cut(data: bytes, position: int) -> tuple[Page, int] | None:
    """Read the page that begins at a position of clean data, if it has the usual form; also give where it ends."""
    match = _PAGE.match(data, position)
    if match is None:
        return None
    title, namespace, redirect, model, text = match.groups()
    try:
        # What is not taken (names, comments) must be sound, too; all of it stands before the text.
        before = data[position : match.end() if text is None else match.start(5)].decode()
        inside = "" if text is None else text.decode()
    except UnicodeDecodeError:
        return None
    if ">" in inside or len(inside) > handlers.MAX_TEXT or not _is_sound(before) or not _is_sound(inside):
        return None
    page = Page(
        _read(title.decode()),
        int(namespace),
        _read(inside),
        None if redirect is None else _read(redirect.decode()),
        "wikitext" if model == b"wikitext" else _read(model.decode()),
    )
    return page, match.end()


def _is_sound(text: str) -> bool:
    """Whether all entities are known, and neither of the characters is there that XML forbids and UTF-8 does not."""
    return ("&" not in text or _STRANGE.search(text) is None) and "\ufffe" not in text and "\uffff" not in text


def _read(text: str) -> str:
    if "&" in text:
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
    return text

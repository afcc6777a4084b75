"""Where tags are kept: in the written site, and in a file beside the project if the user wants one."""

from __future__ import annotations

import re
from pathlib import Path

from naturalproofs.corpus.corpus import Corpus
from naturalproofs.errors import SourceNotFound
from naturalproofs.io.files import replace_file
from naturalproofs.publish.book import TAGS
from naturalproofs.publish.tags import Tagged, Tags, assign_tags, format_tags, parse_tags

_OURS = re.compile(rb"\s*(?:#|[0-9A-Z]{4},)")


def open_tags(corpus: Corpus, site: Path, file: Path | None = None) -> Tags:
    """The tags of a corpus: those of the file if it exists, else those of the site as it was written last.

    Args:
        corpus: The statements.
        site: The folder of the site.
        file: The user's tags file.
    """
    for path in (file, site / TAGS):
        if path is not None and path.exists():
            return assign_tags(corpus, _read(path))
    return assign_tags(corpus)


def save_tags(file: Path, tags: Tags) -> None:
    """Write the user's tags file; a file that is not one is refused."""
    replace_file(file, format_tags(tags.table).encode("utf-8", "replace"), _OURS)


def _read(path: Path) -> dict[str, Tagged]:
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as error:
        raise SourceNotFound(f"{path}: not a tags file: it is not UTF-8") from error
    except OSError as error:
        raise SourceNotFound(f"{path}: the tags cannot be read ({error.strerror})") from error
    return parse_tags(text, str(path))

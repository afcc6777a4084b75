"""Labels that the author wrote, and names that were made up for statements without one."""

import re

from naturalproofs.records import Statement

_MADE_UP = re.compile(r".+-[0-9a-f]{10}")


def is_made_up(statement: Statement) -> bool:
    """Whether a statement's label was made from its text because the author gave none."""
    return _MADE_UP.fullmatch(statement.label) is not None

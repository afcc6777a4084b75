import pytest

from naturalproofs.wiki.equations import row


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"l": "a", "r": "b"}, r"a &= b \\"),
        ({"l": "a", "o": r"\le", "r": "b", "c": "since"}, r"a &\le b & & \text{since} \\"),
        ({"n": "1", "l": "a", "r": "b", "c": "x"}, r"a &= b & (1) & \text{x} \\"),
        ({"n": "1", "r": "b"}, r"&= b & (1) \\"),
        ({"ll": r"\leadsto", "l": "a", "ro": "+", "r": "b", "rr": "c"}, r"\leadsto a &= + b c \\"),
        ({"c": "only a reason"}, r"& & & \text{only a reason} \\"),
        ({"l": " a\n b ", "r": ""}, r"a b & \\"),
    ],
)
def test_row(fields, expected):
    assert row(fields) == expected

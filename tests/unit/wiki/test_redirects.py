from hypothesis import given
from hypothesis import strategies as st

from naturalproofs.wiki.redirects import follow


def test_chains_circles_and_dead_ends():
    ends, found = follow({"a": "b", "b": "c", "r": "s", "s": "t", "t": "s", "x": "y"}, {"c"}.__contains__)
    assert ends == {"a": "c", "b": "c", "r": None, "s": None, "t": None, "x": None}
    assert [(d.path, d.rule) for d in found] == [("s", "redirect-cycle"), ("x", "redirect-to-nowhere")]
    assert "s > t > s" in found[0].message


@given(st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from("abcdefghXY")))
def test_ends_are_pages_and_agree_with_one_step(redirects):
    ends, _ = follow(redirects, {"X"}.__contains__)
    assert ends.keys() == redirects.keys()
    for title, target in redirects.items():
        assert ends[title] == (ends[target] if target in redirects else "X" if target == "X" else None)

"""Geometry and drawing of the plots."""

from naturalproofs.apps.web.charts import Plot, Ranking, columns
from naturalproofs.apps.web.templating import render


def drawn(*plots: Plot, rankings: tuple[Ranking, ...] = ()) -> str:
    return render("_charts.html", plots=plots, rankings=rankings)


def test_charts_hold_every_figure() -> None:
    made = drawn(columns("Title", {"0": 3, "1": 0, "2+": 1200}, "x", "y"))
    assert made.count('class="bar"') == 3
    assert "2+: 1,200" in made
    assert '<a href="/a">A &amp; B</a>' in drawn(rankings=(Ranking("Title", [("A & B", 3, "/a")], "x"),))


def test_empty_charts_are_no_error() -> None:
    made = drawn(columns("T", {}, "x", "y"), rankings=(Ranking("T", [], "x"),))
    assert made.count("<svg") == 1
    assert made.count("<ol") == 1

"""Geometry and drawing of the plots."""

from naturalproofs.apps.web.charts import Plot, columns
from naturalproofs.apps.web.templating import render


def drawn(*plots: Plot) -> str:
    return render("_charts.html", plots=plots)


def test_charts_hold_every_figure() -> None:
    made = drawn(columns("Title", {"0": 3, "1": 0, "2+": 1200}, "x", "y"))
    assert made.count('class="bar"') == 3
    assert "2+: 1,200" in made


def test_empty_charts_are_no_error() -> None:
    assert drawn(columns("T", {}, "x", "y")).count("<svg") == 1

"""Counters."""

from naturalproofs.apps.web.middleware import Metrics


def test_metrics_add_up() -> None:
    metrics = Metrics()
    for seconds in (0.001, 0.03, 20.0):
        metrics.count("GET", "/a", 200, seconds)
    text = metrics.text()
    assert 'naturalproofs_requests_total{method="GET",route="/a",status="200"} 3' in text
    assert 'naturalproofs_request_seconds_bucket{route="/a",le="0.005"} 1' in text
    assert 'naturalproofs_request_seconds_bucket{route="/a",le="0.05"} 2' in text
    assert 'naturalproofs_request_seconds_bucket{route="/a",le="+Inf"} 3' in text
    assert 'naturalproofs_request_seconds_sum{route="/a"} 20.031000' in text

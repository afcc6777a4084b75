"""Counters of one worker in Prometheus' text format."""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections import Counter

from naturalproofs import __version__

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
"""Upper bounds of the latency histogram, in seconds."""


class Metrics:
    """Requests by route and status, with their latencies."""

    def __init__(self) -> None:
        """Start counting."""
        self.started = time.time()
        self.running = 0
        self._requests: Counter[tuple[str, str, int]] = Counter()
        self._buckets: dict[str, list[int]] = {}
        self._sums: dict[str, float] = {}

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count one response; the route is that of a handler, so that clients cannot add counters."""
        self._requests[method, route, status] += 1
        self._buckets.setdefault(route, [0] * (len(BOUNDS) + 1))[bisect_left(BOUNDS, seconds)] += 1
        self._sums[route] = self._sums.get(route, 0.0) + seconds

    def text(self) -> str:
        """All metrics in the text format."""
        lines = [
            "# HELP naturalproofs_info The version and the process of the worker that answers.",
            "# TYPE naturalproofs_info gauge",
            f'naturalproofs_info{{version="{__version__}",pid="{os.getpid()}"}} 1',
            "# HELP naturalproofs_start_time_seconds When the worker started, in seconds since 1970.",
            "# TYPE naturalproofs_start_time_seconds gauge",
            f"naturalproofs_start_time_seconds {self.started:.3f}",
            "# HELP naturalproofs_requests_running Requests that are being answered.",
            "# TYPE naturalproofs_requests_running gauge",
            f"naturalproofs_requests_running {self.running}",
            "# HELP naturalproofs_requests_total Requests answered.",
            "# TYPE naturalproofs_requests_total counter",
        ]
        lines += [
            f'naturalproofs_requests_total{{method="{method}",route="{route}",status="{status}"}} {number}'
            for (method, route, status), number in sorted(self._requests.items())
        ]
        lines += [
            "# HELP naturalproofs_request_seconds How long answers took.",
            "# TYPE naturalproofs_request_seconds histogram",
        ]
        for route, buckets in sorted(self._buckets.items()):
            total = 0
            for bound, number in zip((*map(str, BOUNDS), "+Inf"), buckets, strict=True):
                total += number
                lines.append(f'naturalproofs_request_seconds_bucket{{route="{route}",le="{bound}"}} {total}')
            lines.append(f'naturalproofs_request_seconds_sum{{route="{route}"}} {self._sums[route]:.6f}')
            lines.append(f'naturalproofs_request_seconds_count{{route="{route}"}} {total}')
        return "\n".join(lines) + "\n"

"""When the graph page of a corpus is painted first and when it is drawn, in Chromium without a window.

    python benchmarks/graph_paint.py CORPUS [--turns 4]

Each turn starts with an empty browser cache. Prints wall times in milliseconds, the processor time of the server in
seconds, the bytes transferred, and the browser's own processor time.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from naturalproofs.apps.web.site import Site
from naturalproofs.workspace import Workspace
from support import chromium
from support.web_server import listening

_NAVIGATION = "return JSON.stringify(performance.getEntriesByType('navigation')[0])"
_PAINT = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="First paint of the graph page.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--turns", type=int, default=4)
    options = parser.parse_args()
    site = Site.of(Workspace.open([options.corpus]))
    name = site.corpora[0].name
    print(f"{'turn':>4} {'paint ms':>9} {'drawn ms':>9} {'server s':>9} {'browser s':>9} {'bytes':>9}")
    with (
        listening(site) as address,
        tempfile.TemporaryDirectory() as profile,
        chromium.started(Path(profile), "1280,820") as driver,
    ):
        for turn in range(options.turns):
            driver.get("about:blank")
            driver.execute_cdp_cmd("Network.clearBrowserCache", {})
            driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
            before = time.process_time()
            driver.get(f"{address}/corpus/{name}/graph")
            used = time.process_time() - before
            navigation = json.loads(driver.execute_script(_NAVIGATION))
            painted = driver.execute_script(_PAINT) or float("nan")
            metrics = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
            browser = next(one["value"] for one in metrics if one["name"] == "TaskDuration")
            drawn, size = navigation["loadEventEnd"], navigation["transferSize"]
            print(f"{turn:>4} {painted:>9.0f} {drawn:>9.0f} {used:>9.2f} {browser:>9.2f} {size:>9,}", flush=True)


if __name__ == "__main__":
    main()

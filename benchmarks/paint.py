"""When a page of a work is painted first and when it is complete, in Chromium without a window.

    python benchmarks/paint.py WORK [--chapters 3] [--statements 100] [--slowdown 4] [--turns 4]

WORK is a project or a corpus. The pages are those of the chapters whose number of statements is nearest to the one
given, or with ``--graph`` that of the graph. Each turn starts with an empty browser cache, and the browser's processor
is slowed down as its developer tools do it. Prints wall times in milliseconds, the processor time of the server in
seconds, the bytes of the page and of all it loads as they are transferred, and the browser's own processor time.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from naturalproofs.apps.web.site import Site
from naturalproofs.workspace import Workspace
from support import chromium
from support.web_server import listening

_NAVIGATION = "return JSON.stringify(performance.getEntriesByType('navigation')[0])"
_PAINT = "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
_LOADED = "return performance.getEntriesByType('resource').reduce((sum, one) => sum + one.transferSize, 0)"


def pages(site: Site, arguments: argparse.Namespace) -> list[tuple[str, str]]:
    """What is measured: a name and an address."""
    shown = site.pages[0]
    base = f"/corpus/{quote(shown.corpus.name)}"
    if arguments.graph:
        return [("graph", f"{base}/graph")]
    wanted = arguments.statements
    chosen = sorted(shown.work.chapters, key=lambda one: abs(len(one.statements) - wanted))[: arguments.chapters]
    return [
        (f"{one.title[:32]} ({len(one.statements)} statements)", f"{base}?chapter={quote(one.name)}") for one in chosen
    ]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="First paint of pages.")
    parser.add_argument("work", type=Path)
    parser.add_argument("--graph", action="store_true")
    parser.add_argument("--chapters", type=int, default=3)
    parser.add_argument("--statements", type=int, default=100)
    parser.add_argument("--slowdown", type=float, default=4)
    parser.add_argument("--turns", type=int, default=4)
    arguments = parser.parse_args()
    site = Site.of(Workspace.open([arguments.work]))
    print("| page | turn | first paint ms | complete ms | server s | browser s | page bytes | all bytes |")
    print("| --- |" + " ---: |" * 7)
    with (
        listening(site) as address,
        tempfile.TemporaryDirectory() as profile,
        chromium.started(Path(profile), "1280,820") as driver,
    ):
        driver.execute_cdp_cmd("Emulation.setCPUThrottlingRate", {"rate": arguments.slowdown})
        for name, path in pages(site, arguments):
            for turn in range(arguments.turns):
                driver.get("about:blank")
                driver.execute_cdp_cmd("Network.clearBrowserCache", {})
                driver.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})
                before = time.process_time()
                driver.get(address + path)
                used = time.process_time() - before
                navigation = json.loads(driver.execute_script(_NAVIGATION))
                painted = driver.execute_script(_PAINT) or float("nan")
                metrics = driver.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]
                browser = next(one["value"] for one in metrics if one["name"] == "TaskDuration")
                size, complete = navigation["transferSize"], navigation["loadEventEnd"]
                total = size + driver.execute_script(_LOADED)
                row = [f"{painted:.0f}", f"{complete:.0f}", f"{used:.2f}", f"{browser:.2f}", f"{size:,}", f"{total:,}"]
                print(f"| {name} | {turn} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()

"""Take the pictures in docs/images: ``python docs/screenshots.py [STACKS]``.

Opens the Primer as ``serve`` and ``site`` show it, in Chromium without a window. `images/widths` has each kind of page
at three widths in light and dark colours, side by side. With a corpus folder of the Stacks project the picture of its
chapters is taken too.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from naturalproofs.apps.site.book import Book, write_site  # noqa: E402
from naturalproofs.apps.site.tags import assign_tags  # noqa: E402
from naturalproofs.apps.web.site import Site  # noqa: E402
from naturalproofs.benchmark.evaluation import evaluate  # noqa: E402
from naturalproofs.data import primer_folder  # noqa: E402
from naturalproofs.workspace import Workspace  # noqa: E402
from support import chromium  # noqa: E402
from support.site_tab import SiteTab  # noqa: E402
from support.web_server import listening  # noqa: E402

IMAGES = HERE / "images"
WIDTHS = ((1440, 900), (820, 900), (390, 760))
LAGRANGE = "/statement/primer:thm:lagrange"
PATH = "/path/primer:thm:sylow-first"
GRAPH = "/corpus/primer/graph#from=def:group&to=thm:sylow-first"
SEARCH = "/?q=what+is+a+normal+subgroup"
ASK = "/ask?statement=primer:thm:lagrange"
WORK = "/corpus/primer"
CHAPTER = "/corpus/primer?chapter=Groups#s3.3"
EXERCISE = "/exercise/primer:thm:lagrange"
KINDS = {
    "home": "/", "work": WORK, "chapter": CHAPTER, "search": SEARCH, "statement": LAGRANGE, "ask": ASK, "path": PATH,
    "graph": GRAPH, "exercise": EXERCISE, "results": "RESULTS",
}  # fmt: skip
SINGLE = (
    ("home", 1280, 960, False, "/"),
    ("statement", 1280, 960, False, LAGRANGE),
    ("ask", 1280, 960, False, ASK),
    ("corpus", 1280, 960, False, WORK),
    ("chapter", 1280, 960, False, CHAPTER),
    ("path", 1280, 900, False, PATH),
    ("course", 1280, 900, False, "/course?names=thm%3Asylow-first%0Athm%3Acauchy"),
    ("exercise", 1280, 1000, False, EXERCISE),
    ("search-wide", 1440, 900, False, SEARCH),
    ("search-tablet-dark", 820, 1000, True, SEARCH),
    ("search-phone", 390, 760, False, SEARCH),
    ("graph-path-wide", 1440, 900, False, GRAPH),
    ("graph-path-tablet-dark", 820, 1000, True, GRAPH),
    ("graph-path-phone", 390, 760, False, GRAPH),
    ("graph-primer", 1440, 860, False, "/corpus/primer/graph#focus=thm:lagrange&up=2&down=1"),
    ("statement-phone-dark", 360, 740, True, LAGRANGE),
    ("ask-phone-dark", 390, 844, True, ASK),
    ("path-tablet", 820, 1000, False, PATH),
    ("results-slices", 1280, 820, False, "RESULTS"),
)


def picture(tab: SiteTab, path: str, width: int, height: int, *, dark: bool) -> Image.Image:
    """A page as a reader sees it first; a page must not be wider than the window."""
    tab.driver.get("about:blank")
    tab.screen(width, height, dark=dark)
    tab.open(path)
    tab.until(lambda: tab.run("return document.readyState") == "complete" and tab.count(".busy, #loading") == 0)
    tab.run("return document.fonts.ready.then(() => 1)")
    time.sleep(0.5)  # The camera of the graph comes to rest.
    wide, room = tab.run("const e = document.documentElement; return [e.scrollWidth, e.clientWidth]")
    if wide > room:
        print(f"{path}: {wide} pixels wide in {room}")
    return Image.open(BytesIO(tab.driver.get_screenshot_as_png())).convert("RGB")


def save(image: Image.Image, path: Path) -> None:
    """Write a small file: 256 colours are enough for text."""
    path.parent.mkdir(exist_ok=True)
    image.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.relative_to(HERE)}: {path.stat().st_size // 1000} KB", flush=True)


def side_by_side(tab: SiteTab, path: str) -> Image.Image:
    """A page at three widths, light above dark."""
    gap, scale = 24, 0.5
    rows = [[picture(tab, path, *size, dark=dark) for size in WIDTHS] for dark in (False, True)]
    width = sum(width for width, _ in WIDTHS) + gap * (len(WIDTHS) + 1)
    height = sum(max(one.height for one in row) for row in rows) + gap * (len(rows) + 1)
    sheet = Image.new("RGB", (width, height), "#b9b6ae")
    top = gap
    for row in rows:
        left = gap
        for one in row:
            sheet.paste(one, (left, top))
            left += one.width + gap
        top += max(one.height for one in row) + gap
    return sheet.resize((round(width * scale), round(height * scale)), Image.Resampling.LANCZOS)


@contextmanager
def browser() -> Iterator[object]:
    """Chromium with a profile that is thrown away."""
    with tempfile.TemporaryDirectory() as profile, chromium.started(Path(profile), "1440,900") as driver:
        yield driver


def main() -> int:
    """Take all pictures."""
    with tempfile.TemporaryDirectory() as scratch, browser() as driver:
        runs = Path(scratch) / "runs"
        for method in ("shipped", "bm25", "recency"):
            evaluate(method, primer_folder(), split="eval", protocol="accessible").save(runs / method)
        workspace = Workspace.open([primer_folder()])
        site = Site.of(workspace, runs=runs)
        with listening(site) as address:
            tab = SiteTab(driver, address)
            results = f"/results/{site.tasks[0].name}"
            for name, path in KINDS.items():
                save(side_by_side(tab, path.replace("RESULTS", results)), IMAGES / "widths" / f"{name}.png")
            for name, width, height, dark, path in SINGLE:
                address_of = path.replace("RESULTS", results)
                save(picture(tab, address_of, width, height, dark=dark), IMAGES / f"{name}.png")
            calibration = picture(tab, f"{results}#calibration", 1280, 900, dark=False)
            save(calibration, IMAGES / "results-calibration.png")
        book = Book(workspace.home, tags := assign_tags(workspace.home))
        written = Path(scratch) / "written"
        write_site(written, "primer", book.files())
        tab = SiteTab(driver, written.as_uri())
        statement = f"/tag/{tags.of['primer:thm:lagrange']}.html"
        save(picture(tab, statement, 1280, 900, dark=False), IMAGES / "site.png")
        save(side_by_side(tab, statement), IMAGES / "widths" / "site.png")
        if len(sys.argv) > 1:
            stacks = Workspace.open([Path(sys.argv[1])])
            with listening(Site.of(stacks)) as address:
                graph = f"/corpus/{stacks.home.name}/graph"
                chapters = picture(SiteTab(driver, address), f"{graph}#reduce=1", 1440, 860, dark=False)
                save(chapters, IMAGES / "graph-stacks-chapters.png")
        for message in driver.get_log("browser"):
            print(message["message"])
    return 0


if __name__ == "__main__":
    sys.exit(main())

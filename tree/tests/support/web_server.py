"""Sites for tests: the Primer, a hostile corpus; and servers that listen."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import uvicorn
from starlette.types import ASGIApp

from naturalproofs.apps.web.app import LOCAL, create_app
from naturalproofs.apps.web.requests import LIMITS, Limits
from naturalproofs.apps.web.server import TimedProtocol
from naturalproofs.apps.web.site import Site, Task
from naturalproofs.benchmark.evaluation import Run, RunSpec
from naturalproofs.corpus.corpus import Corpus, Provenance
from naturalproofs.data import primer_folder
from naturalproofs.records import Mention, Note, Origin, Place, Proof, Statement
from naturalproofs.tasks.measures.ranks import RankedQuery
from naturalproofs.workspace import Workspace

EVIL = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'><svg/onload=alert(3)>"
"""What must never become markup."""


@cache
def primer_site() -> Site:
    """The Primer, with two made-up runs."""
    workspace = Workspace.open([primer_folder()])
    workspace.prepare(search=True)
    return Site.of(workspace, tasks=(_task(workspace.home),))


def _task(corpus: Corpus) -> Task:
    theorem = corpus.find("thm:lagrange")
    gold = tuple(dict.fromkeys(theorem.proofs[0].references))
    others = tuple(s.id for s in corpus.statements[:8])
    runs = []
    stated = (0.9, 0.62, 0.6, 0.3, 0.1)
    for method, ranks, probabilities in (("shipped", (1, 4, 9), stated), ("tfidf", (2, 30, 31), ())):
        spec = RunSpec(method, corpus.name, "0" * 12, "fixed", "test", "leaf(seed=42)", "clean", 0)
        query = RankedQuery(f"{theorem.id}#0", gold, ranks, 606, (gold[0], *others), probabilities)
        runs.append(Run(spec, (query,), 606, 0.1, {"mAP": 50.0}, {}))
    return Task("primer-test-clean", tuple(runs))


@cache
def evil_site() -> Site:
    """Two statements with markup in every field."""
    label = f"x:{EVIL}"
    one = Statement(
        id=f"evil:{label}",
        kind="theorem",
        label=label,
        title=EVIL,
        lines=(EVIL, f"${EVIL}$", f"\\ref{{{EVIL}}} \\textbf{{{EVIL}}} \\unknown{{{EVIL}}}"),
        mentions=(Mention("other", EVIL, 1, "evil:other"),),
        proofs=(Proof((EVIL, "\\ref{other}"), (Mention("other", EVIL, 1, "evil:other"),)),),
        categories=(EVIL,),
        form=EVIL,
        number=EVIL,
        tag=EVIL,
        origin=Origin(EVIL, 1),
        place=Place(EVIL, EVIL, EVIL, 0),
        notes=(Note("slogan", (EVIL,)), Note("history", (EVIL,))),
    )
    two = Statement(
        id="evil:other",
        kind="definition",
        label="other",
        title=EVIL,
        lines=(EVIL, "alert compact"),
        form="definition",
        place=Place(EVIL, EVIL, EVIL, 1),
    )
    provenance = Provenance("latex", "fixed", EVIL, EVIL, EVIL, f"javascript:{EVIL}", EVIL, EVIL)
    corpus = Corpus("evil", (one, two), provenance)
    return Site.of(Workspace.of([corpus]))


@contextmanager
def listening(site: Site, limits: Limits = LIMITS) -> Iterator[str]:
    """A server on a free port of this machine; its address."""
    with serving(create_app(site, hosts=LOCAL, limits=limits), limits) as address:
        yield address


@contextmanager
def serving(app: ASGIApp, limits: Limits = LIMITS) -> Iterator[str]:
    """An application on a free port of this machine; its address."""
    protocol = type("Protocol", (TimedProtocol,), {"head_seconds": limits.head_seconds})
    config = uvicorn.Config(app, port=0, http=protocol, ws="none", log_level="critical", lifespan="off")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    end = time.monotonic() + 300
    while not server.started:
        assert time.monotonic() < end, "the server did not start"
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(10)

"""What a person sees when something is wrong, and the page about the JSON interface."""

from naturalproofs.web.addresses import API
from naturalproofs.web.html import Html, h
from naturalproofs.web.pages.shell import page
from naturalproofs.web.problems import Problem

_HEADINGS = {404: "Not found", 413: "Too much at once", 503: "Busy just now", 500: "Something went wrong"}


def problem_page(problem: Problem) -> Html:
    """One line, and where to go from here."""
    heading = _HEADINGS.get(problem.status, "This cannot be answered")
    said = problem.message[:1].upper() + problem.message[1:]
    return page(
        heading,
        h("h1", heading),
        h("p", f"{said}."),
        h("p", h("a", "Search instead", href="/", class_="button")),
    )


VERBS = (
    ("POST", "/suggest", "what the proof of a theorem may want to cite"),
    ("GET", "/search?q=", "statements by words, formulas and meaning"),
    ("GET", "/statements/{id}", "a statement with its proofs, what it cites and what cites it"),
    ("GET", "/graph/{id}", "the surroundings of a statement, laid out"),
    ("GET", "/path/{id}", "what to read before a statement, in order"),
    ("GET", "/impact/{id}", "what falls if a statement is wrong"),
    ("GET", "/corpora", "what is served"),
    ("POST", "/preview", "LaTeX rendered as HTML with MathML"),
)


def api_page() -> Html:
    """How programs ask."""
    rows = [
        h("tr", h("th", h("code", f"{verb} {API}{path}"), scope="row"), h("td", what, class_="words"))
        for verb, path, what in VERBS
    ]
    example = (
        f"curl -s http://127.0.0.1:8000{API}/suggest \\\n  -H 'Content-Type: application/json' \\\n"
        '  -d \'{"text": "Every subgroup of a cyclic group is cyclic.", "k": 5}\''
    )
    return page(
        "JSON interface",
        h("h1", "JSON interface"),
        h(
            "p",
            "Everything these pages answer, for programs. The whole description is an ",
            h("a", "OpenAPI document", href=f"{API}/openapi.json"),
            ".",
        ),
        h(
            "div",
            h("table", h("tbody", rows)),
            class_="scroll",
            tabindex=0,
            role="region",
            aria_label="What can be asked",
        ),
        h("pre", h("code", example), tabindex=0),
        h("p", "Errors are ", h("code", '{"error": {"code", "message", "where"}}'), " with a fitting status."),
    )

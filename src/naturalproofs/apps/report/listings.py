"""Statements, reading paths, suggestions and search results as text for a terminal and as data for programs."""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import to_builtins

from naturalproofs.apps.report.table import safe_markdown
from naturalproofs.corpus.corpus import Corpus
from naturalproofs.corpus.graph import ReferenceGraph
from naturalproofs.records import Proof, Statement, StatementId, formal_names
from naturalproofs.sources.latex import Macro
from naturalproofs.workspace.citations import Citing
from naturalproofs.workspace.document_macros import macros_for
from naturalproofs.workspace.extraction import Extraction
from naturalproofs.workspace.notation import Notation
from naturalproofs.workspace.open_corpus import OpenCorpus
from naturalproofs.workspace.outside import OutsideResult, OutsideWork
from naturalproofs.workspace.paths import ReadingPath, impact_by_chapter
from naturalproofs.workspace.render import (
    close_groups,
    full_name,
    name_or_label,
    one_line,
    printed_name,
    readable_text,
    shown_cut,
    wiki_as_latex,
    word_of,
)
from naturalproofs.workspace.search import Found, Hit, marked
from naturalproofs.workspace.suggest import Suggestion, Suggestions
from naturalproofs.workspace.workspace import Workspace

Paint: TypeAlias = Callable[[str, str], str]
"""Styles a text by its role: ``name``, ``sure``, ``cite``, ``mark`` or ``faint``."""
NO_MACROS: Mapping[str, Macro] = {}
USERS_SHOWN = 10
WIDTH = 110
SNIPPET_LINES = 3
_MARGIN = " " * 5
_OPEN, _CLOSE = "\ue000", "\ue001"
"""Private-use characters that delimit a mark until the text is styled."""


def headline(statement: Statement, macros: Mapping[str, Macro] = NO_MACROS) -> str:
    """``Theorem 3.2.5 (Lagrange)``, followed by the label unless it equals the title."""
    label = f"[{statement.label}]" if statement.label != statement.title else ""
    return " ".join(filter(None, (full_name(statement, macros), label)))


def statement_text(
    corpus: Corpus,
    statement: Statement,
    outside: Sequence[OutsideWork] = (),
    macros: Mapping[str, Macro] = NO_MACROS,
    *,
    as_written: bool = False,
    width: int | None = None,
) -> str:
    """The statement, its proofs with their references, what it uses of other works, and the statements that cite it.

    Args:
        corpus: Holds the statement.
        statement: What is shown.
        outside: Works outside of the corpus that it uses.
        macros: Those of the project.
        as_written: Whether texts are shown as their source.
        width: Columns; those of the terminal by default.
    """

    def lines(passage: Statement | Proof) -> Sequence[str]:
        if as_written:
            return passage.lines
        return paragraphs(readable_text(corpus, passage, macros_for(macros, statement)), _columns(width))

    users = ReferenceGraph.of(corpus).used_by.get(statement.id, ())
    parts = [headline(statement, macros), *(f"  {line}" for line in _where(statement, macros)), "", *lines(statement)]
    for index, proof in enumerate(statement.proofs, start=1):
        parts += ["", "Proof." if len(statement.proofs) == 1 else f"Proof {index}.", *lines(proof)]
        parts += _cited(corpus, proof, macros)
    if outside:
        parts += ["", "Uses of other works:", *used_text(outside)]
    if users:
        parts += ["", f"Used by {len(users):,}:"]
        parts += [f"  {headline(corpus.by_id[key], macros)}" for key in users[:USERS_SHOWN]]
        if len(users) > USERS_SHOWN:
            parts.append(f"  … and {len(users) - USERS_SHOWN:,} more")
    return "\n".join(parts)


def paragraphs(text: str, width: int) -> list[str]:
    """The lines of a text, each broken so that it fits."""
    return [line for paragraph in text.split("\n") for line in textwrap.wrap(paragraph, width)]


def _place(statement: Statement, macros: Mapping[str, Macro]) -> tuple[str, ...]:
    """The titles of its chapter and its section."""
    place = statement.place
    return tuple(one_line(part, macros) for part in (place.chapter, place.section) if part) if place else ()


def _where(statement: Statement, macros: Mapping[str, Macro]) -> list[str]:
    where = " › ".join(_place(statement, macros))
    tag = f"tag {statement.tag}" if statement.tag else ""
    origin = str(statement.origin) if statement.origin else ""
    formal = [f"Lean: {name} {address}".rstrip() for name, address in formal_names(statement)]
    return [line for line in (where, ", ".join(part for part in (origin, tag) if part), *formal) if line]


def _cited(corpus: Corpus, proof: Proof, macros: Mapping[str, Macro]) -> list[str]:
    cited = list(dict.fromkeys(proof.references))
    if not cited:
        return ["", "  cites no statement of this corpus"]
    return ["", "  cites:", *(f"    {headline(corpus.by_id[key], macros)}" for key in cited)]


def path_text(corpus: Corpus, path: ReadingPath, macros: Mapping[str, Macro] = NO_MACROS) -> str:
    """A numbered list with the layer of each statement and the numbers of the statements it depends on."""
    number = {step.id: position for position, step in enumerate(path.steps, start=1)}
    lines = [f"To read before {headline(corpus.by_id[path.steps[-1].id], macros)}:", ""]
    for step in path.steps:
        dependencies = ", ".join(map(str, sorted(number[key] for key in step.uses)))
        lines.append(
            f"{number[step.id]:>4}.  layer {step.layer:<3} {headline(corpus.by_id[step.id], macros)}"
            + (f"  ← {dependencies}" if dependencies else "")
            + (f"  [{step.inferred}]" if step.inferred else "")
        )
    if path.known:
        lines += ["", "Known already:", *(f"  {headline(corpus.by_id[key], macros)}" for key in path.known)]
    if path.cut_at is not None:
        lines += ["", f"Cut at distance {path.cut_at}: going on would bring in too much; see --most and --known."]
    lines += ["", warning] if (warning := path_warning(path)) else []
    return "\n".join(lines)


def path_warning(path: ReadingPath) -> str:
    """What to keep in mind about a path on which proofs cite little; empty if they cite enough."""
    if not path.cites_little:
        return ""
    which = "The proof" if path.proofs == 1 else f"{path.silent:,} of the {path.proofs:,} proofs"
    verb = "cites" if path.silent == 1 else "cite"
    return f"{which} on this path {verb} nothing: prerequisites may be missing."


NEAREST = 40
"""Statements that a long list of consequences shows."""


def impact_text(
    corpus: Corpus,
    node: StatementId,
    found: Sequence[tuple[StatementId, int]],
    most: int | None = None,
    macros: Mapping[str, Macro] = NO_MACROS,
) -> str:
    """The statements that depend on a statement: how many of each chapter, then by distance."""
    name = headline(corpus.by_id[node], macros)
    if not found:
        return f"Nothing rests on {name}."
    lines = [f"{len(found):,} statements rest on {name}:", ""]
    chapters = impact_by_chapter(corpus, found)
    if len(chapters) > 1:
        lines += [f"  {one.statements:>6,} of {one.total:>6,}  {one_line(one.chapter, macros)}" for one in chapters]
        lines += ["", "By distance:", ""]
    shown = found[:most] if most is not None else found
    lines += [f"  {distance:>3}  {headline(corpus.by_id[key], macros)}" for key, distance in shown]
    if len(shown) < len(found):
        lines += ["", f"{len(found) - len(shown):,} more are further away; --all lists them."]
    return "\n".join(lines)


def plain(text: str, _role: str) -> str:
    """No styling."""
    return text


def _columns(width: int | None = None) -> int:
    return min(width or shutil.get_terminal_size().columns, WIDTH)


def suggestions_text(
    found: Suggestions, *, paint: Paint = plain, width: int | None = None, several: bool = False
) -> str:
    """A numbered list, and a line that says how many entries are probably enough."""
    if not found.items:
        return "Nothing is suggested: no statement that may be cited here has anything in common with this."
    parts = [
        _suggestion(rank, item, paint, _columns(width), several=several)
        for rank, item in enumerate(found.items, start=1)
    ]
    uses = [f"To list them: {paint(found.uses, 'cite')}"] if found.uses else []
    more = " Ask for more with -k." if found.enough is None and found.covered is not None else ""
    return "\n\n".join([*parts, *uses, textwrap.fill(found.verdict + more, _columns(width))])


def _suggestion(rank: int, item: Suggestion, paint: Paint, width: int, *, several: bool) -> str:
    sure = "" if item.probability is None else f"{item.probability:.0%}"
    title = f" ({item.title})" if item.title else ""
    source = f" · {item.corpus}" if several else ""
    space = width - len(_MARGIN) - len(sure) - len(source) - 1
    name = textwrap.shorten(item.name + title, space, placeholder="…")
    gap = " " * (space - len(name))
    head = f"{rank:>3}. {paint(name, 'name')}{paint(source, 'faint')}{gap} {paint(sure, 'sure')}".rstrip()
    text = textwrap.shorten(item.preview, width - len(_MARGIN), placeholder="…")
    why = textwrap.wrap(" · ".join(item.why), width - len(_MARGIN), break_long_words=False)
    cite = "   ".join(filter(None, (paint(item.citation, "cite"), paint(item.where, "faint"))))
    lines = (text, cite, *(paint(one, "faint") for one in why))
    return "\n".join([head, *(f"{_MARGIN}{line}" for line in lines if line)])


def cited_text(cited: Sequence[Statement], citing: Citing) -> str:
    """The statements that the proof already cites, on one line."""
    names = ", ".join(f"{printed_name(s)} ({s.label})" if s.number else citing.plain(s.title or s.label) for s in cited)
    return f"Cited already: {names}"


def suggestions_data(found: Suggestions) -> dict[str, Any]:
    """Suggestions as plain values for JSON, for the command line, the web page and agents."""
    return {
        "query": found.query,
        "about": found.about,
        "cited": list(found.cited),
        "anything": found.anything,
        "finished": found.finished,
        "verdict": found.verdict,
        "expected": found.expected,
        "enough": found.enough,
        "enough_probability": found.enough_probability,
        "covered": found.covered,
        "suggestions": [_suggestion_data(rank, item) for rank, item in enumerate(found.items, start=1)],
    }


def _identity(statement: Statement) -> dict[str, str]:
    return {name: getattr(statement, name) for name in ("id", "kind", "form", "number", "tag", "label")}


def _suggestion_data(rank: int, item: Suggestion) -> dict[str, Any]:
    # The label that an unlabelled statement would get: what to write, where, and how it is cited then.
    new, cited = item.new_label, item.citation_by_new_label
    return {
        "rank": rank,
        **_identity(item.statement),
        "corpus": item.corpus,
        "name": item.name,
        "title": item.title,
        "preview": item.preview,
        "citation": item.citation,
        "probability": item.probability,
        "score": item.score,
        "reasons": [
            {"kind": reason.kind, "text": reason.text, "statements": list(reason.statements)} for reason in item.reasons
        ],
        "where": item.where,
        "new_label": new and {"label": new.label, "write": new.source, "where": str(new.origin), "citation": cited},
    }


def found_text(
    found: Found,
    *,
    paint: Paint = plain,
    several: bool = False,
    macros: Mapping[str, Mapping[str, Macro]] | None = None,
) -> str:
    """A numbered list of hits, corrections and alternative queries; macros are given by corpus."""
    parts = [
        _hit(rank, hit, paint, _columns(), (macros or {}).get(hit.corpus, {}), several=several)
        for rank, hit in enumerate(found.items, start=1)
    ]
    corrected = ", ".join(f"{meant} (not {typed})" for typed, meant in found.corrections)
    more, least = found.total - len(found.items), "" if found.exact else "At least "
    closing = [
        "Nothing was found." if not parts else "",
        f"No statement has all of that; {'these are' if len(parts) > 1 else 'this is'} similar in meaning."
        if parts and not found.total
        else "",
        f"Looked for {corrected}." if corrected else "",
        f"Did you mean: {' | '.join(found.suggestions)}" if found.suggestions and not corrected else "",
        f"{least}{more:,} more; ask for them with -k, or refine the query." if more > 0 else "",
    ]
    return "\n\n".join([*parts, *filter(None, closing)])


def _hit(rank: int, hit: Hit, paint: Paint, width: int, macros: Mapping[str, Macro], *, several: bool) -> str:
    one = hit.statement
    where = " › ".join(filter(None, (hit.corpus if several else "", *_place(one, macros))))
    label = f"tag {one.tag}, {one.label}" if one.tag else one.label
    head = f"{rank:>3}. {paint(full_name(one, macros), 'name')}   {paint(label if label != hit.title else '', 'cite')}"
    # The marks of a cut stand inside the groups that it cuts, which are closed after it.
    source = shown_cut(marked(hit.snippet, hit.marks, _OPEN, _CLOSE), hit.cut)
    text = one_line(close_groups(wiki_as_latex(source) if one.place is None else source), macros_for(macros, one))
    lines = textwrap.wrap(text, width - len(_MARGIN), max_lines=SNIPPET_LINES, placeholder=" …")
    shown = [head.rstrip(), *(f"{_MARGIN}{line}" for line in _styled(lines, paint))]
    same = ", ".join(f"{twin.corpus}: {headline(twin.statement)}" for twin in hit.twins)
    closing = [where, f"word for word also in {same}" if same else ""]
    return "\n".join([*shown, *(f"{_MARGIN}{paint(line, 'faint')}" for line in closing if line)])


def _styled(lines: list[str], paint: Paint) -> list[str]:
    """Style the marks; one that continues on the next line is closed and opened again."""
    styled: list[str] = []
    inside = False
    for line in lines:
        pieces = (_OPEN if inside else "") + line
        done = ""
        for number, piece in enumerate(pieces.split(_OPEN)):
            body, closed, rest = piece.partition(_CLOSE)
            if not number:
                done += body + rest
                inside = False
                continue
            done += (paint(body, "mark") if body else "") + rest
            inside = not closed
        styled.append(done)
    return styled


def found_data(found: Found) -> dict[str, Any]:
    """Search results as plain values for JSON; marks are offsets into the snippet and the title."""
    return {
        "query": found.query,
        "total": found.total,
        "exact": found.exact,
        "corrections": [{"typed": typed, "meant": meant} for typed, meant in found.corrections],
        "suggestions": list(found.suggestions),
        "hits": [_hit_data(hit) for hit in found.items],
    }


def _hit_data(hit: Hit) -> dict[str, Any]:
    one = hit.statement
    return {
        **_identity(one),
        "title": hit.title,
        "chapter": hit.chapter,
        "section": one.section,
        "categories": one.categories,
        "corpus": hit.corpus,
        "score": round(hit.score, 4),
        "field": hit.field,
        "snippet": hit.snippet,
        "marks": hit.marks,
        "title_marks": hit.title_marks,
        "twins": [twin.statement.id for twin in hit.twins],
    }


def extraction_text(found: Extraction, most: int) -> str:
    """What was read from a project, and what was not understood."""
    lines = [
        f"{found.files:,} files read: {found.statements:,} statements, {found.proofs:,} proofs; "
        f"{found.resolved:,} of {found.mentions:,} citations lead to a statement"
    ]
    counted = (
        ("Environments that are not statements", found.environments),
        ("Commands with a label that are not followed", found.commands),
        ("Cited keys without a label", found.keys),
    )
    for title, items in counted:
        shown = ", ".join(f"{name} ({count:,})" for name, count in items[:most])
        more = f" and {len(items) - most:,} more" if len(items) > most else ""
        lines.append(f"{title}: {shown + more or 'none'}")
    more = f"\n  and {len(found.inputs) - most:,} more" if len(found.inputs) > most else ""
    listed = "".join(f"\n  {one}" for one in found.inputs[:most])
    lines.append(f"Inputs not followed: {listed + more or 'none'}")
    return "\n".join(lines)


# Overviews of a project as text and as data: the results of other works that it uses, and its notation.

NAMED = 6
"""How many of the statements that use a result are named."""
_SYMBOL, _MEANING = 24, 80
"""Widths of the columns of a table of notation."""
WHOLE_WORK = "(the work as a whole)"


def outside_text(works: Sequence[OutsideWork], corpus: Corpus) -> str:
    """The works with their results, and who uses each."""
    if not works:
        return "No statement and no proof cites another work."
    lines = []
    for work in works:
        lines += ["", f"{work.entry} [{work.entry.key}]" if str(work.entry) != work.entry.key else work.entry.key]
        lines += [f"  {result.place or WHOLE_WORK}: {_users(result, corpus)}" for result in work.results]
    return "\n".join(lines[1:])


def _users(result: OutsideResult, corpus: Corpus) -> str:
    names = [f"{printed_name(one)} [{one.label}]" for one in map(corpus.by_id.__getitem__, result.statements[:NAMED])]
    more = len(result.statements) - len(names)
    return ", ".join(names) + (f" and {more:,} more" if more else "")


def used_text(works: Sequence[OutsideWork]) -> list[str]:
    """What one statement uses of other works, a line for each result."""
    return [
        f"  {', '.join(filter(None, (result.place, str(work.entry))))}{f' [{result.meant}]' if result.meant else ''}"
        f" ({', '.join(dict.fromkeys(use.part for use in result.uses))})"
        for work in works
        for result in work.results
    ]


def outside_data(works: Sequence[OutsideWork]) -> list[dict[str, Any]]:
    """The works with their results as plain values for JSON."""
    return [
        {
            **to_builtins(work.entry),
            "results": [
                {
                    "place": result.place,
                    "meant": result.meant,
                    "uses": [
                        {"statement": use.statement, "part": use.part, "before": use.cited.before}
                        for use in result.uses
                    ],
                }
                for result in work.results
            ],
        }
        for work in works
    ]


def notation_text(table: Sequence[Notation], corpus: Corpus, macros: Mapping[str, Macro]) -> str:
    """A table of notation: symbol, meaning, and the definition that introduces it."""
    if not table:
        return "No definition introduces notation in a way that is recognised."
    lines = []
    for row in table:
        one = corpus.by_id[row.statement]
        symbol = one_line(f"${row.symbol}$", macros)
        meaning = textwrap.shorten(one_line(row.meaning, macros), _MEANING, placeholder=" …")
        lines.append(f"{symbol:<{_SYMBOL}}  {meaning:<{_MEANING}}  {printed_name(one)} [{one.label}]")
    return "\n".join(lines)


def notation_data(table: Sequence[Notation], corpus: Corpus, macros: Mapping[str, Macro]) -> list[dict[str, str]]:
    """A table of notation as plain values for JSON."""
    return [
        {
            "symbol": row.symbol,
            "text": one_line(f"${row.symbol}$", macros),
            "meaning": one_line(row.meaning, macros),
            "statement": row.statement,
            "name": printed_name(corpus.by_id[row.statement]),
        }
        for row in table
    ]


def course_title(corpus: OpenCorpus, path: ReadingPath) -> str:
    """``Reading for Theorem 3.3.5 (Lagrange) and 2 more``."""
    first = name_or_label(corpus.by_id[path.targets[0]], corpus.macros)
    more = len(path.targets) - 1
    return f"Reading for {first}" + (f" and {more} more" if more else "")


def course_markdown(workspace: Workspace, path: ReadingPath, *, proofs: bool = True) -> str:
    """The texts of a reading path, formulas as Unicode.

    Args:
        workspace: What contains the statements.
        path: What to read, in order.
        proofs: Whether proofs are included.
    """
    corpus = workspace.find(path.targets[0]).corpus
    provenance, number = corpus.provenance, {step.id: at for at, step in enumerate(path.steps, start=1)}
    about = ", ".join(filter(None, (provenance.title, provenance.authors, provenance.licence)))
    parts = [f"# {safe_markdown(course_title(corpus, path))}", safe_markdown(f"From {about}.")]
    parts += [f"> {warning}"] if (warning := path_warning(path)) else []
    for step in path.steps:
        one = corpus.by_id[step.id]
        parts.append(f"## {number[step.id]}. {safe_markdown(name_or_label(one, corpus.macros))}")
        if step.inferred:
            parts.append(f"*Not cited by a proof; {safe_markdown(step.inferred)}*")
        parts.append(safe_markdown(readable_text(corpus, one, corpus.macros)))
        for proof in one.proofs if proofs else ():
            if any(map(str.strip, proof.lines)):
                text = readable_text(corpus, proof, macros_for(corpus.macros, one))
                parts.append(f"*Proof.* {safe_markdown(text)}")
        used = ", ".join(f"{number[key]} ({_course_short(corpus.by_id[key])})" for key in step.uses)
        parts += [f"Rests on {used}."] if used else []
    return "\n\n".join(parts) + "\n"


def _course_short(statement: Statement) -> str:
    return f"{word_of(statement)} {statement.number or statement.label}"

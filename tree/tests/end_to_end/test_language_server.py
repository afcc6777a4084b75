"""A session with the language server, as an editor holds it: over pipes, with unsaved texts of several files."""

import asyncio
import os
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from naturalproofs.apps.editor.server import SUGGEST
from support.language_client import session
from support.lint_projects import write_project

BODY = r"""
\input{groups}
\input{main-result}
"""
GROUPS = r"""
\begin{definition}[Cyclic group]\label{def:cyclic}
  A group is cyclic if one element generates it.
\end{definition}
\begin{lemma}[Lagrange]\label{lem:order}
  The order of a subgroup of a finite group divides the order of the group.
\end{lemma}
\begin{proof}
  Cosets of the subgroup partition the group.
\end{proof}
\begin{lemma}[Continuity]\label{lem:continuous}
  A polynomial function is continuous on the real line. \begin{equation}\label{eq:poly} p(x) = x \end{equation}
\end{lemma}
\begin{proof}
  Sums and products of continuous functions are continuous; see \eqref{eq:poly}.
\end{proof}
"""
RESULT = r"""
\begin{theorem}[Prime order]\label{thm:prime}
  Every finite group of prime order is cyclic.
\end{theorem}
\begin{proof}
  𝔄 subgroup has an order that divides the prime by \cref{lem:order, def:cyclic}.
\end{proof}
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_project(tmp_path, BODY, **{"groups": GROUPS, "main-result": RESULT})
    return tmp_path


def run(conversation, root: Path, **more) -> None:
    async def talk() -> None:
        async with session(root, **more) as editor:
            await conversation(editor)

    asyncio.run(talk())


def test_a_whole_session(project):
    async def talk(editor):
        name = "main-result.tex"
        editor.open(name)
        # Hover, with a letter on the line that UTF-16 counts twice.
        at = types.HoverParams(editor.document(name), editor.after(name, r"\cref{lem:o"))
        hover = await editor.client.text_document_hover_async(at)
        assert "**Lemma 2 (Lagrange)**" in hover.contents.value
        assert "divides the order" in hover.contents.value
        start = editor.after(name, r"\cref{")
        assert hover.range == types.Range(start, editor.after(name, r"\cref{lem:order"))
        # Definition, in another file that is not open.
        at = types.DefinitionParams(editor.document(name), editor.after(name, "lem:order, def"))
        found = await editor.client.text_document_definition_async(at)
        assert found.uri == editor.uri("groups.tex")
        assert found.range.start.line == 0
        # References, the label itself included.
        at = types.ReferenceParams(types.ReferenceContext(True), editor.document(name), editor.after(name, "lem:ord"))
        places = await editor.client.text_document_references_async(at)
        assert [place.uri for place in places] == [editor.uri("groups.tex"), editor.uri(name)]
        # Symbols.
        asked = types.DocumentSymbolParams(editor.document(name))
        (symbol,) = await editor.client.text_document_document_symbol_async(asked)
        assert (symbol.name, symbol.detail) == ("Theorem 4 (Prime order)", "thm:prime")
        assert [child.name for child in symbol.children] == ["Proof"]
        assert (symbol.range.start.line, symbol.range.end.line) == (0, 2)

    run(talk, project)


def test_completion_is_ranked_and_follows_what_is_typed(project):
    async def talk(editor):
        name = "main-result.tex"
        editor.open(name)
        editor.change(name, r"\cref{lem:order, def:cyclic}", r"\cref{}")
        items = await editor.complete(name, r"\cref{")
        keys = [item.label for item in items]
        # All labels but the theorem's own; what the proof is likely to cite comes first.
        assert set(keys) == {"def:cyclic", "lem:order", "lem:continuous", "eq:poly"}
        likely = [int(item.detail.partition("%")[0]) for item in items[:3]]
        assert likely == sorted(likely, reverse=True)
        assert keys[3] == "eq:poly"
        assert [item.sort_text for item in items] == sorted(item.sort_text for item in items)
        first = next(item for item in items if item.label == "lem:order")
        assert "Lemma 2 (Lagrange)" in first.detail
        assert "divides the order" in first.documentation.value
        editor.change(name, r"\cref{", r"\cref{lem:order, def")
        items = await editor.complete(name, r"\cref{lem:order, def")
        assert [item.label for item in items] == ["def:cyclic"]
        assert items[0].text_edit.range == types.Range(
            editor.after(name, r"\cref{lem:order, "), editor.after(name, r"\cref{lem:order, def")
        )
        editor.change(name, r"\cref{lem:order, def", r"\cref{lagr")
        items = await editor.complete(name, r"\cref{lagr")
        assert [item.label for item in items] == ["lem:order"], "a title finds its label"
        editor.change(name, r"\cref{lagr", r"\eqref{")
        assert (await editor.complete(name, r"\eqref{"))[0].label == "eq:poly"
        assert await editor.complete(name, r"Every finite") == []

    run(talk, project)


MACROS = r"""
\newcommand{\lemmaref}[1]{Lemma~\ref{lem:#1}}
"""


@pytest.fixture
def own_macros(project: Path) -> Path:
    (project / "macros.tex").write_text(MACROS)
    main = project / "main.tex"
    main.write_text(main.read_text().replace("\\begin{document}", "\\input{macros}\n\\begin{document}"))
    result = project / "main-result.tex"
    result.write_text(
        result.read_text().replace(r"\cref{lem:order, def:cyclic}", r"\lemmaref{order} (\cref{def:cyclic})")
    )
    return project


def test_labels_through_the_macros_of_the_author(own_macros):
    async def talk(editor):
        name = "main-result.tex"
        uri, groups = editor.uri(name), editor.uri("groups.tex")
        editor.open(name)
        document, at = editor.document(name), editor.after(name, r"\lemmaref{or")
        # Hover and references, from a key that is only a part of the label.
        hover = await editor.client.text_document_hover_async(types.HoverParams(document, at))
        assert "Lagrange" in hover.contents.value
        params = types.ReferenceParams(types.ReferenceContext(True), document, at)
        places = await editor.client.text_document_references_async(params)
        assert [place.uri for place in places] == [groups, uri]
        found = await editor.client.text_document_document_highlight_async(types.DocumentHighlightParams(document, at))
        written = types.Range(editor.after(name, r"\lemmaref{"), editor.after(name, r"\lemmaref{order"))
        assert [(one.range, one.kind) for one in found] == [(written, types.DocumentHighlightKind.Read)]
        # Rename: what is written here is a part of the label.
        may = await editor.client.text_document_prepare_rename_async(types.PrepareRenameParams(document, at))
        assert (may.range, may.placeholder) == (written, "order")
        edit = await editor.client.text_document_rename_async(types.RenameParams(document, at, "lagrange"))
        assert {at: [one.new_text for one in ones] for at, ones in edit.changes.items()} == {
            uri: ["lagrange"],
            groups: ["lem:lagrange"],
        }
        versions = {one.text_document.uri: one.text_document.version for one in edit.document_changes}
        assert versions == {uri: 1, groups: None}
        with pytest.raises(JsonRpcException, match="exists already"):
            await editor.client.text_document_rename_async(types.RenameParams(document, at, "continuous"))
        # Completion offers what fits after the macro's own part of the label.
        editor.change(name, r"\lemmaref{order}", r"\lemmaref{}")
        assert {item.label for item in await editor.complete(name, r"\lemmaref{")} == {"order", "continuous"}

    run(talk, own_macros)


def test_an_author_at_work(project):
    """Open, type, accept a completion, rename, hover, fix: every answer is applied to the documents and built upon."""

    async def talk(editor):
        name = "main-result.tex"
        uri = editor.uri(name)
        editor.open(name)
        editor.open("groups.tex")
        editor.change(name, r"\cref{lem:order, def:cyclic}", "")
        editor.change(name, "divides the prime by ", r"divides the prime by \cref{")
        items = await editor.complete(name, r"\cref{")
        accepted = next(item for item in items if item.label == "lem:order")
        editor.apply({uri: [accepted.text_edit]})
        editor.change(name, r"\cref{lem:order", r"\cref{lem:order}")
        assert r"the prime by \cref{lem:order}." in editor.texts[name]
        # Rename it from the citation that was just accepted.
        at = editor.after(name, r"\cref{lem:")
        renamed = types.RenameParams(editor.document(name), at, "lem:lagrange")
        edit = await editor.client.text_document_rename_async(renamed)
        editor.apply(edit.changes)
        assert r"\cref{lem:lagrange}" in editor.texts[name]
        assert r"\label{lem:lagrange}" in editor.texts["groups.tex"]
        hover = await editor.client.text_document_hover_async(types.HoverParams(editor.document(name), at))
        assert "Lagrange" in hover.contents.value
        # Misspell it, and take the fix.
        editor.change(name, "lem:lagrange}", "lem:lagrnge}")
        wrong = "undefined-reference"
        await editor.until(lambda: any(one.code == wrong for one in editor.diagnostics.get(uri, [])))
        told = [one for one in editor.diagnostics[uri] if one.code == wrong]
        asked = types.CodeActionParams(editor.document(name), told[0].range, types.CodeActionContext(told))
        first, *_ = await editor.client.text_document_code_action_async(asked)
        editor.apply(first.edit.changes)
        assert r"\cref{lem:lagrange}" in editor.texts[name]
        await editor.until(lambda: not any(one.code == wrong for one in editor.diagnostics[uri]))
        # What else the proof may want to cite.
        position = editor.after(name, r"\cref{lem:lagrange}")
        command = types.ExecuteCommandParams(SUGGEST, [uri, position.line, position.character])
        found = await editor.client.workspace_execute_command_async(command)
        assert r"\cref{def:cyclic}" in [one["citation"] for one in found["suggestions"]]

    run(talk, project)


def test_statements_without_a_label_get_one_when_they_are_cited(project):
    groups, own = project / "groups.tex", project / "main-result.tex"
    groups.write_text(groups.read_text().replace(r"\label{lem:order}", ""))
    lemma = "\\begin{lemma}[Prime divisors]\n  A divisor of a prime is one or the prime itself.\n\\end{lemma}\n"
    own.write_text(lemma + own.read_text().replace("lem:order, def:cyclic", "def:cyclic"))

    async def talk(editor):
        name, other = "main-result.tex", "groups.tex"
        uri = editor.uri(name)
        editor.open(name)
        editor.open(other)
        # A completion labels a statement of the same file.
        editor.change(name, r"by \cref{def:cyclic}", r"by \cref{def:cyclic} and \cref{}")
        items = await editor.complete(name, r"and \cref{")
        assert "lem:lagrange" not in [item.label for item in items], "a completion cannot edit another file"
        accepted = next(item for item in items if item.label == "lem:prime-divisors")
        assert accepted.detail.endswith("Lemma 4 (Prime divisors), gets this label")
        assert "divisor of a prime" in accepted.documentation.value
        editor.apply({uri: [accepted.text_edit, *accepted.additional_text_edits]})
        assert r"\begin{lemma}[Prime divisors]\label{lem:prime-divisors}" in editor.texts[name]
        assert r"and \cref{lem:prime-divisors}" in editor.texts[name]

        async def actions(file, at, trigger):
            context = types.CodeActionContext([], trigger_kind=trigger)
            asked = types.CodeActionParams(editor.document(file), types.Range(at, at), context)
            return await editor.client.text_document_code_action_async(asked) or []

        # An action labels a statement of another file, and cites it as the project does.
        at = editor.after(name, r"\cref{lem:prime-divisors}")
        assert not await actions(name, at, types.CodeActionTriggerKind.Automatic)
        (cite,) = await actions(name, at, types.CodeActionTriggerKind.Invoked)
        assert cite.title == "Cite Lemma 2 (Lagrange): give it the label lem:lagrange"
        # The command that lists suggestions tells where to write the label.
        begin = editor.after(other, r"\begin{lemma}")
        title = editor.after(other, r"\begin{lemma}[Lagrange]")
        command = types.ExecuteCommandParams(SUGGEST, [uri, at.line, at.character])
        found = await editor.client.workspace_execute_command_async(command)
        one = next(one for one in found["suggestions"] if one["title"] == "Lagrange")
        assert one["new_label"]["citation"] == r"\cref{lem:lagrange}"
        place = {"uri": editor.uri(other), "line": title.line, "character": title.character}
        assert one["insert"] == {**place, "text": r"\label{lem:lagrange}"}
        # On the statement itself it is given a label only.
        (label,) = await actions(other, begin, types.CodeActionTriggerKind.Automatic)
        assert label.title == "Give Lemma 2 (Lagrange) the label lem:lagrange"
        assert list(label.edit.changes) == [editor.uri(other)]
        editor.apply(cite.edit.changes)
        assert r"\begin{lemma}[Lagrange]\label{lem:lagrange}" in editor.texts[other]
        assert r"\cref{lem:prime-divisors}\cref{lem:lagrange}" in editor.texts[name]
        assert not await actions(other, begin, types.CodeActionTriggerKind.Automatic)
        at = types.HoverParams(editor.document(name), editor.after(name, r"\cref{lem:lagr"))
        assert "Lemma 2 (Lagrange)" in (await editor.client.text_document_hover_async(at)).contents.value

    run(talk, project)


def test_hints_print_what_is_cited(project):
    async def talk(editor):
        name = "main-result.tex"
        editor.open(name)
        whole = types.Range(types.Position(0, 0), types.Position(99, 0))
        asked = types.InlayHintParams(editor.document(name), whole)
        (hint,) = await editor.client.text_document_inlay_hint_async(asked)
        assert (hint.label, hint.position) == ("Lemma 2, Definition 1", editor.after(name, "def:cyclic}"))
        editor.open("groups.tex")
        asked = types.InlayHintParams(editor.document("groups.tex"), whole)
        assert [one.label for one in await editor.client.text_document_inlay_hint_async(asked)] == ["in Lemma 3"]

    run(talk, project)


def test_statements_of_the_project_are_found_by_name(project):
    async def talk(editor):
        editor.open("main-result.tex")

        async def names(query):
            found = await editor.client.workspace_symbol_async(types.WorkspaceSymbolParams(query))
            return [(one.name, one.container_name, one.location.uri) for one in found]

        lagrange = [("Lemma 2 (Lagrange)", "lem:order", editor.uri("groups.tex"))]
        assert await names("lagr") == await names("lem:order") == await names("lemma 2") == lagrange
        assert len(await names("")) == 4

    run(talk, project)


def test_a_chapter_without_its_main_file_gets_one_message(tmp_path):
    (tmp_path / "chapter.tex").write_text(RESULT)

    async def talk(editor):
        editor.open("chapter.tex")
        uri = editor.uri("chapter.tex")
        await editor.until(lambda: editor.diagnostics.get(uri))
        assert [one.code for one in editor.diagnostics[uri]] == ["no-main-file"]

    run(talk, tmp_path)


def test_problems_come_and_go_with_unsaved_edits(project):
    async def talk(editor):
        name = "main-result.tex"
        uri = editor.uri(name)
        editor.open(name)
        editor.open("groups.tex")
        editor.change(name, "lem:order,", "lem:ordre,")
        await editor.until(lambda: any(one.code == "undefined-reference" for one in editor.diagnostics.get(uri, [])))
        (wrong,) = [one for one in editor.diagnostics[uri] if one.code == "undefined-reference"]
        assert wrong.severity == types.DiagnosticSeverity.Error
        assert wrong.range == types.Range(editor.after(name, r"\cref{"), editor.after(name, r"\cref{lem:ordre"))
        context = types.CodeActionContext([wrong])
        actions = await editor.client.text_document_code_action_async(
            types.CodeActionParams(editor.document(name), wrong.range, context)
        )
        assert [edit.new_text for edit in actions[0].edit.changes[uri]] == ["lem:order"]
        # The label is renamed in the other buffer, neither being saved: all is well again.
        editor.change("groups.tex", r"\label{lem:order}", r"\label{lem:ordre}")
        await editor.until(lambda: not editor.diagnostics.get(uri))
        assert "lem:order" in (editor.root / "groups.tex").read_text()

    run(talk, project)


def test_positions_are_counted_as_agreed(project):
    width = len("𝔄".encode())

    async def talk(editor):
        name = "main-result.tex"
        editor.open(name)
        line = (
            editor.texts[name]
            .split("\n")
            .index("  𝔄 subgroup has an order that divides the prime by \\cref{lem:order, def:cyclic}.")
        )
        column = len("   subgroup has an order that divides the prime by \\cref{") + width
        at = types.HoverParams(editor.document(name), types.Position(line, column + 1))
        hover = await editor.client.text_document_hover_async(at)
        assert hover.range == types.Range(types.Position(line, column), types.Position(line, column + len("lem:order")))

    run(talk, project, encodings=[types.PositionEncodingKind.Utf8])


def test_broken_latex_does_not_end_the_session(project):
    async def talk(editor):
        name = "main-result.tex"
        editor.open(name)
        for broken in (
            "\\begin{theorem",
            "}}}$\\cref{",
            "\\input{main-result}",
            "\\end{document}\\end{proof}%",
            "\x00\ud83d",
        ):
            text = editor.texts[name]
            editor.change(name, text, broken.encode("utf-8", "replace").decode())
            await editor.complete(name, "")
            asked = types.DocumentSymbolParams(editor.document(name))
            await editor.client.text_document_document_symbol_async(asked)
        editor.change(name, editor.texts[name], RESULT)
        at = types.HoverParams(editor.document(name), editor.after(name, r"\cref{lem:o"))
        assert "Lagrange" in (await editor.client.text_document_hover_async(at)).contents.value

    run(talk, project)


def test_a_text_without_statements_is_told_in_the_log(tmp_path):
    (tmp_path / "new.tex").write_text("\\documentclass{article}\n\\begin{document}\nHello \\ref{\n\\end{document}\n")

    async def talk(editor):
        editor.open("new.tex")
        await editor.until(lambda: any("no statements found" in one for one in editor.log))
        assert await editor.complete("new.tex", "\\ref{") == []

    run(talk, tmp_path)


def test_problems_go_with_the_last_statement(tmp_path):
    body = r"\begin{theorem}\label{thm:one} By \ref{nope}. \end{theorem}"
    write_project(tmp_path, body)

    async def talk(editor):
        uri = editor.uri("main.tex")
        editor.open("main.tex")
        await editor.until(lambda: any(one.code == "undefined-reference" for one in editor.diagnostics.get(uri, [])))
        editor.change("main.tex", body, "Text.")
        await editor.until(lambda: not editor.diagnostics[uri])
        editor.change("main.tex", "Text.", body)
        await editor.until(lambda: any(one.code == "undefined-reference" for one in editor.diagnostics[uri]))

    run(talk, tmp_path)


def test_options_say_what_to_check(project):
    async def talk(editor):
        editor.open("groups.tex")
        found = editor.diagnostics
        await editor.until(lambda: any(one.code == "unlabelled-theorem" for ones in found.values() for one in ones))

    groups = project / "groups.tex"
    groups.write_text(groups.read_text().replace(r"\label{lem:continuous}", ""))
    run(talk, project, options={"select": ["unlabelled-theorem"], "main": "main.tex"})


@pytest.mark.parametrize("uri", ["file:///dev/zero", "file:///etc/hostname", "untitled:1"])
def test_only_documents_that_are_open_are_read(project, uri):
    async def talk(editor):
        editor.open("main-result.tex")
        where = types.HoverParams(types.TextDocumentIdentifier(uri), types.Position(0, 0))
        assert await editor.client.text_document_hover_async(where) is None
        asked = types.DocumentSymbolParams(types.TextDocumentIdentifier(uri))
        assert not await editor.client.text_document_document_symbol_async(asked)

    run(talk, project)


FOLDERS = ["a b+é 100% a%20b #c?", os.fsdecode(b"th\xe8se"), "c:"]
"""Names with signs that addresses encode, or may encode."""


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_of_any_name(tmp_path, folder):
    root = tmp_path / folder
    root.mkdir()
    write_project(root, BODY, **{"groups": GROUPS, "main-result": RESULT})

    async def talk(editor):
        name = "main-result.tex"
        editor.open(name)
        addresses = [editor.uri(name), editor.uri(name).replace("%3A", ":").replace("%2B", "+").replace("%20", " ")]
        for address in (*addresses, editor.uri(name).replace("%C3%A9", "é")):
            document = types.TextDocumentIdentifier(address)
            at = types.HoverParams(document, editor.after(name, r"\cref{lem:o"))
            assert "Lagrange" in (await editor.client.text_document_hover_async(at)).contents.value
            asked = types.DocumentSymbolParams(document)
            assert [one.detail for one in await editor.client.text_document_document_symbol_async(asked)] == [
                "thm:prime"
            ]
        editor.change(name, r"\cref{lem:order, def:cyclic}", r"\cref{lem:order, }")
        assert "def:cyclic" in [item.label for item in await editor.complete(name, r"\cref{lem:order, ")]
        editor.change(name, r"\cref{lem:order, }", r"\cref{lem:order, nothing}")
        await editor.until(lambda: editor.diagnostics.get(editor.uri(name)))
        renamed = types.RenameParams(editor.document(name), editor.after(name, r"\cref{lem:o"), "lem:lagrange")
        edit = await editor.client.text_document_rename_async(renamed)
        assert set(edit.changes) == {editor.uri(name), editor.uri("groups.tex")}
        versions = {one.text_document.uri: one.text_document.version for one in edit.document_changes}
        assert versions[editor.uri(name)] == 3

    run(talk, root, options={"main": "main.tex"})


def test_positions_beyond_the_text_are_answered(project):
    async def talk(editor):
        name, client = "main-result.tex", editor.client
        editor.open(name)
        document = editor.document(name)
        for place in (types.Position(1, 2**31 - 1), types.Position(2**31 - 1, 0), types.Position(2**31 - 1, 2**31 - 1)):
            where = types.Range(place, place)
            for asking in (
                client.text_document_hover_async(types.HoverParams(document, place)),
                client.text_document_definition_async(types.DefinitionParams(document, place)),
                client.text_document_references_async(
                    types.ReferenceParams(types.ReferenceContext(True), document, place)
                ),
                client.text_document_document_highlight_async(types.DocumentHighlightParams(document, place)),
                client.text_document_prepare_rename_async(types.PrepareRenameParams(document, place)),
                client.text_document_rename_async(types.RenameParams(document, place, "new")),
                client.text_document_inlay_hint_async(types.InlayHintParams(document, where)),
                client.text_document_code_action_async(
                    types.CodeActionParams(document, where, types.CodeActionContext([]))
                ),
            ):
                assert not await asking
            command = types.ExecuteCommandParams(SUGGEST, [editor.uri(name), -1, 2**40])
            assert await client.workspace_execute_command_async(command)

    run(talk, project)


def test_completion_at_the_end_of_a_file(project):
    async def talk(editor):
        name = "main-result.tex"
        editor.open(name)
        editor.change(name, "by \\cref{lem:order, def:cyclic}.\n\\end{proof}\n", "by \\cref{lem:or")
        found = await editor.complete(name, "\\cref{lem:or")
        assert found[0].text_edit.range == types.Range(
            editor.after(name, "\\cref{"), editor.after(name, "\\cref{lem:or")
        )
        asked = types.CompletionParams(editor.document(name), types.Position(10**6, 0))
        beyond = await editor.client.text_document_completion_async(asked)
        assert beyond.items[0].text_edit.range == found[0].text_edit.range

    run(talk, project)

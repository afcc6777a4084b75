/** A list of what the proof at the cursor may want to cite; the chosen citation is inserted, with its label if need be. */

import * as vscode from "vscode";
import { ExecuteCommandRequest, LanguageClient } from "vscode-languageclient/node";

const SUGGESTIONS = "naturalproofs.suggestions";

/** Where the label of a statement is written that has none yet. */
interface Insertion {
  readonly uri: string;
  readonly line: number;
  readonly character: number;
  readonly text: string;
}

interface Suggestion {
  readonly name: string;
  readonly title: string;
  readonly preview: string;
  readonly citation: string;
  readonly probability: number | null;
  readonly reasons: readonly { readonly text: string }[];
  readonly new_label: { readonly citation: string } | null;
  readonly insert: Insertion | null;
}

interface Item extends vscode.QuickPickItem {
  readonly citation: string;
  readonly insert: Insertion | null;
}

export async function insertSuggestion(
  client: LanguageClient | undefined,
  editor: vscode.TextEditor | undefined,
): Promise<void> {
  if (client === undefined || editor === undefined) {
    void vscode.window.showInformationMessage("Open a LaTeX file, and put the cursor in a proof.");
    return;
  }
  const cursor = editor.selection.active;
  const uri = client.code2ProtocolConverter.asUri(editor.document.uri);
  const found: { suggestions: Suggestion[] } | null = await client.sendRequest(ExecuteCommandRequest.type, {
    command: SUGGESTIONS,
    arguments: [uri, cursor.line, cursor.character],
  });
  const items = (found?.suggestions ?? []).map(asItem);
  if (items.length === 0) {
    void vscode.window.showInformationMessage("There is nothing to suggest here: put the cursor in a proof.");
    return;
  }
  const chosen = await vscode.window.showQuickPick(items, {
    placeHolder: "What this proof may want to cite",
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (chosen !== undefined) {
    const edit = new vscode.WorkspaceEdit();
    edit.insert(editor.document.uri, cursor, chosen.citation);
    if (chosen.insert !== null) {
      const { uri, line, character, text } = chosen.insert;
      edit.insert(vscode.Uri.parse(uri), new vscode.Position(line, character), text);
    }
    await vscode.workspace.applyEdit(edit);
  }
}

function asItem(one: Suggestion): Item {
  const sure = one.probability === null ? "" : `${Math.round(100 * one.probability)} %  `;
  const citation = one.insert !== null && one.new_label !== null ? one.new_label.citation : one.citation;
  const why = one.reasons.map((reason) => reason.text).join("; ");
  return {
    label: one.title === "" ? one.name : `${one.name} (${one.title})`,
    description: `${sure}${citation}`,
    detail: why === "" ? one.preview : `${one.preview} — ${why}`,
    citation,
    insert: one.insert,
  };
}

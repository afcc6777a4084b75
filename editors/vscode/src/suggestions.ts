/** A list of what the proof at the cursor may want to cite; the chosen citation is inserted. */

import * as vscode from "vscode";
import { ExecuteCommandRequest, LanguageClient } from "vscode-languageclient/node";

const SUGGESTIONS = "naturalproofs.suggestions";

interface Suggestion {
  readonly name: string;
  readonly title: string;
  readonly preview: string;
  readonly citation: string;
  readonly probability: number | null;
  readonly reasons: readonly { readonly text: string }[];
}

interface Item extends vscode.QuickPickItem {
  readonly citation: string;
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
    await editor.edit((edit) => edit.insert(cursor, chosen.citation));
  }
}

function asItem(one: Suggestion): Item {
  const sure = one.probability === null ? "" : `${Math.round(100 * one.probability)} %  `;
  const why = one.reasons.map((reason) => reason.text).join("; ");
  return {
    label: one.title === "" ? one.name : `${one.name} (${one.title})`,
    description: `${sure}${one.citation}`,
    detail: why === "" ? one.preview : `${one.preview} — ${why}`,
    citation: one.citation,
  };
}

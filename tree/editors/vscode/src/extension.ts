/** The extension: starts the language server, and offers three commands. All knowledge of LaTeX is in the server. */

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions, TransportKind } from "vscode-languageclient/node";

import { Page } from "./page";
import { readSettings, SECTION } from "./settings";
import { insertSuggestion } from "./suggestions";

/** PreTeXt, Quarto and bookdown. Plain .xml and .md files are mostly no books, so the server is not asked about them. */
const OTHER_FORMATS = ["**/*.ptx", "**/*.{qmd,Rmd,rmd}"];
const WATCHED = "**/{*.tex,*.sty,*.ptx,*.qmd,*.Rmd,*.rmd,naturalproofs.toml}";

let client: LanguageClient | undefined;
let changing: Promise<void> = Promise.resolve();
const page = new Page();

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    page,
    vscode.commands.registerCommand("naturalproofs.restart", restart),
    vscode.commands.registerCommand("naturalproofs.openPage", () => page.open(vscode.window.activeTextEditor)),
    vscode.commands.registerCommand("naturalproofs.suggest", () =>
      insertSuggestion(client, vscode.window.activeTextEditor),
    ),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SECTION) && !event.affectsConfiguration(`${SECTION}.trace`)) {
        void restart();
      }
    }),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await changing;
  await stop();
}

/** One start or stop at a time. */
function restart(): Promise<void> {
  changing = changing.then(stop).then(start);
  return changing;
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  try {
    await running?.dispose();
  } catch {
    // It has ended already.
  }
}

async function start(): Promise<void> {
  const settings = readSettings(vscode.window.activeTextEditor?.document.uri);
  const serverOptions: ServerOptions = {
    command: settings.path,
    args: settings.serverArguments,
    transport: TransportKind.stdio,
    options: { env: { ...process.env, OMP_NUM_THREADS: process.env.OMP_NUM_THREADS ?? "1" } },
  };
  const clientOptions: LanguageClientOptions = {
    documentSelector: [
      ...["latex", "tex"].map((language) => ({ scheme: "file", language })),
      ...OTHER_FORMATS.map((pattern) => ({ scheme: "file", pattern })),
    ],
    initializationOptions: settings.initializationOptions,
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher(WATCHED) },
  };
  client = new LanguageClient(SECTION, "NaturalProofs", serverOptions, clientOptions);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const chosen = await vscode.window.showErrorMessage(
      `The server “${settings.path} ${settings.serverArguments.join(" ")}” did not start: ${String(error)}. ` +
        "Install it with pip install 'naturalproofs[editor]', or set the path of the executable.",
      "Open Settings",
    );
    if (chosen !== undefined) {
      await vscode.commands.executeCommand("workbench.action.openSettings", `${SECTION}.path`);
    }
  }
}

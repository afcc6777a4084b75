/** The settings of the extension, as the server and the other commands need them. */

import * as vscode from "vscode";

export const SECTION = "naturalproofs";

export interface Settings {
  readonly path: string;
  readonly serverArguments: string[];
  readonly initializationOptions: Record<string, unknown>;
}

export function readSettings(resource?: vscode.Uri): Settings {
  const read = vscode.workspace.getConfiguration(SECTION, resource);
  const main = read.get<string>("main", "");
  return {
    path: read.get<string>("path", "naturalproofs"),
    serverArguments: withStdio(read.get<string[]>("arguments", ["lsp", "--stdio"])),
    initializationOptions: {
      ...(main === "" ? {} : { main }),
      notes: read.get<boolean>("notes", false),
      select: read.get<string[]>("select", []),
      ignore: read.get<string[]>("ignore", []),
    },
  };
}

/** The client adds --stdio itself. */
function withStdio(given: string[]): string[] {
  return given.filter((argument) => argument !== "--stdio");
}

/** The arguments of another command of the same executable: what stands before "lsp" is kept. */
export function otherCommand(settings: Settings, ...command: string[]): string[] {
  const at = settings.serverArguments.indexOf("lsp");
  return [...settings.serverArguments.slice(0, Math.max(at, 0)), ...command];
}

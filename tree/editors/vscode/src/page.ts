/** The page of a project in the browser: one process of `naturalproofs serve` for each project. */

import { ChildProcess, spawn } from "node:child_process";
import { dirname } from "node:path";
import * as vscode from "vscode";

import { otherCommand, readSettings } from "./settings";

const ADDRESS = /https?:\/\/\S+/;
const LONGEST = 4000;

export class Page implements vscode.Disposable {
  private readonly served = new Map<string, { process: ChildProcess; address: Promise<string> }>();

  async open(editor: vscode.TextEditor | undefined): Promise<void> {
    if (editor === undefined || editor.document.uri.scheme !== "file") {
      void vscode.window.showInformationMessage("Open a LaTeX file of the project first.");
      return;
    }
    const file = editor.document.uri.fsPath;
    try {
      const address = await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title: "NaturalProofs: opening the page" },
        () => this.serve(file, editor.document.uri),
      );
      await vscode.env.openExternal(await vscode.env.asExternalUri(vscode.Uri.parse(address)));
    } catch (error) {
      void vscode.window.showErrorMessage(`The page could not be served: ${String(error)}`);
    }
  }

  dispose(): void {
    for (const one of this.served.values()) {
      one.process.kill();
    }
    this.served.clear();
  }

  private serve(file: string, resource: vscode.Uri): Promise<string> {
    const folder = vscode.workspace.getWorkspaceFolder(resource)?.uri.fsPath ?? dirname(file);
    const known = this.served.get(folder);
    if (known !== undefined) {
      return known.address;
    }
    const settings = readSettings(resource);
    const process = spawn(settings.path, otherCommand(settings, "serve", file, "--port", "0"), { cwd: folder });
    const address = new Promise<string>((resolve, reject) => {
      let said = "";
      const listen = (data: Buffer): void => {
        said = (said + data.toString()).slice(-LONGEST);
        const found = ADDRESS.exec(said);
        if (found !== null) {
          resolve(found[0]);
        }
      };
      process.stdout.on("data", listen);
      process.stderr.on("data", listen);
      process.on("error", (error) => {
        this.served.delete(folder);
        reject(error);
      });
      process.on("exit", () => {
        this.served.delete(folder);
        reject(new Error(said.trim() || "it ended"));
      });
    });
    this.served.set(folder, { process, address });
    return address;
  }
}

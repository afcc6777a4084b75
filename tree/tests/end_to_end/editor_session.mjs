// A session with the server by the client library of VS Code. Prints what the server answers, as JSON.
// Arguments: the folder of the node packages, the Python interpreter, the folder of the project, a file of it.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [packages, python, folder, name] = process.argv.slice(2);
const require = createRequire(join(packages, "package.json"));
const protocol = require("vscode-languageserver-protocol/node");

const server = spawn(python, ["-m", "naturalproofs", "lsp", "--stdio"], { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
const connection = protocol.createProtocolConnection(
  new protocol.StreamMessageReader(server.stdout),
  new protocol.StreamMessageWriter(server.stdin),
);
connection.listen();

const uri = pathToFileURL(join(folder, name)).href;
const text = readFileSync(join(folder, name), "utf8");
const before = text.slice(0, text.indexOf("\\cref{") + "\\cref{".length);
const position = { line: before.split("\n").length - 1, character: before.length - before.lastIndexOf("\n") - 1 };
const here = { textDocument: { uri }, position };

const started = await connection.sendRequest(protocol.InitializeRequest.type, {
  processId: process.pid,
  rootUri: pathToFileURL(folder).href,
  capabilities: { textDocument: { rename: { prepareSupport: true } } },
});
await connection.sendNotification(protocol.InitializedNotification.type, {});
await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
  textDocument: { uri, languageId: "latex", version: 1, text },
});
const completion = await connection.sendRequest(protocol.CompletionRequest.type, here);
const hover = await connection.sendRequest(protocol.HoverRequest.type, here);
const prepared = await connection.sendRequest(protocol.PrepareRenameRequest.type, here);
const renamed = await connection.sendRequest(protocol.RenameRequest.type, { ...here, newName: "lem:new" });
const symbols = await connection.sendRequest(protocol.WorkspaceSymbolRequest.type, { query: "prime" });
const hints = await connection.sendRequest(protocol.InlayHintRequest.type, {
  textDocument: { uri },
  range: { start: { line: 0, character: 0 }, end: { line: 1000, character: 0 } },
});
await connection.sendRequest(protocol.ShutdownRequest.type);
await connection.sendNotification(protocol.ExitNotification.type);
const ended = await new Promise((resolve) => server.once("exit", resolve));
connection.dispose();

console.log(
  JSON.stringify({
    capabilities: Object.keys(started.capabilities),
    completion: completion.items.map((item) => item.label),
    hover: hover.contents.value,
    placeholder: prepared.placeholder,
    renamed: Object.values(renamed.changes).flatMap((edits) => edits.map((edit) => edit.newText)),
    symbols: symbols.map((symbol) => symbol.name),
    hints: hints.map((hint) => hint.label),
    ended,
  }),
);

"""How long an editor waits for completions in a project, while an author types.

    python benchmarks/editor.py PROJECT FILE [PLACES [SECONDS]]

The real server is started. At places spread over FILE (a path inside the project) a citation is typed in a proof,
letter by letter, with SECONDS between two keystrokes; after each, the completions are asked for. Wall time is from the
keystroke to the answer. Processor time is that of the server in the same span, reading in the background included where
it overlaps; it is taken from /proc, in steps of a hundredth of a second.
"""

import asyncio
import os
import re
import statistics
import sys
import time
from pathlib import Path

from lsprotocol import types
from pygls.lsp.client import LanguageClient

PLACES, PAUSE = 25, 0.1
TYPED = r"\ref{le"
_PROOF_END = re.compile(r"\\end\{[a-z]{0,3}proof\}")


class Typist:
    """One document, and the server that it is told to."""

    def __init__(self, client: LanguageClient, process: int, file: Path) -> None:
        """Open a file."""
        self.client, self.process, self.uri = client, process, file.resolve().as_uri()
        self.text, self.version = file.read_text("utf-8"), 1
        item = types.TextDocumentItem(self.uri, "latex", self.version, self.text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    def position(self, offset: int) -> types.Position:
        """An offset as a position."""
        before = self.text[:offset]
        units = before[before.rfind("\n") + 1 :].encode("utf-16-le")
        return types.Position(before.count("\n"), len(units) // 2)

    def replace(self, start: int, end: int, new: str) -> None:
        """Edit the document."""
        self.version += 1
        where = types.Range(self.position(start), self.position(end))
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        change = types.TextDocumentContentChangePartial(where, new)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        self.text = self.text[:start] + new + self.text[end:]

    async def completions(self, offset: int) -> int:
        """Ask for completions; how many came."""
        asked = types.CompletionParams(types.TextDocumentIdentifier(self.uri), self.position(offset))
        found = await self.client.text_document_completion_async(asked)
        return len(found.items) if isinstance(found, types.CompletionList) else 0

    def processor(self) -> float:
        """Seconds of processor time that the server has used."""
        fields = Path(f"/proc/{self.process}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def measure(project: Path, file: Path, places: int, pause: float) -> list[tuple[float, float]]:
    """Wall and processor seconds of each completion."""
    client = LanguageClient("benchmark", "1")
    client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda _params: None)
    await client.start_io(sys.executable, "-m", "naturalproofs", "lsp", "--stdio", cwd=project)
    capabilities = types.ClientCapabilities()
    await client.initialize_async(types.InitializeParams(capabilities, root_uri=project.resolve().as_uri()))
    client.initialized(types.InitializedParams())
    server = client._server
    assert server is not None
    typist = Typist(client, server.pid, file)
    ends = [match.start() for match in _PROOF_END.finditer(typist.text)]
    chosen = [ends[len(ends) * n // places] for n in range(places)]
    # The first completion waits for the project to be read and the method to be bound.
    start = time.perf_counter()
    typist.replace(chosen[0], chosen[0], r"\ref{")
    await typist.completions(chosen[0] + 5)
    typist.replace(chosen[0], chosen[0] + 5, "")
    print(f"first completion: {time.perf_counter() - start:.1f} s")
    found = []
    for place in chosen:
        await asyncio.sleep(4 * pause)
        for typed in range(len(TYPED)):
            at = place + typed
            wall, used = time.perf_counter(), typist.processor()
            typist.replace(at, at, TYPED[typed])
            if typed >= TYPED.index("{"):
                assert await typist.completions(at + 1)
                found.append((time.perf_counter() - wall, typist.processor() - used))
            await asyncio.sleep(pause)
        typist.replace(place, place + len(TYPED), "")
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()
    return found


def main() -> int:
    """Print the figures."""
    project, name = Path(sys.argv[1]), sys.argv[2]
    places = int(sys.argv[3]) if len(sys.argv) > 3 else PLACES
    pause = float(sys.argv[4]) if len(sys.argv) > 4 else PAUSE
    found = asyncio.run(measure(project, project / name, places, pause))
    for title, values in (("wall", [one for one, _ in found]), ("processor", [one for _, one in found])):
        median, p95 = statistics.median(values), statistics.quantiles(values, n=20)[-1]
        print(f"{title:9}  median {1000 * median:6.0f} ms   p95 {1000 * p95:6.0f} ms   ({len(values)} completions)")
    return 0


if __name__ == "__main__":
    sys.exit(main())

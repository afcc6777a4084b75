"""Preambles of at most a kilobyte whose macros grow: memory and work stay bounded."""

import subprocess
import sys
from pathlib import Path

import pytest

from naturalproofs.sources.latex.macros.table import macros_of
from support.counted_work import counted, counting_patterns

MEGABYTES = 200
DOUBLING = "".join(f"\\def\\{chr(98 + at)}{{\\{chr(97 + at)}\\{chr(97 + at)}}}" for at in range(24))
EXPANDED = "".join(f"\\edef\\{chr(98 + at)}{{\\{chr(97 + at)}\\{chr(97 + at)}}}" for at in range(24))
PREAMBLES = {
    "doubling": f"\\def\\a{{xxxxxxxx}}{DOUBLING}\\newtheorem{{t}}{{\\y}}\\expandafter\\def\\csname \\y\\endcsname{{}}",
    "doubling at once": f"\\def\\a{{xxxxxxxx}}{EXPANDED}\\newtheorem{{t}}{{\\y}}",
    "nested names": "\\def\\a#1{\\expandafter\\a\\csname #1#1\\endcsname}\\a{x}"
    + "\\csname " * 45
    + "\\endcsname " * 45,
    "a loop that declares": "\\def\\m#1{\\newtheorem{#1}{#1}\\foreach\\i in {1,...,200}{\\m{#1\\i}}}\\m{a}",
    "loops in loops": "\\foreach\\a in {1,...,200}{" * 8 + "\\expandafter\\def\\csname x\\a\\endcsname{\\a}" + "}" * 8,
    "values that grow": "\\ExplSyntaxOn\\tl_set:Nn\\l_a_tl{xx}" + "\\tl_put_right:NV\\l_a_tl\\l_a_tl" * 26,
    "itself twice": "\\def\\a{\\a\\a\\def\\b{\\a}}\\a\\def\\c#1{\\c{#1#1}\\newtheorem{#1}{x}}\\c{y}",
}
# The peak of this process image: `ru_maxrss` also counts the parent's memory, from before `exec`.
READ = """
import pathlib, sys
from naturalproofs.sources.latex.macros.table import macros_of
macros_of([sys.stdin.read()])
lines = pathlib.Path("/proc/self/status").read_text().splitlines()
print(next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) // 1024)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc/self/status for the peak of memory")
@pytest.mark.parametrize("name", PREAMBLES)
def test_peak_memory(name):
    assert len(PREAMBLES[name]) <= 1_024
    done = subprocess.run(
        [sys.executable, "-c", READ], input=PREAMBLES[name], capture_output=True, text=True, timeout=120, check=True
    )
    assert int(done.stdout) < MEGABYTES


@pytest.mark.parametrize("name", PREAMBLES)
def test_work_grows_with_the_length_of_the_text(name):
    macros_of([PREAMBLES[name]])  # Patterns are compiled.
    with counting_patterns("naturalproofs.sources.latex") as work:
        one, many = (counted(work, lambda times=times: macros_of([PREAMBLES[name] + "\n"] * times)) for times in (2, 8))
    assert many <= 6 * one

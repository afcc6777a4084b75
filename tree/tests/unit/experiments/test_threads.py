"""One seed gives one figure, whatever the number of threads of linear algebra."""

import os
import subprocess
import sys

PROGRAM = """
import hashlib
from naturalproofs import evaluate
from naturalproofs.data import primer_folder

run = evaluate("hybrid(enough=50, questions=60, trees=10)", primer_folder(), split="eval", protocol="accessible")
print(run.measures["mAP"], hashlib.sha256(repr([query.top for query in run.queries]).encode()).hexdigest())
"""


def test_the_number_of_threads_changes_nothing() -> None:
    printed = []
    for threads in ("1", "2"):
        number = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS"), threads)
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM], env={**os.environ, **number}, capture_output=True, text=True, check=True
        )
        printed.append(done.stdout)
    assert printed[0] == printed[1] != ""

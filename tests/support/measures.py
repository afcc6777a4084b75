"""Measures of generated sequences by name, and the test of a single pair of runs."""

from naturalproofs.tasks.measures.generated import GENERATION_MEASURES, mean_f1
from naturalproofs.tasks.measures.significance import PERMUTATIONS, compare

GENERATION = {str(measure): measure for measure in (*GENERATION_MEASURES, mean_f1("multiset"), mean_f1("set"))}


def randomisation_test(first, second, measure, *, permutations=PERMUTATIONS, seed=0):
    """The difference of two runs, first minus second, and its p-value."""
    (found,) = compare({"first": first, "second": second}, [measure], permutations=permutations, seed=seed)
    return found.difference, found.p

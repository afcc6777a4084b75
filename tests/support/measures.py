"""All measures of generated sequences, by name."""

from naturalproofs.evaluation.generation_measures import GENERATION_MEASURES, MeanF1

GENERATION = {str(measure): measure for measure in (*GENERATION_MEASURES, MeanF1("multiset"), MeanF1("set"))}

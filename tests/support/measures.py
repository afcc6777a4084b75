"""All measures of generated sequences, by name."""

from naturalproofs.evaluation.generation_measures import GENERATION_MEASURES, mean_f1

GENERATION = {str(measure): measure for measure in (*GENERATION_MEASURES, mean_f1("multiset"), mean_f1("set"))}

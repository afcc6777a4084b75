"""All measures of generated sequences, by name."""

from naturalproofs.tasks.measures.generated import GENERATION_MEASURES, mean_f1

GENERATION = {str(measure): measure for measure in (*GENERATION_MEASURES, mean_f1("multiset"), mean_f1("set"))}

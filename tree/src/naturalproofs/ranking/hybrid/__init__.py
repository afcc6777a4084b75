"""The hybrid ranker: a first stage of sparse signals, a learned association, and trees over interpretable features."""

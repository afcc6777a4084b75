"""The classical fusion in plain arrays: it opens in milliseconds, learns a new lemma at once, and can say why."""

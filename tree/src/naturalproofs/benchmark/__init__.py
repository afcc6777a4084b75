"""Experiments: evaluate, train, tune and reproduce, with run folders that record what was done."""

"""Rankers: one file a method, each a frozen record of its settings that can be fitted, indexed and asked."""

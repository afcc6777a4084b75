"""Retrieval tasks: splits without leaks, protocols, training sets and queries; and exports to other formats."""

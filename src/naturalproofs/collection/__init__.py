"""Collections: the statements of thousands of projects in Lance tables, read in parallel, searched without loading."""

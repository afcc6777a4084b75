"""The command line: one module for each group of commands, which import their work when they are called."""

"""``python -m naturalproofs``."""

from naturalproofs.cli.main import run

run()

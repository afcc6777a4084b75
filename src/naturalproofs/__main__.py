"""``python -m naturalproofs``."""

from naturalproofs.cli.main import run

if __name__ == "__main__":
    run()

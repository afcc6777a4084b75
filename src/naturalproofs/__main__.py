"""``python -m naturalproofs``, and the command ``naturalproofs``."""

from __future__ import annotations

import os
import signal
import sys


def main() -> None:
    """Run the command line; an interrupt while it is being imported ends it without a traceback."""
    sys.unraisablehook = report
    try:
        # A program that was started in the background may ignore interrupts, and goes on doing so.
        interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if interruptible:
            signal.signal(signal.SIGINT, _stop)
        from naturalproofs.apps.cli.main import run

        if interruptible:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        run()
    except MemoryError:
        # Before the command line is there, or while it prints an error.
        sys.exit("naturalproofs: error: the memory is used up; close other programs")


def report(event: sys.UnraisableHookArgs) -> None:
    """Report an error in the clean-up of an object as Python does, but not that memory ran out there."""
    if not isinstance(event.exc_value, MemoryError):
        sys.__unraisablehook__(event)


def _stop(_signal: int, _frame: object) -> None:
    """End at once: nothing has been done yet."""
    sys.stderr.write("naturalproofs: interrupted\n")
    sys.stderr.flush()
    os._exit(130)


if __name__ == "__main__":
    main()

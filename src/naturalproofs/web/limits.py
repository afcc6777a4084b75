"""How much one may ask: sizes, counts and times, in one place."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What a request may cost."""

    body: int = 64 * 1024
    """Bytes of a body; more is refused."""
    address: int = 16 * 1024
    """Bytes of an address with its query."""
    text: int = 20_000
    """Characters of a theorem that is asked about."""
    query: int = 500
    """Characters of a search."""
    k: int = 100
    """Answers in one list."""
    nodes: int = 60
    """Statements in one drawing."""
    path: int = 500
    """Steps of a reading path."""
    names: int = 50
    """Statements, corpora or other names that one request may list."""
    seconds: float = 15.0
    """How long an answer may take, waiting for its turn included."""
    long_seconds: float = 90.0
    """The same for what is made once: statistics and the drawing of a whole corpus."""
    head_seconds: float = 10.0
    """How long a client may take to send the head of a request."""
    body_seconds: float = 10.0
    """How long it may take to send the body."""
    at_once: int = 2
    """Answers that are worked on at the same time in one worker; more threads only wait for each other."""
    waiting: int = 256
    """Requests that may wait for their turn in one worker; others are sent away at once."""
    connections: int = 1000
    """Open connections of one worker."""


LIMITS = Limits()

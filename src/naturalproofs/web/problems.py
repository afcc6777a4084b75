"""What a client is told when something is wrong: a status, a code for programs, a line for people."""

from __future__ import annotations

from naturalproofs.errors import NaturalProofsError, UnknownName


class Problem(NaturalProofsError):
    """A request that cannot be answered."""

    def __init__(self, status: int, code: str, message: str, where: str = "") -> None:
        """Say what is wrong, and where in the request."""
        super().__init__(message)
        self.status, self.code, self.message, self.where = status, code, message, where

    def to_dict(self) -> dict[str, dict[str, str]]:
        """As the JSON interface says it."""
        return {"error": {"code": self.code, "message": self.message, "where": self.where}}


def problem_of(error: Exception, where: str = "") -> Problem | None:
    """What our own errors mean to a client; None for errors that are nobody's business but ours."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, UnknownName):
        return Problem(404, "not-found", str(error), where)
    if isinstance(error, TimeoutError):
        return Problem(503, "too-slow", "the answer took too long; ask for less, or try again later", where)
    return None


def our_fault() -> Problem:
    """A mistake of the server: what it is stands in the log and is not told to strangers."""
    return Problem(500, "our-fault", "something went wrong here; the server's log says what")


CODES = {
    400: "bad-request",
    404: "not-found",
    405: "wrong-method",
    408: "too-slow-client",
    411: "bad-request",
    413: "too-large",
    415: "wrong-type",
    422: "not-valid",
    431: "too-large",
    503: "busy",
}
"""Codes for errors that are known by their status alone."""

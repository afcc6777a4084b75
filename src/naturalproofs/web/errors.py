"""Errors as clients see them: a status, a code for programs, one line for people."""

from __future__ import annotations

from naturalproofs.errors import NaturalProofsError, UnknownName


class RequestError(NaturalProofsError):
    """A request that cannot be answered."""

    def __init__(self, status: int, code: str, message: str, where: str = "") -> None:
        """State what is wrong, and in which part of the request."""
        super().__init__(message)
        self.status, self.code, self.message, self.where = status, code, message, where

    def to_dict(self) -> dict[str, dict[str, str]]:
        """The JSON form."""
        return {"error": {"code": self.code, "message": self.message, "where": self.where}}


def request_error(error: Exception) -> RequestError:
    """The error that a client gets for an exception; unexpected ones are logged and not disclosed."""
    if isinstance(error, RequestError):
        return error
    if isinstance(error, UnknownName):
        return RequestError(404, "not-found", str(error))
    if isinstance(error, TimeoutError):
        return RequestError(503, "too-slow", "the answer took too long; ask for less, or try again later")
    return RequestError(500, "our-fault", "something went wrong here; the server's log says what")


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
"""Codes for errors that have only a status."""

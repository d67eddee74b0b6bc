"""The part of HTTP/1.1 that clients of the server use: one request, one response, by length."""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.daemon.stream import Channel

_MAX_HEAD = 64 * 1024
_MAX_BODY = 16 << 20
_REASONS = {200: "OK", 204: "No Content", 400: "BAD REQUEST", 404: "NOT FOUND", 500: "INTERNAL SERVER ERROR"}


class HttpError(Exception):
    """The client does not speak HTTP, or the request is too long."""


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """One request; ``closes`` when the client wants the connection closed after the response."""

    method: str
    path: str
    body: bytes
    closes: bool


class RequestReader:
    """Read the requests of one connection in order."""

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self._buffer = bytearray()

    def next(self) -> HttpRequest | None:
        """Wait for a complete request; None when the client disconnected. Raise HttpError."""
        while (end := self._buffer.find(b"\r\n\r\n")) < 0:
            if len(self._buffer) > _MAX_HEAD:
                raise HttpError("the head of the request has no end")
            if not self._more():
                return None
        lines = self._buffer[:end].decode("latin-1").split("\r\n")
        del self._buffer[: end + 4]
        words = lines[0].split()
        if len(words) != 3 or not words[2].startswith("HTTP/"):
            raise HttpError(f"not a request: {lines[0][:80]!r}")
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in lines[1:])
        }
        body = self._body(headers.get("content-length", "0"))
        closes = headers.get("connection", "").lower() == "close" or words[2] == "HTTP/1.0"
        return HttpRequest(words[0], words[1].partition("?")[0], body, closes)

    def _body(self, length: str) -> bytes:
        if not length.isdecimal() or int(length) > _MAX_BODY:
            raise HttpError(f"not a length that can be read: {length[:40]!r}")
        while len(self._buffer) < int(length):
            if not self._more():
                raise HttpError("the client left in the middle of its request")
        body = bytes(self._buffer[: int(length)])
        del self._buffer[: int(length)]
        return body

    def _more(self) -> bool:
        data = self._channel.read()
        self._buffer += data
        return bool(data)


def encode_response(status: int, kind: str, body: bytes, *, closes: bool) -> bytes:
    """Encode the head and the body of a response."""
    head = (
        f"HTTP/1.1 {status} {_REASONS[status]} \r\nContent-Type: {kind}\r\n"
        f"Connection: {'close' if closes else 'keep-alive'}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body

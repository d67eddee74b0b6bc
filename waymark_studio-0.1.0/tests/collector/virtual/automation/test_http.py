"""Requests are parsed from any chunks; invalid ones are refused with an error."""

from __future__ import annotations

import contextlib
import itertools
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.virtual.automation.http import HttpError, RequestReader, encode_response
from collector.virtual.automation.rpc import answer


class Parts:
    """A channel that returns its bytes in chunks."""

    def __init__(self, *parts: bytes) -> None:
        self.parts = [part for part in parts if part]

    def read(self, _limit: int = 65536) -> bytes:
        return self.parts.pop(0) if self.parts else b""


BODY = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "deviceInfo", "params": {}}).encode()
POST = (
    b"POST /jsonrpc/0?x=1 HTTP/1.1\r\nHost: localhost:9008\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY
)
PING = b"GET /ping HTTP/1.1\r\nConnection: close\r\n\r\n"


@given(st.lists(st.integers(0, len(POST + PING)), max_size=6))
def test_two_requests_come_out_of_any_parts(cuts):
    data, places = POST + PING, [0, *sorted(cuts), len(POST + PING)]
    parts = (data[start:end] for start, end in itertools.pairwise(places))
    reader = RequestReader(Parts(*parts))
    first, second = reader.next(), reader.next()
    assert (first.method, first.path, first.body, first.closes) == ("POST", "/jsonrpc/0", BODY, False)
    assert (second.method, second.path, second.closes) == ("GET", "/ping", True)
    assert reader.next() is None


@given(st.binary(max_size=200))
def test_arbitrary_bytes_are_a_request_an_end_or_refused(data):
    reader = RequestReader(Parts(data))
    with contextlib.suppress(HttpError):
        while reader.next() is not None:
            pass


@pytest.mark.parametrize(
    "data",
    [
        b"hello\r\n\r\n",
        b"GET / FTP/1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nhalf",
        b"x" * 70_000,
    ],
)
def test_what_is_no_request_is_refused(data):
    with pytest.raises(HttpError):
        RequestReader(Parts(data)).next()


def test_an_answer_is_these_bytes():
    assert encode_response(200, "text/plain", b"pong", closes=True) == (
        b"HTTP/1.1 200 OK \r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: 4\r\n\r\npong"
    )


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"\xff", -32700),
        (b"[]", -32600),
        (b"{}", -32600),
        (b'{"id": 1, "method": "fly"}', -32601),
        (b'{"id": 1, "method": "add", "params": [1]}', -32602),
        (b'{"id": 1, "method": "add", "params": {"x": 1}}', -32602),
    ],
)
def test_calls_that_cannot_be_made_have_jsonrpcs_codes(body, code):
    assert json.loads(answer(body, {"add": lambda a, b: a + b}))["error"]["code"] == code


def test_a_call_gets_its_result():
    request = b'{"jsonrpc": "2.0", "id": 7, "method": "add", "params": [1, 2]}'
    assert json.loads(answer(request, {"add": lambda a, b: a + b})) == {
        "jsonrpc": "2.0",
        "id": 7,
        "result": 3,
    }

"""What a hostile endpoint sends costs little memory, and no wait that nobody could have meant."""

from __future__ import annotations

import asyncio
import time
import tracemalloc
from email.utils import formatdate

import pytest

from collector.endpoint.chat_endpoint import ChatEndpoint, EndpointUnavailable, _asked_wait
from collector.endpoint.endpoint_options import read_endpoint
from collector.endpoint.http_client import _read_body
from tests.helpers import chat_server as play
from tests.helpers.chat_server import ChatServer

LIMIT = 8_000_000


def peak_of_reading(headers: dict[str, str], data: bytes) -> tuple[bytes, int]:
    """The body that is read, and the most memory that it took."""

    async def read() -> tuple[bytes, int]:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        tracemalloc.start()
        try:
            body = await _read_body(reader, headers, LIMIT)
            return body, tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    return asyncio.run(read())


def test_chunks_of_one_byte_take_the_memory_of_their_bytes():
    count = 50_000
    body, peak = peak_of_reading({"transfer-encoding": "chunked"}, b"1\r\nx\r\n" * count + b"0\r\n\r\n")
    assert body == b"x" * count
    assert peak < 20 * count  # a list of them took 56 bytes each


@pytest.mark.fault("F29")
def test_a_flood_of_small_chunks_leaves_room_to_cancel():
    async def turns_while_reading() -> int:
        reader = asyncio.StreamReader()
        reader.feed_data(b"1\r\nx\r\n" * 20_000 + b"0\r\n\r\n")
        reading = asyncio.ensure_future(_read_body(reader, {"transfer-encoding": "chunked"}, LIMIT))
        turns = 0
        while not reading.done():
            await asyncio.sleep(0)
            turns += 1
        return turns

    assert asyncio.run(turns_while_reading()) >= 40


@pytest.mark.parametrize(("text", "seconds"), [
    ("7", 7.0), ("0.5", 0.5), ("1e308", None), ("inf", None), ("nan", None), ("-1", None), ("9" * 400, None),
    ("soon", None), ("", None), ("1_0", None), ("١", None),
])  # fmt: skip
def test_only_a_number_of_seconds_is_waited_for(text, seconds):
    assert _asked_wait({"retry-after": text}) == seconds


def test_milliseconds_and_dates_are_waited_for():
    assert _asked_wait({"retry-after-ms": "1500"}) == 1.5
    assert _asked_wait({"retry-after-ms": "1e308"}) is None
    assert 3500 < _asked_wait({"retry-after": formatdate(time.time() + 3600, usegmt=True)}) <= 3600
    assert _asked_wait({"retry-after": formatdate(0, usegmt=True)}) == 0


def test_a_wait_without_an_end_is_no_wait(monkeypatch):
    monkeypatch.setattr("collector.endpoint.chat_endpoint.FIRST_WAIT_S", 0.0)
    head = b"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1e308\r\nContent-Length: 0\r\n\r\n"
    with ChatServer(play.raw(head)) as server:
        endpoint = ChatEndpoint(read_endpoint({"model": "m", "base_url": server.address, "retries": 2}))
        with pytest.raises(EndpointUnavailable, match="in 3 attempts") as raised:
            endpoint.ask([])
        endpoint.close()
    assert len(str(raised.value)) < 400

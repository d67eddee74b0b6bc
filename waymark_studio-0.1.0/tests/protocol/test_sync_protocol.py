import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.adb import sync_protocol as sync
from collector.adb.messages import ProtocolError

STAT = sync.FileStat(0o100644, 5, 6, 0, 1, 2, 3, 4, 5, 7, 8)


def test_requests_and_answers_are_these_bytes():
    assert sync.encode_request(sync.STAT, b"/sdcard") == b"STAT\x07\0\0\0/sdcard"
    assert sync.encode_data(b"abc") == b"DATA\x03\0\0\0abc"
    assert sync.encode_word(sync.DONE, 0x01020304) == b"DONE\x04\x03\x02\x01"
    assert sync.encode_failure("no") == b"FAIL\x02\0\0\0no"
    entry = b"DENT" + bytes.fromhex("a4810000 05000000 06000000 01000000") + b"a"
    assert sync.encode_entry(b"a", STAT, v2=False) == entry
    assert len(sync.LIST_END_V1) == 20
    assert len(sync.LIST_END_V2) == 76


def test_stat_of_both_versions():
    assert STAT.encode_v1() == bytes.fromhex("a4810000 05000000 06000000")
    assert len(STAT.encode_v2()) == 68


def small_file():
    return (
        sync.encode_request(sync.SEND, b"/sdcard/a,b.txt,33188")
        + sync.encode_data(b"hello")
        + sync.encode_word(sync.DONE, 77)
        + sync.encode_request(sync.SND2, b"/x")
        + b"SND2\xa4\x81\0\0\x04\0\0\0"
        + sync.encode_word(sync.DONE, 1)
        + sync.encode_request(sync.QUIT, b"")
    )


EXPECTED = [
    sync.SyncRequest(sync.SEND, "/sdcard/a,b.txt", 0o100644),
    sync.SyncData(b"hello"),
    sync.SyncDone(77),
    sync.SyncRequest(sync.SND2, "/x", 0o100644, 4),
    sync.SyncDone(1),
    sync.SyncRequest(sync.QUIT),
]


@given(st.integers(1, 40))
def test_any_cut_gives_the_same_items(step):
    data, decoder = small_file(), sync.SyncRequestDecoder()
    pieces = (data[at : at + step] for at in range(0, len(data), step))
    assert [item for piece in pieces for item in decoder.feed(piece)] == EXPECTED


def test_a_path_that_is_too_long_is_refused():
    with pytest.raises(ProtocolError, match="path of"):
        sync.SyncRequestDecoder().feed(b"STAT\x01\x04\0\0")


def test_what_is_no_data_while_a_file_is_sent_is_refused():
    decoder = sync.SyncRequestDecoder()
    decoder.feed(sync.encode_request(sync.SEND, b"/a,420"))
    with pytest.raises(ProtocolError):
        decoder.feed(sync.encode_request(sync.STAT, b"/a"))


@given(st.binary(max_size=200))
def test_garbage_never_crashes(data):
    with contextlib.suppress(ProtocolError):
        sync.SyncRequestDecoder().feed(data)

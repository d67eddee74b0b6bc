import itertools
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.adb.messages import (
    AUTH,
    CLSE,
    CNXN,
    COMMANDS,
    MAX_PAYLOAD,
    OKAY,
    OPEN,
    WRTE,
    AdbMessage,
    Banner,
    MessageDecoder,
    ProtocolError,
)

messages = st.builds(
    AdbMessage,
    st.sampled_from(sorted(COMMANDS)),
    st.integers(0, 0xFFFFFFFF),
    st.integers(0, 0xFFFFFFFF),
    st.binary(max_size=300),
)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (AdbMessage(OKAY, 1, 2), "4f4b4159 01000000 02000000 00000000 00000000 b0b4bea6"),
        (AdbMessage(OPEN, 7, 0, b"x\0"), "4f50454e 07000000 00000000 02000000 00000000 b0afbab1 7800"),
        (AdbMessage(WRTE, 1, 2, b"hi"), "57525445 01000000 02000000 02000000 00000000 a8adabba 6869"),
        (AdbMessage(CLSE, 0, 9), "434c5345 00000000 09000000 00000000 00000000 bcb3acba"),
    ],
)
def test_messages_are_these_bytes(message, expected):
    assert message.encode() == bytes.fromhex(expected)


def test_checksum_is_the_sum_of_the_payload():
    encoded = AdbMessage(CNXN, 0x01000001, MAX_PAYLOAD, b"\xff\x01").encode(checksum=True)
    assert struct.unpack("<6I", encoded[:24]) == (0x4E584E43, 0x01000001, 1 << 20, 2, 0x100, 0xB1A7B1BC)


@given(st.lists(messages, max_size=5), st.lists(st.integers(0, 1600), max_size=12))
def test_any_cut_gives_the_same_messages(sent, cuts):
    data = b"".join(message.encode() for message in sent)
    edges = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    decoder = MessageDecoder()
    received = [message for a, b in itertools.pairwise(edges) for message in decoder.feed(data[a:b])]
    assert received == sent


def test_header_split_at_every_byte():
    data = AdbMessage(AUTH, 1, 0, bytes(20)).encode()
    for cut in range(len(data) + 1):
        decoder = MessageDecoder()
        assert decoder.feed(data[:cut]) + decoder.feed(data[cut:]) == [AdbMessage(AUTH, 1, 0, bytes(20))]


@given(st.binary(min_size=24, max_size=200))
def test_garbage_is_refused_and_never_crashes(data):
    try:
        for message in MessageDecoder().feed(data):
            assert message.command in COMMANDS
    except ProtocolError:
        pass


def test_a_payload_longer_than_agreed_is_refused():
    with pytest.raises(ProtocolError, match="more than the 4096"):
        MessageDecoder(4096).feed(AdbMessage(WRTE, 1, 1, bytes(4097)).encode())


def test_a_wrong_checksum_is_accepted():
    data = bytearray(AdbMessage(WRTE, 1, 1, b"abc").encode())
    data[16:20] = b"\x12\x34\x56\x78"
    assert MessageDecoder().feed(bytes(data)) == [AdbMessage(WRTE, 1, 1, b"abc")]


def test_banner_is_these_bytes():
    banner = Banner("device", {"ro.product.name": "w", "ro.product.model": "a:b;c=d"}, ("shell_v2", "cmd"))
    expected = b"device::ro.product.name=w;ro.product.model=a b c d;features=shell_v2,cmd"
    assert banner.encode() == expected
    assert Banner.decode(expected + b"\0").features == ("shell_v2", "cmd")


@given(st.binary(max_size=100))
def test_any_banner_can_be_read(payload):
    Banner.decode(payload)

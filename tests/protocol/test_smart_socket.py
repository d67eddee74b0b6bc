import pytest

from collector.adb.messages import ProtocolError
from collector.adb.smart_socket import (
    BlockDecoder,
    ServerReply,
    ServerReplyDecoder,
    encode_block,
    encode_failure,
)


def test_blocks_are_these_bytes():
    assert encode_block("host:version") == b"000chost:version"
    assert encode_failure("no") == b"FAIL0002no"


def test_blocks_come_out_of_any_cut():
    data, decoder = encode_block("a") + encode_block("") + encode_block("汉"), BlockDecoder()
    assert [block for at in range(len(data)) for block in decoder.feed(data[at : at + 1])] == [
        b"a",
        b"",
        "汉".encode(),
    ]


@pytest.mark.parametrize("step", [1, 3, 50])
def test_status_keeps_what_follows(step):
    decoder, data = ServerReplyDecoder(), b"FAIL0005sorryrest"
    replies = [decoder.feed(data[at : at + step]) for at in range(0, 13, step)]
    assert [reply for reply in replies if reply] == [ServerReply(False, "sorry")]


def test_okay_and_nonsense():
    decoder = ServerReplyDecoder()
    assert decoder.feed(b"OKAY0001x") == ServerReply(True)
    assert decoder.rest == b"0001x"
    with pytest.raises(ProtocolError):
        ServerReplyDecoder().feed(b"HTTP")
    with pytest.raises(ProtocolError):
        BlockDecoder().feed(b"zzzz")

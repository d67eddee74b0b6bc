import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.adb.messages import ProtocolError
from collector.adb.shell_protocol import ShellPacket, ShellPacketDecoder, ShellPacketId, ShellService


@pytest.mark.parametrize(
    ("packet", "expected"),
    [
        (ShellPacket(ShellPacketId.STDOUT, b"hi\n"), b"\x01\x03\0\0\0hi\n"),
        (ShellPacket(ShellPacketId.EXIT, b"\x07"), b"\x03\x01\0\0\0\x07"),
        (ShellPacket(ShellPacketId.CLOSE_STDIN), b"\x04\0\0\0\0"),
        (ShellPacket(ShellPacketId.WINDOW_SIZE, b"24x80,0x0"), b"\x05\x09\0\0\x0024x80,0x0"),
    ],
)
def test_packets_are_these_bytes(packet, expected):
    assert packet.encode() == expected


@given(
    st.lists(st.builds(ShellPacket, st.integers(0, 255), st.binary(max_size=50)), max_size=6),
    st.integers(1, 9),
)
def test_any_cut_gives_the_same_packets(sent, step):
    data = b"".join(packet.encode() for packet in sent)
    decoder = ShellPacketDecoder()
    pieces = (data[at : at + step] for at in range(0, len(data), step))
    assert [packet for piece in pieces for packet in decoder.feed(piece)] == sent


def test_an_absurd_length_is_refused():
    with pytest.raises(ProtocolError):
        ShellPacketDecoder().feed(b"\x00\xff\xff\xff\xff")


@pytest.mark.parametrize(
    ("service", "expected"),
    [
        ("shell:echo hi", ShellService("echo hi")),
        ("shell:", ShellService("", pty=True)),
        ("shell,v2,TERM=xterm-256color,raw:ls a:b", ShellService("ls a:b", True, False, "xterm-256color")),
        ("shell,v2,pty:", ShellService("", True, True)),
        ("shell,v2,raw:", ShellService("", True, False)),
        ("shell,v2,unknown,pty:top", ShellService("top", True, True)),
    ],
)
def test_service_strings(service, expected):
    assert ShellService.parse(service) == expected

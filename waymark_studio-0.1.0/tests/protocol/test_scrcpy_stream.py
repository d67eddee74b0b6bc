"""The server's command line and the video socket, byte for byte, for every generation of scrcpy."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.adb.scrcpy.options import ServerOptions, parse_server_arguments, server_arguments
from collector.adb.scrcpy.stream import (
    DISABLED,
    ConfigMerger,
    StreamError,
    StreamReader,
    StreamStart,
    VideoPacket,
    VideoSession,
    encode_codec_meta,
    encode_device_meta,
    encode_packet_header,
    encode_session,
    encode_stream_refusal,
)
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.model.geometry import Rect, Size

V124, V27, V334, V41 = (ScrcpyVersion.parse(text) for text in ("1.24", "2.7", "3.3.4", "4.1"))
SIZE = Size(720, 1600)
NAME = b"Pixel 9".ljust(64, b"\0")


def test_device_meta_is_64_bytes_and_4_more_before_2_0():
    assert encode_device_meta(V334, "Pixel 9", SIZE) == NAME
    assert encode_device_meta(V124, "Pixel 9", SIZE) == NAME + bytes.fromhex("02d0 0640")
    long = encode_device_meta(V334, "é" * 60, SIZE)
    assert len(long) == 64
    assert long.endswith(b"\0")
    assert long.rstrip(b"\0").decode() == "é" * 31


def test_codec_meta_of_each_generation():
    assert encode_codec_meta(V124, "h264", SIZE) == b""
    assert encode_codec_meta(V27, "h264", SIZE) == bytes.fromhex("68323634 000002d0 00000640")
    assert encode_codec_meta(V41, "h264", SIZE) == bytes.fromhex("68323634")
    assert encode_codec_meta(V334, "av1", SIZE)[:4] == bytes.fromhex("00617631")


@pytest.mark.parametrize(
    ("version", "packet", "golden"),
    [
        (V124, VideoPacket(b"abc", 0, config=True), "8000000000000000 00000003"),
        (V334, VideoPacket(b"abc", 0x1234, key=True), "4000000000001234 00000003"),
        (V334, VideoPacket(b"abc", 0x1234), "0000000000001234 00000003"),
        (V41, VideoPacket(b"abc", 0, config=True), "4000000000000000 00000003"),
        (V41, VideoPacket(b"abc", 0x1234, key=True), "2000000000001234 00000003"),
        (V41, VideoPacket(b"abc", 0x1234), "0000000000001234 00000003"),
    ],
)
def test_packet_flags_sit_one_bit_lower_since_4_0(version, packet, golden):
    assert encode_packet_header(version, packet) == bytes.fromhex(golden)


def test_session_packet_of_4_0():
    assert encode_session(VideoSession(SIZE)) == bytes.fromhex("80000000 000002d0 00000640")
    assert encode_session(VideoSession(SIZE, client_resized=True)) == bytes.fromhex(
        "80000001 000002d0 00000640"
    )


def stream_of(version: ScrcpyVersion, *, dummy: bool) -> tuple[bytes, list[object]]:
    packets = [
        VideoPacket(b"\x67cfg", 0, config=True),
        VideoPacket(b"picture one", 10, key=True),
        VideoPacket(b"two", 33),
    ]
    data = (b"\0" if dummy else b"") + encode_device_meta(version, "Pixel 9", SIZE)
    data += encode_codec_meta(version, "h264", SIZE)
    items: list[object] = [StreamStart("Pixel 9", "h264", None if version.has_session_packets else SIZE)]
    if version.has_session_packets:
        data += encode_session(VideoSession(SIZE))
        items.append(VideoSession(SIZE))
    for packet in packets:
        data += encode_packet_header(version, packet) + packet.data
    return data, [*items, *packets]


@pytest.mark.parametrize("dummy", [False, True])
@pytest.mark.parametrize("version", [V124, V27, V334, V41], ids=str)
def test_a_stream_reads_the_same_however_it_is_cut(version, dummy):
    data, items = stream_of(version, dummy=dummy)
    for cut in range(len(data) + 1):
        reader = StreamReader(version, dummy_byte=dummy)
        assert [*reader.feed(data[:cut]), *reader.feed(data[cut:])] == items
    drip = StreamReader(version, dummy_byte=dummy)
    assert [item for byte in data for item in drip.feed(bytes([byte]))] == items


@given(data=st.binary(max_size=400))
def test_garbage_is_either_read_or_refused(data):
    with contextlib.suppress(StreamError):
        list(StreamReader(V41).feed(data))


def test_a_refused_stream_is_said_so():
    reader = StreamReader(V334)
    with pytest.raises(StreamError, match="no video"):
        list(reader.feed(NAME + encode_stream_refusal(DISABLED)))
    with pytest.raises(StreamError, match="encoder"):
        list(StreamReader(V334).feed(NAME + encode_stream_refusal(1)))


def test_configuration_goes_in_front_of_the_next_picture_once():
    merger = ConfigMerger()
    assert merger.merge(VideoPacket(b"cfg", config=True)) is None
    assert merger.merge(VideoPacket(b"one")) == b"cfgone"
    assert merger.merge(VideoPacket(b"two")) == b"two"


def test_arguments_of_each_generation():
    asked = {"scid": 0x1F2E3D4C, "tunnel_forward": True, "audio": False, "clipboard_autosync": False}
    assert server_arguments(ServerOptions(V334, **asked)) == (
        "3.3.4", "log_level=info", "scid=1f2e3d4c", "video_bit_rate=8000000", "audio=false",
        "tunnel_forward=true", "clipboard_autosync=false",
    )  # fmt: skip
    assert server_arguments(ServerOptions(V124, max_size=800, tunnel_forward=True)) == (
        "1.24", "log_level=info", "bit_rate=8000000", "max_size=800", "tunnel_forward=true",
    )  # fmt: skip


@pytest.mark.parametrize("version", ["1.24", "2.0", "2.7", "3.0", "3.3.4", "4.1"])
def test_what_our_client_asks_is_what_our_server_reads(version):
    release = ScrcpyVersion.parse(version)
    asked = ServerOptions(
        release, scid=7 if release.has_audio else None, max_size=1024, bit_rate=4_000_000, max_fps=30,
        tunnel_forward=True, audio=False, control=False, clipboard_autosync=False, stay_awake=True,
    )  # fmt: skip
    assert parse_server_arguments(server_arguments(asked)) == asked


def test_arguments_before_1_22_are_told_by_their_place():
    words = [
        "1.20",
        "info",
        "0",
        "8000000",
        "0",
        "-1",
        "true",
        "-",
        "false",
        "true",
        "0",
        "false",
        "false",
        "-",
        "-",
        "false",
    ]
    options = parse_server_arguments(tuple(words))
    assert (options.tunnel_forward, options.send_frame_meta, options.control) == (True, False, True)
    assert (options.bit_rate, options.audio, options.socket_name) == (8_000_000, False, "scrcpy")
    assert server_arguments(options) == tuple(words)


def test_a_released_desktop_client_of_3_3_4_is_understood():
    words = ("3.3.4", "scid=0d0c6b50", "log_level=info", "max_size=1080", "video_codec=h264", "audio=false",
             "new_key=1", "raw_stream=true", "crop=100:200:0:0", "list_displays=true")  # fmt: skip
    options = parse_server_arguments(words)
    assert (options.socket_name, options.max_size, options.unknown) == ("scrcpy_0d0c6b50", 1080, ("new_key",))
    assert not any((options.send_device_meta, options.send_frame_meta, options.send_dummy_byte))
    assert (options.crop, options.listing) == (Rect(0, 0, 100, 200), "list_displays")


@pytest.mark.parametrize("words", [(), ("next",), ("3.3.4", "loose"), ("1.20", "info")])
def test_arguments_that_cannot_be_meant_are_refused(words):
    with pytest.raises(ValueError, match=r"."):
        parse_server_arguments(words)

"""The protocol of the video socket: its header, and the framing of packets."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from collector.adb.scrcpy.version import ScrcpyVersion
from collector.model.geometry import Size

DUMMY_BYTE = b"\x00"
NAME_BYTES = 64
CODECS = {
    "h264": 0x68323634, "h265": 0x68323635, "av1": 0x00617631, "vp8": 0x00767038, "vp9": 0x00767039,
    "opus": 0x6F707573, "aac": 0x00616163, "flac": 0x666C6163, "raw": 0x00726177,
}  # fmt: skip
_NAMES = {number: name for name, number in CODECS.items()}
DISABLED = 0
"""In place of a codec: the device has no such stream; everything else continues."""
CONFIGURATION_ERROR = 1
MAX_PACKET = 16 << 20
_HEADER = struct.Struct(">QI")


class StreamError(ValueError):
    """The bytes cannot be a scrcpy stream of the version agreed on."""


@dataclass(frozen=True, slots=True)
class StreamStart:
    """The header before the first packet."""

    device_name: str = ""
    codec: str = "h264"
    size: Size | None = None
    """Size of the first frames; None when the version sends it later."""


@dataclass(frozen=True, slots=True)
class VideoSession:
    """A new capture session: frames have this size from now on (4.0 and later)."""

    size: Size
    client_resized: bool = False


@dataclass(frozen=True, slots=True)
class VideoPacket:
    """One encoded access unit, or the codec's configuration (SPS and PPS)."""

    data: bytes
    pts_us: int = 0
    config: bool = False
    key: bool = False


def encode_device_meta(version: ScrcpyVersion, name: str, size: Size) -> bytes:
    """The first bytes of the first socket: the name in 64 bytes, and the size before 2.0."""
    raw = name.encode("utf-8")[: NAME_BYTES - 1].decode("utf-8", "ignore").encode("utf-8")
    meta = raw.ljust(NAME_BYTES, b"\0")
    return meta if version.has_codec_meta else meta + struct.pack(">HH", size.width, size.height)


def encode_codec_meta(version: ScrcpyVersion, codec: str, size: Size) -> bytes:
    """Which codec follows, and the first size from 2.0 to 3.x; nothing before 2.0."""
    if not version.has_codec_meta:
        return b""
    number = struct.pack(">I", CODECS[codec])
    return number if version.has_session_packets else number + struct.pack(">II", size.width, size.height)


def encode_stream_refusal(code: int) -> bytes:
    """In place of codec meta: DISABLED or CONFIGURATION_ERROR."""
    return struct.pack(">I", code)


def encode_packet_header(version: ScrcpyVersion, packet: VideoPacket) -> bytes:
    """The 12 bytes before a packet's data."""
    top = 62 if version.has_session_packets else 63
    # A configuration packet has no timestamp.
    value = 0 if packet.config else packet.pts_us & ((1 << (top - 1)) - 1)
    value |= packet.config << top | (packet.key and not packet.config) << (top - 1)
    return _HEADER.pack(value, len(packet.data))


def encode_session(session: VideoSession) -> bytes:
    """A session packet, which is its own header (4.0 and later)."""
    return struct.pack(
        ">III", 1 << 31 | session.client_resized, session.size.width, session.size.height
    )  # fmt: skip


class StreamReader:
    """Decode the header, sessions and packets from bytes cut anywhere.

    ``first_socket`` and ``dummy_byte`` say what precedes the codec meta on this socket.
    """

    def __init__(
        self, version: ScrcpyVersion, *, dummy_byte: bool = False, first_socket: bool = True
    ) -> None:
        self._version = version
        self._buffer = bytearray()
        self._dummy = dummy_byte
        self._named = first_socket
        self._start: StreamStart | None = None

    @property
    def has_begun(self) -> bool:
        """Whether a part of the next packet has arrived."""
        return bool(self._buffer)

    def feed(self, data: bytes) -> Iterator[StreamStart | VideoSession | VideoPacket]:
        """Yield everything completed by ``data``; raises StreamError for invalid bytes."""
        self._buffer += data
        while True:
            item = self._next_start() if self._start is None else self._next_packet()
            if item is None:
                return
            yield item

    def _next_start(self) -> StreamStart | None:
        version, skip = self._version, len(DUMMY_BYTE) if self._dummy else 0
        meta = skip
        if self._named:
            meta += NAME_BYTES if version.has_codec_meta else NAME_BYTES + 4
        codec_bytes = 0 if not version.has_codec_meta else 4 if version.has_session_packets else 12
        if version.has_codec_meta and len(self._buffer) >= meta + 4:
            (number,) = struct.unpack_from(">I", self._buffer, meta)
            if number == DISABLED:
                raise StreamError("the device gives no video")
            if number not in _NAMES:
                raise StreamError(f"the device could not configure its encoder (code {number})")
        if len(self._buffer) < meta + codec_bytes:
            return None
        name, size, codec = "", None, "h264"
        if self._named:
            name = bytes(self._buffer[skip : skip + NAME_BYTES]).split(b"\0")[0].decode("utf-8", "replace")
            if not version.has_codec_meta:
                size = Size(*struct.unpack_from(">HH", self._buffer, skip + NAME_BYTES))
        if version.has_codec_meta:
            codec = _NAMES[struct.unpack_from(">I", self._buffer, meta)[0]]
            if not version.has_session_packets:
                size = Size(*struct.unpack_from(">II", self._buffer, meta + 4))
        del self._buffer[: meta + codec_bytes]
        self._start = StreamStart(name, codec, size)
        return self._start

    def _next_packet(self) -> VideoSession | VideoPacket | None:
        if len(self._buffer) < _HEADER.size:
            return None
        value, length = _HEADER.unpack_from(self._buffer)
        top = 63
        if self._version.has_session_packets:
            if value >> 63:
                flags, width, height = struct.unpack_from(">III", self._buffer)
                del self._buffer[: _HEADER.size]
                return VideoSession(Size(width, height), bool(flags & 1))
            top = 62
        if not 0 < length <= MAX_PACKET:
            raise StreamError(f"a packet of {length} bytes cannot be")
        end = _HEADER.size + length
        if len(self._buffer) < end:
            return None
        data = bytes(self._buffer[_HEADER.size : end])
        del self._buffer[:end]
        config, key = bool(value >> top & 1), bool(value >> (top - 1) & 1)
        return VideoPacket(data, 0 if config else value & ((1 << (top - 1)) - 1), config, key)


class ConfigMerger:
    """Prepend a configuration packet to the next frame, where decoders expect it."""

    def __init__(self) -> None:
        self._config = b""

    def merge(self, packet: VideoPacket) -> bytes | None:
        """Return the data to decode; None for a configuration packet, which waits for its frame."""
        if packet.config:
            self._config = packet.data
            return None
        data, self._config = self._config + packet.data, b""
        return data

"""One session of the scrcpy server: its sockets, their headers, and the threads behind them."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Protocol

from collector.adb.keys import CODES
from collector.adb.scrcpy.capture import AS_THE_SCREEN
from collector.adb.scrcpy.control import ControlError, ControlReader
from collector.adb.scrcpy.device_message import DeviceMessage, encode_device_message
from collector.adb.scrcpy.options import ServerOptions
from collector.adb.scrcpy.stream import (
    CONFIGURATION_ERROR,
    DISABLED,
    DUMMY_BYTE,
    VideoPacket,
    VideoSession,
    encode_codec_meta,
    encode_device_meta,
    encode_packet_header,
    encode_session,
    encode_stream_refusal,
)
from collector.model.geometry import Size
from collector.virtual.daemon.sockets import DeviceSockets
from collector.virtual.daemon.stream import Channel
from collector.virtual.video.controller import Controller
from collector.virtual.video.encoder import Encoded
from collector.virtual.video.filtered_screen import CropError, Filtered
from collector.virtual.video.phone import ScreenPhone
from collector.virtual.video.refusals import RefusalTime, audio_refusal, encoder_limit, video_refusal
from collector.virtual.video.screen import MirrorShape, Scaled
from collector.virtual.video.server_lists import CODEC
from collector.virtual.video.server_log import ServerLog
from collector.virtual.video.streamer import VideoStreamer
from collector.virtual.video.video_size import video_sizing

_ACCEPT_TIMEOUT = 20.0
_ENCODER_START_SECONDS = {4: 0.25, 3: 0.1, 2: 0.1}
"""By major release: from the name of the device to the header of its video, at least.

A phone needs as long to start its encoder, and desktop clients since 2.0 rely on it. Without a window they
start to read the video before their recorder has opened the file, and crash when the header is there
already; and when the server ends before they have read the name, they only say that they could not connect.
The first message on the control socket does not show that a client is ready.
"""


class Stop(Protocol):
    """Signals the server that its shell has ended."""

    @property
    def is_set(self) -> bool: ...

    def on_set(self, callback: Callable[[], None]) -> None: ...


class _Framing:
    """Frames packets in the format of the client's version; the codec goes before the first."""

    def __init__(self, options: ServerOptions) -> None:
        self._version = options.version
        self._framed = options.send_frame_meta
        self._has_header = options.send_codec_meta
        self._sessions = options.send_codec_meta and options.version.has_session_packets

    def header(self, size: Size) -> bytes:
        """The header of the stream, which the first call returns; empty for all others."""
        had, self._has_header = self._has_header, False
        return encode_codec_meta(self._version, CODEC, size) if had else b""

    def session(self, size: Size) -> bytes:
        session = encode_session(VideoSession(size)) if self._framed and self._sessions else b""
        return self.header(size) + session

    def packets(self, encoded: Encoded) -> bytes:
        packet = VideoPacket(encoded.data, encoded.pts_us, key=encoded.key)
        if not encoded.config:
            return self._encode(packet)
        return self._encode(VideoPacket(encoded.config, config=True)) + self._encode(packet)

    def _encode(self, packet: VideoPacket) -> bytes:
        return encode_packet_header(self._version, packet) + packet.data if self._framed else packet.data


class ScrcpySession:
    """Mirror the phone to one client until it, or the shell, ends."""

    def __init__(
        self, phone: ScreenPhone, sockets: DeviceSockets, options: ServerOptions, log: ServerLog, stop: Stop
    ) -> None:
        self._phone = phone
        self._sockets = sockets
        self._options = options
        self._log = log
        self._stop = stop
        self._channels: list[Channel] = []
        self._ready_at = 0.0
        self._closed = threading.Event()

    def close(self) -> None:
        """Close the sockets."""
        self._closed.set()
        for channel in self._channels:
            channel.close()

    def run(self) -> None:
        """Connect and mirror. Raise CropError when the crop does not fit, OSError without a connection."""
        options = self._options
        video_channel, audio, control = self._connect()
        framing, shape = _Framing(options), self._shape()
        self._note_smaller_video()
        video = VideoStreamer(
            self._phone, framing, self._when_ready(video_channel), bit_rate=options.bit_rate, shape=shape,
            max_fps=options.max_fps,
        )  # fmt: skip
        if control and options.power_on and not self._phone.awake:
            self._phone.key(CODES["POWER"])
        if audio:
            self._refuse_audio(audio)
        if self._refuses_video(video_channel, framing, shape):
            return
        try:
            video.prepare()
        except CropError:
            self._wait_for_client()
            raise
        self._stop.on_set(video.stop)
        for channel in self._channels:
            # The end of the control socket comes after its last message, which is still carried out.
            if channel is not audio and channel is not control:
                channel.on_close(video.stop)
        if control:
            threading.Thread(
                target=self._control, args=(control, video, shape), name="scrcpy control", daemon=True
            ).start()
        if video_channel:
            video.run()
        else:
            video.wait()

    def _note_smaller_video(self) -> None:
        """Say that the encoder refused the size of the screen, as servers do since 1.22."""
        limit = encoder_limit(self._phone)
        if self._options.video and limit and not 0 < self._options.max_size <= limit:
            self._log.error("Encoding error: java.lang.IllegalArgumentException: null")
            self._log.info(f"Retrying with -m{limit}...")

    def _shape(self) -> MirrorShape:
        options = self._options
        limit = encoder_limit(self._phone)
        longest = min(filter(None, (options.max_size, limit)), default=0)
        sizing = video_sizing(options.version, longest, options.min_size_alignment)
        if options.crop or options.angle % 360 or options.orientation != AS_THE_SCREEN:
            return Filtered(options, sizing, lambda: self._phone.rotation)
        return Scaled(sizing)

    def _refuse_audio(self, audio: Channel) -> None:
        is_error, message = audio_refusal(self._options, self._phone.profile.sdk)
        (self._log.error if is_error else self._log.warn)(message)
        audio.write(encode_stream_refusal(CONFIGURATION_ERROR if is_error else DISABLED))

    def _refuses_video(self, channel: Channel | None, framing: _Framing, shape: MirrorShape) -> bool:
        refusal = video_refusal(self._options, self._phone)
        if refusal is None:
            return False
        self._wait_for_client()
        if channel and refusal.time is RefusalTime.AFTER_THE_HEADER:
            channel.write(framing.session(shape.size(self._phone.size)))
        self._log.error(refusal.message)
        return True

    def _when_ready(self, channel: Channel | None) -> Callable[[bytes], None]:
        """Write to the video's socket, but nothing before the client can take its header."""
        if channel is None:
            return _discard

        def write(data: bytes) -> None:
            self._wait_for_client()
            channel.write(data)

        return write

    def _wait_for_client(self) -> None:
        self._closed.wait(max(0.0, self._ready_at - time.monotonic()))

    def _connect(self) -> tuple[Channel | None, Channel | None, Channel | None]:
        """Connect video, audio and control in the order that every client expects; name the device."""
        options = self._options
        address = f"localabstract:{options.socket_name}"
        enabled = (options.video, options.audio and options.version.has_audio, options.control)
        if options.tunnel_forward:
            streams = self._accept(address, enabled)
        else:
            streams = [
                self._keep(self._sockets.connect(address)) if is_enabled else None for is_enabled in enabled
            ]
        if options.send_device_meta and self._channels:
            size = self._shape().size(self._phone.size) if not options.version.has_codec_meta else Size(0, 0)
            self._channels[0].write(encode_device_meta(options.version, self._phone.profile.model, size))
        self._ready_at = time.monotonic() + _ENCODER_START_SECONDS.get(options.version.major, 0.0)
        return streams[0], streams[1], streams[2]

    def _accept(self, address: str, enabled: tuple[bool, ...]) -> list[Channel | None]:
        listener = self._sockets.listen(address)
        self._stop.on_set(listener.close)
        streams: list[Channel | None] = []
        try:
            for is_enabled in enabled:
                channel = self._accepted(listener.accept(_ACCEPT_TIMEOUT)) if is_enabled else None
                if channel and len(self._channels) == 1 and self._options.send_dummy_byte:
                    # Tells the client that the server is listening: a forwarded connection always succeeds.
                    channel.write(DUMMY_BYTE)
                streams.append(channel)
        finally:
            listener.close()
        return streams

    def _accepted(self, channel: Channel | None) -> Channel:
        if channel is None:
            raise ConnectionAbortedError("nobody connected")
        return self._keep(channel)

    def _keep(self, channel: Channel) -> Channel:
        self._channels.append(channel)
        return channel

    def _control(self, channel: Channel, video: VideoStreamer, shape: MirrorShape) -> None:
        options = self._options
        messenger = DeviceMessageWriter(channel.write)
        controller = Controller(
            self._phone, options.version, video, shape, self._log, messenger.send,
            autosync=options.clipboard_autosync, has_video=options.video,
        )  # fmt: skip
        reader = ControlReader(options.version)
        try:
            while data := channel.read():
                for message in reader.feed(data):
                    controller.handle(message)
        except ControlError as error:
            self._log.error(f"Controller error\n{error}")
        finally:
            controller.release()
            messenger.close()
            video.stop()


def _discard(_data: bytes) -> None:
    raise BrokenPipeError("there is no video socket")


class DeviceMessageWriter:
    """Queue messages from any thread; callers never wait for the client."""

    def __init__(self, write: Callable[[bytes], None]) -> None:
        self._write = write
        self._waiting: queue.SimpleQueue[DeviceMessage | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="scrcpy messages", daemon=True)
        self._thread.start()

    def send(self, message: DeviceMessage) -> None:
        """Queue a message after all earlier ones."""
        self._waiting.put(message)

    def close(self) -> None:
        """Stop after the queued messages."""
        self._waiting.put(None)

    def _run(self) -> None:
        while (message := self._waiting.get()) is not None:
            try:
                self._write(encode_device_message(message))
            except OSError:
                return  # The client disconnected; its socket's reader notices that.

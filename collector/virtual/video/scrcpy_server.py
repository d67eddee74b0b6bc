"""The scrcpy server of the virtual phone: what ``app_process / com.genymobile.scrcpy.Server`` runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from collector.adb.scrcpy.control import ControlError, ControlReader
from collector.adb.scrcpy.options import ServerOptions, parse_server_arguments
from collector.adb.scrcpy.stream import (
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
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.model.geometry import Size
from collector.virtual.daemon.sockets import DeviceSockets
from collector.virtual.daemon.stream import Channel
from collector.virtual.video.controller import Controller
from collector.virtual.video.device_message_writer import DeviceMessageWriter
from collector.virtual.video.encoder import Encoded
from collector.virtual.video.phone import ScreenPhone
from collector.virtual.video.screen import Scaled
from collector.virtual.video.streamer import VideoStreamer

NEWEST = "3.3.4"
"""The version the server reports when it does not support the client's version."""
_CODEC = "h264"
_ENCODERS = "List of video encoders:\n    --video-codec=h264 --video-encoder=c2.android.avc.encoder    (sw)"
_ACCEPT_TIMEOUT = 20.0
_THREAD = "Exception on thread Thread[main,5,main]"


class Stop(Protocol):
    """Signals the server that its shell has ended."""

    @property
    def is_set(self) -> bool: ...

    def on_set(self, callback: Callable[[], None]) -> None: ...


class _Framing:
    """Frames packets in the format of the client's version."""

    def __init__(self, options: ServerOptions) -> None:
        self._version = options.version
        self._framed = options.send_frame_meta
        self._sessions = options.send_codec_meta and options.version.has_session_packets

    def session(self, size: Size) -> bytes:
        return encode_session(VideoSession(size)) if self._framed and self._sessions else b""

    def packets(self, encoded: Encoded) -> bytes:
        packet = VideoPacket(encoded.data, encoded.pts_us, key=encoded.key)
        if not encoded.config:
            return self._encode(packet)
        return self._encode(VideoPacket(encoded.config, config=True)) + self._encode(packet)

    def _encode(self, packet: VideoPacket) -> bytes:
        return encode_packet_header(self._version, packet) + packet.data if self._framed else packet.data


class ScrcpyServer:
    """One run of the server; ``run`` returns its exit status when the client or the shell ends."""

    def __init__(
        self, phone: ScreenPhone, sockets: DeviceSockets, log: Callable[[str], None], stop: Stop
    ) -> None:
        self._phone = phone
        self._sockets = sockets
        self._log = log
        self._stop = stop
        self._channels: list[Channel] = []

    def run(self, words: Sequence[str]) -> int:
        """Run the server; ``words`` are the arguments after the class name, version first."""
        try:
            options = parse_server_arguments(tuple(words))
            if not options.version.spoken:
                raise ValueError(
                    f"The server version ({NEWEST}) does not match the client ({options.version})"
                )
        except ValueError as error:
            self._error(f"{_THREAD}\njava.lang.IllegalArgumentException: {self._mismatch(words, error)}")
            return 1
        profile = self._phone.profile
        maker = profile.manufacturer if not options.version.has_codec_meta else f"[{profile.manufacturer}]"
        brand = f" {profile.manufacturer.lower()}" if options.version.has_codec_meta else ""
        self._info(f"Device: {maker}{brand} {profile.model} (Android {profile.android})")
        for key in options.unknown:
            self._log(f"[server] WARN: Unknown server option: {key}\n")
        if options.listing:
            return self._list(options.listing)
        try:
            return self._serve(options)
        except OSError as error:
            self._error(f"{_THREAD}\njava.io.IOException: {error}")
            return 1
        finally:
            for channel in self._channels:
                channel.close()

    def _mismatch(self, words: Sequence[str], error: ValueError) -> str:
        """The version mismatch message; an invalid version number is also a mismatch."""
        try:
            ScrcpyVersion.parse(words[0] if words else "")
        except ValueError:
            if words:
                return f"The server version ({NEWEST}) does not match the client ({words[0]})"
        return str(error)

    def _serve(self, options: ServerOptions) -> int:
        video_channel, audio, control = self._connect(options)
        framing = _Framing(options)
        write = video_channel.write if video_channel else _discard
        video = VideoStreamer(
            self._phone, framing, write, bit_rate=options.bit_rate, shape=Scaled(options.max_size),
            max_fps=options.max_fps,
        )  # fmt: skip
        size = video.prepare()
        if options.send_device_meta and self._channels:
            self._channels[0].write(encode_device_meta(options.version, self._phone.profile.model, size))
        refusal = _refusal(options, self._display())
        if refusal:
            self._error(refusal)
            return 1
        if audio and options.send_codec_meta:
            audio.write(encode_stream_refusal(DISABLED))
        self._stop.on_set(video.stop)
        for channel in self._channels:
            if channel is not audio:
                channel.on_close(video.stop)
        if control:
            threading.Thread(
                target=self._control, args=(options, control, video), name="scrcpy control", daemon=True
            ).start()
        if video_channel:
            if options.send_codec_meta:
                video_channel.write(encode_codec_meta(options.version, _CODEC, size))
            video.run()
        else:
            video.wait()
        return 0

    def _connect(self, options: ServerOptions) -> tuple[Channel | None, Channel | None, Channel | None]:
        """Connect video, audio and control in the order that every client expects."""
        address = f"localabstract:{options.socket_name}"
        enabled = (options.video, options.audio and options.version.has_audio, options.control)
        if not options.tunnel_forward:
            streams = [
                self._keep(self._sockets.connect(address)) if is_enabled else None for is_enabled in enabled
            ]
            return streams[0], streams[1], streams[2]
        listener = self._sockets.listen(address)
        self._stop.on_set(listener.close)
        try:
            streams = []
            for is_enabled in enabled:
                channel = self._accepted(listener.accept(_ACCEPT_TIMEOUT)) if is_enabled else None
                if channel and len(self._channels) == 1 and options.send_dummy_byte:
                    # Tells the client that the server is listening: a forwarded connection always succeeds.
                    channel.write(DUMMY_BYTE)
                streams.append(channel)
        finally:
            listener.close()
        return streams[0], streams[1], streams[2]

    def _accepted(self, channel: Channel | None) -> Channel:
        if channel is None:
            raise ConnectionAbortedError("nobody connected")
        return self._keep(channel)

    def _keep(self, channel: Channel) -> Channel:
        self._channels.append(channel)
        return channel

    def _control(self, options: ServerOptions, channel: Channel, video: VideoStreamer) -> None:
        messenger = DeviceMessageWriter(channel.write)
        controller = Controller(
            self._phone, options.version, video, messenger.send,
            autosync=options.clipboard_autosync, has_video=options.video,
        )  # fmt: skip
        reader = ControlReader(options.version)
        try:
            while data := channel.read():
                for message in reader.feed(data):
                    controller.handle(message)
        except ControlError as error:
            self._error(f"Controller error\n{error}")
        finally:
            controller.release()
            messenger.close()
            video.stop()

    def _list(self, option: str) -> int:
        texts = {
            "list_displays": self._display(),
            "list_encoders": f"{_ENCODERS}\nList of audio encoders:\n    (none)",
            "list_cameras": "List of cameras:\n    (none)",
            "list_camera_sizes": "List of cameras:\n    (none)",
            "list_apps": self._apps(),
        }
        self._info(texts.get(option, ""))
        return 0

    def _display(self) -> str:
        return f"List of displays:\n    --display-id=0    ({self._phone.size})"

    def _apps(self) -> str:
        """List apps in columns: system apps first, each group by name."""
        packages = sorted(
            self._phone.packages, key=lambda package: (not package.system, package.label.lower())
        )
        rows = [
            f"\n {'*' if encoder.system else '-'} {encoder.label:<30} {encoder.package}"
            for encoder in packages
        ]
        return "List of apps:" + "".join(rows)

    def _info(self, text: str) -> None:
        self._log(f"[server] INFO: {text}\n")

    def _error(self, text: str) -> None:
        self._log(f"[server] ERROR: {text}\n")


def _refusal(options: ServerOptions, displays: str) -> str:
    """The error message for options that cannot be satisfied; empty when they can."""
    if not options.video:
        return ""
    if options.video_source != "display":
        return "No matching camera found"
    if options.new_display:
        return "Could not create display"
    if options.display_id:
        return f"Display {options.display_id} not found\n{displays}"
    if options.video_codec != _CODEC:
        return f"Could not create default video encoder for {options.video_codec}\n{_ENCODERS}"
    return ""


def _discard(_data: bytes) -> None:
    raise BrokenPipeError("there is no video socket")

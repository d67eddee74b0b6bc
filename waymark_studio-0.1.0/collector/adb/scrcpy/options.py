"""The command line of the server: built by the client, parsed by the virtual phone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from collector.adb.scrcpy.capture import (
    AS_THE_SCREEN,
    CaptureOrientation,
    crop_text,
    parse_capture_orientation,
    parse_codec_options,
    parse_crop,
    parse_int,
    parse_locked_orientation,
)
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.model.geometry import Rect

SERVER_CLASS = "com.genymobile.scrcpy.Server"
DEFAULT_BIT_RATE = 8_000_000

_POSITIONAL = (
    "log_level", "max_size", "bit_rate", "max_fps", "lock_video_orientation", "tunnel_forward", "crop",
    "send_frame_meta", "control", "display_id", "show_touches", "stay_awake", "codec_options",
    "encoder_name", "power_off_on_close",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Options of a server. Sizes in pixels, bit rate in bits per second; 0 means no limit."""

    version: ScrcpyVersion
    scid: int | None = None
    max_size: int = 0
    bit_rate: int = DEFAULT_BIT_RATE
    max_fps: float = 0.0
    tunnel_forward: bool = False
    video: bool = True
    audio: bool = True
    control: bool = True
    crop: Rect | None = None
    """The part of the screen, in the phone's natural orientation."""
    orientation: CaptureOrientation = AS_THE_SCREEN
    angle: float = 0.0
    """Degrees clockwise that the picture is turned within its frame."""
    min_size_alignment: int = 1
    """Sides of the video are multiples of this power of two (4.0 and later)."""
    video_codec: str = "h264"
    video_encoder: str = ""
    video_codec_options: tuple[tuple[str, int | float | str], ...] = ()
    video_source: str = "display"
    audio_codec: str = "opus"
    audio_encoder: str = ""
    camera_id: str = ""
    display_id: int = 0
    new_display: bool = False
    """A new virtual display, with its size if given."""
    log_level: str = "info"
    send_device_meta: bool = True
    send_frame_meta: bool = True
    send_dummy_byte: bool = True
    send_codec_meta: bool = True
    clipboard_autosync: bool = True
    stay_awake: bool = False
    show_touches: bool = False
    power_on: bool = True
    power_off_on_close: bool = False
    screen_off_timeout: int = -1
    """Milliseconds while the session lasts; -1 leaves the phone's own."""
    cleanup: bool = True
    """Whether the server restores the phone's settings and deletes its own file."""
    listing: str = ""
    """``list_encoders``, ``list_displays``, ... when the server only prints and exits."""
    unknown: tuple[str, ...] = ()
    """Unknown keys; the server warns about each and continues."""

    @property
    def socket_name(self) -> str:
        """Name of the abstract socket of the session."""
        return "scrcpy" if self.scid is None else f"scrcpy_{self.scid:08x}"


def server_arguments(options: ServerOptions) -> tuple[str, ...]:
    """Return the arguments after the class name, version first; only those that differ from the defaults."""
    version = options.version
    if not version.named_options:
        return (str(version), *_positional_words(options))
    modern = version.has_audio
    words: dict[str, str] = {"log_level": options.log_level}
    if modern and options.scid is not None:
        words["scid"] = f"{options.scid:08x}"
    words["video_bit_rate" if modern else "bit_rate"] = str(options.bit_rate)
    if modern:
        words["audio"] = _flag(options.audio)
    if version.can_leave_video_out and not options.video:
        words["video"] = "false"
    if options.max_size:
        words["max_size"] = str(options.max_size)
    if options.max_fps:
        words["max_fps"] = f"{options.max_fps:g}"
    if options.screen_off_timeout != -1:
        words["screen_off_timeout"] = str(options.screen_off_timeout)
    for name in ("tunnel_forward", "stay_awake", "show_touches", "power_off_on_close"):
        if getattr(options, name):
            words[name] = "true"
    for name in ("control", "send_device_meta", "clipboard_autosync", "cleanup", "power_on"):
        if not getattr(options, name):
            words[name] = "false"
    return (str(version), *(f"{name}={value}" for name, value in words.items()))


def _positional_words(options: ServerOptions) -> tuple[str, ...]:
    return (
        options.log_level,
        str(options.max_size),
        str(options.bit_rate),
        f"{options.max_fps:g}",
        "-1",
        _flag(options.tunnel_forward),
        crop_text(options.crop),
        _flag(options.send_frame_meta),
        _flag(options.control),
        "0",
        _flag(options.show_touches),
        _flag(options.stay_awake),
        "-",
        "-",
        "false",
    )


def parse_server_arguments(words: tuple[str, ...]) -> ServerOptions:
    """Parse the arguments of a client of any release, version first.

    Raises ValueError with the sentence of the real server for invalid arguments.
    """
    if not words:
        raise ValueError("Missing client version")
    version = ScrcpyVersion.parse(words[0])
    if not version.named_options:
        pairs = dict(zip(_POSITIONAL, words[1:], strict=False))
        if len(words) < 1 + 8:
            raise ValueError(f"Expecting {len(_POSITIONAL) + 1} parameters")
    else:
        pairs = {}
        for word in words[1:]:
            name, equals, value = word.partition("=")
            if not equals:
                raise ValueError(f'Invalid key=value pair: "{word}"')
            pairs[name] = value
    return _from_pairs(version, pairs)


_FLAGS = (
    "tunnel_forward", "video", "audio", "control", "send_device_meta", "send_frame_meta", "send_dummy_byte",
    "send_codec_meta", "clipboard_autosync", "stay_awake", "show_touches", "power_on", "power_off_on_close",
    "cleanup",
)  # fmt: skip
_RENAMED = {
    "video_bit_rate": "bit_rate", "send_stream_meta": "send_codec_meta",
    "codec_options": "video_codec_options", "encoder_name": "video_encoder",
    "lock_video_orientation": "orientation",
    "capture_orientation": "orientation",
}  # fmt: skip
_IGNORED = frozenset({
    "audio_codec_options", "audio_bit_rate", "audio_source", "audio_dup", "downsize_on_error",
    "vd_destroy_content", "vd_system_decorations", "display_ime_policy", "camera_size", "camera_facing",
    "camera_ar", "camera_fps", "camera_high_speed", "camera_torch", "camera_zoom", "flex_display",
    "keep_active", "ignore_video_encoder_constraints",
})  # fmt: skip
_RAW = ("send_device_meta", "send_frame_meta", "send_dummy_byte", "send_codec_meta")
_VIDEO_CODECS = ("h264", "h265", "av1", "vp8", "vp9")
_AUDIO_CODECS = ("opus", "aac", "flac", "raw")


def _float(name: str) -> Callable[[str], float]:
    def read(text: str) -> float:
        try:
            return float(text)
        except ValueError:
            raise ValueError(f'Invalid float value for {name}: "{text}"') from None

    return read


def _choice(what: str, names: tuple[str, ...]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in names:
            raise ValueError(f"{what} {text} not supported")
        return text

    return read


def _screen_off_timeout(text: str) -> int:
    timeout = parse_int(text)
    if timeout < -1:
        raise ValueError(f"Invalid screen off timeout: {timeout}")
    return timeout


def _name(text: str) -> str:
    """A name; releases before 1.22 wrote ``-`` for none."""
    return "" if text == "-" else text


_READERS: dict[str, Callable[[str], object]] = {
    **dict.fromkeys(_FLAGS, lambda value: value.lower() == "true"),
    "max_size": parse_int,
    "bit_rate": parse_int,
    "max_fps": _float("max_fps"),
    "scid": lambda value: None if value == "-1" else int(value, 16),
    "log_level": str,
    "video_codec": _choice("Video codec", _VIDEO_CODECS),
    "video_encoder": _name,
    "video_codec_options": lambda value: parse_codec_options(_name(value)),
    "video_source": _choice("Video source", ("display", "camera")),
    "audio_codec": _choice("Audio codec", _AUDIO_CODECS),
    "audio_encoder": str,
    "camera_id": str,
    "display_id": parse_int,
    "new_display": lambda _size: True,
    "crop": parse_crop,
    "orientation": parse_capture_orientation,
    "angle": _float("angle"),
    "min_size_alignment": parse_int,
    "screen_off_timeout": _screen_off_timeout,
}


def _from_pairs(version: ScrcpyVersion, pairs: dict[str, str]) -> ServerOptions:
    values: dict[str, Any] = {}
    unknown: list[str] = []
    for key, value in pairs.items():
        name = _RENAMED.get(key, key)
        if key == "lock_video_orientation":
            values[name] = parse_locked_orientation(value)
        elif name in _READERS:
            values[name] = _READERS[name](value)
        elif name in ("raw_stream", "raw_video_stream"):
            values.update(dict.fromkeys(_RAW, False) if value == "true" else {})
        elif name.startswith("list_"):
            values["listing"] = name if value == "true" else ""
        elif name not in _IGNORED:
            unknown.append(key)
    if not version.has_audio:
        values["audio"] = False
    return ServerOptions(version=version, unknown=tuple(unknown), **values)


def _flag(value: bool) -> str:
    return "true" if value else "false"

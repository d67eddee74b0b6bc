"""What the virtual phone cannot capture: the server's sentences, and when they come."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from collector.adb.scrcpy.options import ServerOptions
from collector.virtual.android_versions import ANDROID_10, ANDROID_11, ANDROID_12
from collector.virtual.video.phone import ScreenPhone
from collector.virtual.video.server_lists import (
    CAMERAS,
    CODEC,
    ENCODER,
    audio_encoders,
    displays,
    video_encoders,
)

_NO_ENCODER = (
    "Exception on thread Thread[main,5,main]\n"
    "java.lang.IllegalArgumentException: Failed to initialize video/avc, error 0xfffffffe"
)
_SMALLER = (2560, 1920, 1600, 1280, 1024, 800)
"""The longest sides that the server tries after an error of the encoder."""


def encoder_limit(phone: ScreenPhone) -> int:
    """The longest side that the encoder takes; 0 where it takes the whole screen."""
    if "encoder-limit" not in phone.profile.quirks:
        return 0
    longest = max(phone.size.width, phone.size.height)
    return next((side for side in _SMALLER if side < longest), 0)


class RefusalTime(Enum):
    """When the server finds out."""

    BEFORE_CONNECTING = "before connecting"
    BEFORE_THE_HEADER = "before the header of the video"
    AFTER_THE_HEADER = "after the header of the video"


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error message, and what the client has received by then."""

    message: str
    time: RefusalTime = RefusalTime.BEFORE_THE_HEADER


def video_refusal(options: ServerOptions, phone: ScreenPhone) -> Refusal | None:
    """Why these options give no video; None when they do."""
    if not options.video:
        return None
    if "no-encoder" in phone.profile.quirks:
        return Refusal(_NO_ENCODER)
    sdk = phone.profile.sdk
    if options.video_source == "camera" and sdk < ANDROID_12:
        return Refusal("Camera mirroring is not supported before Android 12", RefusalTime.BEFORE_CONNECTING)
    if options.new_display and sdk < ANDROID_10:
        return Refusal(
            "New virtual display is not supported before Android 10", RefusalTime.BEFORE_CONNECTING
        )
    unknown_display = f"Display {options.display_id} not found\n{displays(phone)}"
    if options.display_id and options.video_source == "display" and not options.version.since(3):
        return Refusal(unknown_display, RefusalTime.BEFORE_CONNECTING)
    return _encoder_refusal(options) or _source_refusal(options, unknown_display)


def _encoder_refusal(options: ServerOptions) -> Refusal | None:
    encoders = video_encoders(options.version)
    name, codec = options.video_encoder, options.video_codec
    if name and name != ENCODER:
        return Refusal(f"Video encoder '{name}' for {codec} not found\n{encoders}")
    if name and codec != CODEC and options.version.since(3):
        kind = {"h265": "video/hevc", "av1": "video/av01"}.get(codec, f"video/x-vnd.on2.{codec}")
        return Refusal(
            f'Video encoder type for "{name}" (video/avc) does not match codec type ({kind})'
        )  # fmt: skip
    if codec != CODEC:
        return Refusal(f"Could not create default video encoder for {codec}\n{encoders}")
    return None


def _source_refusal(options: ServerOptions, unknown_display: str) -> Refusal | None:
    if options.video_source == "camera" and options.camera_id:
        return Refusal(f"Camera with id {options.camera_id} not found\n{CAMERAS}")
    if options.video_source == "camera":
        return Refusal(f"No matching camera found\n{CAMERAS}")
    if options.new_display:
        return Refusal("Could not create display", RefusalTime.AFTER_THE_HEADER)
    if options.display_id:
        return Refusal(unknown_display)
    return None


def audio_refusal(options: ServerOptions, sdk: int) -> tuple[bool, str]:
    """Whether the lack of sound is an error of the options, and the line that says so.

    The virtual phone has no sound: without an error, everything but the audio goes on.
    """
    if sdk < ANDROID_11:
        return False, "Audio disabled: it is not supported before Android 11"
    if options.audio_encoder:
        name = f"Audio encoder '{options.audio_encoder}' for {options.audio_codec} not found"
        return True, f"{name}\n{audio_encoders(options.version)}"
    return False, "Audio disabled: the virtual phone has no sound"

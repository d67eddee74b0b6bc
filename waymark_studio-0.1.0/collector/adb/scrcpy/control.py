"""Control messages from the client to the device, each a frozen value with its encoding."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from collector.adb.scrcpy.version import ScrcpyVersion
from collector.model.geometry import Point, Position, Size

MAX_TEXT = 300
MAX_MESSAGE = 1 << 18
MAX_CLIPBOARD = MAX_MESSAGE - 14


@dataclass(frozen=True, slots=True)
class InjectKey:
    """One key event; ``action`` 0 is down, 1 is up."""

    action: int
    code: int
    repeat: int = 0
    meta: int = 0


@dataclass(frozen=True, slots=True)
class InjectText:
    """Text by way of a key map: ASCII and accents that decompose."""

    text: str


@dataclass(frozen=True, slots=True)
class InjectTouch:
    """One pointer event; dropped by the server unless ``position.screen`` is the video's size."""

    action: int
    pointer: int
    position: Position
    pressure: float = 1.0
    action_button: int = 0
    buttons: int = 0


@dataclass(frozen=True, slots=True)
class InjectScroll:
    """Wheel notches, right and up positive."""

    position: Position
    horizontal: float
    vertical: float
    buttons: int = 0


@dataclass(frozen=True, slots=True)
class BackOrScreenOn:
    """Switch the display on, or go back if it is on; ``action`` as of a key."""

    action: int


@dataclass(frozen=True, slots=True)
class GetClipboard:
    """``copy_key``: 0 none, 1 copy, 2 cut."""

    copy_key: int = 0


@dataclass(frozen=True, slots=True)
class SetClipboard:
    """Set the clipboard and paste if asked; a sequence other than 0 is acknowledged."""

    text: str
    paste: bool = False
    sequence: int = 0


@dataclass(frozen=True, slots=True)
class SetDisplayPower:
    """Switch the phone's display on or off; mirroring goes on."""

    on: bool


@dataclass(frozen=True, slots=True)
class UhidCreate:
    """Plug in a simulated input device."""

    id: int
    name: str
    descriptor: bytes
    vendor: int = 0
    product: int = 0


@dataclass(frozen=True, slots=True)
class UhidInput:
    """A report of a simulated input device."""

    id: int
    data: bytes


@dataclass(frozen=True, slots=True)
class UhidDestroy:
    """Unplug a simulated input device."""

    id: int


@dataclass(frozen=True, slots=True)
class StartApp:
    """A package; ``+`` in front stops it first, ``?`` searches by label."""

    name: str


@dataclass(frozen=True, slots=True)
class ResizeDisplay:
    """A new size for a flexible virtual display."""

    size: Size


@dataclass(frozen=True, slots=True)
class BareMessage:
    """A message that is only its type."""

    name: str


EXPAND_NOTIFICATIONS = BareMessage("expand_notifications")
EXPAND_SETTINGS = BareMessage("expand_settings")
COLLAPSE_PANELS = BareMessage("collapse_panels")
ROTATE_DEVICE = BareMessage("rotate_device")
OPEN_HARD_KEYBOARD_SETTINGS = BareMessage("open_hard_keyboard_settings")
RESET_VIDEO = BareMessage("reset_video")
CAMERA_ZOOM_IN = BareMessage("camera_zoom_in")
CAMERA_ZOOM_OUT = BareMessage("camera_zoom_out")


@dataclass(frozen=True, slots=True)
class CameraTorch:
    """Switch the light of the mirrored camera."""

    on: bool


@dataclass(frozen=True, slots=True)
class ScanFile:
    """Tell the media store of a file."""

    path: str


ControlMessage: TypeAlias = (
    InjectKey | InjectText | InjectTouch | InjectScroll | BackOrScreenOn | GetClipboard | SetClipboard
    | SetDisplayPower | UhidCreate | UhidInput | UhidDestroy | StartApp | ResizeDisplay | CameraTorch
    | ScanFile | BareMessage
)  # fmt: skip

_SIMPLE = {
    5: EXPAND_NOTIFICATIONS, 6: EXPAND_SETTINGS, 7: COLLAPSE_PANELS, 11: ROTATE_DEVICE,
    15: OPEN_HARD_KEYBOARD_SETTINGS, 17: RESET_VIDEO, 19: CAMERA_ZOOM_IN, 20: CAMERA_ZOOM_OUT,
}  # fmt: skip
_SIMPLE_TYPE = {message: number for number, message in _SIMPLE.items()}
_SINCE = {12: (2, 4), 13: (2, 4), 14: (2, 4), 15: (2, 5), 16: (3, 0), 17: (3, 0),
          18: (4, 0), 19: (4, 0), 20: (4, 0), 21: (4, 0), 22: (4, 1)}  # fmt: skip


class ControlError(ValueError):
    """The bytes are no control message of this version, or the version has no such message."""


def encode_control(version: ScrcpyVersion, message: ControlMessage) -> bytes:
    """The bytes of ``message``; raises ControlError when this release has no such message."""
    number, body = _body(version, message)
    if not version.since(*_SINCE.get(number, (0, 0))):
        raise ControlError(f"scrcpy {version} has no {type(message).__name__}")
    return bytes([number]) + body


def _body(version: ScrcpyVersion, message: ControlMessage) -> tuple[int, bytes]:
    match message:
        case InjectKey(action, code, repeat, meta):
            return 0, struct.pack(">BIII", action, code, repeat, meta)
        case InjectText(text):
            return 1, _sized(text, MAX_TEXT, "I")
        case InjectTouch():
            return 2, _touch(version, message)
        case InjectScroll():
            return 3, _scroll(version, message)
        case BackOrScreenOn(action):
            return 4, bytes([action])
        case GetClipboard(copy_key):
            return 8, bytes([copy_key]) if version.clipboard_has_sequence else b""
        case SetClipboard(text, paste, sequence):
            head = struct.pack(">Q", sequence) if version.clipboard_has_sequence else b""
            return 9, head + bytes([paste]) + _sized(text, MAX_CLIPBOARD, "I")
        case SetDisplayPower(on):
            return 10, bytes([version.power_mode_normal if on else 0])
        case _:
            return _newer_body(version, message)


def _newer_body(version: ScrcpyVersion, message: ControlMessage) -> tuple[int, bytes]:
    match message:
        case UhidCreate(identity, name, descriptor, vendor, product):
            ids = struct.pack(">HH", vendor, product) if version.uhid_has_ids else b""
            named = _sized(name, 127, "B")
            described = struct.pack(">H", len(descriptor)) + descriptor
            return 12, struct.pack(">H", identity) + ids + named + described
        case UhidInput(identity, data):
            return 13, struct.pack(">HH", identity, len(data)) + data
        case UhidDestroy(identity):
            return 14, struct.pack(">H", identity)
        case StartApp(name):
            return 16, _sized(name, 255, "B")
        case CameraTorch(on):
            return 18, bytes([on])
        case ResizeDisplay(size):
            return 21, struct.pack(">HH", size.width, size.height)
        case ScanFile(path):
            return 22, _sized(path, 256, "I")
        case BareMessage():
            return _SIMPLE_TYPE[message], b""
        case _:
            raise ControlError(f"not a control message: {message!r}")


def _touch(version: ScrcpyVersion, message: InjectTouch) -> bytes:
    body = struct.pack(
        ">BQ12sH",
        message.action,
        message.pointer & 0xFFFFFFFFFFFFFFFF,
        _position(message.position),
        to_unsigned_fixed(message.pressure),
    )
    if version.touch_has_action_button:
        body += struct.pack(">I", message.action_button)
    return body + struct.pack(">I", message.buttons)


def _scroll(version: ScrcpyVersion, message: InjectScroll) -> bytes:
    place, values = _position(message.position), (message.horizontal, message.vertical)
    if version.scroll_is_integer:
        whole = struct.pack(">ii", *(round(value) for value in values))
        return place + whole + (struct.pack(">I", message.buttons) if version.scroll_has_buttons else b"")
    fixed = (to_signed_fixed(value / version.scroll_span) for value in values)
    return place + struct.pack(">hhI", *fixed, message.buttons)


def _position(position: Position) -> bytes:
    point, screen = position.point, position.screen
    return struct.pack(">iiHH", point.x, point.y, screen.width, screen.height)


def _sized(text: str, limit: int, length: str) -> bytes:
    raw = text.encode("utf-8")[:limit].decode("utf-8", "ignore").encode("utf-8")
    return struct.pack(">" + length, len(raw)) + raw


def to_unsigned_fixed(value: float) -> int:
    """0..1 as 16-bit fixed point, 1 being 0xffff."""
    return max(0, min(0xFFFF, int(value * 0x10000)))


def to_signed_fixed(value: float) -> int:
    """-1..1 as signed 16-bit fixed point, 1 being 0x7fff."""
    return max(-0x8000, min(0x7FFF, int(value * 0x8000)))


def from_signed_fixed(value: int) -> float:
    """The inverse of :func:`to_signed_fixed`."""
    return 1.0 if value == 0x7FFF else value / 0x8000


class ControlReader:
    """Decode control messages from bytes cut anywhere."""

    def __init__(self, version: ScrcpyVersion) -> None:
        self._version = version
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[ControlMessage]:
        """Yield every complete message; raises ControlError on an unknown type: the rest is unreadable."""
        self._buffer += data
        while self._buffer:
            fields = _Fields(self._buffer)
            try:
                number = fields.number("B")
                reader = _READERS.get(number)
                if reader is None or not self._version.since(*_SINCE.get(number, (0, 0))):
                    raise ControlError(f"Unknown event type: {number}")
                message = reader(self._version, fields)
            except _IncompleteError:
                return
            del self._buffer[: fields.offset]
            yield message


class _IncompleteError(Exception):
    """The message is not complete yet."""


class _Fields:
    """Read fields from a buffer that may end too early."""

    def __init__(self, buffer: bytearray) -> None:
        self._buffer = buffer
        self.offset = 0

    def raw(self, count: int) -> bytes:
        if count > MAX_MESSAGE:
            raise ControlError(f"a field of {count} bytes is over the limit")
        end = self.offset + count
        if len(self._buffer) < end:
            raise _IncompleteError
        part = bytes(self._buffer[self.offset : end])
        self.offset = end
        return part

    def number(self, kind: str) -> int:
        layout = struct.Struct(">" + kind)
        return int(layout.unpack(self.raw(layout.size))[0])

    def text(self, length: str) -> str:
        return self.raw(self.number(length)).decode("utf-8", "replace")

    def position(self) -> Position:
        x, y, width, height = struct.unpack(">iiHH", self.raw(12))
        return Position(Point(x, y), Size(width, height))


def _read_key(_version: ScrcpyVersion, fields: _Fields) -> ControlMessage:
    return InjectKey(fields.number("B"), fields.number("I"), fields.number("I"), fields.number("I"))


def _read_touch(version: ScrcpyVersion, fields: _Fields) -> ControlMessage:
    action, pointer, position = fields.number("B"), fields.number("q"), fields.position()
    pressure = fields.number("H")
    button = fields.number("I") if version.touch_has_action_button else 0
    force = 1.0 if pressure == 0xFFFF else pressure / 0x10000
    return InjectTouch(action, pointer, position, force, button, fields.number("I"))


def _read_scroll(version: ScrcpyVersion, fields: _Fields) -> ControlMessage:
    position = fields.position()
    if version.scroll_is_integer:
        across, up = float(fields.number("i")), float(fields.number("i"))
        return InjectScroll(position, across, up, fields.number("I") if version.scroll_has_buttons else 0)
    across, up = (from_signed_fixed(fields.number("h")) * version.scroll_span for _ in range(2))
    return InjectScroll(position, across, up, fields.number("I"))


def _read_set_clipboard(version: ScrcpyVersion, fields: _Fields) -> ControlMessage:
    sequence = fields.number("Q") if version.clipboard_has_sequence else 0
    paste = bool(fields.number("B"))
    return SetClipboard(fields.text("I"), paste, sequence)


def _read_uhid_create(version: ScrcpyVersion, fields: _Fields) -> ControlMessage:
    identity = fields.number("H")
    vendor, product = (fields.number("H"), fields.number("H")) if version.uhid_has_ids else (0, 0)
    name = fields.text("B")
    return UhidCreate(identity, name, fields.raw(fields.number("H")), vendor, product)


def _read_uhid_input(_version: ScrcpyVersion, fields: _Fields) -> ControlMessage:
    identity = fields.number("H")
    return UhidInput(identity, fields.raw(fields.number("H")))


_READERS: dict[int, Callable[[ScrcpyVersion, _Fields], ControlMessage]] = {
    0: _read_key,
    1: lambda _, fields: InjectText(fields.text("I")),
    2: _read_touch,
    3: _read_scroll,
    4: lambda _, fields: BackOrScreenOn(fields.number("B")),
    8: lambda version, fields: GetClipboard(fields.number("B") if version.clipboard_has_sequence else 0),
    9: _read_set_clipboard,
    10: lambda _, fields: SetDisplayPower(fields.number("B") != 0),
    12: _read_uhid_create,
    13: _read_uhid_input,
    14: lambda _, fields: UhidDestroy(fields.number("H")),
    16: lambda _, fields: StartApp(fields.text("B")),
    18: lambda _, fields: CameraTorch(fields.number("B") != 0),
    21: lambda _, fields: ResizeDisplay(Size(fields.number("H"), fields.number("H"))),
    22: lambda _, fields: ScanFile(fields.text("I")),
    **{number: (lambda _, __, message=message: message) for number, message in _SIMPLE.items()},  # type: ignore[misc]
}

"""The nodes of ``/dev/input``: those of a phone, and those of the SDK's emulators."""

from __future__ import annotations

import platform
from dataclasses import dataclass
from functools import cache

from collector.model.geometry import Point, Size
from collector.virtual.system.phone_state.profile import PhoneProfile
from collector.virtual.system.phone_state.touch_report import POSITION_X, POSITION_Y, SLOT, TRACKING_ID

PRESSURE = 0x3A
BTN_TOUCH = 0x14A
_RAW = 1 << 15
"""Steps of an axis of an emulator's touchscreen."""
_MOST = 0x7FFFFFFF
_EMULATOR_AXES = (
    (0x00, _RAW - 1), (0x01, _RAW - 1), (0x02, 1), (SLOT, 10), (0x30, _MOST), (0x31, _MOST), (0x34, 90),
    (POSITION_X, _RAW - 1), (POSITION_Y, _RAW - 1), (0x37, 15), (TRACKING_ID, 65535), (PRESSURE, 1024),
)  # fmt: skip
_FINER = 4
"""Steps of a pixel where the digitizer counts in other units."""
_SCREENS = 11
"""Touchscreens of an emulator: one for each display it may have."""
_X86_ORDER = (0, 11, 5, 2, 12, 6, 3, 13, 1, 10, 7, 4, 8, 9)
"""The numbers of an emulator's nodes in the order in which getevent finds them."""
_BUTTONS = {3: 0xAC, 4: 0x9E, 24: 0x73, 25: 0x72, 26: 0x74, 187: 0x244}
_KEYBOARD = (
    *range(1, 84), 86, 87, 88, 89, 91, 92, *range(96, 112), *range(113, 118), 119,
    121, *range(124, 144), *range(155, 160), *range(163, 167), 172, 173, 217, 226, *range(229, 233), 399,
    452, 453, *range(580, 586),
)  # fmt: skip
_PC_KEYBOARD = (*range(1, 84), *range(86, 89), *range(96, 112), *range(113, 117), 125, 126, 127, 140, 142,
                143, 155, 156, 157, 158, 159, 163, 164, 165, 166, 172, 173, 217, 226)  # fmt: skip


@dataclass(frozen=True, slots=True)
class EventDevice:
    """An input device, as its driver describes it: identity, keys, axes with their greatest values."""

    path: str
    name: str
    bus: int
    location: str
    vendor: int = 0
    product: int = 0
    version: int = 0
    keys: tuple[int, ...] = ()
    axes: tuple[tuple[int, int], ...] = ()
    miscellaneous: tuple[int, ...] = ()
    switches: tuple[int, ...] = ()
    lights: tuple[int, ...] = ()
    is_direct: bool = False

    @property
    def classes(self) -> str:
        """What Android takes it for."""
        if self.axes:
            return "TOUCH | TOUCH_MT" + (" | SWITCH" if self.switches else "")
        return "KEYBOARD | ALPHAKEY | DPAD" if len(self.keys) > len(_BUTTONS) else "KEYBOARD"


@dataclass(frozen=True, slots=True)
class InputNodes:
    """The devices in getevent's order, the paths of the screen and of the keys, and their units."""

    devices: tuple[EventDevice, ...]
    touch: str
    keys: str
    key_codes: dict[int, int]
    """Android's code of a button -> the driver's."""
    natural: Size
    is_emulated: bool = False
    steps: int = 1
    """Units of the screen's axes in a pixel; an emulator has a range of its own."""

    @property
    def screen(self) -> EventDevice | None:
        """The touchscreen of the phone's own display; None on a phone without one."""
        return next((device for device in self.devices if device.path == self.touch), None)

    def raw(self, point: Point) -> tuple[int, int]:
        """A place on the panel in the units of the screen's axes."""
        if not self.is_emulated:
            return int(point.x) * self.steps, int(point.y) * self.steps
        return _steps(point.x, self.natural.width), _steps(point.y, self.natural.height)

    def place(self, x: int, y: int) -> Point:
        """The place on the panel of values of the screen's axes."""
        if not self.is_emulated:
            return Point(x // self.steps, y // self.steps)
        return Point(x * self.natural.width // _RAW, y * self.natural.height // _RAW)


def _steps(px: float, length: int) -> int:
    """The least step that a reader takes for this pixel."""
    return -(-int(px) * _RAW // length)


def input_nodes(profile: PhoneProfile, natural: Size) -> InputNodes:
    """The nodes of a phone with this profile, whose panel has ``natural`` pixels."""
    if profile.is_emulator:
        return _emulator_nodes(natural, _is_arm())
    steps = _FINER if "touch-units-differ" in profile.quirks else 1
    return _phone_nodes(natural, steps, has_touch="no-touchscreen" not in profile.quirks)


def _is_arm() -> bool:
    """Whether the computer runs the SDK's images for ARM, which have other nodes than those for x86."""
    return platform.machine().lower() in ("arm64", "aarch64")


@cache
def _phone_nodes(natural: Size, steps: int, *, has_touch: bool) -> InputNodes:
    axes = (
        (SLOT, 9),
        (POSITION_X, natural.width * steps - 1),
        (POSITION_Y, natural.height * steps - 1),
        (TRACKING_ID, 65535),
    )
    screen = EventDevice(
        "/dev/input/event2",
        "waymark_touchscreen",
        0x18,
        "waymark-touch/input0",
        keys=(BTN_TOUCH,),
        axes=axes,
        is_direct=True,
    )
    keys = EventDevice(
        "/dev/input/event1", "gpio-keys", 0x19, "gpio-keys/input0", keys=tuple(_BUTTONS.values())
    )
    devices = (screen, keys) if has_touch else (keys,)
    return InputNodes(devices, screen.path, keys.path, _BUTTONS, natural, steps=steps)


@cache
def _emulator_nodes(natural: Size, is_arm: bool) -> InputNodes:
    """Those of Android 11 and later: eleven screens on virtio, of which the first is shown, and a keyboard.

    A computer with an x86 processor has the keyboard and the power button of a PC before them.
    """
    first = 1 if is_arm else 2
    screens = [
        EventDevice(
            f"/dev/input/event{first + number}",
            f"virtio_input_multi_touch_{number + 1}",
            6,
            f"virtio{8 + number}/input0",
            keys=(0x141, 0x14B),
            axes=_EMULATOR_AXES,
            switches=(0,),
        )
        for number in range(_SCREENS)
    ]
    keys = EventDevice(
        f"/dev/input/event{first + _SCREENS}", "qwerty2", 6, f"virtio{8 + _SCREENS}/input0",
        0x0627, 1, 1, keys=_KEYBOARD, lights=(0, 1, 2),
    )  # fmt: skip
    if is_arm:
        power = EventDevice("/dev/input/event0", "gpio-keys", 0x19, "gpio-keys/input0", 1, 1, 0x100, (0x74,))
        devices = [power, *screens, keys]
    else:
        power = EventDevice(
            "/dev/input/event0", "Power Button", 0x19, "LNXPWRBN/button/input0", 0, 1, 0, (0x74,)
        )
        board = EventDevice(
            "/dev/input/event1", "AT Translated Set 2 keyboard", 0x11, "isa0060/serio0/input0",
            1, 1, 0xAB83, keys=_PC_KEYBOARD, miscellaneous=(4,), lights=(0, 1, 2),
        )  # fmt: skip
        numbered = [power, board, *screens, keys]
        devices = [numbered[number] for number in _X86_ORDER]
    return InputNodes(
        tuple(devices), screens[0].path, keys.path, _BUTTONS | {3: 0x66}, natural, is_emulated=True
    )

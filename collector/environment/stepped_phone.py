"""A virtual phone in a simulated time: gestures and animations take none of this computer's."""

from __future__ import annotations

from collections.abc import Sequence

from collector.device.apps.installed_app import InstalledApp
from collector.environment.screen_copy import RgbImage, ScreenCopy
from collector.model.action import HELD_FROM_MS, Action
from collector.model.app_data.collections import AppData
from collector.model.app_data.document import parse_app_data
from collector.model.geometry import Point, Position, Size
from collector.model.phone.touch import TouchAction
from collector.replay.action_executor import ActionExecutor
from collector.virtual.system.phone import Phone, PhoneProfile
from collector.virtual.system.phone_state.phone_time import SimulatedTime

_QUIET_S = 0.5
"""A phone has settled when nothing happens by itself for so long."""
_LONGEST_S = 5.0
"""Simulated seconds after which a phone that does not settle is looked at all the same."""
_MOST_POINTERS = 10


class SteppedPhone:
    """One phone; not thread-safe. All seconds are simulated ones."""

    def __init__(self, profile: PhoneProfile, screen: ScreenCopy | None = None) -> None:
        """``screen`` is where its pictures are copied to; without one a new copy."""
        self._time = SimulatedTime()
        self.phone = Phone(profile, self._time)
        self._screen = screen or ScreenCopy()
        self._screen.forget()
        self._data: AppData = {}
        self._data_digest = ""
        self._executor = ActionExecutor(_Apps(self.phone), _DirectSink(self.phone), self)

    @property
    def now(self) -> float:
        """Seconds since the phone was switched on."""
        return self._time.now_ns / 1e9

    def wait(self, seconds: float) -> None:
        """Let seconds pass."""
        self.phone.pass_time(seconds)

    def do(self, action: Action, *, erase: int = 0) -> Action:
        """Execute an action as it is through ADB. Raises DeviceError, among it ActionRefused.

        Returns it as it was done: of an app that only had a name, with its package.
        """
        return self._executor.do(action, self.phone.size, erase=erase)

    def settle(self, until: float = 0.0) -> None:
        """Let time pass until nothing moves by itself, and at least until the second ``until``."""
        end = self.now + _LONGEST_S
        while self.now < end:
            left = self.phone.seconds_to_next_timer
            if left is None or left > max(_QUIET_S, until - self.now):
                break
            self.wait(left)
        self.wait(max(_QUIET_S, until - self.now))

    def picture(self) -> RgbImage:
        """The screen as height x width x 3, uint8; it is written over by the next call."""
        return self._screen.of(self.phone)

    def app_data(self) -> AppData:
        """What the apps keep for the person."""
        text, digest = self.phone.app_data()
        if digest != self._data_digest:
            self._data, self._data_digest = parse_app_data(text), digest
        return self._data

    def close(self) -> None:
        """Switch the phone off."""
        self.phone.close()


class _DirectSink:
    """Input that reaches a phone of this process at once."""

    name = "direct"
    max_pointers = _MOST_POINTERS

    def __init__(self, phone: Phone) -> None:
        self._phone = phone

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        place = self._place(position)
        self._phone.touch(action, pointer, place.x, place.y)

    def key(self, code: int, meta: int = 0, held_ms: int = 0) -> None:
        if held_ms < HELD_FROM_MS:
            self._phone.key(code, meta=meta)
            return
        self._phone.key(code, True, meta)
        self._phone.pass_time(held_ms / 1000)
        self._phone.key(code, False, meta)

    def text(self, text: str) -> None:
        self._phone.commit_text(text)

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        place = self._place(position)
        self._phone.scroll(place.x, place.y, horizontal, vertical)

    def close(self) -> None:
        """Nothing is open."""

    def _place(self, position: Position) -> Point:
        size: Size = self._phone.size
        return position.on(size)


class _Apps:
    """The apps of a phone of this process."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone

    @property
    def installed(self) -> Sequence[InstalledApp]:
        return tuple(
            InstalledApp(app.package, app.label) for app in self._phone.packages if app.launcher is not None
        )

    def start(self, package: str) -> bool:
        return self._phone.launch(package)

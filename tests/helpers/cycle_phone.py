"""A phone for cycles in memory alone: screens with buttons that lead on, and the companion's dialogs."""

from __future__ import annotations

import shlex
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

import numpy as np

from collector.device.errors import CaptureFailed, DeviceOffline
from collector.device.frame import Frame
from collector.device.snapshot import TreeSnapshot
from collector.device.transport.shell_result import ShellResult
from collector.hierarchy.parse import parse_tree
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.geometry import Point, Position, Size
from collector.model.phone.touch import TouchAction
from collector.replay.phone import ReplayPhone
from tests.helpers.dumps import hierarchy, node

SCREEN = Size(108, 240)
PACKAGE = "com.example.shop"
HOME = "home"
ROW = 20
"""Height of a button: the first of a screen lies at the top, the next below."""
_KEY_HOME, _KEY_BACK = 3, 4
_PROPERTIES = "[ro.serialno]: [fake-1]\n[ro.build.version.sdk]: [34]\n[ro.build.version.release]: [14]\n"


@dataclass
class CompanionDialog:
    """An open dialog: its activity, and the event of each button by its label."""

    activity: str
    answers: dict[str, str]


@dataclass
class CyclePhone:
    """Device, trees, input and pictures in one. The app's first screen is the first of ``screens``."""

    screens: Mapping[str, Mapping[str, str]]
    """The buttons of each screen, and the screen each leads to."""
    shown: str = HOME
    typed: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    dialog: CompanionDialog | None = None
    log: list[str] = field(default_factory=list)
    calls: int = 0
    failing: dict[int, Exception] = field(default_factory=dict)
    """Number of a call, from 1 -> what it raises."""
    gone: bool = False
    is_black: bool = False
    """The picture of the screen has failed."""
    is_frozen: bool = False
    """Pictures show the screen that was shown last."""
    without_picture: bool = False
    """The answer to a screenshot is no picture."""
    is_secure: bool = False
    """The window in front forbids pictures."""
    without_companion: bool = False
    snapshots: dict[str, str] | None = None
    """The screen of each snapshot, when it is a virtual phone."""
    serial: str = "fake"
    name: str = "fake"
    is_stream: bool = False
    max_pointers: int = 1
    _shade: int = 20

    @property
    def phone(self) -> ReplayPhone:
        return ReplayPhone(self, self, self, self)

    def place(self, label: str) -> Point:
        """The middle of a button that is shown."""
        return Point(SCREEN.width // 2, ROW * list(self._buttons()).index(label) + ROW // 2)

    # -- Device --------------------------------------------------------------
    def shell(self, command: object, *, timeout: float = 10, cancel: object = None) -> ShellResult:
        self._count()
        line = command if isinstance(command, str) else shlex.join(map(str, command))  # type: ignore[call-overload]
        self.commands.append(line)
        return ShellResult(self._answer(line).encode(), b"", 0)

    def exec_out(self, command: object, *, timeout: float = 10, cancel: object = None) -> bytes:
        return self.shell(command).stdout

    def push(
        self,
        data: bytes | Iterable[bytes],
        target: PurePosixPath,
        *,
        timeout: float = 10,
        cancel: object = None,
    ) -> None: ...

    def _answer(self, line: str) -> str:
        if line == "getprop":
            return _PROPERTIES
        if line.startswith("getprop ro.serialno"):
            return "fake-1\n\nboot\n" if self.snapshots is None else "fake-1\n123\nboot\n"
        if line.startswith("cmd waymark emu avd snapshot ") and self.snapshots is not None:
            return self._snapshot(*line.split()[-2:])
        if line.startswith("getprop sys.boot_completed"):
            return "1\npackage:/system/framework/framework-res.apk\n"
        if "mCurrentFocus" in line:
            title = f"{self._front()[0]}/{self._front()[1]}"
            flags = "fl=LAYOUT_IN_SCREEN SECURE" if self.is_secure else "fl=LAYOUT_IN_SCREEN"
            window = f"  Window #0 Window{{1 u0 {title}}}:\n    mAttrs={{(0,0) {flags}}}\n"
            return f"{window}  mCurrentFocus=Window{{1 u0 {title}}}\n"
        if "wm size" in line:
            return f"Physical size: {SCREEN}\norientation=0\n"
        if line.startswith("dumpsys package"):
            return "" if self.without_companion else "    versionName=1.0\n"
        if line.startswith("date "):
            self.log.append(f"I/WaymarkInjection( 1): {shlex.split(line)[-1]}")
            return "11-23 07:00:00.000\n"
        if line.startswith("logcat"):
            return "\n".join(self.log) + "\n"
        if "grep Hist" in line and self.dialog is not None:
            return f"* Hist #0: ActivityRecord{{1 u0 {COMPANION_PACKAGE}/.{self.dialog.activity} t9}}\n"
        return self._change(line)

    def _change(self, line: str) -> str:
        if "resolve-activity" in line:
            return f"priority=0\n{line.split()[-1]}/.Main\n"
        if line.startswith("pm clear"):
            return "Success\n"
        if line.startswith(f"am start -n {COMPANION_PACKAGE}"):
            self._open_dialog(shlex.split(line))
        elif line.startswith("am start") and PACKAGE in line:
            self.shown = next(iter(self.screens))
        elif line == f"am force-stop {COMPANION_PACKAGE}":
            self.dialog = None
        elif "input keyevent 3" in line:
            self.key(_KEY_HOME)
        return ""

    def _snapshot(self, verb: str, name: str) -> str:
        assert self.snapshots is not None
        if verb == "save":
            self.snapshots[name] = self.shown
        elif name in self.snapshots:
            self.shown = self.snapshots[name]
        else:
            return f"KO: Device 'cache' does not have the requested snapshot '{name}'\n"
        return "OK\n"

    def _open_dialog(self, words: list[str]) -> None:
        extras = {words[at + 1]: words[at + 2] for at, word in enumerate(words) if word == "--es"}
        texts = {name.removeprefix("param_"): value for name, value in extras.items()}
        answers = {}
        for button, event in (
            ("allow_btn_text", "allow_log_event"), ("deny_btn_text", "deny_log_event"),
            ("button_text", "log_event"),
        ):  # fmt: skip
            if button in texts:
                answers[texts[button]] = texts[event]
        self.dialog = CompanionDialog(words[3].rpartition(".")[2], answers)

    # -- TreeSource ----------------------------------------------------------
    def snapshot(self, cancel: threading.Event) -> TreeSnapshot:
        self._count()
        package, activity = self._front()
        rows = [
            node(
                text=label, package=package, clickable="true",
                bounds=f"[0,{number * ROW}][{SCREEN.width},{(number + 1) * ROW}]",
            )
            for number, label in enumerate(self._buttons())
        ]  # fmt: skip
        title = node(text=f"Screen {self.shown}", package=package, bounds="[0,200][108,220]")
        typed = node(text=" ".join(self.typed), package=package, bounds="[0,220][108,240]")
        xml = hierarchy(node(*rows, title, typed, package=package, bounds="[0,0][108,240]")).encode()
        now = time.monotonic_ns()
        return TreeSnapshot(xml, parse_tree(xml), now, now, "fake", package, activity)

    # -- PictureSource -------------------------------------------------------
    def picture(self, cancel: threading.Event) -> Frame:
        self._count()
        if self.without_picture:
            raise CaptureFailed("The phone gave no readable screenshot")
        if not self.is_frozen:
            shown = self.shown + (self.dialog.activity if self.dialog else "")
            self._shade = 20 + sum(map(ord, shown)) % 200
        shade = 0 if self.is_black else self._shade
        pixels = np.full((SCREEN.height, SCREEN.width, 3), shade, np.uint8)
        return Frame(pixels, sequence=self.calls, received_ns=time.monotonic_ns())

    # -- InputSink -----------------------------------------------------------
    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        self._count()
        if action is not TouchAction.UP:
            return
        buttons = list(self._buttons())
        row = position.point.y // ROW
        if row >= len(buttons):
            return
        if self.dialog is not None:
            self.log.append(f"I/ReactBench_Event( 2): {self.dialog.answers[buttons[row]]}")
            self.dialog = None
        else:
            self.shown = self._buttons()[buttons[row]]

    def key(self, code: int, meta: int = 0, held_ms: int = 0) -> None:
        self._count()
        if code == _KEY_HOME:
            self.shown, self.dialog = HOME, None
        elif code == _KEY_BACK and self.dialog is not None:
            self.dialog = None

    def text(self, text: str) -> None:
        self._count()
        self.typed.append(text)

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        self._count()

    def close(self) -> None: ...

    # -- state ---------------------------------------------------------------
    def _front(self) -> tuple[str, str]:
        if self.dialog is not None:
            return COMPANION_PACKAGE, f".{self.dialog.activity}"
        return ("com.example.launcher", ".Home") if self.shown == HOME else (PACKAGE, f".{self.shown}")

    def _buttons(self) -> Mapping[str, str]:
        if self.dialog is not None:
            return self.dialog.answers
        return {"Shop": next(iter(self.screens))} if self.shown == HOME else self.screens[self.shown]

    def _count(self) -> None:
        self.calls += 1
        if self.gone:
            raise DeviceOffline(self.serial)
        if (error := self.failing.pop(self.calls, None)) is not None:
            raise error

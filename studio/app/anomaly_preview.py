"""Draws anomalies with the virtual phone's own renderer: what is shown here is what a phone shows."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from PySide6.QtGui import QImage

from collector.anomalies.grammar import CONSOLE
from collector.anomalies.model import NATIVE, Anomaly, NativeCommands
from collector.anomalies.native import picked
from collector.anomalies.placeholders import fill
from collector.model.anomaly_terms import COMPANION_PACKAGE

if TYPE_CHECKING:
    from collector.virtual.shell.interpreter import Shell
    from collector.virtual.system.phone import Phone, ScreenFrame

_LOCALES = {"zh": "zh-CN"}
_AROUND = 40
"""Pixels of the screen above and below a dialog that are shown with it."""
_CALM, _LONGEST = 0.06, 1.0
"""Seconds without a change that make a picture final, and seconds it is waited for."""
_PATIENCE = 2.0
"""Seconds the commands of one anomaly may take."""


def draw_anomaly(anomaly: Anomaly, values: Mapping[str, object], dark: bool, package: str) -> QImage:
    """The screen with the anomaly on it, a dialog cut out with what is around it; null when nothing shows.

    Any thread. Each picture has a phone of its own, which takes a few milliseconds to make: so none
    shows what an earlier one left behind.
    """
    given = {parameter.name: parameter.value for parameter in anomaly.parameters} | dict(values)
    locale = _LOCALES.get(anomaly.language, "en-US")
    if anomaly.kind != NATIVE:
        with _phone(locale, dark=dark) as phone:
            return _draw_dialog(phone, anomaly, given)
    with _phone(locale, dark=dark) as phone:
        image = _draw_native(phone, anomaly, given, package)
    # A dark phone shows nothing of what makes a phone dark.
    return draw_anomaly(anomaly, values, False, package) if image.isNull() and dark else image


@contextmanager
def _phone(locale: str, *, dark: bool) -> Iterator[Phone]:
    """Loaded on the first picture: a start of the window need not wait for the virtual phone."""
    from collector.virtual.apps import make_apps
    from collector.virtual.system.phone import Phone, PhoneProfile

    phone = Phone(PhoneProfile(locale=locale, apps=make_apps(), caret_blinks=False))
    try:
        if dark:
            phone.settings.put("secure", "ui_night_mode", "2")
        yield phone
    finally:
        phone.close()


# -- dialogs of the companion app ------------------------------------------
def _draw_dialog(phone: Phone, anomaly: Anomaly, values: Mapping[str, object]) -> QImage:
    from collector.virtual.ui.effects import Component, Intent

    shown = Component(COMPANION_PACKAGE, f"{COMPANION_PACKAGE}.{anomaly.activity}")
    if phone.start_activity(Intent(component=shown, extras=dict(values))).outcome == "not_found":
        return QImage()
    picture = _settled(phone)
    frame = next((window[3] for window in phone.windows() if window[1] == "activity"), None)
    image = _image(picture)
    if frame is None or frame[3] - frame[1] >= image.height():
        return image
    top, bottom = max(0, frame[1] - _AROUND), min(image.height(), frame[3] + _AROUND)
    return image.copy(0, top, image.width(), bottom - top)


# -- native changes ----------------------------------------------------------
def _draw_native(phone: Phone, anomaly: Anomaly, values: Mapping[str, object], package: str) -> QImage:
    commands = anomaly.commands_for(int(phone.profile.android))
    if commands is None:
        return QImage()
    app = _app_in_front(phone, package)
    before = _views(phone)
    given = {name: str(value) for name, value in values.items()}
    _apply(phone, commands, given | {"package": app})
    pairs = zip(before, _views(phone), strict=True)
    return next((_image(new) for old, new in pairs if not _alike(old, new)), QImage())


def _views(phone: Phone) -> tuple[ScreenFrame, ScreenFrame]:
    """What is in front, and the shade with its notifications and switches."""
    front = _settled(phone)
    phone.expand_shade(True)
    shade = _settled(phone)
    phone.expand_shade(False)
    return front, shade


def _alike(one: ScreenFrame, other: ScreenFrame) -> bool:
    return one.size == other.size and one.rgba.tobytes() == other.rgba.tobytes()


def _app_in_front(phone: Phone, package: str) -> str:
    """Open the app the anomaly meets, or the first that can stand for it; its package."""
    if package and phone.launch(package):
        return package
    stand_in = next(
        package.package for package in phone.packages if package.launcher is not None and not package.system
    )
    phone.launch(stand_in)
    return stand_in


def _apply(phone: Phone, commands: NativeCommands, values: dict[str, str]) -> None:
    """Run what makes the change in the phone's own shell, as long as it is patient."""
    from collector.virtual.shell.interpreter import Shell
    from collector.virtual.shell.machine import Machine
    from collector.virtual.shell.process import CancelScope, Interrupted

    machine, interruption = Machine(phone), CancelScope()
    timer = threading.Timer(_PATIENCE, interruption.set)
    timer.start()
    try:
        shell = Shell(machine, interruption, machine.environment())
        for name, read in commands.remember.items():
            values[name] = picked(_run(shell, read.command.text, values), read.pattern)
        for command in commands.apply:
            _run(shell, command.text, values)
    except Interrupted:
        pass  # what it had done by then is what is shown
    finally:
        timer.cancel()
        timer.join()
        machine.close()


def _run(shell: Shell, written: str, values: Mapping[str, str]) -> str:
    from collector.virtual.shell.interpreter import Streams
    from collector.virtual.shell.pipes import Collector, NullPipe

    out = Collector()
    command = fill(written, values)
    if command.startswith(CONSOLE):
        command = f"cmd waymark {command}"
    shell.run_text(command, Streams(NullPipe(), out, NullPipe()))
    return out.data.decode(errors="replace")


# -- pictures ------------------------------------------------------------------
def _settled(phone: Phone) -> ScreenFrame:
    """The screen once nothing moves on it."""
    until = time.monotonic() + _LONGEST
    picture = phone.capture()
    while time.monotonic() < until:
        newer = phone.wait_picture(picture.generation, _CALM)
        if newer is None:
            break
        picture = newer
    return picture


def _image(picture: ScreenFrame) -> QImage:
    """A picture that owns its pixels."""
    width, height = picture.size.width, picture.size.height
    shown = QImage(picture.rgba.tobytes(), width, height, 4 * width, QImage.Format.Format_RGBA8888)
    return shown.convertToFormat(QImage.Format.Format_RGB32)

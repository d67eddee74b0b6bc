"""Draw previews of anomalies with the renderer of the virtual phone, so that they look as on a phone."""

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
from collector.model.companion.activities import ACTIVITIES

if TYPE_CHECKING:
    from collector.virtual.shell.language.interpreter import Shell
    from collector.virtual.system.phone import Phone, ScreenFrame

_LOCALES = {"zh": "zh-CN"}
_WINDOWS = {"NotificationReceiver": "heads_up", "ToastReceiver": "toast", "OverlayReceiver": "overlay"}
"""The kind of the window of a receiver; an activity has one of its own kind."""
_MARGIN = 40
"""Height in pixels of the screen that is shown above and below a dialog."""
_STILL_S, _LONGEST_WAIT_S = 0.06, 1.0
"""Seconds without a change after which the screen is still, and the longest wait for it."""
TIME_LIMIT_S = 2.0
"""Time limit in seconds of the commands of one anomaly."""


def draw_anomaly(anomaly: Anomaly, values: Mapping[str, object], dark: bool, package: str) -> QImage:
    """Return the screen with the anomaly on it, cropped around a dialog; a null image when nothing shows.

    Any thread. Each preview has its own virtual phone, which takes a few milliseconds to build: no preview
    shows what an earlier one left.
    """
    arguments = {parameter.name: parameter.value for parameter in anomaly.parameters} | dict(values)
    locale = _LOCALES.get(anomaly.language, "en-US")
    if anomaly.kind != NATIVE:
        with _phone(locale, dark=dark) as phone:
            return _draw_dialog(phone, anomaly, arguments)
    with _phone(locale, dark=dark) as phone:
        image = _draw_native(phone, anomaly, arguments, package)
    # On a dark phone a switch to dark mode shows nothing: draw it on a light one.
    return draw_anomaly(anomaly, values, False, package) if image.isNull() and dark else image


@contextmanager
def _phone(locale: str, *, dark: bool) -> Iterator[Phone]:
    """Build a phone. Its package is imported by the first preview, not at the start of the window."""
    from collector.virtual.apps import make_apps
    from collector.virtual.system.phone import Phone, PhoneProfile
    from collector.virtual.ui.drawing.drawing_memory import forget_drawn

    phone = Phone(PhoneProfile(locale=locale, apps=make_apps(), caret_blinks=False))
    try:
        if dark:
            phone.settings.put("secure", "ui_night_mode", "2")
        yield phone
    finally:
        phone.close()
        forget_drawn()


# -- dialogs of the companion app ------------------------------------------
def _draw_dialog(phone: Phone, anomaly: Anomaly, values: Mapping[str, object]) -> QImage:
    from collector.virtual.ui.effects import Component, Intent

    shown = Component(COMPANION_PACKAGE, f"{COMPANION_PACKAGE}.{anomaly.activity}")
    intent = Intent(component=shown, extras=dict(values))
    known = ACTIVITIES.get(anomaly.activity)
    if known is not None and known.is_receiver:
        _app_in_front(phone, "")
        phone.services.permissions.set_op(COMPANION_PACKAGE, "SYSTEM_ALERT_WINDOW", "allow")
        phone.services.broadcasts.send(intent)
    elif phone.start_activity(intent).outcome == "not_found":
        return QImage()
    picture = _still_frame(phone)
    kind = _WINDOWS.get(anomaly.activity, "activity")
    frame = next((window[3] for window in phone.windows() if window[1] == kind), None)
    image = _image(picture)
    if frame is None or frame[3] - frame[1] >= image.height():
        return image
    top, bottom = max(0, frame[1] - _MARGIN), min(image.height(), frame[3] + _MARGIN)
    return image.copy(0, top, image.width(), bottom - top)


# -- native changes ----------------------------------------------------------
def _draw_native(phone: Phone, anomaly: Anomaly, values: Mapping[str, object], package: str) -> QImage:
    commands = anomaly.commands_for(int(phone.profile.android))
    if commands is None:
        return QImage()
    app = _app_in_front(phone, package)
    before = _views(phone)
    texts = {name: str(value) for name, value in values.items()}
    _apply(phone, commands, texts | {"package": app})
    pairs = zip(before, _views(phone), strict=True)
    return next((_image(new) for old, new in pairs if not _is_same(old, new)), QImage())


def _views(phone: Phone) -> tuple[ScreenFrame, ScreenFrame]:
    """Return the front screen, and the notification shade."""
    front = _still_frame(phone)
    phone.expand_shade(True)
    shade = _still_frame(phone)
    phone.expand_shade(False)
    return front, shade


def _is_same(first: ScreenFrame, second: ScreenFrame) -> bool:
    return first.size == second.size and first.rgba.tobytes() == second.rgba.tobytes()


def _app_in_front(phone: Phone, package: str) -> str:
    """Open the app with ``package``, or the first other app; return the package that was opened."""
    if package and phone.launch(package):
        return package
    stand_in = next(
        package.package for package in phone.packages if package.launcher is not None and not package.system
    )
    phone.launch(stand_in)
    return stand_in


def _apply(phone: Phone, commands: NativeCommands, values: dict[str, str]) -> None:
    """Run the commands of a native anomaly in the shell of the phone, up to the time limit."""
    from collector.virtual.shell.language.interpreter import Shell
    from collector.virtual.shell.machine import Machine
    from collector.virtual.shell.process_table import CancelScope, Interrupted
    from collector.virtual.shell.system_files import install_system_files

    machine, interruption = Machine(phone), CancelScope()
    install_system_files(machine)
    timer = threading.Timer(TIME_LIMIT_S, interruption.set)
    timer.start()
    try:
        shell = Shell(machine, interruption, machine.environment())
        for name, read in commands.remember.items():
            values[name] = picked(_run(shell, read.command.text, values), read.pattern)
        for command in commands.apply:
            _run(shell, command.text, values)
    except Interrupted:
        pass  # the preview shows what was done up to then
    finally:
        timer.cancel()
        timer.join()
        machine.close()


def _run(shell: Shell, written: str, values: Mapping[str, str]) -> str:
    from collector.virtual.shell.pipes import Collector, NullPipe, Streams

    out = Collector()
    command = fill(written, values)
    if command.startswith(CONSOLE):
        command = f"cmd waymark {command}"
    shell.run_text(command, Streams(NullPipe(), out, NullPipe()))
    return out.data.decode(errors="replace")


# -- frames --------------------------------------------------------------------
def _still_frame(phone: Phone) -> ScreenFrame:
    """Return the screen once nothing on it moves."""
    until = time.monotonic() + _LONGEST_WAIT_S
    picture = phone.capture()
    while time.monotonic() < until:
        newer = phone.wait_picture(picture.generation, _STILL_S)
        if newer is None:
            break
        picture = newer
    return picture


def _image(picture: ScreenFrame) -> QImage:
    """Return an image that owns its pixels."""
    width, height = picture.size.width, picture.size.height
    shown = QImage(picture.rgba.tobytes(), width, height, 4 * width, QImage.Format.Format_RGBA8888)
    return shown.convertToFormat(QImage.Format.Format_RGB32)

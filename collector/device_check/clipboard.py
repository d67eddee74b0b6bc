"""The person's clipboard, kept while a check pastes texts of its own. It never leaves the memory."""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Iterator

from collector.adb.scrcpy.control import GetClipboard, SetClipboard
from collector.adb.scrcpy.device_message import Clipboard, DeviceMessage
from collector.device.input.input_sinks import ScrcpyControl
from collector.device_check.step import CheckStepRun
from collector.model.i18n import _

_ANSWER_S = 2.0
_log = logging.getLogger(__name__)


@contextlib.contextmanager
def kept_clipboard(run: CheckStepRun, control: ScrcpyControl) -> Iterator[None]:
    """Read the clipboard, and set it again afterwards, whatever happens between."""
    before = _read(control)
    try:
        yield
    finally:
        if before is None:
            run.changes.keep(_("The clipboard of the phone could not be read, and so not be put back"))
        else:
            _set(run, control, before)


def _read(control: ScrcpyControl) -> str | None:
    """The text; empty for an empty clipboard, None when the phone does not answer."""
    answered, texts = threading.Event(), [""]

    def note(message: DeviceMessage) -> None:
        if isinstance(message, Clipboard):
            texts[0] = message.text
            answered.set()

    forget = control.messages.subscribe(note)
    try:
        control.send(GetClipboard())
        return texts[0] if answered.wait(_ANSWER_S) else None
    except OSError as error:
        _log.debug("the clipboard was not read: %s", error)
        return None
    finally:
        forget()


def _set(run: CheckStepRun, control: ScrcpyControl, text: str) -> None:
    try:
        control.send(SetClipboard(text))
    except OSError:
        run.changes.keep(_("The clipboard of the phone could not be put back"))

"""The companion app: dialogs start by ``am``, answers stand in the log.

Everything here works with D-GARA's own APK, which logs the event of a button alone, as with ours, which says
of every dialog how it ended (:mod:`collector.anomalies.dialogs.companion_answers`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from collector.adb.quoting import join
from collector.anomalies.dialogs.companion_answers import CompanionAnswer, logged_answers
from collector.anomalies.errors import ChangeNotApplied, CompanionMissing, PermissionMissing, Unsuitable
from collector.anomalies.model import Anomaly
from collector.device.device_info import read_app_version
from collector.device.protocols import Cancel, Device
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.companion.activities import ACTIVITIES, FLAG, INTEGER, NUMBER, OVERLAY, TEXT
from collector.model.companion.contract import (
    ANSWER_TAG,
    EVENT_TAG,
    PERMISSION_WORDS,
    RECEIVER_SHOWN,
    VERSION_NAME,
)
from collector.model.i18n import _

_LEADS_TO = {"RedirectActivity": "TargetPageActivity"}
_MARK_TAG = "WaymarkInjection"
_FLAGS = {TEXT: "--es", INTEGER: "--ei", NUMBER: "--ef", FLAG: "--ez"}
_LINE = re.compile(r"^[VDIWEF]/([^\n(]{0,200}?) {0,40}\( {0,20}\d{1,9}\):[ \t]?([^\r\n]*)", re.MULTILINE)
_PLAIN_TAG = re.compile(r"[\w.\-/]+")
"""Tags that logcat accepts in a filter; it splits others."""
_OPEN = re.compile(
    rf"\bHist +#\d+: ActivityRecord\{{\w+ u\d+ {re.escape(COMPANION_PACKAGE)}/([\w.$]+)(.*)$",
    re.MULTILINE,
)
"""Up to Android 12 the record's task stands inside its braces, later behind them."""
_FINISHING = re.compile(r"\bt-?\d+ f\b")
_COMPLETED = re.compile(r"Broadcast completed: result=(-?\d+)(?:, data=\"([^\"\n]*)\")?")
_NEEDS_OURS = ("param_returns", "param_chain", "param_timeout_seconds", "param_back", "param_outside")
"""Parameters without which a dialog would be another one; D-GARA's app ignores them."""
TIMEOUT_S = 4.0
"""Seconds a reading of the activities, or a line for the log, may take."""
LOG_TIMEOUT_S = 4.0
"""Seconds a reading of the log may take."""


@dataclass(frozen=True, slots=True)
class LogPosition:
    """Where in the phone's log to read from: a time of the phone's clock, and a line of ours."""

    time: str
    mark: str


@dataclass(frozen=True, slots=True)
class LoggedEvents:
    """The ``events`` that were logged since a position, the oldest first.

    ``marked`` says whether our own line is still there; a cleared log has lost the events after it too.
    """

    events: tuple[str, ...]
    marked: bool
    answers: tuple[CompanionAnswer, ...] = ()
    """What our app says of the dialogs of the injection, whatever their buttons logged."""


def start_command(anomaly: Anomaly, values: Mapping[str, str], dialog: str = "") -> str:
    """The shell command that shows a dialog, every value quoted; our app is told an id of the ``dialog``."""
    types = {parameter.name: parameter.type for parameter in anomaly.parameters}
    extras = [word for name, kind in types.items() for word in (_FLAGS[kind], name, values[name])]
    if dialog and "param_dialog" not in types:
        extras += ["--es", "param_dialog", dialog]
    known = ACTIVITIES.get(anomaly.activity)
    # An app that was stopped, as by an undo, gets no broadcast without this.
    receives = ["broadcast", "--include-stopped-packages"]
    verb = receives if known is not None and known.is_receiver else ["start"]
    return join(["am", *verb, "-n", f"{COMPANION_PACKAGE}/.{anomaly.activity}", *extras])


def require_suited(anomaly: Anomaly, version: str) -> None:
    """Raise Unsuitable for a dialog that comes back, closes itself and the like: D-GARA's app shows none.

    ``version`` is that of D-GARA's app on the phone.
    """
    named = [parameter.name for parameter in anomaly.parameters if parameter.name in _NEEDS_OURS]
    if named:
        raise Unsuitable(
            _("{id} needs version {version} of the companion app", id=anomaly.id, version=VERSION_NAME),
            _("version {version} on this phone ignores {name}", version=version, name=named[0]),
            _("Install the companion app of Waymark Studio, or choose another anomaly"),
        )


def require(device: Device, cancel: Cancel | None = None) -> str:
    """The version of the app. Raises CompanionMissing when the phone has none."""
    version = read_app_version(device, COMPANION_PACKAGE, cancel)
    if not version:
        raise CompanionMissing(
            _("The companion app is not on this phone"),
            _("it shows the dialogs of anomalies, and is installed only when you say so"),
            _("Install it with waymark device companion install, or inject a native anomaly"),
        )
    return version


def show(
    device: Device, anomaly: Anomaly, values: Mapping[str, str], version: str, dialog: str = "",
    cancel: Cancel | None = None,
) -> str:  # fmt: skip
    """Start the dialog of the app of a ``version`` and return the command.

    ``dialog`` is the id that our app repeats in its answers. Raises Unsuitable, PermissionMissing or
    ChangeNotApplied.
    """
    if not anomaly.activity:
        raise Unsuitable(_("{id} names no activity of the companion app", id=anomaly.id))
    command = start_command(anomaly, values, dialog)
    result = device.shell(command, cancel=cancel)
    text = result.text + result.error_text
    completed = _COMPLETED.search(text)
    code, said = (int(completed[1]), completed[2] or "") if completed else (RECEIVER_SHOWN, "")
    if said.startswith("needs "):
        raise permission_missing(anomaly, said.removeprefix("needs "))
    nobody = code != RECEIVER_SHOWN  # a broadcast that no receiver takes completes with 0
    if nobody or "does not exist" in text or "Error type 3" in text or "not exported" in text:
        raise Unsuitable(
            _("The companion app on this phone has no activity {name}", name=anomaly.activity),
            _("it is of version {version}", version=version),
            _("Install the version the library was written for, or choose another anomaly"),
        )
    if not result.ok or "Error:" in text or "Exception" in text:
        raise ChangeNotApplied(_("The phone did not show {id}", id=anomaly.id), text.strip()[:400])
    return command


def permission_missing(anomaly: Anomaly, permission: str) -> PermissionMissing:
    """The failure of a companion app that may not show an anomaly, with what a person does about it."""
    if permission == OVERLAY:
        what = _("The companion app may not show windows over other apps, as {id} does", id=anomaly.id)
    else:
        what = _("The companion app may not show notifications, as {id} does", id=anomaly.id)
    word = next(word for word, name in PERMISSION_WORDS.items() if name == permission)
    return PermissionMissing(
        what,
        _("nobody gave it the permission"),
        _("Allow it with waymark device companion allow {word}, or in the settings of the phone", word=word),
        permission=permission,
    )


def open_activities(device: Device, cancel: Cancel | None = None) -> list[str]:
    """Names of its unfinished activities, without the package, the one in front first."""
    output = device.shell("dumpsys activity activities | grep Hist", timeout=TIMEOUT_S, cancel=cancel).text
    return [name.rpartition(".")[2] for name, rest in _OPEN.findall(output) if not _FINISHING.search(rest)]


def mark(device: Device, injection: str, cancel: Cancel | None = None) -> LogPosition:
    """Write our line into the phone's log, before a dialog is shown."""
    line = join(["log", "-t", _MARK_TAG, injection])
    output = device.shell(f"date '+%m-%d %H:%M:%S.000'; {line}", timeout=TIMEOUT_S, cancel=cancel).text
    time = output.splitlines()[0].strip() if output else ""
    return LogPosition(time if re.fullmatch(r"\d\d-\d\d \d\d:\d\d:\d\d\.000", time) else "", injection)


def read_events(
    device: Device, anomaly: Anomaly, since: LogPosition, cancel: Cancel | None = None,
    dialogs: Collection[str] = (),
) -> LoggedEvents:  # fmt: skip
    """What the buttons of a dialog logged since then, and how the ``dialogs`` of these ids ended.

    Raises DeviceError when the log is silent.
    """
    logged = _read_events(device, anomaly, since, cancel, dialogs)
    if logged.marked or not since.time:
        return logged
    # Our line is gone from a log that was rotated, or the phone's clock was set back since.
    whole = _read_events(device, anomaly, LogPosition("", since.mark), cancel, dialogs)
    return whole if whole.marked else logged


def _read_events(
    device: Device, anomaly: Anomaly, since: LogPosition, cancel: Cancel | None, dialogs: Collection[str]
) -> LoggedEvents:
    tags = {anomaly.value("param_log_tag").strip() or EVENT_TAG, EVENT_TAG}
    known = ACTIVITIES.get(anomaly.activity)
    if known is not None and known.log_tag:
        tags.add(known.log_tag)
    from_then = ["-T", since.time] if since.time else []
    shown = [f"{tag}:I" for tag in (_MARK_TAG, *sorted(tags), *((ANSWER_TAG,) if dialogs else ()))]
    only = ["-s", *shown] if all(map(_PLAIN_TAG.fullmatch, tags)) else []
    words = ["logcat", "-d", "-v", "brief", *from_then, *only]
    output = device.shell(join(words), timeout=LOG_TIMEOUT_S, cancel=cancel).text
    lines = _LINE.findall(output)
    start = max((at for at, line in enumerate(lines) if line == (_MARK_TAG, since.mark)), default=-1)
    texts = (text.strip() for tag, text in lines[start + 1 :] if tag in tags)
    answers = logged_answers((text for tag, text in lines[start + 1 :] if tag == ANSWER_TAG), dialogs)
    return LoggedEvents(tuple(text for text in texts if text), start >= 0, answers)


def is_open(device: Device, anomaly: Anomaly, cancel: Cancel | None = None) -> bool:
    """Whether its dialog, or the page the dialog leads to by itself, is not finished."""
    shown = _LEADS_TO.get(anomaly.activity, anomaly.activity)
    return shown in open_activities(device, cancel)


def close_command() -> str:
    """The command that closes every dialog of the companion app."""
    return join(["am", "force-stop", COMPANION_PACKAGE])

"""The companion app as D-GARA made it: dialogs start by ``am start``, answers stand in the log.

Its package is ``com.example.adbsmarttest``; everything here works with D-GARA's own APK as with the
virtual phone's app.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from collector.adb.quoting import join
from collector.anomalies.errors import ChangeNotApplied, CompanionMissing, Unsuitable
from collector.anomalies.model import Anomaly
from collector.device.device_info import read_app_version
from collector.device.protocols import Cancel, Device
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.companion.activities import FLAG, INTEGER, NUMBER, TEXT
from collector.model.i18n import _

LOG_TAG = "ReactBench_Event"
_OWN_TAGS = {"CookieConsentActivity": "CookieConsentLogger", "ProgressActivity": "ProgressActivityLogger"}
"""Activities with another log tag when none is given."""
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
TIMEOUT_S = 4.0
"""Seconds a reading of the log or of the activities may take."""


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


def start_command(anomaly: Anomaly, values: Mapping[str, str]) -> str:
    """The shell command that shows a dialog, every value quoted."""
    types = {parameter.name: parameter.type for parameter in anomaly.parameters}
    extras = [word for name, kind in types.items() for word in (_FLAGS[kind], name, values[name])]
    return join(["am", "start", "-n", f"{COMPANION_PACKAGE}/.{anomaly.activity}", *extras])


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


def show(device: Device, anomaly: Anomaly, values: Mapping[str, str], cancel: Cancel | None = None) -> str:
    """Start the dialog and return the command. Raises Unsuitable, CompanionMissing or ChangeNotApplied."""
    version = require(device, cancel)
    if not anomaly.activity:
        raise Unsuitable(_("{id} names no activity of the companion app", id=anomaly.id))
    command = start_command(anomaly, values)
    result = device.shell(command, cancel=cancel)
    text = result.text + result.error_text
    if "does not exist" in text or "Error type 3" in text or "not exported" in text:
        raise Unsuitable(
            _("The companion app on this phone has no activity {name}", name=anomaly.activity),
            _("it is of version {version}", version=version),
            _("Install the version the library was written for, or choose another anomaly"),
        )
    if not result.ok or "Error:" in text or "Exception" in text:
        raise ChangeNotApplied(_("The phone did not show {id}", id=anomaly.id), text.strip()[:400])
    return command


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
    device: Device, anomaly: Anomaly, since: LogPosition, cancel: Cancel | None = None
) -> LoggedEvents:
    """What the buttons of a dialog logged since then. Raises DeviceError when the log is silent."""
    logged = _read_events(device, anomaly, since, cancel)
    if logged.marked or not since.time:
        return logged
    # Our line is gone from a log that was rotated, or the phone's clock was set back since.
    whole = _read_events(device, anomaly, LogPosition("", since.mark), cancel)
    return whole if whole.marked else logged


def _read_events(device: Device, anomaly: Anomaly, since: LogPosition, cancel: Cancel | None) -> LoggedEvents:
    tags = {anomaly.value("param_log_tag").strip() or LOG_TAG, LOG_TAG}
    if anomaly.activity in _OWN_TAGS:
        tags.add(_OWN_TAGS[anomaly.activity])
    from_then = ["-T", since.time] if since.time else []
    shown = [f"{tag}:I" for tag in (_MARK_TAG, *sorted(tags))]
    only = ["-s", *shown] if all(map(_PLAIN_TAG.fullmatch, tags)) else []
    words = ["logcat", "-d", "-v", "brief", *from_then, *only]
    output = device.shell(join(words), timeout=TIMEOUT_S, cancel=cancel).text
    lines = _LINE.findall(output)
    start = max((at for at, line in enumerate(lines) if line == (_MARK_TAG, since.mark)), default=-1)
    texts = (text.strip() for tag, text in lines[start + 1 :] if tag in tags)
    return LoggedEvents(tuple(text for text in texts if text), start >= 0)


def is_open(device: Device, anomaly: Anomaly, cancel: Cancel | None = None) -> bool:
    """Whether its dialog, or the page the dialog leads to by itself, is not finished."""
    shown = _LEADS_TO.get(anomaly.activity, anomaly.activity)
    return shown in open_activities(device, cancel)


def close_command() -> str:
    """The command that closes every dialog of the companion app."""
    return join(["am", "force-stop", COMPANION_PACKAGE])

"""Answers of our companion app: its lines in the log, and the rows of its content provider."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from collector.adb.quoting import join
from collector.device.protocols import Cancel, Device
from collector.model.companion.contract import ANSWER_COLUMNS, ANSWERS_PATH, AUTHORITY, OPEN_PATH

_ROW = re.compile(
    r"^Row: \d{1,6} "
    + ", ".join(rf"{name}=(?P<{name}>[^\r\n]{{0,4000}}?)" for name in ANSWER_COLUMNS)
    + r"\r?$",
    re.MULTILINE,
)
_OPEN_ROW = re.compile(r"^Row: \d{1,6} dialog=([^\r\n]{0,400})\r?$", re.MULTILINE)
TIMEOUT_S = 8.0
"""Seconds a reading of the provider may take: ``content`` starts a program of its own on the phone."""


@dataclass(frozen=True, slots=True)
class CompanionAnswer:
    """How one showing of a dialog ended."""

    dialog: str
    activity: str
    showing: int
    answer: str
    """The word that rules have for the button; empty without one."""
    how: str
    """One of the contract's: touch, back, outside, timeout, ..."""
    event: str = ""
    value: str = ""


def logged_answers(lines: Iterable[str], dialogs: Collection[str]) -> tuple[CompanionAnswer, ...]:
    """The answers of these dialogs in lines of the log; a line that is none is passed over."""
    found = []
    for line in lines:
        try:
            read = json.loads(line)
        except ValueError:
            continue
        if isinstance(read, dict) and str(read.get("dialog")) in dialogs:
            found.append(_answer(read))
    return tuple(found)


def stored_answers(
    device: Device, dialogs: Collection[str], cancel: Cancel | None = None
) -> tuple[CompanionAnswer, ...]:
    """The answers of these dialogs that the app keeps. Raises DeviceError when the phone is silent."""
    output = _query(device, ANSWERS_PATH, "", cancel)
    rows = (match.groupdict() for match in _ROW.finditer(output))
    return tuple(_answer(row) for row in rows if row["dialog"] in dialogs)


def open_dialogs(device: Device, cancel: Cancel | None = None) -> frozenset[str]:
    """The ids of the dialogs that are on the phone or wait to come back."""
    return frozenset(_OPEN_ROW.findall(_query(device, OPEN_PATH, "dialog", cancel)))


def _query(device: Device, path: str, columns: str, cancel: Cancel | None) -> str:
    words = ["content", "query", "--uri", f"content://{AUTHORITY}/{path}"]
    words += ["--projection", columns] if columns else []
    return device.shell(join(words), timeout=TIMEOUT_S, cancel=cancel).text


def _answer(read: dict[str, object]) -> CompanionAnswer:
    texts = {
        name: str(read.get(name) or "") for name in ("dialog", "activity", "answer", "how", "event", "value")
    }
    showing = str(read.get("showing") or 1)
    return CompanionAnswer(showing=int(showing) if showing.isdecimal() else 1, **texts)

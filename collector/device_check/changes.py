"""Changes that a check makes on a phone: how to undo each is on the disk before it is made.

They stand in the undo journal of anomalies: after a kill the next studio undoes them.
"""

from __future__ import annotations

import re
import secrets

from collector.adb.quoting import join
from collector.anomalies.journal import PendingChange, UndoCheck, UndoJournal
from collector.anomalies.undo import undo_change
from collector.device.protocols import Cancel, Device
from collector.model.i18n import _

PREFIX = "device-check"
"""How the changes of a check are named in the journal."""
_UNSET = "null"


def other_than(text: str) -> str:
    """A pattern for a line that is not ``text``."""
    return f"^(?!{re.escape(text)}$)"


class CheckChanges:
    """The changes of one step, undone by :meth:`restore`. One thread uses it."""

    def __init__(self, device: Device, journal: UndoJournal, step: str) -> None:
        """``device`` may end with the step; a restore is given another."""
        self._device, self.journal, self._step = device, journal, step
        self._before = {change.id for change in journal.pending}
        self._made: dict[str, str] = {}
        """What each change is, in words, by its id."""
        self._stayed: list[str] = []

    def plan(self, what: str, *undo: str, lasts: UndoCheck | None = None) -> None:
        """Note how a change is undone, in commands, before it is made. ``lasts`` finds it while it lasts."""
        change = secrets.token_hex(4)
        checks = (lasts,) if lasts is not None else ()
        self.journal.add(PendingChange(change, f"{PREFIX}: {self._step}", tuple(undo), checks))
        self._made[change] = what

    def put(self, what: str, namespace: str, key: str, value: str) -> None:
        """Change a setting of Android. Raises DeviceError."""
        before = self._device.shell(["settings", "get", namespace, key]).text.strip()
        if before == value:
            return
        undo = ["settings", "put", namespace, key, before]
        if before == _UNSET:
            undo = ["settings", "delete", namespace, key]
        reads = join(["settings", "get", namespace, key])
        self.plan(what, join(undo), lasts=UndoCheck(reads, f"^{re.escape(value)}$"))
        self._device.shell(["settings", "put", namespace, key, value])

    def restore(self, device: Device, cancel: Cancel | None = None) -> list[str]:
        """Undo what was changed, the newest first, and return in words what stayed.

        Raises DeviceError when the phone is gone; what is not undone then is undone by the next call.
        """
        for change in self._pending():
            if problem := undo_change(device, self.journal, change, cancel).problem:
                self._stayed.append(_("{what}: {problem}", what=self._words(change), problem=problem))
                self._before.add(change.id)
        stayed, self._stayed = self._stayed, []
        return stayed

    def keep(self, what: str) -> None:
        """Note in words what a step could not put back itself."""
        self._stayed.append(what)

    @property
    def left(self) -> list[str]:
        """What is not undone, in words."""
        return [self._words(change) for change in self._pending()]

    def _pending(self) -> list[PendingChange]:
        """What was changed since the step began, the newest first; anomalies, too."""
        return [change for change in reversed(self.journal.pending) if change.id not in self._before]

    def _words(self, change: PendingChange) -> str:
        return self._made.get(change.id, change.anomaly)

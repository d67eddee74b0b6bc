"""Undo changes of a phone, the newest first, and report those that cannot be undone."""

from __future__ import annotations

from dataclasses import dataclass

from collector.anomalies import native
from collector.anomalies.journal import PendingChange, UndoJournal
from collector.device.errors import CommandFailed, DeviceTimeout
from collector.device.protocols import Cancel, Device
from collector.device.transport.emulator_console import NoConsole

_ANSWER_S = 4.0


@dataclass(frozen=True, slots=True)
class UndoResult:
    """A change that was to be undone; ``problem`` is empty when it is."""

    pending: PendingChange
    problem: str = ""


def undo_change(
    device: Device, journal: UndoJournal, change: PendingChange, cancel: Cancel | None = None
) -> UndoResult:  # fmt: skip
    """Run the undo of one change and check it. A change that stays is kept in the journal with the reason.

    Raises DeviceError when the phone is not there; the change then stays pending too.
    """
    problem = ""
    for command in change.undo:
        try:
            native.run(device, command, cancel)
        except DeviceTimeout as error:
            _require_answer(device, cancel)
            problem = problem or str(error)
        except (CommandFailed, NoConsole) as error:
            problem = problem or str(error)  # the next command may still do it
    still_there = native.wait_gone(device, change.checks, cancel)
    if change.checks and not still_there:
        problem = ""  # the phone is as before, whatever a command reported
    problem = still_there or problem
    if problem:
        journal.change(change.id, problem=problem)
    else:
        journal.done(change.id)
    return UndoResult(change, problem)


def undo_all_changes(
    device: Device, journal: UndoJournal, *, kept: bool = True, cancel: Cancel | None = None
) -> list[UndoResult]:  # fmt: skip
    """Undo every pending change, the newest first; with ``kept`` unset not those left on purpose.

    Raises PhoneInUse while another studio changes the phone, DeviceError when it is not there.
    """
    if not journal.pending:
        return []
    journal.hold()
    changes = [change for change in reversed(journal.pending) if kept or not change.kept]
    return [undo_change(device, journal, change, cancel) for change in changes]


def _require_answer(device: Device, cancel: Cancel | None) -> None:
    """Raise DeviceError when not only a command does not end, but the phone is gone."""
    device.shell("true", timeout=_ANSWER_S, cancel=cancel)

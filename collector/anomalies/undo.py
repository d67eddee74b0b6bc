"""Taking changes back, the newest first, and telling when one does not go."""

from __future__ import annotations

from dataclasses import dataclass

from collector.anomalies import native
from collector.anomalies.journal import PendingChange, UndoJournal
from collector.device.emulator_console import NoConsole
from collector.device.errors import CommandFailed, DeviceTimeout
from collector.device.protocols import Cancel, Device

_ANSWER_S = 4.0


@dataclass(frozen=True, slots=True)
class UndoResult:
    """What became of a pending change; ``problem`` is empty when it is taken back."""

    pending: PendingChange
    problem: str = ""


def take_back(
    device: Device, journal: UndoJournal, one: PendingChange, cancel: Cancel | None = None
) -> UndoResult:  # fmt: skip
    """Run the undo of one change and check it. What does not go stays in the journal, with the reason.

    Raises DeviceError when the phone is not there; the change then stays pending too.
    """
    problem = ""
    for command in one.undo:
        try:
            native.run(device, command, cancel)
        except DeviceTimeout as error:
            _require_answer(device, cancel)
            problem = problem or str(error)
        except (CommandFailed, NoConsole) as error:
            problem = problem or str(error)  # the next may still do it
    left = native.wait_gone(device, one.checks, cancel)
    if one.checks and not left:
        problem = ""  # what was changed is as it was, whatever a command said of itself
    problem = left or problem
    if problem:
        journal.change(one.id, problem=problem)
    else:
        journal.done(one.id)
    return UndoResult(one, problem)


def _require_answer(device: Device, cancel: Cancel | None) -> None:
    """Tell a command that does not end from a phone that is gone. Raises DeviceError for the phone."""
    device.shell("true", timeout=_ANSWER_S, cancel=cancel)


def take_all_back(
    device: Device, journal: UndoJournal, *, kept: bool = True, cancel: Cancel | None = None
) -> list[UndoResult]:  # fmt: skip
    """Take every pending change back, the newest first; with ``kept`` unset not those left on purpose.

    Raises PhoneTaken while another studio changes the phone, DeviceError when it is not there.
    """
    if not journal.pending:
        return []
    journal.hold()
    wanted = [one for one in reversed(journal.pending) if kept or not one.kept]
    return [take_back(device, journal, one, cancel) for one in wanted]

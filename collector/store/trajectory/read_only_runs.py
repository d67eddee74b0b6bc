"""The rule that keeps runs as they were recorded: no command edits them."""

from __future__ import annotations

from collector.model.i18n import _
from collector.model.trajectory import FINISHED, TrajectoryHeader
from collector.store.files.errors import StoreError


class RunNotEditable(StoreError):  # noqa: N818 - as the other refusals of the store
    """An edit of a run, which is the record of what an agent did."""


def require_editable(header: TrajectoryHeader) -> None:
    """Raise RunNotEditable for a run.

    Whole runs can be deleted, people can judge and annotate them, and what is private in them can
    be redacted; nothing else changes them once they are recorded.
    """
    if header.is_run:
        raise RunNotEditable(
            _("{id} is a run and cannot be edited", id=header.id),
            _("it is the record of what an agent did"),
            _("Judge it, comment on it, or redact what is private in it; for another path record the task"),
        )


def is_sealed(header: TrajectoryHeader) -> bool:
    """Whether undo leaves the recorded steps alone: those of a finished recording, and of a run."""
    return header.status == FINISHED or header.is_run

"""Refuse to let a trajectory out that shows what the redaction rules of its project hide."""

from __future__ import annotations

from pathlib import Path

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.redaction_rules.stored_redaction import StoredRedaction
from collector.redaction_rules.trajectory_redaction import TrajectoryRedaction
from collector.store.trajectory.reader import read_header


class Unredacted(UserError):  # noqa: N818 - a refusal, as those of the store
    """A trajectory shows what the rules of its project hide."""


def require_redacted(folder: Path) -> None:
    """Raise Unredacted where the rules would hide something in a stored trajectory, and UserError."""
    redaction = TrajectoryRedaction.of(folder, read_header(folder).task_id)
    if redaction and StoredRedaction(folder, redaction).work_out():
        raise Unredacted(
            _("{name} shows what the redaction rules of the project hide", name=folder.name),
            _("it was recorded before they were there"),
            _("`waymark project redact` hides it; what is shared after that has it no more"),
        )

"""The item of the status bar that names the person at work."""

from __future__ import annotations

from collector.model.i18n import _
from studio.widgets.window_frame.status_bar import StatusItem


def author_item(name: str, role: str = "") -> StatusItem:
    """``jo``, or ``jo (auditor)`` with the role in the task on show; a click chooses another name."""
    text = _("{name} ({role})", name=name, role=role) if role else name
    tip = _("Recordings, proposals, labels and audits are written under this name; click to work as another")
    return StatusItem(text, "users" if role else "user", tip=tip, rank=3, opens=True)

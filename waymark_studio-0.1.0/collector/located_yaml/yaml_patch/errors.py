"""Errors of edits and files that a person can resolve."""

from __future__ import annotations

from collector.model.errors import UserError
from collector.model.i18n import _


class DocumentError(UserError):
    """An edit cannot be made, or a file cannot be read or written."""


class UnsafeEditError(DocumentError):
    """The edit would change other parts of the file too; nothing was changed."""

    def __init__(self, why: str = "") -> None:
        super().__init__(
            _("This cannot be changed from here without touching other parts of the file"),
            why,
            _("Change it in the YAML"),
        )

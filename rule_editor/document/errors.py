"""What can go wrong with a document that a person can mend."""

from __future__ import annotations

from collector.model.errors import UserError
from collector.model.i18n import _


class DocumentError(UserError):
    """An edit that cannot be made, a file that cannot be read or written."""


class UnsafeEditError(DocumentError):
    """The text cannot take the edit without harm to what it does not mean; nothing was changed."""

    def __init__(self, why: str = "") -> None:
        super().__init__(
            _("This cannot be changed from here without touching other parts of the file"),
            why,
            _("Change it in the YAML"),
        )

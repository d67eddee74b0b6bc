"""The error of an import or export that cannot be done; smaller losses go into the log."""

from __future__ import annotations

from collector.model.errors import UserError


class ExchangeError(UserError):
    """An import or an export could not be done."""

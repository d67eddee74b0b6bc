"""What an importer refuses as a whole; what it can live with goes into the report."""

from __future__ import annotations

from collector.model.errors import UserError


class ExchangeError(UserError):
    """Nothing could be imported."""

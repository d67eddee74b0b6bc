"""The error of a tour."""

from __future__ import annotations

from collector.model.errors import UserError


class TourError(UserError):
    """The tour cannot continue; the message names the scene and what was missing."""

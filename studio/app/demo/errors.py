"""What stops a tour."""

from __future__ import annotations

from collector.model.errors import UserError


class TourError(UserError):
    """The tour cannot go on; says at which scene and what was missing."""

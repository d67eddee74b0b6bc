"""Quirks of makers that show while a phone is checked."""

from __future__ import annotations

from collections.abc import Iterable

from collector.device_check.step import CheckStepRun


def quirks_at(_step: str, _run: CheckStepRun) -> Iterable[str]:
    """Ids of the quirks that a step showed, after it ended."""
    return ()

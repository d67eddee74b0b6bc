"""How people name a step: a number from 1, and ``TRAJECTORY@STEP``."""

from __future__ import annotations


def step_index(text: str) -> int | None:
    """The index of the step that a person means with ``text``; None when it is no number from 1 up."""
    number = int(text) if text.isdecimal() and len(text) < 10 else 0
    return number - 1 if number > 0 else None


def step_place(text: str) -> tuple[str, int] | None:
    """The trajectory and the index of the step, from 0, that ``TRAJECTORY@STEP`` names; None for no such."""
    reference, _at, number = text.rpartition("@")
    index = step_index(number)
    return (reference, index) if reference and index is not None else None

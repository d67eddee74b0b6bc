"""Numbers of steps and slots on the command line: people count from 1, files from 0.

JSON documents that list steps say from which they count: what is stored from 0, rules and trials from 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import click

from collector.model.i18n import _

FROM_0, FROM_1 = {"steps_from": 0}, {"steps_from": 1}
"""What JSON documents say of their numbers of steps, slots and screens."""


class StepNumber(click.IntRange):
    """A number from 1 as a person types it; the verb gets the index, from 0."""

    name = "number"

    def __init__(self) -> None:
        super().__init__(min=1)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        return int(super().convert(value, param, ctx)) - 1


def step_numbers(indexes: Iterable[int]) -> str:
    """Steps as people read them: ``2, 5``."""
    return ", ".join(str(index + 1) for index in indexes)


def at_step(indexes: Sequence[int | str]) -> str:
    """`` step 3`` for the first of the steps that a finding is about; nothing when it is about none."""
    return " " + _("step {number}", number=int(indexes[0]) + 1) if indexes else ""

"""Texts that recordings do not hold because they were redacted; an agent types them from its options."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.replay.redacted_text import redacted_steps, texts_for

ENVIRONMENT = "env:"
"""Start of a text that is the name of an environment variable."""


def check_texts(texts: Mapping[Any, Any]) -> None:
    """Raise UserError unless ``texts`` has texts by step, or in order, for each task."""
    for task, given in texts.items():
        entries = given.values() if isinstance(given, Mapping) else given
        numbered = not isinstance(given, Mapping) or all(str(step).isdecimal() for step in given)
        if not isinstance(given, (Mapping, list, tuple)) or not numbered or not all(map(_is_text, entries)):
            raise UserError(
                _("The texts of the task {task} cannot be read", task=task),
                "",
                _(
                    "Write {task}: [TEXT, ...] in the order they are typed, or {task}: {{STEP: TEXT}}",
                    task=task,
                ),
            )


def texts_of(texts: Mapping[Any, Any], task_id: str, steps: Sequence[Step]) -> dict[int, str]:
    """The texts of the redacted ``steps`` of a task, by index of the step.

    Raises UserError when one of them is not there, and for an environment variable that is not set.
    """
    given = texts.get(task_id, ())
    if isinstance(given, Mapping):
        by_step = {int(step): _resolved(text) for step, text in given.items()}
    else:
        by_step = texts_for(steps, [_resolved(text) for text in given])
    missing = [step.index for step in redacted_steps(steps) if not by_step.get(step.index)]
    if missing:
        raise UserError(
            _("The texts typed at these steps were hidden when they were recorded: {steps}",
              steps=", ".join(map(str, missing))),
            "",
            _("Give them in the agent's option texts, as in {example}",
              example=f"texts: {{{task_id}: [{ENVIRONMENT}NAME]}}"),
        )  # fmt: skip
    return by_step


def _is_text(value: object) -> bool:
    return isinstance(value, (str, int)) and not isinstance(value, bool)


def _resolved(text: object) -> str:
    """The text itself, or the value of the environment variable it names."""
    words = str(text)
    if not words.startswith(ENVIRONMENT):
        return words
    name = words.removeprefix(ENVIRONMENT)
    value = os.environ.get(name, "")
    if not value:
        raise UserError(
            _("The environment variable {name} is not set", name=name),
            _("an agent types its value"),
            _("Set it where the run is started"),
        )
    return value

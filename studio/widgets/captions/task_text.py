"""Translate fixed values of task and trajectory files."""

from __future__ import annotations

from collector.model.errors import UserError
from collector.model.expected_answer import ANY_OF, CONTAINS, EXACT, NUMBER, REGEX
from collector.model.i18n import N_, _
from collector.model.seeds import DEFAULT_SEED
from collector.model.task import PROCESS_TASK, STATE_TASK, Task
from collector.store.tasks.task_values import bound_by_seed

_WORDS = {
    "easy": N_("easy"),
    "medium": N_("medium"),
    "hard": N_("hard"),
    STATE_TASK: N_("state"),
    PROCESS_TASK: N_("process"),
    EXACT: N_("exact"),
    NUMBER: N_("number"),
    CONTAINS: N_("contains"),
    ANY_OF: N_("any of these"),
    REGEX: N_("regular expression"),
}
"""The values of levels, types and rules of comparison that files may have, in words."""


def instruction_text(task: Task) -> str:
    """What is to be done: of a task with parameters with the values that it is recorded with."""
    try:
        return bound_by_seed(task, DEFAULT_SEED).instruction
    except UserError:  # the check of the project says why
        return task.instruction


def level_text(level: str) -> str:
    """A difficulty level in the person's language; an unknown level is returned unchanged."""
    names = {"easy": _("easy"), "medium": _("medium"), "hard": _("hard")}
    return names.get(level, level)


def author_text(author: str) -> str:
    """The name of an author; a translated word for an import without author."""
    return _("imported") if author == "imported" else author


def value_text(value: str) -> str:
    """A level, a type or a rule of comparison in words; any other value is returned unchanged."""
    return _(_WORDS[value]) if value in _WORDS else value

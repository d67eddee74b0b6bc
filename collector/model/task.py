"""A task: an instruction for an app, and the rules and states that belong to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.model.app_data.target import TaskTarget
from collector.model.expected_answer import ExpectedAnswer
from collector.model.i18n import N_, _

LEVELS = ("easy", "medium", "hard")
STATE_TASK, PROCESS_TASK = "state", "process"
TASK_TYPES = (STATE_TASK, PROCESS_TASK)
"""ProBench's types: judged by the last state alone, or also by the way there."""
OPERATION, INFORMATION_RETRIEVAL = "operation", "information retrieval"
CATEGORIES = {OPERATION: N_("operation"), INFORMATION_RETRIEVAL: N_("information retrieval")}
"""AITK's categories, each in words: something is to be done, or something is to be answered."""
PLACEHOLDER = "human_validation"
"""The rule key by which D-GARA says that a person judges a task; it names no rule."""
RESET_APP, RESET_PHONE, RESET_PROJECT = "app-data", "phone", "project"
RESETS = (RESET_APP, RESET_PHONE, RESET_PROJECT)
"""What is reset before a recording: the app's data, the whole virtual phone, what the project declares."""


def category_text(category: str) -> str:
    """A category in the language in use; the word of another benchmark is returned unchanged."""
    return _(CATEGORIES[category]) if category in CATEGORIES else category


@dataclass(frozen=True, slots=True)
class Task:
    """``id`` is unique in its project and names the folder of its trajectories."""

    id: str
    instruction: str
    app: str = ""
    """Name a person reads, as in ``Shop``."""
    package: str = ""
    level: str = ""
    category: str = ""
    """One of CATEGORIES, or the word of another benchmark."""
    type: str = ""
    """One of TASK_TYPES."""
    language: str = ""
    """Of the instruction and the app, as in ``en`` or ``zh``."""
    app_category: str = ""
    """What kind of app it is, as in ``Shopping``."""
    max_steps: int = 0
    """0 = no budget."""
    rule_key: str = ""
    target_rule_ids: tuple[str, ...] = ()
    essential_states: tuple[str, ...] = ()
    """Ids of states in ``rules/states.yaml``, in the order in which they are reached."""
    expected_answer: ExpectedAnswer | None = None
    target: TaskTarget | None = None
    """What has to be different in the data of apps when it is done, and nothing else; None for no target."""
    human_validation: bool = False
    """Whether a person judges it, because no rule can."""
    note: str = ""
    golden_wanted: int = 2
    """How many golden trajectories the project asks for (A3: two independent ones)."""
    reset: str = ""
    """What is reset before each recording, one of RESETS; empty for nothing."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Keys of the file this version does not know; written back untouched."""

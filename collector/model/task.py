"""A task: an instruction for an app, and the rules and states that belong to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LEVELS = ("easy", "medium", "hard")
RESET_APP, RESET_PHONE, RESET_PROJECT = "app-data", "phone", "project"
RESETS = (RESET_APP, RESET_PHONE, RESET_PROJECT)
"""What is reset before a recording: the app's data, the whole virtual phone, what the project declares."""


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
    max_steps: int = 0
    """0 = no budget."""
    rule_key: str = ""
    target_rule_ids: tuple[str, ...] = ()
    essential_states: tuple[str, ...] = ()
    note: str = ""
    golden_wanted: int = 2
    """How many golden trajectories the project asks for (A3: two independent ones)."""
    reset: str = ""
    """What is reset before each recording, one of RESETS; empty for nothing."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Keys of the file this version does not know; written back untouched."""

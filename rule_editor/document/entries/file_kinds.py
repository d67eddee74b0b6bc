"""Kinds of files the editor opens, and kinds of ids they define."""

from __future__ import annotations

from collector.rules.grammar.model import KINDS

LIBRARY, TASKS = "library", "tasks"
FILE_KINDS = (*KINDS, LIBRARY, TASKS)
ANOMALY, TASK = "anomaly", "task"
DEFINED_IDS = {**{kind: kind for kind in KINDS}, LIBRARY: ANOMALY, TASKS: TASK}
"""The kind of ids that each kind of file defines."""

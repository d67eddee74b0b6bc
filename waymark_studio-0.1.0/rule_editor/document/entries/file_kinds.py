"""Kinds of files the editor opens, and kinds of ids they define."""

from __future__ import annotations

from collector.rules.grammar.model import INJECTION, STATE, SUCCESS

LIBRARY, TASKS = "library", "tasks"
FILE_KINDS = (INJECTION, SUCCESS, STATE, LIBRARY, TASKS)
ANOMALY, TASK = "anomaly", "task"
DEFINED_IDS = {INJECTION: INJECTION, SUCCESS: SUCCESS, STATE: STATE, LIBRARY: ANOMALY, TASKS: TASK}
"""The kind of ids that each kind of file defines."""

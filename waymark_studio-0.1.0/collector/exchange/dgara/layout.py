"""Where D-GARA's own code looks for its files, and how it names the folders of recordings and runs."""

from __future__ import annotations

import re

TASKS = "D-GARA-152.json"
"""The name stands in D-GARA's ``env_config.py``, however many tasks the list has."""
RULES = "ReactBench/rules.yaml"
LIBRARY = "ReactBench/interference_library.yaml"
SUCCESS = "SuccessValidator/success_conditions.yaml"
COLLECTED = "Collected_trajs"
RUNS = "LOGFINAL"
ENTRIES = (TASKS, "ReactBench", "SuccessValidator", COLLECTED, RUNS)
"""Everything at the top of an export."""

BASELINE, INTERFERENCE = "baseline", "interference"
DECISIONS = "eva_log.jsonl"
ACTIONS = "run_log.jsonl"
BUDGET_ENDED = "Maximum execution steps reached"
VALIDATION_PASSED = "Objective validation passed"
VALIDATION_FAILED = "AI reported task completion but failed objective validation"

_MAX_BYTES = 240
"""Bytes of a folder's name: file systems take 255."""
_UNSAFE = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')


def collected_folder(number: int | str, description: str) -> str:
    """The folder of a recording: number and description, as far as every file system can hold them."""
    return _shortened(_UNSAFE.sub("_", f"{number}_{description}")).rstrip(" ")


def is_collected_folder(name: str, number: int | str, description: str) -> bool:
    """Whether a folder is that of a task: named by D-GARA as it is, or by :func:`collected_folder`."""
    return name == f"{number}_{description}" or name == collected_folder(number, description)


def _shortened(name: str) -> str:
    return name.encode("utf-8", "replace")[:_MAX_BYTES].decode("utf-8", "ignore")

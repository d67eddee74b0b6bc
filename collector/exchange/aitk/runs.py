"""Episode and outcome of an AITK run, from its configuration, its folder and its last step."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from collector.exchange.aitk.verdicts import task_verdict
from collector.exchange.source.model import SourceStep
from collector.model.action import Answer, Complete, Impossible, Invalid
from collector.model.episode import Episode, Outcome
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.verdicts.judgement import UNCOMPLETED, UNDECIDED, Judgement

RUNS = "saves"
"""The folder of experiments, by AITK's default; a run right in it has no experiment."""
DEFAULT_BUDGET = 50
"""Steps that AITK gives a task without ``max_steps``."""
_NUMBERED = re.compile(r"_(\d+)")
_SCREENSHOT_ONLY = frozenset((
    "autoglm", "infigui_g1", "infigui_r1", "qwen25_vl", "qwen3_vl", "ui_genie", "ui_tars", "ui_venus",
))  # fmt: skip
"""The translators of AITK itself: each sends its model the screenshot and no tree."""


def episode_of(folder: Path, exp_args: object, task_name: str, experiment_folder: str) -> Episode:
    """The episode of a run in ``folder``; ``exp_args`` is AITK's whole configuration.

    Runs through Appium have none; their experiment is the folder they lie in.
    """
    config = _mapping(exp_args)
    arguments, experiment = _mapping(config.get("translator_args")), _mapping(config.get("experiment"))
    agent = _text(config.get("translator"))
    # A folder with a number after the name of its task is one of several runs of it.
    number = _NUMBERED.fullmatch(folder.name.removeprefix(task_name)) if task_name else None
    return Episode(
        experiment=_text(experiment.get("name")) or (experiment_folder if exp_args is None else ""),
        agent=agent,
        # A translator is named after the model it speaks with, unless it has arguments for several.
        model=_text(arguments.get("model") or arguments.get("model_name")) or agent,
        modality="screenshot" if agent in _SCREENSHOT_ONLY else "",
        repeat=max(0, int(number[1]) - 1) if number else None,
    )


def device_of(exp_args: object) -> dict[str, str]:
    """What the configuration says of the device: serial number, emulator image, backend."""
    config = _mapping(exp_args)
    device, experiment = _mapping(config.get("device")), _mapping(config.get("experiment"))
    given = {
        "serial": device.get("udid"),
        "avd": device.get("avd_name"),
        "backend": experiment.get("backend"),
    }
    return {name: _text(value) for name, value in given.items() if value}


def outcome_of(task: Task, steps: Sequence[SourceStep], judgements: Sequence[Judgement]) -> Outcome:
    """How a run ended. Without a word of completion it is uncompleted, whatever was reached (ProBench)."""
    acted = [step.action for step in steps if step.action is not None]
    last = acted[-1] if acted else None
    claimed = last.kind if isinstance(last, (Answer, Complete, Impossible)) else ""
    budget = task.max_steps or DEFAULT_BUDGET
    if not claimed and len(acted) >= budget:
        reason = _("The budget of {count} steps ended without a completion signal", count=budget)
        return Outcome(status=UNCOMPLETED, reason=reason)
    verdict = task_verdict(judgements)
    reason = verdict.reason if verdict is not None else ""
    if not reason and isinstance(last, Invalid):
        reason = _("An answer that is no action ended the run")
    status = verdict.verdict if verdict is not None and verdict.verdict != UNDECIDED else ""
    return Outcome(status=status, reason=reason, claimed=claimed)


def cut_short() -> Outcome:
    """The outcome of a run whose history was never written: AITK writes it at the end."""
    return Outcome(infrastructure=_("AITK was ended before it wrote the history of the run"))


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return str(value) if isinstance(value, (str, int, float)) and value else ""

"""What the verbs that replay have in common: their options, and who judges the end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from collector.cli.rule_files import ProjectRules
from collector.device.connection import AdbConnectionDevice
from collector.device.errors import DeviceError
from collector.model.task import Task
from collector.model.words import _
from collector.replay.judging import Judge
from collector.replay.replay import PATIENCE_S, Options
from collector.rules.images import Pictures
from collector.rules.model import STATE, SUCCESS, Rule

if TYPE_CHECKING:
    from collector.rules.view import Picture


def replay_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--patience``, ``--fresh`` and ``--text``, which :func:`options_of` reads."""

    patience = click.option(
        "--patience", type=click.FloatRange(0), default=PATIENCE_S, show_default=True,
        help="Seconds to wait for the screen a step was recorded on.",
    )  # fmt: skip
    fresh = click.option(
        "--fresh", is_flag=True, help="Delete all data of the task's app before each replay (pm clear)."
    )
    texts = click.option(
        "--text", "texts", metavar="STEP=TEXT", multiple=True,
        help="What to type at a step whose text was hidden when recorded; may be repeated.",
    )  # fmt: skip
    return patience(fresh(texts(command)))


def options_of(patience: float, fresh: bool, texts: tuple[str, ...]) -> Options:
    """What the three options say. Raises click.BadParameter."""
    return Options(fresh=fresh, patience_s=patience, texts=_texts(texts))


def judges(own: ProjectRules | None, device: AdbConnectionDevice) -> Callable[[Task | None], Judge]:
    """Who judges the end of a task: its success rule, where ``own`` has one."""
    rules = own.rules() if own is not None else []

    def judge(task: Task | None) -> Judge:
        if own is None or task is None:
            return Judge()
        states = [
            rule
            for rule in rules
            if rule.kind == STATE and (rule.task in ("", task.id) or rule.id in task.essential_states)
        ]
        pictures = Pictures(own.project.folder)
        return Judge(
            success_rule(rules, task), states, own.project.semantics, pictures, lambda: _picture(device)
        )

    return judge


def success_rule(rules: list[Rule], task: Task) -> Rule | None:
    """The success rule a task names."""
    return next((rule for rule in rules if rule.kind == SUCCESS and rule.id == task.rule_key), None)


def _picture(device: AdbConnectionDevice) -> Picture | None:
    from collector.device.screencap_source import take_screenshot

    try:
        return take_screenshot(device, threading.Event()).rgb()
    except DeviceError:
        return None


def _texts(given: tuple[str, ...]) -> dict[int, str]:
    pairs = [one.partition("=") for one in given]
    if not all(number.isdecimal() and equals for number, equals, _text in pairs):
        raise click.BadParameter(_("write it as STEP=TEXT"), param_hint="--text")
    return {int(number): text for number, _equals, text in pairs}

"""Which recorded actions may become a part of a program: a stranger's recording must not write code."""

from __future__ import annotations

from collector.adb.keys import action_key
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.plain_actions import is_plain
from collector.exchange.scripts.script import ScriptStep
from collector.model.action import HELD_FROM_MS, Action, Key, OpenApp
from collector.model.i18n import _
from collector.model.phone.android_names import is_package


def is_exportable(action: Action) -> bool:
    """Whether its numbers are numbers, and its key, direction and package are such.

    A file of a recording may hold anything there, and a shell would run it.
    """
    if not is_plain(action):
        return False
    match action:
        case OpenApp():
            return is_package(action.package)
        case Key():
            # The tools press keys; a long press does something else.
            return _is_key(action.key) and action.duration_ms < HELD_FROM_MS
        case _:
            return True


def _is_key(name: str) -> bool:
    try:
        action_key(name)
    except ValueError:
        return False
    return True


def left_out(tool: str, step: ScriptStep, log: ExchangeLog) -> str:
    """Report a step that ``tool`` cannot do, and return the sentence with which the program ends there."""
    text = _("{tool} cannot do this step: {action}", tool=tool, action=step.words)
    log.add("step-left-out", text, step=step.number)
    return f"Step {step.number} cannot be done: {step.words}"

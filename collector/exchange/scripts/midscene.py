"""Golden trajectories as YAML scripts of Midscene (https://midscenejs.com): a model finds what is named."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

import yaml

from collector.adb.keys import action_key
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.scripts.exportable import is_exportable, left_out
from collector.exchange.scripts.gestures import scroll_ends, shares
from collector.exchange.scripts.script import PhoneScript, ScriptStep, StateCheck
from collector.exchange.scripts.script_export import head_lines, script_format
from collector.model.action import (
    Action,
    Drag,
    Key,
    OpenApp,
    Scroll,
    Swipe,
    Tap,
    Type,
    Wait,
)
from collector.model.i18n import N_

_WAIT_MS = 20_000
Command = dict[str, Any]


def render(script: PhoneScript, log: ExchangeLog) -> str:
    """The YAML of a script."""
    flow: list[Command] = []
    for part in script.parts:
        flow += [_check(part)] if isinstance(part, StateCheck) else _step(part, log)
    task = {"name": (" ".join(script.instruction.split()) or script.task).replace("${", "$ {"), "flow": flow}
    value = {"android": {}, "tasks": [task]}
    lines = [f"# {line}".rstrip() for line in head_lines(script)]
    lines += ["# Run it with a model: npx @midscene/cli THIS_FILE"]
    text = yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=1000)
    return "\n".join([*lines, text])


def _check(check: StateCheck) -> Command:
    return {"aiWaitFor": check.words.replace("${", "$ {"), "timeout": _WAIT_MS}


def _step(step: ScriptStep, log: ExchangeLog) -> Iterator[Command]:
    match step.action:
        case Action() if not is_exportable(step.action) or _reads_environment(step):
            yield {"aiAssert": left_out("Midscene", step, log)}
        case Tap():
            yield {"aiTap": _prompt(step)}
        case Type():
            text = f"${{{step.secret}}}" if step.secret else step.action.text
            yield {"aiInput": text, "locate": _prompt(step)}
        case OpenApp():
            yield {"launch": step.action.package}
        case Wait():
            return
        case _:
            shell = _shell(step, step.action)
            yield {"runAdbShell": shell} if shell else {"aiAct": step.words}


def _reads_environment(step: ScriptStep) -> bool:
    """Whether Midscene would put a variable of the environment, as a key of an endpoint, into its texts."""
    typed = step.action.text if isinstance(step.action, Type) else ""
    return any("${" in text for text in (typed, step.label, step.words))


def _prompt(step: ScriptStep) -> str:
    """The words for what is touched, with its place where it has none."""
    if step.label:
        return " ".join(step.label.split())
    point = step.action.point
    if point is None:
        return "the text field in use"
    across, down = shares(point, step.screen)
    return f"what is at {round(across * 100)} % of the width and {round(down * 100)} % of the height"


def _shell(step: ScriptStep, action: Action) -> str:
    """The command of a gesture or key, in pixels of the recorded screen; empty when a model has to do it."""
    match action:
        case Scroll():
            return _shell(step, scroll_ends(action, step.screen))
        case Swipe() | Drag():
            verb = "draganddrop" if isinstance(action, Drag) else "swipe"
            return shlex.join(["input", verb, *map(str, (action.x1, action.y1, action.x2, action.y2,
                                                         max(action.duration_ms, 1)))])  # fmt: skip
        case Key():
            code, meta = action_key(action.key)
            return f"input keycombination CTRL_LEFT {code}" if meta else f"input keyevent {code}"
        case _:
            return ""


FORMAT = script_format(
    "midscene",
    N_("Midscene scripts"),
    N_("A YAML script for each golden trajectory, in the folder of its task"),
    ".yaml",
    render,
)

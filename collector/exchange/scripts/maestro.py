"""Golden trajectories as flows of Maestro (https://docs.maestro.dev), which waits and settles by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.scripts.exportable import is_exportable, left_out
from collector.exchange.scripts.gestures import scroll_ends, shares
from collector.exchange.scripts.locators import Locator
from collector.exchange.scripts.script import PhoneScript, ScriptStep, StateCheck
from collector.exchange.scripts.script_export import head_lines, script_format
from collector.model.action import (
    Action,
    DoubleTap,
    Key,
    LongPress,
    OpenApp,
    Scroll,
    Swipe,
    Tap,
    Type,
    Wait,
)
from collector.model.geometry import Point
from collector.model.i18n import N_, _
from collector.model.phone.android_names import is_package

_WAIT_MS = 20_000
_SPECIAL = re.compile(r"([\\.^$*+?()\[\]{}|])")
_KEYS = {
    "back": "back", "home": "home", "enter": "enter", "delete": "backspace", "power": "power",
    "volume_up": "volume up", "volume_down": "volume down", "tab": "tab",
}  # fmt: skip
_FLAGS = ("enabled", "checked", "focused", "selected")
_AROUND = {"=": "{}", "*=": ".*{}.*", "^=": "{}.*", "$=": ".*{}"}
Command = dict[str, Any]


def render(script: PhoneScript, log: ExchangeLog) -> str:
    """The flow of a script."""
    actions = (part.action for part in script.parts if isinstance(part, ScriptStep))
    opened = (action.package for action in actions if isinstance(action, OpenApp) and is_exportable(action))
    package = script.package if is_package(script.package) else next(opened, "com.android.settings")
    lines = [f"# {line}".rstrip() for line in head_lines(script)]
    lines += [
        "# Run it: maestro test " + " ".join(["THIS_FILE", *(f"-e {name}=..." for name in script.secrets)])
    ]
    lines += [_yaml({"appId": package, "name": script.name}).rstrip(), "---"]
    for part in script.parts:
        written = _check(part, log) if isinstance(part, StateCheck) else _step(part, log)
        lines += [line.rstrip() for line in written]
    return "\n".join([*lines, ""])


def _yaml(value: Any) -> str:
    return yaml.safe_dump(value, allow_unicode=True, sort_keys=False, width=1000)


def selector(locator: Locator) -> Command:
    """What finds an element; empty when it takes more than its own attributes."""
    found: Command = {}
    for term in locator.terms:
        key = {"resource-id": "id", "text": "text", "content-desc": "text"}.get(term.attribute, "")
        if key and key not in found:
            found[key] = _AROUND[term.operator].format(_SPECIAL.sub(r"\\\1", term.value))
        elif term.attribute in _FLAGS and term.operator == "=":
            found[term.attribute] = term.value == "true"
        else:
            return {}
    if found and locator.position is not None:
        found["index"] = locator.position - 1
    return found


def _check(check: StateCheck, log: ExchangeLog) -> Iterator[str]:
    yield f"# State: {' '.join(check.words.split())}"
    for fact in check.facts:
        wanted = selector(fact.element) if fact.element is not None else {}
        if wanted:
            kind = "notVisible" if fact.is_absent else "visible"
            yield _yaml([{"extendedWaitUntil": {kind: wanted, "timeout": _WAIT_MS}}])
        else:
            text = _("A check that Maestro has no selector for is left out: {state}", state=check.words)
            log.add("check-left-out", text)


def _step(step: ScriptStep, log: ExchangeLog) -> Iterator[str]:
    yield f"# {step.number}. {step.words}"
    if isinstance(step.action, Wait):
        return
    command = _command(step, step.action, log) if is_exportable(step.action) else {}
    if not command:
        left_out("Maestro", step, log)
        yield _yaml([{"assertTrue": False}]).rstrip() + "  # this step cannot be done"
        return
    yield _yaml([command])


def _command(step: ScriptStep, action: Action, log: ExchangeLog) -> Command:
    match action:
        case Tap() | DoubleTap() | LongPress():
            name = {"tap": "tapOn", "double_tap": "doubleTapOn", "long_press": "longPressOn"}[action.kind]
            return {name: _place(step, log)}
        case Swipe():
            return _swipe(step, action)
        case Scroll():
            return _swipe(step, scroll_ends(action, step.screen))
        case Type():
            return {"inputText": f"${{{step.secret}}}" if step.secret else action.text.replace("${", "\\${")}
        case Key() if action.key in _KEYS:
            return {"pressKey": _KEYS[action.key]}
        case OpenApp():
            return {"launchApp": {"appId": action.package, "stopApp": False}}
        case _:  # a pinch, a drag, another key
            return {}


def _place(step: ScriptStep, log: ExchangeLog) -> Command:
    for locator in step.target:
        if found := selector(locator):
            return found
    if step.target:
        log.add(
            "place-used", _("The place of a touch is used where Maestro has no selector"), step=step.number
        )
    point = step.action.point
    assert point is not None
    return {"point": _percent(point, step)}


def _swipe(step: ScriptStep, action: Swipe) -> Command:
    ends = {"start": _percent(action.point, step), "end": _percent(action.end, step)}
    return {"swipe": ends | {"duration": max(action.duration_ms, 1)}}


def _percent(point: Point, step: ScriptStep) -> str:
    across, down = shares(point, step.screen)
    return f"{round(across * 100)}%, {round(down * 100)}%"


FORMAT = script_format(
    "maestro",
    N_("Maestro flows"),
    N_("A YAML flow for each golden trajectory, in the folder of its task"),
    ".yaml",
    render,
)

"""Golden trajectories as programs for Appium's Python client 4 and later, with its driver UiAutomator2."""

from __future__ import annotations

import json
from collections.abc import Iterator

from collector.adb.keys import action_key
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.scripts.exportable import is_exportable, left_out
from collector.exchange.scripts.gestures import scroll_ends, shares
from collector.exchange.scripts.locators import Locator
from collector.exchange.scripts.script import PhoneScript, ScreenFact, ScriptStep, StateCheck
from collector.exchange.scripts.script_export import docstring, script_format
from collector.exchange.scripts.ui_selector import ui_selector
from collector.model.action import (
    Action,
    DoubleTap,
    Drag,
    Key,
    LongPress,
    OpenApp,
    Pinch,
    Scroll,
    Swipe,
    Tap,
    Type,
)
from collector.model.i18n import N_
from collector.model.resources import asset


def render(script: PhoneScript, log: ExchangeLog) -> str:
    """The program of a script."""
    run = "Run it with an Appium server: pip install Appium-Python-Client; python THIS_FILE [SERIAL]"
    lines = [docstring(script, run), asset("export", "appium_helpers.py.txt").read_text(encoding="utf-8")]
    lines += ["", "def run(d):"]
    for part in script.parts:
        written = _check(part) if isinstance(part, StateCheck) else _step(part, log)
        lines += (f"    {line}" for line in written)
    lines += ['    print("All steps are done, and every check held")', "", ""]
    lines += ['if __name__ == "__main__":', "    main(run)", ""]
    return "\n".join(lines)


def element(locator: Locator) -> str:
    """The strategy and the value that find an element."""
    words = ui_selector(locator)
    if not words:
        return f"AppiumBy.XPATH, {locator.xpath!r}"
    if list(words) == ["resourceId"]:
        return f"AppiumBy.ID, {words['resourceId']!r}"
    if list(words) == ["description"]:
        return f"AppiumBy.ACCESSIBILITY_ID, {words['description']!r}"
    # Literals of JSON are literals of Java.
    tests = "".join(f".{word}({json.dumps(value)})" for word, value in words.items())
    return f"AppiumBy.ANDROID_UIAUTOMATOR, {f'new UiSelector(){tests}'!r}"


def _check(check: StateCheck) -> Iterator[str]:
    yield f"# State: {' '.join(check.words.split())}"
    for fact in check.facts:
        yield _fact(fact, check.words)


def _fact(fact: ScreenFact, words: str) -> str:
    if fact.element is None:
        return f"in_front(d, package={fact.package!r}, activity={fact.activity!r})"
    return f"{'gone' if fact.is_absent else 'seen'}(d, {words!r}, {element(fact.element)})"


def _step(step: ScriptStep, log: ExchangeLog) -> Iterator[str]:
    yield f"# {step.number}. {step.words}"
    if step.landmark is not None:
        yield f"soon(d, {element(step.landmark)})"
    yield _action(step, step.action, log)


def _action(step: ScriptStep, action: Action, log: ExchangeLog) -> str:
    match action:
        case Action() if isinstance(action, Pinch) or not is_exportable(action):
            return f"raise SystemExit({left_out('Appium', step, log)!r})"
        case Tap():
            return f'd.execute_script("mobile: clickGesture", {_place(step)})'
        case DoubleTap():
            return f'd.execute_script("mobile: doubleClickGesture", {_place(step)})'
        case LongPress():
            place = f"{_place(step)} | {{'duration': {action.duration_ms}}}"
            return f'd.execute_script("mobile: longClickGesture", {place})'
        case Swipe():
            return f"d.swipe({_ends(action, step)}, {action.duration_ms})"
        case Scroll():
            return f"d.swipe({_ends(scroll_ends(action, step.screen), step)}, 300)"
        case Drag():
            return f"drag(d, {_ends(action, step)})"
        case Type():
            text = f'hidden("{step.secret}")' if step.secret else repr(action.text)
            return f'd.execute_script("mobile: type", {{"text": {text}}})'
        case Key():
            code, meta = action_key(action.key)
            return f"d.press_keycode({code}, metastate={meta})" if meta else f"d.press_keycode({code})"
        case OpenApp():
            return f"d.activate_app({action.package!r})"
        case _:
            return "pass  # the next step waits until it can be done"


def _place(step: ScriptStep) -> str:
    if step.target:
        return f"place(d, {element(step.target[0])})"
    point = step.action.point
    assert point is not None
    x, y = shares(point, step.screen)
    return f"dict(zip('xy', at(d, {x}, {y})))"


def _ends(action: Swipe | Drag, step: ScriptStep) -> str:
    places = (shares(point, step.screen) for point in (action.point, action.end))
    return ", ".join(f"*at(d, {x}, {y})" for x, y in places)


FORMAT = script_format(
    "appium",
    N_("Appium scripts in Python"),
    N_("A Python program for each golden trajectory, in the folder of its task"),
    ".py",
    render,
)

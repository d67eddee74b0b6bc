"""Golden trajectories as programs for uiautomator2 (https://github.com/openatx/uiautomator2), version 3."""

from __future__ import annotations

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

_KEY_NAMES = {
    "recents": "recent",
    **{name: name for name in ("back", "home", "enter", "delete", "menu", "search", "power", "volume_up",
                               "volume_down", "up", "down", "left", "right")},
}  # fmt: skip
_HELPERS = '''
WAIT = 20  # seconds that an element may take to come
SOON = 5  # seconds that a new screen may take, whatever is on it


def place(element):
    """Where an element is, once it is on the screen."""
    assert element.wait(timeout=WAIT), f"This is not on the screen: {element}"
    return element.center() if isinstance(element, u2.UiObject) else element.get().center()


def in_front(d, package="", activity=""):
    """Wait until an app or an activity is in front."""
    end = time.time() + WAIT
    while True:
        app = d.app_current()
        name = app["activity"]
        full = app["package"] + name if name.startswith(".") else name
        if app["package"] == (package or app["package"]) and full.endswith(activity):
            return
        assert time.time() < end, f"{package or activity} is not in front, but {app}"
        time.sleep(0.2)
'''


_HIDDEN = '''

def hidden(name):
    """A text that the recording does not hold."""
    if name not in os.environ:
        raise SystemExit(f"Set the environment variable {name} to the hidden text")
    return os.environ[name]
'''


def render(script: PhoneScript, log: ExchangeLog) -> str:
    """The program of a script."""
    lines = [docstring(script, "Run it: pip install uiautomator2; python THIS_FILE [SERIAL]")]
    lines += ["import os"] if script.secrets else []
    lines += ["import sys", "import time", "", "import uiautomator2 as u2"]
    lines += [_HELPERS + _HIDDEN * bool(script.secrets)]
    lines += ["", "def run(d):"]
    for part in script.parts:
        lines += (
            f"    {line}" for line in (_check(part) if isinstance(part, StateCheck) else _step(part, log))
        )
    lines += ['    print("All steps are done, and every check held")', "", ""]
    lines += ['if __name__ == "__main__":', "    run(u2.connect(*sys.argv[1:2]))", ""]
    return "\n".join(lines)


def element(locator: Locator) -> str:
    """The expression for an element."""
    words = ui_selector(locator)
    if not words:
        return f"d.xpath({locator.xpath!r})"
    return f"d({', '.join(f'{word}={value!r}' for word, value in words.items())})"


def _check(check: StateCheck) -> Iterator[str]:
    yield f"# State: {' '.join(check.words.split())}"
    for fact in check.facts:
        yield from _fact(fact, check.words)


def _fact(fact: ScreenFact, words: str) -> Iterator[str]:
    if fact.element is None:
        key, value = ("package", fact.package) if fact.package else ("activity", fact.activity)
        yield f"in_front(d, {key}={value!r})"
    elif fact.is_absent:
        yield f"assert {element(fact.element)}.wait_gone(timeout=WAIT), {words!r}"
    else:
        yield f"assert {element(fact.element)}.wait(timeout=WAIT), {words!r}"


def _step(step: ScriptStep, log: ExchangeLog) -> Iterator[str]:
    yield f"# {step.number}. {step.words}"
    if step.landmark is not None:
        yield f"{element(step.landmark)}.wait(timeout=SOON)"
    yield from _action(step, step.action, log)


def _action(step: ScriptStep, action: Action, log: ExchangeLog) -> Iterator[str]:
    match action:
        case Action() if isinstance(action, Pinch) or not is_exportable(action):
            yield f"raise SystemExit({left_out('uiautomator2', step, log)!r})"
        case Tap():
            yield f"d.click({_place(step)})"
        case DoubleTap():
            yield f"d.double_click({_place(step)})"
        case LongPress():
            yield f"d.long_click({_place(step)}, {action.duration_ms / 1000})"
        case Swipe():
            yield f"d.swipe({_ends(action, step)}, duration={action.duration_ms / 1000})"
        case Drag():
            yield f"d.drag({_ends(action, step)}, duration={action.duration_ms / 1000})"
        case Scroll():
            yield f"d.swipe({_ends(scroll_ends(action, step.screen), step)}, duration=0.3)"
        case Type():
            text = f'hidden("{step.secret}")' if step.secret else repr(action.text)
            yield f"d.send_keys({text})"
        case Key():
            yield f"d.press({_key(action.key)})"
        case OpenApp():
            yield f"d.app_start({action.package!r})"
        case _:
            yield "pass  # the next step waits until it can be done"


def _place(step: ScriptStep) -> str:
    if step.target:
        return f"*place({element(step.target[0])})"
    point = step.action.point
    assert point is not None
    x, y = shares(point, step.screen)
    return f"{x}, {y}"


def _ends(action: Swipe | Drag, step: ScriptStep) -> str:
    places = (*shares(action.point, step.screen), *shares(action.end, step.screen))
    return ", ".join(map(str, places))


def _key(name: str) -> str:
    if name in _KEY_NAMES:
        return repr(_KEY_NAMES[name])
    code, meta = action_key(name)
    return f"{code}, {meta}" if meta else str(code)


FORMAT = script_format(
    "uiautomator2",
    N_("uiautomator2 scripts"),
    N_("A Python program for each golden trajectory, in the folder of its task"),
    ".py",
    render,
)

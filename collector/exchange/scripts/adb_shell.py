"""Golden trajectories as shell programs that need nothing but adb: `uiautomator dump` and `input`."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from collector.adb.keys import action_key
from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.scripts.exportable import is_exportable, left_out
from collector.exchange.scripts.gestures import scroll_ends
from collector.exchange.scripts.locators import Locator
from collector.exchange.scripts.script import PhoneScript, ScreenFact, ScriptStep, StateCheck
from collector.exchange.scripts.script_export import head_lines, script_format
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
from collector.model.geometry import Point
from collector.model.i18n import N_, _
from collector.model.resources import asset


def render(script: PhoneScript, log: ExchangeLog) -> str:
    """The program of a script."""
    helpers = asset("export", "adb_script.sh").read_text(encoding="utf-8")
    steps = [part for part in script.parts if isinstance(part, ScriptStep)]
    screen = steps[0].screen if steps else None
    lines = ["#!/bin/sh", *(f"# {line}".rstrip() for line in head_lines(script))]
    lines += ["# Run it: sh THIS_FILE [SERIAL]", "", "set -eu"]
    lines += [f': "${{{name}:?Set it to the hidden text}}"' for name in script.secrets]
    lines += [f"WIDE={screen.width if screen else 1} HIGH={screen.height if screen else 1}"]
    lines += ["# Pixels of the recorded screen.", helpers]
    for part in script.parts:
        lines += _check(part, log) if isinstance(part, StateCheck) else _step(part, log)
    lines += ["", 'echo "All steps are done, and every check held"', ""]
    return "\n".join(lines)


def element(locator: Locator) -> str:
    """The words that ask for an element; empty when it takes more than its own attributes."""
    if not locator.terms:
        return ""
    words = [str(locator.position or 1)]
    for term in locator.terms:
        words += [term.attribute, term.operator, _escaped(term.value)]
    return " ".join(map(shlex.quote, words))


def _escaped(text: str) -> str:
    """A text as a dump writes it in an attribute, but for quotes, which the program reads as they are."""
    for character, reference in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
        text = text.replace(character, reference)
    return "".join(f"&#{ord(c)};" if c in "\t\n\r" else c for c in text)


def _check(check: StateCheck, log: ExchangeLog) -> Iterator[str]:
    yield ""
    yield f"# State: {' '.join(check.words.split())}"
    for fact in check.facts:
        yield from _fact(fact, check.words, log)


def _fact(fact: ScreenFact, words: str, log: ExchangeLog) -> Iterator[str]:
    if fact.element is None:
        yield f"in_front {shlex.quote(fact.package or fact.activity)}"
        return
    wanted = element(fact.element)
    if not wanted:
        log.add(
            "check-left-out", _("A check by XPath is left out, which a shell cannot do: {state}", state=words)
        )
        yield f": # not checked: {fact.element.xpath}".replace("\n", " ")
    else:
        yield f"{'gone' if fact.is_absent else 'seen'} {shlex.quote(words)} {wanted}"


def _step(step: ScriptStep, log: ExchangeLog) -> Iterator[str]:
    yield ""
    yield f"# {step.number}. {step.words}"
    if step.landmark is not None and (wanted := element(step.landmark)):
        yield f"soon {wanted}"
    yield from _action(step, step.action, log)


def _action(step: ScriptStep, action: Action, log: ExchangeLog) -> Iterator[str]:
    match action:
        case Action() if not _can_do(action):
            yield f"fail {shlex.quote(left_out('adb shell input', step, log))}"
        case Tap():
            yield f"touch_it tap {_place(step, log)}"
        case DoubleTap():
            yield f"touch_it double_tap {_place(step, log)}"
        case LongPress():
            yield f"touch_it hold_{max(action.duration_ms, 1)} {_place(step, log)}"
        case Swipe():
            yield _swipe("swipe", action)
        case Drag():
            yield _swipe("draganddrop", action)
        case Scroll():
            yield _swipe("swipe", scroll_ends(action, step.screen))
        case Type():
            yield f"type_text {_text(step, action)}"
        case Key():
            code, meta = action_key(action.key)
            yield "keys " + ("CTRL_LEFT " if meta else "") + str(code)
        case OpenApp():
            yield f"open_app {shlex.quote(action.package)}"
        case _:
            yield ": # the next step waits until it can be done"


def _can_do(action: Action) -> bool:
    """Whether `input` knows it: it has one finger and types ASCII, where %s is a space."""
    if isinstance(action, Type):
        return action.text.isascii() and "%s" not in action.text
    return is_exportable(action) and not isinstance(action, Pinch)


def _text(step: ScriptStep, action: Type) -> str:
    return f'"${step.secret}"' if step.secret else shlex.quote(action.text)


def _place(step: ScriptStep, log: ExchangeLog) -> str:
    for locator in step.target:
        if wanted := element(locator):
            return wanted
    if step.target:
        text = _("The place of a touch is used where a shell cannot find the element")
        log.add("place-used", text, step=step.number)
    point = step.action.point
    assert point is not None
    return f"at {_spot(point)}"


def _swipe(verb: str, action: Swipe | Drag) -> str:
    return f"draw {verb} {_spot(action.point)} {_spot(action.end)} {max(action.duration_ms, 1)}"


def _spot(point: Point) -> str:
    return f"{point.x} {point.y}"


FORMAT = script_format(
    "adb-shell",
    N_("Shell scripts for adb"),
    N_("A shell program for each golden trajectory, in the folder of its task"),
    ".sh",
    render,
)

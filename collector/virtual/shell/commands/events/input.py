"""``input``: taps, swipes, text and keys, as InputShellCommand of Android 12 and later."""

from __future__ import annotations

import time

from collector.adb.keys import CODES, MODIFIERS, key_code
from collector.model.phone.touch import TouchAction
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_SOURCES = frozenset(
    {"dpad", "gamepad", "joystick", "keyboard", "mouse", "rotaryencoder", "stylus", "touchnavigation"}
    | {"touchpad", "touchscreen", "trackball"}
)
_DEFAULT_SWIPE_MS = 300
_STEP = 1 / 120
_LONG_PRESS = 0.4
_START_SECONDS = 0.04

_USAGE = """Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]

The sources are:
      touchnavigation
      touchscreen
      joystick
      stylus
      touchpad
      gamepad
      dpad
      mouse
      keyboard
      trackball
      rotaryencoder

The commands and default sources are:
      text <string> (Default: keyboard)
      keyevent [--longpress|--duration <duration to hold key down in ms>] [--doubletap] [--async] [--delay <duration between keycodes in ms>] <key code number or name> ... (Default: keyboard)
      tap <x> <y> (Default: touchscreen)
      swipe <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      draganddrop <x1> <y1> <x2> <y2> [duration(ms)] (Default: touchscreen)
      press (Default: trackball)
      roll <dx> <dy> (Default: trackball)
      motionevent <DOWN|UP|MOVE|CANCEL> <x> <y> (Default: touchscreen)
      scroll (Default: rotaryencoder). Has the following syntax:
            scroll <x> <y> [axis_value] (for pointer-based sources)
            scroll [axis_value] (for non-pointer-based sources)
            Axis options: SCROLL, HSCROLL, VSCROLL
      keycombination [-t duration(ms)] <key code 1> <key code 2> ... (Default: keyboard, the key order is important here.)
"""  # noqa: E501 - to the letter


_DENIED = """
Exception occurred while executing 'input':
java.lang.SecurityException: Injecting input events requires the caller (or the source of the instrumentation, if any) to have the INJECT_EVENTS permission."""  # noqa: E501 - to the letter


@command("input")
def input_(process: Process) -> int:
    """Inject one gesture or key and wait until it is done."""
    words = list(process.arguments)
    if words and words[0] in _SOURCES:
        words.pop(0)
    if len(words) >= 2 and words[0] == "-d":
        words = words[2:]
    if not words:
        process.out(_USAGE)
        return 255
    process.simulate_duration(_START_SECONDS)
    if "input-denied" in process.machine.faults:
        process.err(_DENIED)
        return 255
    action = _ACTIONS.get(words[0])
    if action is None:
        process.err(f"Error: Unknown command: {words[0]}")
        process.out(_USAGE)
        return 255
    return action(process, words[1:])


def _numbers(process: Process, words: list[str], minimum: int, maximum: int) -> list[float]:
    if not minimum <= len(words) <= maximum:
        process.err("Error: Invalid arguments for command: " + process.arguments[0])
        raise CommandError(_USAGE.rstrip("\n"), 255)
    try:
        return [float(word) for word in words]
    except ValueError as error:
        invalid = str(error).partition(": ")[2].strip("'")
        raise CommandError(
            f"\nException occurred while executing '{process.arguments[0]}':\n"
            f'java.lang.NumberFormatException: For input string: "{invalid}"',
            255,
        ) from None


def _tap(process: Process, words: list[str]) -> int:
    x, y = _numbers(process, words, 2, 2)
    phone = process.machine.phone
    phone.touch(TouchAction.DOWN, 0, x, y)
    phone.touch(TouchAction.UP, 0, x, y)
    return 0


def _swipe(process: Process, words: list[str]) -> int:
    x1, y1, x2, y2, *rest = _numbers(process, words, 4, 5)
    _glide(process, (x1, y1), (x2, y2), (rest[0] if rest and rest[0] >= 0 else _DEFAULT_SWIPE_MS) / 1000, 0.0)
    return 0


def _drag_and_drop(process: Process, words: list[str]) -> int:
    x1, y1, x2, y2, *rest = _numbers(process, words, 4, 5)
    seconds = (rest[0] if rest and rest[0] >= 0 else _DEFAULT_SWIPE_MS) / 1000
    _glide(process, (x1, y1), (x2, y2), seconds, _LONG_PRESS + 0.1)
    return 0


def _glide(
    process: Process, start: tuple[float, float], end: tuple[float, float], seconds: float, hold: float
) -> None:
    """Touch down, hold, move at the display's frame rate, touch up; gestures take their time on any
    phone."""
    phone = process.machine.phone
    phone.touch(TouchAction.DOWN, 0, *start)
    finished = False
    try:
        process.sleep(hold)
        begun = time.monotonic()
        share = 0.0
        while share < 1:
            # By the clock: a phone that is mirrored takes a touch only when it has drawn.
            left = begun + seconds - time.monotonic()
            process.sleep(max(0.0, min(_STEP, left)))
            share = min(1.0, (time.monotonic() - begun) / seconds) if seconds > 0 else 1.0
            phone.touch(
                TouchAction.MOVE,
                0,
                start[0] + (end[0] - start[0]) * share,
                start[1] + (end[1] - start[1]) * share,
            )
        finished = True
    finally:
        phone.touch(TouchAction.UP if finished else TouchAction.CANCEL, 0, *end)


def _motion_event(process: Process, words: list[str]) -> int:
    actions = {
        action.name: action
        for action in (TouchAction.DOWN, TouchAction.UP, TouchAction.MOVE, TouchAction.CANCEL)
    }
    action = actions.get(words[0].upper()) if words else None
    if action is None:
        raise CommandError(f"Error: Unknown action: {words[0] if words else ''}", 255)
    x, y = _numbers(process, words[1:], 2, 2) if len(words) > 1 else (0.0, 0.0)
    process.machine.phone.touch(action, 0, x, y)
    return 0


def _text(process: Process, words: list[str]) -> int:
    if len(words) != 1:
        raise CommandError("Error: Invalid arguments for command: text", 255)
    text = words[0].replace("%s", " ")
    if not all(" " <= character <= "~" for character in text):
        # A phone prints this when its key character map has no key for a character.
        raise CommandError(
            "\nException occurred while executing 'text':\n"
            "java.lang.NullPointerException: Attempt to get length of null array\n"
            "\tat com.android.server.input.InputShellCommand.sendText(InputShellCommand.java:385)",
            255,
        )
    process.machine.phone.commit_text(text)
    return 0


def _key_event(process: Process, words: list[str]) -> int:
    options = {"--longpress": 0, "--doubletap": 0, "--async": 0, "--duration": 1, "--delay": 1}
    parsed: dict[str, str] = {}
    while words and words[0] in options:
        name = words.pop(0)
        parsed[name] = words.pop(0) if options[name] and words else ""
    if not words:
        raise CommandError("Error: Invalid arguments for command: keyevent", 255)
    hold = _LONG_PRESS + 0.1 if "--longpress" in parsed else float(parsed.get("--duration") or 0) / 1000
    for word in words:
        code = _code(word)
        for _press in range(2 if "--doubletap" in parsed else 1):
            _press_key(process, code, hold)
        process.sleep(float(parsed.get("--delay") or 0) / 1000)
    return 0


def _code(word: str) -> int:
    try:
        return key_code(word)
    except ValueError:
        raise CommandError(
            "\nException occurred while executing 'keyevent':\n"
            f"java.lang.IllegalArgumentException: Unknown keycode: {word}",
            255,
        ) from None


def _press_key(process: Process, code: int, hold: float) -> None:
    phone = process.machine.phone
    if not hold:
        phone.key(code)
        return
    phone.key(code, True)
    try:
        process.sleep(hold)
    finally:
        phone.key(code, False)


def _key_combination(process: Process, words: list[str]) -> int:
    if words[:1] == ["-t"]:
        words = words[2:]
    if len(words) < 2:
        raise CommandError("Error: Invalid arguments for command: keycombination", 255)
    codes = [_code(word) for word in words]
    phone, meta = process.machine.phone, 0
    for code in codes:
        meta |= MODIFIERS.get(code, 0)
        phone.key(code, True, meta)
    for code in reversed(codes):
        phone.key(code, False, meta)
        meta &= ~MODIFIERS.get(code, 0)
    return 0


def _press(process: Process, words: list[str]) -> int:
    del words
    process.machine.phone.key(CODES["DPAD_CENTER"])
    return 0


def _roll(process: Process, words: list[str]) -> int:
    dx, dy = _numbers(process, words, 2, 2)
    if dx:
        process.machine.phone.key(CODES["DPAD_RIGHT" if dx > 0 else "DPAD_LEFT"])
    if dy:
        process.machine.phone.key(CODES["DPAD_DOWN" if dy > 0 else "DPAD_UP"])
    return 0


def _scroll(process: Process, words: list[str]) -> int:
    places = [word for word in words if not word.startswith("--")]
    axes = [words[number + 1] for number, word in enumerate(words[:-1]) if word == "--axis"]
    values = dict(axis.split(",", 1) for axis in axes if "," in axis)
    places = [word for word in places if word not in axes]
    x, y = _numbers(process, places[:2], 2, 2)
    vertical = float(values.get("VSCROLL", values.get("SCROLL", 0)))
    process.machine.phone.scroll(x, y, float(values.get("HSCROLL", 0)), vertical)
    return 0


_ACTIONS = {
    "tap": _tap,
    "swipe": _swipe,
    "touchscreen": _swipe,
    "draganddrop": _drag_and_drop,
    "motionevent": _motion_event,
    "text": _text,
    "keyevent": _key_event,
    "keycombination": _key_combination,
    "press": _press,
    "roll": _roll,
    "scroll": _scroll,
}

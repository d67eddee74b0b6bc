"""A phone for agents that were written for BrowserGym: its observations and actions on a virtual phone.

    environment = PhoneAsBrowser()
    observation, info = environment.reset("todo-tick", seed=3)
    observation, reward, terminated, truncated, info = environment.step("click('12')")

What an agent of BrowserGym reads is there under the same keys, but ``dom_object``: a phone has no HTML. Its
actions are those of BrowserGym's ``HighLevelActionSet``. BrowserGym itself is not needed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from screen_as_page import page_of

from collector.agents.screen_elements import ScreenElement
from collector.environment.observation import StepObservation
from collector.environment.phone_environment import PhoneEnvironment, StepResult
from collector.model.action import (
    Action,
    Answer,
    DoubleTap,
    Drag,
    Impossible,
    Key,
    LongPress,
    OpenApp,
    Swipe,
    Tap,
    Type,
    Wait,
)
from collector.model.geometry import Rect

_CODE = re.compile(r"```(?:\w*\n)?(.*?)```", re.DOTALL)
_KEYS = {
    "enter": "enter", "backspace": "delete", "tab": "tab", "escape": "escape", "arrowup": "up",
    "arrowdown": "down", "arrowleft": "left", "arrowright": "right", "control+a": "select_all",
    "control+c": "copy", "control+v": "paste", "control+x": "cut",
}  # fmt: skip
"""Keys by the names that BrowserGym takes from browsers, in small letters."""
_SCROLL_MS = 600
"""Slow enough that nothing goes on scrolling by itself."""
_LONGEST_SCROLL = 0.6
"""Of the side of what scrolls."""


class PhoneAsBrowser:
    """One phone. ``reset`` and ``step`` are those of a BrowserGym environment."""

    def __init__(self, **options: Any) -> None:
        """``options`` are those of :class:`PhoneEnvironment`, such as ``project``, ``size`` and ``apps``."""
        self._phone = PhoneEnvironment(**options)
        self._messages: list[dict[str, Any]] = []
        self._last_action, self._last_error = "", ""
        self._last: StepResult | None = None
        self._actions: dict[str, Callable[..., None]] = {
            each.__name__: each
            for each in (
                self.noop, self.click, self.dblclick, self.fill, self.clear, self.type, self.press,
                self.focus, self.select_option, self.scroll, self.drag_and_drop, self.mouse_click,
                self.mouse_dblclick, self.mouse_drag_and_drop, self.keyboard_press, self.keyboard_type,
                self.keyboard_insert_text, self.check, self.uncheck, self.go_back, self.goto,
                self.send_msg_to_user, self.report_infeasible,
            )
        }  # fmt: skip

    def reset(self, task: str | None = None, **options: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin an episode; ``variation`` and ``seed`` as :meth:`PhoneEnvironment.reset` takes them."""
        self._phone.reset(task, **options)
        self._last_action, self._last_error, self._last = "", "", None
        self._messages = [{"role": "user", "message": self._goal, "timestamp": 0.0}]
        return self._observation(), {"task_info": {}}

    def step(self, action: str) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Do what an answer calls, one call after another, until one fails or the episode is over."""
        self._last_action, self._last_error = action, ""
        try:
            for name, arguments, named in calls_in(action):
                if name not in self._actions:
                    raise NameError(f"a phone has no action {name}")
                self._actions[name](*arguments, **named)
                if self._is_over:
                    break
        except (ValueError, TypeError, NameError, SyntaxError) as error:
            self._last_error = f"{type(error).__name__}: {error}"
        step = self._last
        over = (step.terminated, step.truncated) if step is not None else (False, False)
        reward = step.reward if step is not None else 0.0
        info = {"task_info": dict(step.info) if step is not None else {}}
        return self._observation(), reward, *over, info

    def close(self) -> None:
        """Switch the phone off."""
        self._phone.close()

    # Actions by their names in BrowserGym

    def noop(self, wait_ms: float = 1000) -> None:
        """Wait."""
        self._do(Wait(round(wait_ms)))

    def click(self, bid: str, button: str = "left", modifiers: list[str] | None = None) -> None:
        """Tap an element; the right button holds it. A phone has no modifiers."""
        del modifiers
        self.mouse_click(*self._middle(bid), button)

    def dblclick(self, bid: str, button: str = "left", modifiers: list[str] | None = None) -> None:
        """Tap an element twice."""
        del button, modifiers
        self.mouse_dblclick(*self._middle(bid))

    def fill(self, bid: str, value: str, enable_autocomplete_menu: bool = False) -> None:
        """Write a text into a field in place of what it holds."""
        del enable_autocomplete_menu
        self.clear(bid)
        if value and not self._is_over:
            self.keyboard_type(value)

    def clear(self, bid: str) -> None:
        """Empty a field."""
        self.focus(bid)
        if self._element(bid).node.text and not self._is_over:
            self._do(Key("select_all"))
            self._do(Key("delete"))

    def type(self, bid: str, text: str) -> None:
        """Write a text into a field behind what it holds: WebArena's name; BrowserGym has `fill`."""
        self.focus(bid)
        self.keyboard_type(text)

    def press(self, bid: str, key_comb: str) -> None:
        """Give an element the focus and press a key."""
        self.focus(bid)
        self.keyboard_press(key_comb)

    def focus(self, bid: str) -> None:
        """Give an element the focus, which on a phone is a tap; one that has it is left alone."""
        if not self._element(bid).node.flag("focused"):
            self.click(bid)

    def check(self, bid: str) -> None:
        """Tick a box that is not ticked."""
        if not self._element(bid).node.flag("checked"):
            self.click(bid)

    def uncheck(self, bid: str) -> None:
        """Untick a box that is ticked."""
        if self._element(bid).node.flag("checked"):
            self.click(bid)

    def scroll(self, delta_x: float, delta_y: float) -> None:
        """Scroll by pixels, right and down for positive ones, with a finger that moves the other way.

        The largest element that scrolls, as it is seen above the keyboard, is a browser's page.
        """
        scrolling = [each.bounds for each in self._seen.elements if each.node.flag("scrollable")]
        size = self._seen.size
        page = max(scrolling, key=_area, default=Rect(0, 0, size.width, size.height))
        across = _within(delta_x, _LONGEST_SCROLL * (page.right - page.left)) / 2
        down = _within(delta_y, _LONGEST_SCROLL * (page.bottom - page.top)) / 2
        x, y = page.center.x, page.center.y
        start, end = (round(x + across), round(y + down)), (round(x - across), round(y - down))
        self._do(Swipe(*start, *end, _SCROLL_MS))

    def select_option(self, bid: str, options: str | list[str]) -> None:
        """Open a menu and tap the option of a name; phones choose one."""
        self.click(bid)
        name = options if isinstance(options, str) else options[0]
        found = next((each for each in self._seen.elements if each.label == name), None)
        if found is None:
            raise ValueError(f"there is no option {name!r}")
        self.click(str(found.index))

    def drag_and_drop(self, from_bid: str, to_bid: str) -> None:
        """Hold an element and drop it on another."""
        self.mouse_drag_and_drop(*self._middle(from_bid), *self._middle(to_bid))

    def mouse_click(self, x: float, y: float, button: str = "left") -> None:
        """Tap a place; the right button holds it."""
        held = button == "right"
        self._do(LongPress(round(x), round(y)) if held else Tap(round(x), round(y)))

    def mouse_dblclick(self, x: float, y: float, button: str = "left") -> None:
        """Tap a place twice."""
        del button
        self._do(DoubleTap(round(x), round(y)))

    def mouse_drag_and_drop(self, from_x: float, from_y: float, to_x: float, to_y: float) -> None:
        """Hold a place and drop it elsewhere."""
        self._do(Drag(round(from_x), round(from_y), round(to_x), round(to_y), 600))

    def keyboard_press(self, key: str) -> None:
        """Press a key, or a combination that phones have; one character is typed."""
        if len(key) == 1:
            self.keyboard_type(key)
        elif (known := key.lower().replace("controlormeta", "control")) in _KEYS:
            self._do(Key(_KEYS[known]))
        else:
            raise ValueError(f"a phone has no key {key}")

    def keyboard_type(self, text: str) -> None:
        """Type where the focus is."""
        self._do(Type(text, len(text)))

    def keyboard_insert_text(self, text: str) -> None:
        """Type where the focus is."""
        self.keyboard_type(text)

    def go_back(self) -> None:
        """Android's Back."""
        self._do(Key("back"))

    def goto(self, url: str) -> None:
        """Open an app by the address that observations give it, as in android-app://com.waymark.shop."""
        scheme, _colon, package = url.partition("://")
        if scheme != "android-app":
            raise ValueError(f"a phone opens android-app://PACKAGE, and not {url}")
        self._do(OpenApp(package.partition("/")[0]))

    def send_msg_to_user(self, text: str) -> None:
        """Give the answer, which says that the task is done."""
        self._messages.append(self._message("assistant", text))
        self._do(Answer(text))

    def report_infeasible(self, reason: str) -> None:
        """Say that the task cannot be done."""
        self._messages.append(self._message("infeasible", reason))
        self._do(Impossible(reason))

    # The phone

    def _do(self, action: Action) -> None:
        """Do one action. Raises ValueError with the reason when nothing was done."""
        if self._is_over:
            raise ValueError("the episode is over")
        self._last = self._phone.step(action)
        if "invalid" in self._last.info:
            raise ValueError(self._last.info["invalid"])

    @property
    def _is_over(self) -> bool:
        return self._last is not None and (self._last.terminated or self._last.truncated)

    @property
    def _seen(self) -> StepObservation:
        seen = self._phone.observation
        if seen is None:
            raise ValueError("call reset first")
        return seen

    @property
    def _goal(self) -> str:
        task = self._phone.task
        return task.instruction if task is not None else ""

    def _element(self, bid: str) -> ScreenElement:
        found = next((each for each in self._seen.elements if str(each.index) == str(bid)), None)
        if found is None:
            raise ValueError(f'no element has the bid "{bid}"')
        return found

    def _middle(self, bid: str) -> tuple[int, int]:
        center = self._element(bid).bounds.center
        return center.x, center.y

    def _message(self, role: str, text: str) -> dict[str, Any]:
        return {"role": role, "message": text, "timestamp": self._seconds}

    @property
    def _seconds(self) -> float:
        return float(self._last.info["seconds"]) if self._last is not None else 0.0

    def _observation(self) -> dict[str, Any]:
        seen, goal = self._seen, self._goal
        address = f"android-app://{seen.package}/{seen.activity}"
        return {
            "chat_messages": tuple(self._messages),
            "goal": goal,
            "goal_object": ({"type": "text", "text": goal},),
            "open_pages_urls": (address,),
            "open_pages_titles": (seen.package,),
            "active_page_index": np.asarray([0]),
            "url": address,
            "screenshot": seen.picture,
            "last_action": self._last_action,
            "last_action_error": self._last_error,
            "elapsed_time": np.asarray([self._seconds]),
            **page_of(seen),
        }


def calls_in(answer: str) -> Iterator[tuple[str, list[Any], dict[str, Any]]]:
    """The calls of an answer: name, arguments and named arguments. Nothing of it is executed.

    What stands in a block of code counts, without one the whole answer. Raises SyntaxError and ValueError.
    """
    blocks = _CODE.findall(answer)
    calls = ast.parse("\n".join(block.strip() for block in blocks or [answer])).body
    if not calls:
        raise ValueError("the answer calls no action")
    for line in calls:
        call = line.value if isinstance(line, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise ValueError("an answer is one or several calls, as in click('12')")
        named = {each.arg: ast.literal_eval(each.value) for each in call.keywords if each.arg is not None}
        yield call.func.id, [ast.literal_eval(value) for value in call.args], named


def _area(bounds: Rect) -> int:
    return (bounds.right - bounds.left) * (bounds.bottom - bounds.top)


def _within(number: float, most: float) -> float:
    return max(-most, min(number, most))

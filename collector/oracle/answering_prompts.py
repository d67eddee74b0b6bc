"""Answer what the system or a pop-up asks, so that the task can go on."""

from __future__ import annotations

from collector.model.action import Action, Key, Swipe, Tap
from collector.oracle.carrying_out import place_of
from collector.virtual.system.phone import Phone
from collector.virtual.system.windows.front_window import FrontWindow
from collector.virtual.system.windows.prompt import Prompt

_ANSWERS = {
    "permission": ("allow", "once"), "crash": ("close",), "anr": ("wait", "close"), "call": ("decline",),
}  # fmt: skip
"""By kind of prompt, the answers that let the task go on, the best first."""


def answer_of_prompt(phone: Phone, front: FrontWindow) -> Action:
    """The action that answers the prompt in front: a button, a swipe to it, or BACK."""
    prompt = front.on_dismiss
    assert isinstance(prompt, Prompt)
    buttons = {
        str(item.widget.on_tap.value): item for item in front.widgets
        if item.widget.on_tap is not None and item.widget.on_tap.name == "prompt"
    }  # fmt: skip
    for answer in (*_wanted(phone, prompt), *_others(prompt, list(buttons))):
        if answer in buttons:
            place = place_of(phone, front, buttons[answer])
            if isinstance(place, Swipe):
                return place
            if place is not None:
                return Tap(place.x, place.y)
    return Key("back")


def _wanted(phone: Phone, prompt: Prompt) -> tuple[str, ...]:
    if prompt.kind != "pop_up":
        return _ANSWERS.get(prompt.kind, ())
    app = next((app.name for app in phone.packages if app.package == prompt.package), "")
    shown = phone.profile.variation.pop_ups_of(app)
    buttons = next((pop_up.buttons for pop_up in shown if pop_up.id == prompt.detail), ())
    closing = [str(number) for number, button in enumerate(buttons) if button.does == "close"]
    leaving = [str(number) for number, button in enumerate(buttons) if button.does not in ("close", "stay")]
    return (*closing, *leaving) if closing or not prompt.cancelable else ()


def _others(prompt: Prompt, answers: list[str]) -> list[str]:
    """Any answer, for a prompt that BACK does not close."""
    return [] if prompt.cancelable or prompt.kind == "pop_up" else answers

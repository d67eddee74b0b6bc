"""The dialer: a pad for a number, which it calls, with the ids of AOSP's dialer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast
from urllib.parse import unquote

from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import INTENT_DATA, STARTED, Activity, App, AppIcon, Context
from collector.virtual.ui.content import texts_of
from collector.virtual.ui.effects import Change, Component, Finish, Intent, PlaceCall, StartActivity
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import MESSENGER

_PACKAGE = "com.android.dialer"
_MAIN, _CALL = ".main.impl.MainActivity", ".PrivilegedCallActivity"
_ACTION = "android.intent.action."
_LONGEST = 40
_DIALLED = "0123456789*#+,;"
_KEYS = (
    (("1", "one", ""), ("2", "two", "ABC"), ("3", "three", "DEF")),
    (("4", "four", "GHI"), ("5", "five", "JKL"), ("6", "six", "MNO")),
    (("7", "seven", "PQRS"), ("8", "eight", "TUV"), ("9", "nine", "WXYZ")),
    (("*", "star", ""), ("0", "zero", "+"), ("#", "pound", "")),
)
"""Each key with its id and letters."""


@dataclass(frozen=True, slots=True)
class DialerState:
    """The number on the pad."""

    locale: str = "en-US"
    number: str = ""


class DialerApp(App[DialerState]):
    """The pad; the call itself has a screen of the system."""

    name = "dialer"
    package = _PACKAGE
    icon = AppIcon("call", "#1F6B3B")
    theme = MESSENGER
    activities = (
        Activity(_MAIN, launcher=True),
        Activity(".DialtactsActivity", actions=(f"{_ACTION}DIAL",)),
        Activity(_CALL, actions=(f"{_ACTION}CALL",), schemes=("tel",)),
    )
    state_type = DialerState
    version = "15"
    version_code = 35
    system = True
    on_home = False
    permissions = ("android.permission.CALL_PHONE", "android.permission.READ_CALL_LOG")

    def label(self, locale: str) -> str:
        return texts_of(self.name, locale)("app")

    def initial(self, seed: int, locale: str) -> DialerState:
        return DialerState(locale)

    def view(self, state: DialerState, context: Context) -> w.Screen:
        say = texts_of(self.name, context.locale)
        height = 40.0 if context.landscape else 68.0
        digits = w.Text(
            text=state.number, size=26 if context.landscape or len(state.number) > 14 else 38, align="center",
            grow=1, id="digits", class_name="android.widget.EditText", max_lines=1,
        )  # fmt: skip
        erase = w.IconButton(
            icon="backspace", id="deleteButton", description=say("erase"), on_tap=Event("erase"),
            on_long_press=Event("clear"),
        )  # fmt: skip
        pad = tuple(
            w.Row(tuple(_key(*key, height) for key in line), gap=14, arrange="center") for line in _KEYS
        )
        call = w.Row(
            (w.Icon(name="call", size=28, color="#FFFFFF", class_name="-"),),
            width=96, height=56 if not context.landscape else 44, radius=28, background="primary",
            arrange="center", align_self="center", id="dialpad_floating_action_button",
            description=say("call"), class_name="android.widget.ImageButton", on_tap=Event("call"),
        )  # fmt: skip
        body = (
            w.Spacer(grow=1),
            w.Row((w.Spacer(width=48), digits, erase), padding=(16, 8)),
            *pad,
            call,
        )
        gap = 6.0 if context.landscape else 12.0
        return w.Screen(w.Column(body, gap=gap, padding=(16, 8, 16, 24), grow=1, id="dialpad_view"))

    def update(self, state: DialerState, event: Event) -> DialerState | Change[DialerState]:
        if event.name == STARTED:
            return _started(state, event)
        if event.name == "digit" and len(state.number) < _LONGEST:
            return replace(state, number=state.number + str(event.key))
        if event.name == "erase":
            return replace(state, number=state.number[:-1])
        if event.name == "clear":
            return replace(state, number="")
        if event.name == "call" and state.number:
            return Change(replace(state, number=""), (PlaceCall(state.number),))
        return state


def _started(state: DialerState, event: Event) -> DialerState | Change[DialerState]:
    """``DIAL`` puts the number of a ``tel:`` address on the pad, ``CALL`` calls it."""
    given = cast("dict[str, Any]", event.value or {})
    address = unquote(str(given.get(INTENT_DATA, ""))).partition(":")[2]
    number = "".join(letter for letter in address if letter in _DIALLED)[:_LONGEST]
    if event.key == _CALL:
        return Change(state, (Finish(), PlaceCall(number))) if number else Change(state, (Finish(),))
    if event.key == _MAIN:
        return state
    pad = StartActivity(Intent(component=Component(_PACKAGE, _PACKAGE + _MAIN)))
    return Change(replace(state, number=number or state.number), (Finish(), pad))


def _key(digit: str, name: str, letters: str, height: float) -> w.Widget:
    label = w.Text(text=digit, size=28 if height > 50 else 20, align="center", id="dialpad_key_number")
    below = w.Text(text=letters, size=10, color="text_2", align="center", id="dialpad_key_letters")
    return w.Column(
        (label, below) if letters and height > 50 else (label,),
        width=92,
        height=height,
        radius=height / 2,
        background="surface_container",
        align="center",
        arrange="center",
        id=name,
        key=name,
        description=f"{digit} {letters}".strip(),
        on_tap=Event("digit", digit),
        on_long_press=Event("digit", "+") if digit == "0" else None,
    )

"""The dialer: a pad for a number, which it calls, and past calls, with the ids of AOSP's dialer."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import Any, cast
from urllib.parse import unquote

from collector.virtual.apps.dates import short_date
from collector.virtual.apps.empty import empty
from collector.virtual.apps.handlers import page_of
from collector.virtual.apps.system_app import SystemApp
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import INTENT_DATA, STARTED, Activity, AppIcon, Context
from collector.virtual.ui.call_record import INCOMING, MISSED, OUTGOING, CallRecord
from collector.virtual.ui.content import AppTexts, texts_of
from collector.virtual.ui.effects import (
    ACTION_PICK,
    ACTION_VIEW,
    ActivityResult,
    Change,
    Finish,
    Intent,
    PlaceCall,
    StartActivity,
)
from collector.virtual.ui.events import Event
from collector.virtual.ui.theme import MESSENGER

_PACKAGE = "com.android.dialer"
_MAIN, _CALL = ".main.impl.MainActivity", ".PrivilegedCallActivity"
_RECENTS = ".app.calllog.CallLogActivity"
_CALL_TYPE = "vnd.android.cursor.dir/calls"
_KINDS = {INCOMING: ("incoming", "text_2"), OUTGOING: ("outgoing", "text_2"), MISSED: ("missed", "error")}
"""The word for each kind of call, and its colour."""
_SHOWN_CALLS = 100
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
    """The number on the pad. The calls are the phone's."""

    locale: str = "en-US"
    number: str = ""


class DialerApp(SystemApp[DialerState]):
    """The pad; the call itself has a screen of the system."""

    name = "dialer"
    package = _PACKAGE
    icon = AppIcon("call", "#1F6B3B")
    theme = MESSENGER
    activities = (
        Activity(_MAIN, launcher=True),
        Activity(".DialtactsActivity", actions=(f"{_ACTION}DIAL",)),
        Activity(_CALL, actions=(f"{_ACTION}CALL",), schemes=("tel",)),
        Activity(_RECENTS, actions=(ACTION_VIEW,), types=(_CALL_TYPE,)),
    )
    state_type = DialerState
    permissions = ("android.permission.CALL_PHONE", "android.permission.READ_CALL_LOG")

    def initial(self, seed: int, locale: str) -> DialerState:
        return DialerState(locale)

    def view(self, state: DialerState, context: Context) -> w.Screen:
        say = texts_of(self.name, context.locale)
        if context.activity == _RECENTS:
            return _recents_screen(context, say)
        height = 40.0 if context.landscape else 68.0 * min(max(context.font_scale, 1.0), 1.25)
        wide = min(92.0, (context.width - 60) / 3)
        digits = w.Text(
            text=state.number, size=26 if context.landscape or len(state.number) > 14 else 38, align="center",
            grow=1, id="digits", class_name="android.widget.EditText", max_lines=1,
        )  # fmt: skip
        erase = w.IconButton(
            icon="backspace", id="deleteButton", description=say("erase"), on_tap=Event("erase"),
            on_long_press=Event("clear"),
        )  # fmt: skip
        pad = tuple(
            w.Row(tuple(_key(*key, wide, height) for key in line), gap=14, arrange="center", mirrors=False)
            for line in _KEYS
        )
        recents = w.IconButton(
            icon="clock", id="recents_button", description=say("recents"), on_tap=Event("recents")
        )
        people = w.IconButton(
            icon="people", id="contacts_button", description=say("contacts"), on_tap=Event("people")
        )
        call = w.Row(
            (w.Icon(name="call", size=28, color="#FFFFFF", class_name="-"),),
            width=96, height=56 if not context.landscape else 44, radius=28, background="primary",
            arrange="center", id="dialpad_floating_action_button",
            description=say("call"), class_name="android.widget.ImageButton", on_tap=Event("call"),
        )  # fmt: skip
        body = (
            w.Spacer(grow=1),
            w.Row((w.Spacer(width=48), digits, erase), padding=(16, 8)),
            *pad,
            w.Row((recents, call, people), gap=36, arrange="center", class_name="-"),
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
        if event.name == "recents":
            return Change(state, (page_of(_PACKAGE, _RECENTS),))
        if event.name == "people":
            asked = Intent(ACTION_PICK, type="vnd.android.cursor.dir/phone_v2")
            return Change(state, (StartActivity(asked, on_result=Event("person")),))
        if event.name == "person" and isinstance(event.value, ActivityResult):
            return replace(state, number=_dialled(str(event.value.extras.get("phone", ""))) or state.number)
        if event.name == "again":
            return Change(state, (PlaceCall(str(event.key)),))
        if event.name == "call" and state.number:
            return Change(replace(state, number=""), (PlaceCall(state.number),))
        return state


def _started(state: DialerState, event: Event) -> DialerState | Change[DialerState]:
    """``DIAL`` puts the number of a ``tel:`` address on the pad, ``CALL`` calls it."""
    given = cast("dict[str, Any]", event.value or {})
    address = unquote(str(given.get(INTENT_DATA, ""))).partition(":")[2]
    number = _dialled(address)
    if event.key == _CALL:
        return Change(state, (Finish(), PlaceCall(number))) if number else Change(state, (Finish(),))
    if event.key in (_MAIN, _RECENTS):
        return state
    return Change(replace(state, number=number or state.number), (Finish(), page_of(_PACKAGE, _MAIN)))


def _dialled(text: str) -> str:
    """What can be dialled of a text."""
    return "".join(letter for letter in text if letter in _DIALLED)[:_LONGEST]


def _recents_screen(context: Context, say: AppTexts) -> w.Screen:
    """The calls that have ended, the newest first; a touch calls the number again."""
    bar = w.AppBar(title=say("recents"), navigation="back")
    if not context.calls:
        return w.Screen(empty("call", say("no_calls"), ""), app_bar=bar)
    rows = tuple(_past_call(call, context, say) for call in context.calls[:_SHOWN_CALLS])
    return w.Screen(
        w.ScrollList(rows, padding=(0, 0, 0, 32), id="new_call_log_recycler", ordered=True), app_bar=bar
    )


def _past_call(call: CallRecord, context: Context, say: AppTexts) -> w.Widget:
    word, color = _KINDS[call.kind]
    began = dt.datetime.fromtimestamp(call.date_ms / 1000, dt.UTC)
    day = "" if began.date() == context.now.date() else f"{short_date(began.date(), context.locale)}, "
    lasted = f" · {call.seconds // 60}:{call.seconds % 60:02}" if call.seconds else ""
    return w.ListItem(
        title=call.name or call.number,
        subtitle=f"{say(word)} · {day}{began:%H:%M}{lasted}",
        leading=w.Row(
            (w.Icon(name="call", size=20, color=color, class_name="-"),),
            width=40, height=40, radius=20, background="surface_container", arrange="center", class_name="-",
        ),
        trailing=w.Icon(name="call", size=22, color="primary", class_name="-"),
        key=str(call.id), id="call_log_entry", title_id="primary_text", subtitle_id="secondary_text",
        on_tap=Event("again", call.number),
    )  # fmt: skip


def _key(digit: str, name: str, letters: str, width: float, height: float) -> w.Widget:
    label = w.Text(text=digit, size=28 if height > 50 else 20, align="center", id="dialpad_key_number")
    below = w.Text(text=letters, size=10, color="text_2", align="center", id="dialpad_key_letters")
    return w.Column(
        (label, below) if letters and height > 50 else (label,),
        width=width,
        height=height,
        radius=min(width, height) / 2,
        background="surface_container",
        align="center",
        arrange="center",
        id=name,
        key=name,
        description=f"{digit} {letters}".strip(),
        on_tap=Event("digit", digit),
        on_long_press=Event("digit", "+") if digit == "0" else None,
    )

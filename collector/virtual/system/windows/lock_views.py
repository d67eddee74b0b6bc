"""The lock screen and what asks for the credential, with the ids of Android's SystemUI."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from collector.virtual.apps.dates import long_date
from collector.virtual.system.windows.chrome import FRAME_LAYOUT
from collector.virtual.system.windows.lock_pattern import NAME as PATTERN
from collector.virtual.system.windows.phrases import say
from collector.virtual.ui import widgets as w
from collector.virtual.ui.events import Event

KEY, DELETE, ENTER, TYPED, TRACE, ASK = (
    f"keyguard.{name}" for name in ("key", "delete", "enter", "typed", "trace", "ask")
)
_LETTERS = ("+", "", "ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ")
_KEY_SIZE, _LOW_KEY = 72, 58
_PAD_WIDTH = 3 * _KEY_SIZE + 2 * 20
_PATTERN_SIDE, _LOW_PATTERN = 288, 224
"""dp of the square with the dots, and of that on a low screen."""
_EDIT_TEXT = "android.widget.EditText"


@dataclass(frozen=True, slots=True)
class LockedPhone:
    """What the lock screen shows. ``typed`` is what was typed, or the dots that were touched."""

    now: dt.datetime
    language: str
    kind: str
    typed: str = ""
    failed: bool = False
    pause: int = 0
    """Seconds until a credential is accepted again."""
    notices: tuple[tuple[str, str, str], ...] = ()
    """Name of the app, title and text of each notification, the newest first."""
    short: bool = False
    """Whether the screen is too low for a large clock above the pad."""


def lock_screen(shown: LockedPhone) -> w.Widget:
    """The clock, the notifications, and how to open the phone."""
    room = 1 if shown.short else 4
    cards = tuple(_card(number, *notice) for number, notice in enumerate(shown.notices[:room]))
    return w.Column(
        (
            w.Icon(
                name="lock", size=22, color="#FFFFFF", id="lock_icon_view",
                description=say("Locked", shown.language),
            ),
            w.Text(text=f"{shown.now:%H:%M}", size=38 if shown.short else 72, color="#FFFFFF",
                id="lockscreen_clock_view"),
            w.Text(
                text=long_date(shown.now, shown.language), size=16, color="#E4EAF0", id="keyguard_slice_view"
            ),
            w.Column(
                cards, gap=8, margin=(0, 8 if shown.short else 24, 0, 0), width=w.FILL,
                id="notification_stack_scroller",
            ),
            w.Spacer(grow=1),
            w.Text(
                text=say("Swipe up to open", shown.language), size=14, color="#FFFFFF",
                id="keyguard_indication_text",
            ),
        ),
        align="center",
        gap=4,
        padding=(20, 36, 20, 30) if shown.short else (20, 64, 20, 40),
        background="#1C3350",
        class_name=FRAME_LAYOUT,
        id="notification_panel",
    )  # fmt: skip


def _card(number: int, app: str, title: str, text: str) -> w.Widget:
    return w.Column(
        (
            w.Text(text=app, size=12, color="#C9D6E4", max_lines=1, id="android:id/app_name_text"),
            w.Text(text=title, size=15, color="#FFFFFF", max_lines=1, id="android:id/title"),
            w.Text(text=text, size=13, color="#E4EAF0", max_lines=2, id="android:id/text"),
        ),
        gap=2,
        padding=(16, 12),
        radius=20,
        background="#33FFFFFF",
        key=f"notice {number}",
    )


def bouncer(shown: LockedPhone) -> w.Widget:
    """What asks for the credential: a pad with digits, a field for a password, or the dots of a pattern."""
    is_pin = shown.kind == "pin"
    entry = _ENTRIES[shown.kind](shown)
    message = w.Text(
        text=_message(shown), size=18, color="#FFFFFF", align="center", id="bouncer_primary_message_area"
    )
    emergency = w.Text(
        text=say("Emergency call", shown.language), size=14, color="#FFFFFF", padding=(20, 12),
        id="emergency_call_button",
    )  # fmt: skip
    if shown.short and shown.kind != "password":
        above, beside = ((entry,), _pad(shown, _LOW_KEY, 8)) if is_pin else ((), entry)
        asked = w.Column((message, *above, emergency), align="center", gap=12, grow=1)
        parts: w.Widget = w.Row((asked, beside), gap=20, align="center")
    else:
        pad = (_pad(shown, _KEY_SIZE, 16),) if is_pin else ()
        below = (w.Spacer(grow=1),) if shown.kind == "password" else ()
        parts = w.Column(
            (w.Spacer(grow=1), message, entry, *pad, emergency, *below), align="center", gap=20, grow=1
        )
    return w.Column(
        (parts,),
        align="stretch",
        arrange="center",
        padding=(20, 36, 20, 28),
        background="#16273C",
        class_name=FRAME_LAYOUT,
        id=f"keyguard_{shown.kind}_view",
    )


def _message(shown: LockedPhone) -> str:
    if shown.pause:
        return say("Try again in {seconds} seconds", shown.language, seconds=shown.pause)
    asks, refuses = _WORDS[shown.kind]
    return say(refuses if shown.failed else asks, shown.language)


def _pin_entry(shown: LockedPhone) -> w.Widget:
    """The digits as dots; its text tells a reader no more than how many there are."""
    return w.Text(
        text="•" * len(shown.typed), size=28, color="#FFFFFF", align="center", width=_PAD_WIDTH, height=44,
        id="pinEntry", class_name=_EDIT_TEXT, description=say("PIN area", shown.language),
    )  # fmt: skip


def _password_entry(shown: LockedPhone) -> w.Widget:
    return w.TextField(
        text=shown.typed, kind="password", style="filled", hint=say("Enter password", shown.language),
        width=280, id="passwordEntry", focused=True, on_change=Event(TYPED), on_submit=Event(ENTER),
    )  # fmt: skip


def _pattern_entry(shown: LockedPhone) -> w.Widget:
    side = _LOW_PATTERN if shown.short else _PATTERN_SIDE
    return w.Image(
        picture=PATTERN, argument=shown.typed, width=side, height=side, id="lockPatternView", mirrors=False,
        class_name="android.view.View", description=say("Pattern area", shown.language),
        on_trace=Event(TRACE),
    )  # fmt: skip


_ENTRIES = {"pin": _pin_entry, "password": _password_entry, "pattern": _pattern_entry}
_WORDS = {
    "pin": ("Enter PIN", "Wrong PIN"),
    "password": ("Enter password", "Wrong password"),
    "pattern": ("Draw your pattern", "Wrong pattern"),
}
"""What is asked, and what is said of a wrong one, by kind."""


def _pad(shown: LockedPhone, side: float, gap: float) -> w.Widget:
    """The keys, each ``side`` dp wide and tall."""
    rows = [tuple(_digit(digit, side) for digit in line) for line in ((1, 2, 3), (4, 5, 6), (7, 8, 9))]
    delete = _round("backspace", say("Delete", shown.language), "delete_button", Event(DELETE), side)
    enter = _round("check", say("Enter", shown.language), "key_enter", Event(ENTER), side)
    rows.append((delete, _digit(0, side), enter))
    return w.Column(
        tuple(w.Row(row, gap=20, arrange="center", mirrors=False) for row in rows),
        gap=gap,
        id="keyguard_pin_pad",
    )


def _digit(digit: int, side: float) -> w.Widget:
    label = w.Text(text=str(digit), size=side * 0.39, color="#FFFFFF", align="center", id="digit_text")
    letters = w.Text(text=_LETTERS[digit], size=10, color="#C9D6E4", align="center", id="klondike_text")
    return w.Column(
        (label, letters) if _LETTERS[digit] else (label,),
        width=side,
        height=side,
        radius=side / 2,
        background="#2A405A",
        align="center",
        arrange="center",
        id=f"key{digit}",
        key=f"key{digit}",
        description=str(digit),
        on_tap=Event(KEY, str(digit)),
    )


def _round(icon: str, description: str, name: str, event: Event, side: float) -> w.Widget:
    return w.Row(
        (w.Icon(name=icon, size=26, color="#FFFFFF", class_name="-"),),
        width=side,
        height=side,
        radius=side / 2,
        background="#3C5878" if name == "key_enter" else None,
        arrange="center",
        id=name,
        key=name,
        description=description,
        class_name="android.widget.ImageButton",
        on_tap=event,
    )

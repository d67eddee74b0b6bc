"""The dialogs whose words and log events come with the intent; each button logs its own and finishes.

Keys of extras, view ids, log tags and default events are D-GARA's contract.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from collector.virtual.apps.companion.state import CompanionState
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.events import Event
from collector.virtual.ui.extras import integer, string

EVENT_TAG = "ReactBench_Event"
_LATIN = 0x2E7F
"""Letters with a code point above this are about twice as wide."""
_LETTER = 7.5
"""Approximate width in dp of one letter of a button's label."""


def two_buttons(state: CompanionState, context: Context, say: AppTexts) -> w.Screen:
    """A dialog with two buttons: allow and deny."""
    del state
    deny = _button(
        context, "deny_button", say("deny"), "param_deny_btn_text", _log(context, "deny", "PERMISSION_DENIED")
    )
    allow = _button(
        context,
        "allow_button",
        say("allow"),
        "param_allow_btn_text",
        _log(context, "allow", "PERMISSION_ALLOWED"),
        "filled",
    )
    words = _words(context, "permission", say("title"), say("message"))
    return _dialog(*words, _buttons(context, deny, allow))


def one_button(state: CompanionState, context: Context, say: AppTexts) -> w.Screen:
    """A dialog with a single OK button."""
    del state
    log = _log(context, "", "LOW_BATTERY_ACKNOWLEDGED")
    ok = _button(context, "ok_button", say("ok"), "param_button_text", log, "filled")
    words = _words(context, "low_battery", say("title"), say("message"))
    return _dialog(*words, _buttons(context, ok))


def three_buttons(state: CompanionState, context: Context, say: AppTexts) -> w.Screen:
    """A cookie dialog with three buttons: manage, reject all, accept all."""
    del state
    tag = "CookieConsentLogger"
    manage = _button(
        context,
        "manage_settings_button",
        say("manage"),
        "param_manage_btn_text",
        _log(context, "manage", "COOKIE_MANAGE_SETTINGS", tag),
    )
    reject = _button(
        context,
        "reject_all_button",
        say("reject"),
        "param_reject_btn_text",
        _log(context, "reject", "COOKIE_REJECTED_ALL", tag),
    )
    accept = _button(
        context,
        "accept_all_button",
        say("accept"),
        "param_accept_btn_text",
        _log(context, "accept", "COOKIE_ACCEPTED_ALL", tag),
        "filled",
    )
    words = _words(context, "cookie", say("cookie_title"), say("cookie_message"))
    return _dialog(*words, _buttons(context, manage, reject, accept))


def progress(state: CompanionState, context: Context, say: AppTexts) -> w.Screen:
    """A progress bar: it fills in ``param_duration_seconds`` or stays at ``param_progress``."""
    title, message = _words(context, "progress", say("progress_title"), say("progress_message"))
    percent, button = integer(context.extras, "param_progress"), say("cancel")
    key = "param_button_text"
    if state.seconds:
        percent = state.percent
        status = say("worked") if state.done else say("working", percent=percent)
        message = _message("progress", status)
    if state.done:
        button, key = say("finish"), ""
    bar = w.Progress(
        value=min(max(percent, 0), 100) / 100, id="dialog_progress_bar", height=6, margin=(0, 20, 0, 0)
    )
    log = _log(context, "", "PROGRESS_CANCELLED", "ProgressActivityLogger")
    return _dialog(
        title, message, bar, _buttons(context, _button(context, "progress_button", button, key, log))
    )


def _words(context: Context, name: str, title: str, message: str) -> tuple[w.Widget, w.Widget]:
    """The title and the message: from the intent, or the app's defaults."""
    heading = string(context.extras, "param_title", title)
    text = string(context.extras, "param_message", message)
    return w.Text(text=heading, size=20, id=f"{name}_title"), _message(name, text)


def _message(name: str, text: str) -> w.Widget:
    words = w.Text(text=text, size=14, color="text_2", id=f"{name}_message")
    return w.Scroll(child=words, margin=(0, 12, 0, 0), key="message")


def _log(context: Context, answer: str, event: str, tag: str = EVENT_TAG) -> Event:
    """The log tag and text that a button writes."""
    key = f"param_{answer}_log_event" if answer else "param_log_event"
    text = string(context.extras, key, f"EVENT:{event}")
    return Event("answer", (string(context.extras, "param_log_tag", tag), text))


def _button(
    context: Context,
    name: str,
    label: str,
    key: str,
    log: Event,
    style: Literal["filled", "outlined"] = "outlined",
) -> w.Button:
    return w.Button(label=string(context.extras, key, label), id=name, style=style, on_tap=log)


def _buttons(context: Context, *buttons: w.Button) -> w.Widget:
    """Lay the buttons side by side, or stacked in reverse order when their labels are long."""
    letters = sum(2 if ord(char) > _LATIN else 1 for button in buttons for char in button.label)
    room = min(context.width - 56, 400) - 48 - 52 * len(buttons)
    margin = (0.0, 20.0, 0.0, 0.0)
    if len(buttons) > 1 and letters * _LETTER * context.font_scale > room:
        wide = tuple(replace(button, width=w.FILL) for button in reversed(buttons))
        return w.Column(wide, gap=8, margin=margin)
    return w.Row(buttons, gap=8, arrange="end", margin=margin)


def _dialog(*parts: w.Widget) -> w.Screen:
    return w.Screen(w.Column(parts, padding=24), on_back=Event("dismiss"))

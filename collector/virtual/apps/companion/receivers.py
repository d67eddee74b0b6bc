"""The receivers of the companion app: a notification, a toast, and a dialog over another app."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from collector.model.companion.activities import ACTIVITIES
from collector.model.companion.contract import RECEIVER_REFUSED, RECEIVER_SHOWN, SHOWN
from collector.virtual.android_versions import ANDROID_13
from collector.virtual.apps.companion.beginnings import begin
from collector.virtual.apps.companion.default_texts import WORDS, message_of, said, title_of
from collector.virtual.apps.companion.endings import Ended, Ending, end
from collector.virtual.apps.companion.extras import flag
from collector.virtual.apps.companion.state import CompanionState, OpenDialog
from collector.virtual.ui.app import ComponentCall
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.effects import Effect, Notify, Reply, ShowOverlay, ShowToast
from collector.virtual.ui.events import Event
from collector.virtual.ui.extras import string

_TOAST_S, _LONG_TOAST_S = 2.0, 3.5


def receive(state: CompanionState, activity: str, call: ComponentCall, at_ms: int) -> Ended:
    """Show what a broadcast asks for, or say which permission is missing."""
    needed = ACTIVITIES[activity].permission
    is_free = activity == "ToastReceiver" and call.sdk < ANDROID_13
    if needed not in call.granted and not is_free:
        name = string(call.extras, "param_dialog", "")
        waits = tuple(one for one in state.open if one.dialog != name or one.shown_at)
        return replace(state, open=waits), (Reply(f"needs {needed}", RECEIVER_REFUSED),)
    state, one, effects = begin(state, activity, call.extras, at_ms)
    say = said(one.extras, state.locale)
    shown = _SHOW[activity](one, say)
    reply = Reply(one.dialog, RECEIVER_SHOWN)
    if activity == "ToastReceiver":
        state, after = end(state, one, Ending(SHOWN), at_ms)
        return state, (*effects, shown, *after, reply)
    return state, (*effects, shown, reply)


def _notification(one: OpenDialog, say: AppTexts) -> Notify:
    words = WORDS[one.activity].buttons
    actions = tuple(
        (
            string(one.extras, button.text, say(words[button.answer])),
            Event("answer", (one.dialog, button.answer)),
        )
        for button in ACTIVITIES[one.activity].buttons
    )
    return Notify(
        title_of(one.activity, one.extras, say),
        message_of(one.activity, one.extras, say),
        tag=one.dialog,
        urgent=True,
        on_tap=Event("answer", (one.dialog, "accept")),
        on_swipe=Event("swiped", one.dialog),
        actions=actions,
    )


def _toast(one: OpenDialog, say: AppTexts) -> ShowToast:
    seconds = _LONG_TOAST_S if flag(one.extras, "param_long", False) else _TOAST_S
    return ShowToast(message_of(one.activity, one.extras, say), seconds)


def _overlay(one: OpenDialog, say: AppTexts) -> ShowOverlay:
    del say
    return ShowOverlay(one.dialog, f".{one.activity}", dict(one.extras))


_SHOW: dict[str, Callable[[OpenDialog, AppTexts], Effect]] = {
    "NotificationReceiver": _notification,
    "ToastReceiver": _toast,
    "OverlayReceiver": _overlay,
}

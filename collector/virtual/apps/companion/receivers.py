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
        waits = tuple(opened for opened in state.open if opened.dialog != name or opened.shown_at)
        return replace(state, open=waits), (Reply(f"needs {needed}", RECEIVER_REFUSED),)
    state, opened, effects = begin(state, activity, call.extras, at_ms)
    say = said(opened.extras, state.locale)
    shown = _SHOW[activity](opened, say)
    reply = Reply(opened.dialog, RECEIVER_SHOWN)
    if activity == "ToastReceiver":
        state, after = end(state, opened, Ending(SHOWN), at_ms)
        return state, (*effects, shown, *after, reply)
    return state, (*effects, shown, reply)


def _notification(opened: OpenDialog, say: AppTexts) -> Notify:
    words = WORDS[opened.activity].buttons
    actions = tuple(
        (
            string(opened.extras, button.text, say(words[button.answer])),
            Event("answer", (opened.dialog, button.answer)),
        )
        for button in ACTIVITIES[opened.activity].buttons
    )
    return Notify(
        title_of(opened.activity, opened.extras, say),
        message_of(opened.activity, opened.extras, say),
        tag=opened.dialog,
        urgent=True,
        on_tap=Event("answer", (opened.dialog, "accept")),
        on_swipe=Event("swiped", opened.dialog),
        actions=actions,
    )


def _toast(opened: OpenDialog, say: AppTexts) -> ShowToast:
    seconds = _LONG_TOAST_S if flag(opened.extras, "param_long", False) else _TOAST_S
    return ShowToast(message_of(opened.activity, opened.extras, say), seconds)


def _overlay(opened: OpenDialog, say: AppTexts) -> ShowOverlay:
    del say
    return ShowOverlay(opened.dialog, f".{opened.activity}", dict(opened.extras))


_SHOW: dict[str, Callable[[OpenDialog, AppTexts], Effect]] = {
    "NotificationReceiver": _notification,
    "ToastReceiver": _toast,
    "OverlayReceiver": _overlay,
}

"""What follows the end of a dialog: its log lines, its answer, its next showing, and the next of a chain."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from collector.model.companion.activities import ACTIVITIES, DialogButton
from collector.model.companion.contract import (
    ANSWER_COLUMNS,
    ANSWER_TAG,
    ANSWERS_FILE,
    CHAIN_ACTIVITY,
    CHAIN_PARAMETERS,
    CLOSED,
    EVENT_TAG,
    FINISHED,
    KEPT_ANSWERS,
)
from collector.virtual.apps.companion.extras import links, whole
from collector.virtual.apps.companion.state import (
    LINK,
    PACKAGE,
    ROOT,
    SHOWING,
    CompanionState,
    OpenDialog,
)
from collector.virtual.ui.effects import (
    CancelNotice,
    Component,
    Effect,
    Finish,
    HideOverlay,
    Intent,
    Later,
    SendBroadcast,
    StartActivity,
    WriteFile,
    WriteLog,
)
from collector.virtual.ui.events import Event
from collector.virtual.ui.extras import string
from collector.virtual.ui.shared_files import SHARED

_NEW_TASK = 0x10000000
_FILE = ANSWERS_FILE.replace("/sdcard", SHARED)
_FIRST = "accept"
_LEADS_TO = {"RedirectActivity": ".TargetPageActivity"}
Ended = tuple[CompanionState, tuple[Effect, ...]]


class Ending(NamedTuple):
    """How a dialog ends: the button, and what a person gave."""

    how: str
    button: DialogButton | None = None
    value: str = ""


def end(state: CompanionState, opened: OpenDialog, ending: Ending, at_ms: int) -> Ended:
    """End a dialog that is on the screen."""
    event = _event(opened, ending.button)
    logs: tuple[Effect, ...] = ()
    if event is not None:
        usual = ACTIVITIES[opened.activity].log_tag or EVENT_TAG
        logs = (WriteLog(string(opened.extras, "param_log_tag", usual), event),)
    values = (
        opened.dialog, opened.activity, opened.showing, ending.button.answer if ending.button else "",
        ending.how, event or "", ending.value, opened.shown_at, at_ms,
    )  # fmt: skip
    answer = dict(zip(ANSWER_COLUMNS, values, strict=True))
    answers = (*state.answers, answer)[-KEPT_ANSWERS:]
    state = replace(
        state,
        answers=answers,
        open=tuple(shown for shown in state.open if shown is not opened),
        run=state.run + 1,
    )
    line = json.dumps(answer, ensure_ascii=False)
    effects = (*logs, WriteLog(ANSWER_TAG, line), answers_file(answers), *_removal(opened))
    state, following = _follow(state, opened, ending)
    return state, (*effects, *following)


def answers_file(answers: tuple[Mapping[str, object], ...]) -> WriteFile:
    """The file of all answers, one in each line."""
    lines = (json.dumps(answer, ensure_ascii=False) for answer in answers)
    return WriteFile(_FILE, "".join(f"{line}\n" for line in lines))


def _event(opened: OpenDialog, button: DialogButton | None) -> str | None:
    """What the button logs; None for nothing."""
    if button is None:
        return None
    return (
        string(opened.extras, button.event, button.default)
        if button.event in opened.extras
        else button.default or None
    )


def _removal(opened: OpenDialog) -> tuple[Effect, ...]:
    """Take the dialog from the screen."""
    if opened.activity == "NotificationReceiver":
        return (CancelNotice(opened.dialog),)
    if opened.activity == "OverlayReceiver":
        return (HideOverlay(opened.dialog),)
    if opened.activity == "ToastReceiver":
        return ()
    if opened.activity in _LEADS_TO:
        return (Finish(_LEADS_TO[opened.activity]),)
    return (Finish(f".{opened.activity}", opened.extras),)


def _follow(state: CompanionState, opened: OpenDialog, ending: Ending) -> Ended:
    if ending.how == CLOSED:
        return state, ()
    touched = ending.button is not None and ending.button.answer == _FIRST
    left = whole(opened.extras, "param_returns", 0, 0, 20) - opened.showing + 1
    if left > 0 and not touched and ending.how != FINISHED:
        again = replace(opened, showing=opened.showing + 1, shown_at=0, stars=0)
        seconds = whole(opened.extras, "param_return_seconds", 3, 0, 86_400)
        event = Event("return", (opened.dialog, again.showing))
        return replace(state, open=(*state.open, again)), (Later(float(seconds), event),)
    following = links(opened.extras)
    if not following:
        return state, ()
    activity, parameters, rest = following[0].activity, following[0].parameters, following[1:]
    number = whole(opened.extras, LINK, 1, 1, 1000) + 1
    root = string(opened.extras, ROOT, opened.dialog)
    extras: dict[str, object] = {"param_dialog": f"{root}.{number}", **parameters, LINK: number, ROOT: root}
    if rest:
        listed = [{CHAIN_ACTIVITY: link.activity, CHAIN_PARAMETERS: dict(link.parameters)} for link in rest]
        extras["param_chain"] = json.dumps(listed)
    return state, (shows(activity, extras),) if activity in ACTIVITIES else ()


def returned(opened: OpenDialog) -> Effect:
    """Show a dialog again that waited."""
    extras = {**opened.extras, "param_dialog": opened.dialog, SHOWING: opened.showing}
    return shows(opened.activity, extras)


def shows(activity: str, extras: Mapping[str, object]) -> Effect:
    """The effect that shows a dialog of the contract."""
    component = Component(PACKAGE, f"{PACKAGE}.{activity}")
    intent = Intent(component=component, extras=dict(extras), flags=_NEW_TASK)
    return SendBroadcast(intent) if ACTIVITIES[activity].is_receiver else StartActivity(intent)

"""The content provider of the companion app: version, answers and open dialogs, and its two methods."""

from __future__ import annotations

import json
from dataclasses import replace

from collector.model.companion.contract import (
    ANSWERS_PATH,
    CLOSE_METHOD,
    CLOSED,
    CONTRACT_VERSION,
    GRANTS_METHOD,
    OPEN_COLUMNS,
    OPEN_PATH,
    PERMISSION_WORDS,
    VERSION_COLUMNS,
    VERSION_NAME,
    VERSION_PATH,
)
from collector.virtual.apps.companion.endings import Ended, Ending, answers_file, end
from collector.virtual.apps.companion.state import CompanionState
from collector.virtual.ui.app import ComponentCall
from collector.virtual.ui.effects import Effect, Reply

Row = dict[str, str | None]
DELETE = "delete"
"""Not a method: what ``content delete`` becomes, with the numbers of the rows as JSON."""


def rows(state: CompanionState, path: str, call: ComponentCall) -> list[Row] | None:
    """The rows at a path; None for one that there is not."""
    if path == VERSION_PATH:
        values = (CONTRACT_VERSION, VERSION_NAME, call.sdk)
        return [{name: str(value) for name, value in zip(VERSION_COLUMNS, values, strict=True)}]
    if path == ANSWERS_PATH:
        return [{name: str(value) for name, value in answer.items()} for answer in state.answers]
    if path == OPEN_PATH:
        return [{name: str(getattr(opened, name)) for name in OPEN_COLUMNS} for opened in state.open]
    return None


def answer(state: CompanionState, method: str, call: ComponentCall, at_ms: int) -> Ended:
    """Run a method of the provider."""
    if method == GRANTS_METHOD:
        given = {word: permission in call.granted for word, permission in PERMISSION_WORDS.items()}
        listed = ", ".join(f"{word}={'true' if is_given else 'false'}" for word, is_given in given.items())
        return state, (Reply(f"Bundle[{{{listed}}}]"),)
    if method == CLOSE_METHOD:
        return _close(state, call.argument, at_ms)
    if method == DELETE:
        gone = set(json.loads(call.argument))
        left = tuple(opened for number, opened in enumerate(state.answers) if number not in gone)
        return replace(state, answers=left), (answers_file(left),)
    return state, (Reply("null"),)


def _close(state: CompanionState, dialog: str, at_ms: int) -> Ended:
    """Close the dialog of an id, or all; those that wait to come back do so no more."""
    closed = [opened for opened in state.open if dialog in ("", opened.dialog)]
    kept = tuple(opened for opened in state.open if opened not in closed or opened.shown_at)
    state = replace(state, open=kept)
    effects: tuple[Effect, ...] = ()
    for opened in closed:
        if opened.shown_at:
            state, more = end(state, opened, Ending(CLOSED), at_ms)
            effects = (*effects, *more)
    return state, (*effects, Reply(f"Bundle[{{closed={len(closed)}}}]"))

"""Names of the contacts for the numbers that call and are called."""

from __future__ import annotations

from collector.virtual.system.phone_state.state import SystemState

_CONTACTS = "com.android.contacts"
_SAME_DIGITS = 7
"""Numbers are the same where as many of their last digits are, as for Android."""


def caller_name(state: SystemState, number: str) -> str:
    """The name of the contact with a number; empty for a stranger. The phone's lock is held."""
    app, wanted = state.apps.get(_CONTACTS), _digits(number)
    if app is None or not wanted:
        return ""
    people = app.state_to_plain(state.state_of(app))["contacts"]
    return next((str(person["name"]) for person in people if _is_same(_digits(person["phone"]), wanted)), "")


def _digits(number: str) -> str:
    return "".join(letter for letter in number if letter.isdecimal())


def _is_same(first: str, second: str) -> bool:
    if min(len(first), len(second)) < _SAME_DIGITS:
        return first == second
    return first[-_SAME_DIGITS:] == second[-_SAME_DIGITS:]

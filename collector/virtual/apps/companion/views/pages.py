"""The pages of a redirect: one that is never seen, and the one that it leads to."""

from __future__ import annotations

from collector.virtual.apps.companion.default_texts import said
from collector.virtual.apps.companion.state import CompanionState
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.events import Event

_SOURCE = "RedirectActivity"


def empty_page() -> w.Screen:
    """An empty page of an activity that finishes before it is visible."""
    return w.Screen(w.Column())


def target(state: CompanionState, context: Context) -> w.Screen:
    """The full-screen page that a redirection opens; leaving it ends the redirection."""
    say = said(context.extras, context.locale)
    words = w.Text(text=say("target"), size=18, align="center", id="target_text")
    led = next((one.dialog for one in reversed(state.open) if one.activity == _SOURCE), "")
    return w.Screen(w.Column((words,), arrange="center", padding=24), on_back=Event("back", led))

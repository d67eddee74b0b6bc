"""The pages of a redirect: one that is never seen, and the one that it leads to."""

from __future__ import annotations

from collector.model.companion.contract import TEST_SECURE
from collector.virtual.apps.companion.default_texts import said
from collector.virtual.apps.companion.extras import flag
from collector.virtual.apps.companion.state import CompanionState
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.events import Event

_SOURCE = "RedirectActivity"


def empty_page() -> w.Screen:
    """An empty page of an activity that finishes before it is visible."""
    return w.Screen(w.Column())


def test_screen(state: CompanionState, context: Context) -> w.Screen:
    """Black or white all over; a finger that comes down changes it."""
    ground = "#FFFFFF" if state.test_is_white else "#000000"
    whole = w.Column(
        id="test_screen", background=ground, width=w.FILL, height=w.FILL, grow=1, on_trace=Event("test_touch")
    )
    return w.Screen(
        whole, background=ground, behind_bars=True, immersive=True,
        secure=flag(context.extras, TEST_SECURE, False),
    )  # fmt: skip


def target(state: CompanionState, context: Context) -> w.Screen:
    """The full-screen page that a redirection opens; leaving it ends the redirection."""
    say = said(context.extras, context.locale)
    words = w.Text(text=say("target"), size=18, align="center", id="target_text")
    led = next((opened.dialog for opened in reversed(state.open) if opened.activity == _SOURCE), "")
    return w.Screen(w.Column((words,), arrange="center", padding=24), on_back=Event("back", led))

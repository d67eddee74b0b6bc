"""Screens of the companion app that are no dialogs: sign-in, advertisement, redirect target."""

from __future__ import annotations

from collector.virtual.apps.companion.state import CompanionState
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.events import Event


def sign_in(state: CompanionState, context: Context, say: AppTexts) -> w.Screen:
    """A sign-in form with name and password; its button only closes the page."""
    del context
    form = w.Column(
        (
            w.Text(text=say("sign_in"), size=22, align="center", key="title"),
            w.TextField(
                text=state.username,
                label=say("username"),
                action="next",
                on_change=Event("username"),
                id="username_edittext",
                margin=(0, 20, 0, 0),
            ),
            w.TextField(
                text=state.password,
                label=say("password"),
                kind="password",
                on_change=Event("password"),
                id="password_edittext",
                margin=(0, 16, 0, 0),
            ),
            w.Button(label=say("sign_in"), id="login_button", on_tap=Event("dismiss"), margin=(0, 20, 0, 0)),
        ),
        padding=24,
    )
    return w.Screen(w.Scroll(child=form), on_back=Event("dismiss"))


def advertisement(state: CompanionState, context: Context, say: AppTexts) -> w.Screen:
    """An advertisement: a picture with a close button in its corner."""
    del state
    close = w.IconButton(
        icon="close", description=say("close"), id="btnClose", on_tap=Event("dismiss"), width=40, height=40
    )
    # No taller than the free height in landscape.
    height = min(320.0, context.height - 160)
    picture = w.Image(picture="alps", id="adImage", description=say("app"), height=height)
    card = w.Column(
        (w.Row((w.Spacer(grow=1), close)), picture),
        id="adCard",
        class_name="androidx.cardview.widget.CardView",
        padding=(8, 8, 8, 16),
    )
    return w.Screen(card, on_back=Event("dismiss"))


def empty_page(state: CompanionState, context: Context, say: AppTexts) -> w.Screen:
    """An empty page of an activity that finishes before it is visible."""
    del state, context, say
    return w.Screen(w.Column())


def target(state: CompanionState, context: Context, say: AppTexts) -> w.Screen:
    """The full-screen page that a redirection opens."""
    del state, context
    words = w.Text(text=say("target"), size=18, align="center", id="target_text")
    return w.Screen(w.Column((words,), arrange="center", padding=24))

"""A sign-in form."""

from __future__ import annotations

from dataclasses import replace

from collector.virtual.apps.companion.views.frame import Frame
from collector.virtual.ui import widgets as w
from collector.virtual.ui.events import Event


def sign_in(frame: Frame) -> w.Screen:
    """A form with name and password; without texts of the intent it is D-GARA's."""
    state, say = frame.state, frame.say
    name_id = frame.contract.views[0] if frame.has_title else ""
    head: list[w.Widget] = [w.Text(text=frame.title, size=22, align="center", key="title", id=name_id)]
    if frame.message:
        head.append(
            w.Text(
                text=frame.message, size=14, color="text_2", id=frame.contract.views[1], margin=(0, 8, 0, 0)
            )
        )
    buttons: list[w.Widget] = [
        replace(frame.button("accept", "filled"), margin=(0, 20, 0, 0), key="login_button")
    ]
    if frame.button_of("deny").text in frame.extras:
        buttons.append(replace(frame.button("deny"), margin=(0, 8, 0, 0)))
    form = w.Column(
        (
            *head,
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
            *buttons,
        ),
        padding=24,
    )
    return frame.screen(w.Scroll(child=form))

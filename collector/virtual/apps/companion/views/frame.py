"""What every dialog has: its words, its buttons, its window, and what Back and a touch beside it do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from collector.model.companion.activities import ACTIVITIES, CompanionActivity, DialogButton
from collector.virtual.apps.companion.default_texts import WORDS, message_of, said, title_of
from collector.virtual.apps.companion.extras import colour
from collector.virtual.apps.companion.state import CompanionState, OpenDialog
from collector.virtual.apps.companion.style import closes_on_back, closes_outside, style_of
from collector.virtual.ui import widgets as w
from collector.virtual.ui.app import Context
from collector.virtual.ui.content import AppTexts
from collector.virtual.ui.events import Event
from collector.virtual.ui.extras import string
from collector.virtual.ui.window_style import WindowStyle

_LATIN = 0x2E7F
"""Letters with a code point above this are about twice as wide."""
_LETTER = 7.5
"""Approximate width in dp of one letter of a button's label."""
_NARROW = 240.0
"""Width in dp of a dialog in a corner."""
ButtonStyle = Literal["filled", "tonal", "outlined", "text"]


@dataclass(frozen=True, slots=True)
class Frame:
    """A dialog that is drawn: what its intent says, and what it has come to."""

    state: CompanionState
    context: Context
    activity: str
    opened: OpenDialog
    full: bool = False
    """Whether it covers the screen."""

    @property
    def extras(self) -> Mapping[str, object]:
        return self.context.extras

    @property
    def contract(self) -> CompanionActivity:
        return ACTIVITIES[self.activity]

    @property
    def say(self) -> AppTexts:
        return said(self.extras, self.context.locale)

    @property
    def title(self) -> str:
        return title_of(self.activity, self.extras, self.say)

    @property
    def message(self) -> str:
        return message_of(self.activity, self.extras, self.say)

    @property
    def style(self) -> WindowStyle:
        return style_of(self.activity, self.extras, full=self.full)

    @property
    def has_title(self) -> bool:
        """Whether the intent gives a title or a message."""
        return "param_title" in self.extras or "param_message" in self.extras

    @property
    def width(self) -> float:
        """Of the dialog in dp."""
        style = self.style
        usual = min(self.context.width - 56, _NARROW if style.across != "center" else 400)
        return usual if style.width is None else min(style.width, self.context.width)

    def titled(self, size: float = 20) -> w.Widget:
        """The title."""
        return w.Text(text=self.title, size=size, id=self.contract.views[0])

    def messaged(self, text: str | None = None) -> w.Widget:
        """The message; it scrolls, so that the buttons stay on the screen."""
        words = w.Text(
            text=self.message if text is None else text, size=14, color="text_2", id=self.contract.views[1]
        )
        return w.Scroll(child=words, margin=(0, 12, 0, 0), key="message")

    def answer(self, answer: str) -> Event:
        """What a button sends."""
        return Event("answer", (self.opened.dialog, answer))

    def button_of(self, answer: str) -> DialogButton:
        return next(button for button in self.contract.buttons if button.answer == answer)

    def label(self, answer: str) -> str:
        word = WORDS[self.activity].buttons[answer]
        return string(self.extras, self.button_of(answer).text, self.say(word))

    def button(self, answer: str, style: ButtonStyle = "outlined", label: str | None = None) -> w.Button:
        """A button of the contract; the first one has the colour of the intent."""
        back = colour(self.extras, "param_button_color") if style == "filled" else ""
        return w.Button(
            label=self.label(answer) if label is None else label,
            id=self.button_of(answer).view,
            style=style,
            background=back or None,
            on_tap=self.answer(answer),
        )

    def side_by_side(self, *buttons: w.Button) -> w.Widget:
        """Buttons side by side, or stacked in reverse order when their labels are long."""
        letters = sum(2 if ord(char) > _LATIN else 1 for button in buttons for char in button.label)
        room = self.width - 48 - 52 * len(buttons)
        scale = self.style.font_scale or self.context.font_scale
        if len(buttons) > 1 and letters * _LETTER * scale > room:
            return self.stacked(*reversed(buttons))
        return w.Row(buttons, gap=8, arrange="end", margin=(0, 20, 0, 0))

    def stacked(self, *buttons: w.Button) -> w.Widget:
        """Buttons below each other."""
        wide = tuple(replace(button, width=w.FILL) for button in buttons)
        return w.Column(wide, gap=8, margin=(0, 20, 0, 0))

    def card(self, *parts: w.Widget) -> w.Screen:
        """The dialog with these parts below each other."""
        return self.screen(w.Column(parts, padding=24))

    def screen(self, content: w.Widget) -> w.Screen:
        """The dialog with this content."""
        back = Event("back", self.opened.dialog) if closes_on_back(self.extras) else Event("nothing")
        beside = Event("outside", self.opened.dialog)
        outside = beside if closes_outside(self.activity, self.extras) else Event("nothing")
        return w.Screen(content, on_back=back, on_outside=outside, window=self.style, behind_bars=self.full)


def frame_of(state: CompanionState, context: Context) -> Frame:
    """The frame of the dialog that an activity shows."""
    activity = context.activity.removeprefix(".")
    extras = dict(context.extras)
    opened = state.dialog_of(activity, extras) or OpenDialog("", activity, 1, 1, extras)
    return Frame(state, context, activity, opened)

"""What a person can do on a screen of an app, read from its view: taps, switches, texts, BACK."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from collector.virtual.ui import widgets as w
from collector.virtual.ui.events import Event
from collector.virtual.ui.expand import BACK as BACK_ARROW

TAP, SWITCH, HOLD, TEXT, SUBMIT, NOTE, BACK = "tap", "switch", "hold", "text", "submit", "note", "back"
"""Kinds of moves: a tap; a switch, checkbox or radio button; a long press; a text in the place of that in a
field; the action key of the keyboard; the button of a message at the bottom; BACK."""
_MIDDLE = (0.5, 0.5)
TextsFor = Callable[[w.TextField], Iterable[str]]


@dataclass(frozen=True, slots=True)
class Move:
    """One thing that a person does in an app."""

    kind: str
    event: Event | None = None
    """What the app is sent; None when BACK closes the screen."""
    id: str = ""
    """Id and key of the widget, and the words on it."""
    key: str = ""
    label: str = ""
    text: str = ""
    """Of ``text``: what the field says afterwards."""


def moves_on(screen: w.Screen, note: Event | None, texts_for: TextsFor) -> Iterator[Move]:
    """Every move on a screen, the front window first alone: behind a dialog or sheet nothing can be touched.

    ``note`` is the event of the message at its bottom; ``texts_for`` says which texts to try in a field.
    """
    found = _Moves(texts_for)
    if screen.dialog is not None:
        dialog = screen.dialog
        found.visit(dialog.body)
        for button in dialog.buttons:
            found.visit(button)
        back = dialog.on_dismiss
        has_back = back is not None
    elif screen.sheet is not None:
        found.visit(screen.sheet.body)
        back = screen.sheet.on_dismiss
        has_back = back is not None
    else:
        for part in (screen.floating, screen.app_bar, screen.content, screen.bottom_bar):
            found.visit(part)
        if note is not None:
            found.moves.append(Move(NOTE, note, "snackbar_action"))
        back, has_back = screen.on_back, True
    yield from found.moves
    if has_back:
        yield Move(BACK, back)


def own_words(widget: w.Widget) -> list[str]:
    """The words on a widget, without those on what is in it."""
    own = (getattr(widget, name, "") for name in ("description", "text", "label", "title", "subtitle"))
    return list(filter(None, own))


class _Moves:
    def __init__(self, texts_for: TextsFor) -> None:
        self.moves: list[Move] = []
        self._texts_for = texts_for

    def visit(self, widget: w.Widget | None) -> str:
        """Note the moves on a widget and all in it; the words that are on it."""
        if widget is None:
            return ""
        words = [*own_words(widget), *self._inside(widget)]
        label = " ".join(words)
        if widget.enabled:
            self._note(widget, label)
        return label

    def _inside(self, widget: w.Widget) -> Iterator[str]:
        """Visit what is in a widget; the words on each."""
        if isinstance(widget, w.Tabs | w.BottomBar):
            for tab in widget.tabs:
                self.moves.append(Move(TAP, tab.on_tap, tab.id, "", tab.label))
            return
        if isinstance(widget, w.AppBar) and widget.navigation != "none":
            event = widget.on_navigation
            if event is not None and event != BACK_ARROW:
                self.moves.append(Move(TAP, event, "", "navigation"))
        for name in ("leading", "child", "middle", "trailing"):
            part = getattr(widget, name, None)
            if isinstance(part, w.Widget):
                yield self.visit(part)
        for name in ("children", "actions"):
            for part in getattr(widget, name, ()):
                yield self.visit(part)

    def _note(self, widget: w.Widget, label: str) -> None:
        about = (widget.id, widget.key, label)
        if widget.on_tap is not None:
            self.moves.append(Move(TAP, widget.on_tap, *about))
        if widget.on_long_press is not None:
            self.moves.append(Move(HOLD, widget.on_long_press.with_value(_MIDDLE), *about))
        if isinstance(widget, w.Switch | w.Checkbox | w.Radio) and widget.on_change is not None:
            value = True if isinstance(widget, w.Radio) else not widget.checked
            self.moves.append(Move(SWITCH, widget.on_change.with_value(value), *about))
        elif isinstance(widget, w.TextField):
            self._note_field(widget, label)

    def _note_field(self, field: w.TextField, label: str) -> None:
        about = (field.id, field.key, label)
        if field.on_change is not None:
            for text in self._texts_for(field):
                if text != field.text:
                    event = field.on_change.with_value(text)
                    self.moves.append(Move(TEXT, event, *about, text))
        if field.on_submit is not None:
            self.moves.append(Move(SUBMIT, field.on_submit.with_value(field.text), *about))

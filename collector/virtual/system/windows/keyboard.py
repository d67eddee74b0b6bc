"""The on-screen keyboard: its keys as widgets, and the effect of each key."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from collector.virtual.system.windows.input_methods import Panel
from collector.virtual.system.windows.phrases import say
from collector.virtual.ui import widgets as w
from collector.virtual.ui.events import Event

_HEIGHT, _HEIGHT_LANDSCAPE = 286.0, 218.0
_BAR, _ROW, _GAP = 20.0, 40.0, 5.0
_BELOW = 24.0
"""Height in dp that the gesture bar needs below a low keyboard."""

Page = Literal["letters", "symbols", "more"]
_LETTERS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_LETTERS_OF = {"de": ("qwertzuiopü", "asdfghjklöä", "yxcvbnm")}
"""Where a language has other keys."""
_FIRST_WORDS = {"en": ("I", "the", "a"), "zh": ("我", "你", "好"), "de": ("Ich", "Die", "Das")}
"""Suggestions before anything was typed."""
_SYMBOLS = ("1234567890", "@#$_&-+()/", "*\"':;!?")
_MORE = ("~`|•√π÷×§∆", "£¢€¥^°={}\\", "%©®™✓[]")
_PAGES: dict[Page, tuple[str, str, str]] = {"letters": _LETTERS, "symbols": _SYMBOLS, "more": _MORE}
_DIGITS = "1234567890"
_BAR_TEXT = "ADB Keyboard {ON}"
"""Agents look for this text to know whether a field has the focus."""
_KEY_DARK = "outline@0.75"
_ACTION_ICONS = {"done": "check", "search": "search", "send": "send", "next": "chevron_right", "go": "enter"}


@dataclass(frozen=True, slots=True)
class Keyboard:
    """The keyboard's state: its page, and shift off, once or locked."""

    page: Page = "letters"
    shift: int = 0

    def pressed(self, key: str) -> Keyboard:
        """The keyboard's state after one of its keys (``shift``, ``page:...``) or a character."""
        if key == "shift":
            return replace(self, shift=(self.shift + 1) % 3)
        if key.startswith("page:"):
            pages: dict[str, Page] = {"letters": "letters", "symbols": "symbols", "more": "more"}
            return Keyboard(pages[key[5:]])
        return replace(self, shift=0) if self.shift == 1 else self


def panel_height(panel: Panel, landscape: bool) -> float:
    """The height in dp of a keyboard's window."""
    if panel == "bar":
        return _BAR + _BELOW
    if panel == "row":
        return _ROW + 2 * _GAP + _BELOW
    return _HEIGHT_LANDSCAPE if landscape else _HEIGHT


def keyboard(
    panel: Panel, state: Keyboard, field: w.TextField, height: float, language: str, dark: bool
) -> w.Widget:
    """The view of a keyboard for ``field`` in a window ``height`` dp tall."""
    if panel == "bar":
        return _bar()
    if panel == "row":
        return _row_of_four(field)
    return _letters(state, field, height, language, dark, numbers=panel == "letters_and_digits")


def _bar() -> w.Widget:
    words = w.Text(text=_BAR_TEXT, size=14, color="#FFFFFF", align="center")
    return w.Column(
        (w.Column((words,), height=_BAR, arrange="center"),),
        background="#444444",
        class_name="android.widget.RelativeLayout",
    )


def _row_of_four(field: w.TextField) -> w.Widget:
    """The keys of uiautomator2's keyboard: a random letter, clear, the field's action, another keyboard."""
    action = "Enter" if field.kind == "multiline" else field.action.capitalize()
    keys = [("Random", "random"), ("Clear Text", "clear"), (action, "enter"), ("Switch IME", "switch")]
    row = w.Row(tuple(_word(label, key, 1.0) for label, key in keys), gap=_GAP, height=_ROW, align="stretch")
    return w.Column(
        (row,), padding=(_GAP, _GAP), background="surface_container", class_name="android.widget.FrameLayout"
    )


def _letters(
    state: Keyboard, field: w.TextField, height: float, language: str, dark: bool, *, numbers: bool
) -> w.Widget:
    letters = state.page == "letters"
    rows = _LETTERS_OF.get(language, _LETTERS) if letters else _PAGES[state.page]
    inset = 18 if len(rows[1]) < len(rows[0]) else 0
    shown = tuple(row.upper() if letters and state.shift else row for row in rows)
    if letters:
        left = _special("shift", "shift", "Shift", 1.5, filled=bool(state.shift))
    else:
        other = "more" if state.page == "symbols" else "symbols"
        left = _word("=\\<" if other == "more" else "?123", f"page:{other}", 1.5)
    # A low keyboard cannot leave the whole height of the gesture bar free.
    below, strip = (50.0, 44.0) if height >= _HEIGHT else (16.0, 36.0)
    tall = (height - strip - below) / 4
    ink = _KEY_DARK if dark else "surface"
    lines: tuple[w.Widget, ...] = (
        _line(tuple(_key(char, ink) for char in shown[0]), tall),
        _line(tuple(_key(char, ink) for char in shown[1]), tall, inset=inset),
        _line((left, *(_key(char, ink) for char in shown[2]), _delete()), tall),
        _line(_bottom(state, field, language, ink), tall),
    )
    if numbers:
        # No suggestions, and all rows have one height.
        tall = (height - below) / 5
        digits = tuple(replace(_key(char, "outline@0.5"), radius=2) for char in _DIGITS)
        lines = (_line(digits, tall), *(replace(line, height=tall) for line in lines))
    else:
        lines = (_strip(field, language, strip), *lines)
    return w.Column(
        lines,
        padding=(3, 0, 3, 0),
        background="container" if numbers else "surface_container",
        class_name="android.widget.FrameLayout",
    )


def _strip(field: w.TextField, language: str, tall: float) -> w.Widget:
    if field.kind == "password":
        words = say("Passwords stay on this device", language)
        note = w.Text(text=words, size=13, color="text_2", align="center", grow=1)
        return w.Row((note,), height=tall)
    cells: list[w.Widget] = []
    for i, word in enumerate(_suggestions(field, language)):
        if i:
            cells.append(w.Spacer(width=1, height=20, background="outline"))
        label = w.Text(text=word, size=14, align="center", max_lines=1, class_name="-", grow=1)
        cells.append(
            w.Row((label,), grow=1, height=tall, on_tap=Event("word", word), key=f"word{i}", description=word)
        )
    return w.Row(tuple(cells), height=tall)


def _suggestions(field: w.TextField, language: str) -> tuple[str, ...]:
    if field.suggestions:
        return field.suggestions[:3]
    last = field.text.replace("\n", " ").rpartition(" ")[2]
    if not last:
        return _FIRST_WORDS.get(language, _FIRST_WORDS["en"])
    if not (last.isascii() and last.isalpha()):
        return (last,)
    plural = last if last.endswith("s") else last + "s"
    other = last.capitalize() if last[0].islower() else last.lower()
    return tuple(dict.fromkeys((last, plural, other)))


def _line(keys: tuple[w.Widget, ...], tall: float, inset: float = 0.0) -> w.Widget:
    return w.Row(keys, gap=5, height=tall, padding=(2 + inset, 4), align="stretch")


def _bottom(state: Keyboard, field: w.TextField, language: str, ink: str) -> tuple[w.Widget, ...]:
    page = "symbols" if state.page == "letters" else "letters"
    name = {"zh": "中文", "en": "English", "de": "Deutsch", "fr": "Français"}.get(language, "English")
    icon = "enter" if field.kind == "multiline" else _ACTION_ICONS[field.action]
    return (
        _word("?123" if page == "symbols" else "ABC", f"page:{page}", 1.5),
        _word(",", "char:,", 1.0),
        replace(_word(name, "char: ", 4.6), background=ink, description="Space"),
        _word(".", "char:.", 1.0),
        _special("enter", icon, field.action.capitalize(), 1.6, accent=True),
    )


def _key(char: str, background: str) -> w.Widget:
    label = w.Text(text=char, size=19, align="center", class_name="-")
    return w.Row(
        (label,),
        grow=1,
        arrange="center",
        radius=6,
        background=background,
        on_tap=Event("key", f"char:{char}"),
        key=char,
        description=char,
    )


def _word(text: str, key: str, share: float) -> w.Row:
    return w.Row(
        (w.Text(text=text, size=13, align="center", class_name="-", color="text_2"),),
        grow=share,
        arrange="center",
        radius=6,
        background="outline@0.8",
        on_tap=Event("key", key),
        key=key,
        description=text,
    )


def _special(
    key: str, icon: str, description: str, share: float, *, filled: bool = False, accent: bool = False
) -> w.Widget:
    ink = "on_primary" if accent else "text"
    return w.Row(
        (w.Icon(name=icon, size=19, color=ink, filled=filled, class_name="-"),),
        grow=share,
        arrange="center",
        radius=6,
        background="primary" if accent else "outline@0.8",
        on_tap=Event("key", key),
        key=key,
        description=description,
    )


def _delete() -> w.Widget:
    key = _special("delete", "backspace", "Delete", 1.5)
    return replace(key, on_long_press=Event("key", "delete_word"))

"""The line editor of the prompt: mksh's emacs mode, with history, search and completion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from collector.virtual.shell.terminal.completion import Completion
from collector.virtual.shell.terminal.terminal import Terminal
from collector.virtual.shell.terminal.text_width import text_width

_BELL = b"\a"
Complete = Callable[[str, int], Completion]


class LineCancelled(Exception):  # noqa: N818 - control flow, not an error
    """Ctrl+C: the line is dropped."""


@dataclass(slots=True)
class EditedLine:
    """The text at the prompt and its caret."""

    text: str = ""
    caret: int = 0
    killed: str = field(default="")

    def insert(self, text: str) -> None:
        self.text = self.text[: self.caret] + text + self.text[self.caret :]
        self.caret += len(text)

    def replace(self, start: int, end: int, text: str) -> None:
        """Put ``text`` in place of a part, and the caret behind it."""
        self.text = self.text[:start] + text + self.text[end:]
        self.caret = start + len(text)

    def kill(self, start: int, end: int) -> None:
        """Cut a part out; :meth:`insert` of ``killed`` brings it back."""
        if start < end:
            self.killed = self.text[start:end]
            self.replace(start, end, "")

    def word_left(self) -> int:
        place = self.caret
        while place and not self.text[place - 1].isalnum():
            place -= 1
        while place and self.text[place - 1].isalnum():
            place -= 1
        return place

    def word_right(self) -> int:
        place = self.caret
        while place < len(self.text) and not self.text[place].isalnum():
            place += 1
        while place < len(self.text) and self.text[place].isalnum():
            place += 1
        return place


class LineEditor:
    """Read a line with editing. ``history`` is only read; the oldest line is first."""

    def __init__(self, terminal: Terminal, history: Sequence[str], complete: Complete) -> None:
        self._terminal = terminal
        self._history = history
        self._complete = complete
        self._line = EditedLine()
        self._prompt = ""
        self._shown = ""
        self._cursor = 0
        """What stands behind the prompt on the screen, and the column of the cursor in it."""
        self._ahead = ""
        """What is printed before the line when it is drawn next, so that both come at once."""
        self._first = 0
        """The first character that is shown of a line that is too long."""
        self._place = 0
        """The line of the history that is shown; past its end for the new one."""
        self._typed = ""

    def read_line(self, prompt: str) -> str | None:
        """Show the prompt and read a line, without its end; None after Ctrl+D or a hang-up."""
        self._line = EditedLine(killed=self._line.killed)
        self._prompt, self._shown, self._cursor, self._first = prompt, "", 0, 0
        self._place, self._typed = len(self._history), ""
        with self._terminal.raw():
            self._terminal.before_prompt()
            self._terminal.put(prompt.encode())
            while True:
                key = self._terminal.read_key()
                if not key:
                    return None
                if key in (b"\r", b"\n", b"\x0f"):
                    self._terminal.put(b"\r\n")
                    return self._line.text
                if key == b"\x03":
                    self._terminal.put(b"^C\r\n")
                    raise LineCancelled
                if key == b"\x04" and not self._line.text:
                    self._terminal.put(b"^D\r\n")
                    return None
                self._act(key)
                self._draw()

    def _act(self, key: bytes) -> None:
        action = _KEYS.get(key)
        if action is not None:
            action(self)
        elif key[:1] >= b" " and key != b"\x7f":
            self._line.insert(key.decode("utf-8", "surrogateescape"))
        else:
            self._terminal.put(_BELL)

    # ---- drawing -------------------------------------------------------------------------------

    def _draw(self) -> None:
        """Change on the screen what differs from the line, and move the cursor to its caret."""
        shown, before = self._visible()
        same = 0
        while same < min(len(shown), len(self._shown)) and shown[same] == self._shown[same]:
            same += 1
        column = text_width(shown[:same])
        data, self._ahead = self._ahead, ""
        if shown != self._shown:
            data += self._move(column)
            blank = max(0, text_width(self._shown) - text_width(shown))
            data += shown[same:] + " " * blank + "\b" * blank
            self._cursor = text_width(shown)
        data += self._move(text_width(before))
        self._shown = shown
        if data:
            self._terminal.put(data.encode("utf-8", "surrogateescape"))

    def _move(self, column: int) -> str:
        """Move to a column of the line: back by backspaces, forward by printing again."""
        if column <= self._cursor:
            back, self._cursor = self._cursor - column, column
            return "\b" * back
        text, width = "", 0
        for character in self._shown_at(column):
            if width >= self._cursor:
                text += character
            width += text_width(character)
        self._cursor = column
        return text

    def _shown_at(self, column: int) -> str:
        """The part of what is shown that ends at a column."""
        text, _before = self._visible()
        end, width = 0, 0
        while end < len(text) and width < column:
            width += text_width(text[end])
            end += 1
        return text[:end]

    def _visible(self) -> tuple[str, str]:
        """The shown part of the line, with a sign if there is more, and its part before the caret."""
        text, caret = _printable(self._line.text), _printable(self._line.text[: self._line.caret])
        room = max(8, self._terminal.width - text_width(self._prompt) - 1)
        if text_width(text) < room:
            self._first = 0
            return text, caret
        place = len(caret)
        if place < self._first or text_width(text[self._first : place]) >= room - 1:
            self._first = max(0, place - room // 3)
        end = self._first
        while end < len(text) and text_width(text[self._first : end + 1]) < room - 1:
            end += 1
        part = text[self._first : end]
        fill = " " * (room - 1 - text_width(part))
        sign = "*" if self._first and end < len(text) else "<" if self._first else ">"
        return part + fill + sign, text[self._first : place]

    def _redraw(self) -> None:
        """Show prompt and line again on a line of their own, when the line is drawn next."""
        self._ahead += f"\r\n{self._prompt}"
        self._shown, self._cursor = "", 0

    # ---- keys ----------------------------------------------------------------------------------

    def _left(self) -> None:
        self._line.caret = max(0, self._line.caret - 1)

    def _right(self) -> None:
        self._line.caret = min(len(self._line.text), self._line.caret + 1)

    def _home(self) -> None:
        self._line.caret = 0

    def _end(self) -> None:
        self._line.caret = len(self._line.text)

    def _word_left(self) -> None:
        self._line.caret = self._line.word_left()

    def _word_right(self) -> None:
        self._line.caret = self._line.word_right()

    def _backspace(self) -> None:
        if self._line.caret:
            self._line.replace(self._line.caret - 1, self._line.caret, "")
        else:
            self._terminal.put(_BELL)

    def _delete(self) -> None:
        caret = self._line.caret
        if caret < len(self._line.text):
            self._line.replace(caret, caret + 1, "")
        else:
            self._terminal.put(_BELL)

    def _kill_to_end(self) -> None:
        self._line.kill(self._line.caret, len(self._line.text))

    def _kill_line(self) -> None:
        self._line.kill(0, len(self._line.text))

    def _kill_word_left(self) -> None:
        start = self._line.caret
        while start and self._line.text[start - 1] == " ":
            start -= 1
        while start and self._line.text[start - 1] != " ":
            start -= 1
        self._line.kill(start, self._line.caret)

    def _kill_word_right(self) -> None:
        caret = self._line.caret
        self._line.kill(caret, self._line.word_right())
        self._line.caret = caret

    def _yank(self) -> None:
        self._line.insert(self._line.killed)

    def _transpose(self) -> None:
        text, caret = self._line.text, min(self._line.caret, len(self._line.text) - 1)
        if caret >= 1:
            self._line.replace(caret - 1, caret + 1, text[caret] + text[caret - 1])

    def _literal(self) -> None:
        key = self._terminal.read_key()
        self._line.insert((key or b"").decode("utf-8", "surrogateescape"))

    def _last_word(self) -> None:
        """Insert the last word of the command before."""
        words = self._history[-1].split() if self._history else []
        if words:
            self._line.insert(words[-1])

    # ---- history -------------------------------------------------------------------------------

    def _show_entry(self, place: int) -> None:
        if not 0 <= place <= len(self._history):
            self._terminal.put(_BELL)
            return
        if self._place == len(self._history):
            self._typed = self._line.text
        self._place = place
        self._line.text = self._history[place] if place < len(self._history) else self._typed
        self._line.caret = len(self._line.text)

    def _older(self) -> None:
        self._show_entry(self._place - 1)

    def _newer(self) -> None:
        self._show_entry(self._place + 1)

    def _oldest(self) -> None:
        self._show_entry(0)

    def _newest(self) -> None:
        self._show_entry(len(self._history))

    def _search_prefix(self) -> None:
        """PAGE UP: the newest older line that begins as the part left of the caret."""
        prefix, caret = self._line.text[: self._line.caret], self._line.caret
        for place in range(self._place - 1, -1, -1):
            if self._history[place].startswith(prefix):
                self._show_entry(place)
                self._line.caret = caret
                return
        self._terminal.put(_BELL)

    def _search(self) -> None:
        """Ctrl+R: find lines that contain what is typed; another key ends the search and does its work."""
        pattern, is_found = "", False
        while True:
            if not is_found:
                self._terminal.put(f"\r\nI-search: {pattern}".encode("utf-8", "surrogateescape"))
            key = self._terminal.read_key() or b""
            newest = self._place if self._place < len(self._history) else self._place - 1
            if key == b"\x12":
                is_found = self._find(pattern, self._place - 1)
            elif key in (b"\x7f", b"\b"):
                pattern = pattern[:-1]
                is_found = bool(pattern) and self._find(pattern, len(self._history) - 1)
            elif key >= b" ":
                pattern += key.decode("utf-8", "surrogateescape")
                is_found = self._find(pattern, newest)
            else:
                break
        if not is_found:
            self._redraw()
        if key not in (b"\x1b", b"\x07"):
            self._terminal.unread(key)

    def _find(self, pattern: str, newest: int) -> bool:
        """Show the newest line of the history up to ``newest`` that contains the pattern."""
        for place in range(newest, -1, -1):
            if pattern and pattern in self._history[place]:
                self._show_entry(place)
                self._line.caret = self._line.text.find(pattern)
                self._redraw()
                self._draw()
                return True
        self._terminal.put(_BELL)
        return False

    # ---- completion ----------------------------------------------------------------------------

    def _complete_word(self) -> None:
        completion = self._complete(self._line.text, self._line.caret)
        if not completion.candidates:
            self._terminal.put(_BELL)
            return
        if completion.text != self._line.text[completion.start : self._line.caret]:
            self._line.replace(completion.start, self._line.caret, completion.text)
            return
        self._list(completion.candidates)

    def _list_words(self) -> None:
        self._list(self._complete(self._line.text, self._line.caret).candidates)

    def _list(self, candidates: Sequence[str]) -> None:
        """Print the candidates in columns, and the line again."""
        if not candidates:
            self._terminal.put(_BELL)
            return
        wide = max(map(text_width, candidates)) + 2
        per_line = max(1, self._terminal.width // wide)
        lines = -(-len(candidates) // per_line)
        for number in range(lines):
            row = candidates[number::lines]
            text = "".join(name + " " * (wide - text_width(name)) for name in row).rstrip()
            self._terminal.put(f"\r\n{text}".encode("utf-8", "surrogateescape"))
        self._redraw()


def _printable(text: str) -> str:
    """Control characters as ``^X``."""
    return "".join(f"^{chr(ord(letter) + 64)}" if letter < " " else letter for letter in text)


_KEYS: dict[bytes, Callable[[LineEditor], None]] = {
    b"\x01": LineEditor._home,
    b"\x02": LineEditor._left,
    b"\x04": LineEditor._delete,
    b"\x05": LineEditor._end,
    b"\x06": LineEditor._right,
    b"\x08": LineEditor._backspace,
    b"\x09": LineEditor._complete_word,
    b"\x0b": LineEditor._kill_to_end,
    b"\x0c": LineEditor._redraw,
    b"\x0e": LineEditor._newer,
    b"\x10": LineEditor._older,
    b"\x12": LineEditor._search,
    b"\x14": LineEditor._transpose,
    b"\x15": LineEditor._kill_line,
    b"\x16": LineEditor._literal,
    b"\x17": LineEditor._kill_word_left,
    b"\x19": LineEditor._yank,
    b"\x7f": LineEditor._backspace,
    b"\x1bb": LineEditor._word_left,
    b"\x1bf": LineEditor._word_right,
    b"\x1bd": LineEditor._kill_word_right,
    b"\x1b\x7f": LineEditor._kill_word_left,
    b"\x1b\x08": LineEditor._kill_word_left,
    b"\x1b.": LineEditor._last_word,
    b"\x1b_": LineEditor._last_word,
    b"\x1b<": LineEditor._oldest,
    b"\x1b>": LineEditor._newest,
    b"\x1b=": LineEditor._list_words,
    b"\x1b?": LineEditor._list_words,
    b"\x1b\x1b": LineEditor._complete_word,
    b"\x1b[3~": LineEditor._delete,
    b"\x1b[5~": LineEditor._search_prefix,
    b"\x1b[1;5C": LineEditor._word_right,
    b"\x1b[1;5D": LineEditor._word_left,
    b"\x1b[1~": LineEditor._home,
    b"\x1b[7~": LineEditor._home,
    b"\x1b[4~": LineEditor._end,
    b"\x1b[8~": LineEditor._end,
    **{
        introducer + final: action
        for introducer in (b"\x1b[", b"\x1bO")
        for final, action in {
            b"A": LineEditor._older,
            b"B": LineEditor._newer,
            b"C": LineEditor._right,
            b"D": LineEditor._left,
            b"H": LineEditor._home,
            b"F": LineEditor._end,
        }.items()
    },
}
"""What keys do, as mksh binds them."""

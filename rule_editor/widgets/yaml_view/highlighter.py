"""YAML in colours: keys, texts, numbers and comments. By line, with block texts carried over."""

from __future__ import annotations

import re

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument

from rule_editor.widgets.kit import Kit
from rule_editor.widgets.yaml_view.qt_positions import units

_KEY = re.compile(
    r"""(?:^|[\s{,\[?-])((?:"(?:\\.|[^"\\])*"|'(?:''|[^'])*'|[\w.<$-][^\s:#{}\[\],'"]*))(?=\s*:(?:\s|$))"""
)
_QUOTED = re.compile(r"""("(?:\\.|[^"\\])*"?|'(?:''|[^'])*'?)""")
_VALUE = re.compile(
    r"""(?:^\s*(?:-\s+)*|[:,\[{]\s+|\[|\{)([^\s#'"\[\]{},&*!|>-][^#,\[\]{}]*?)\s*(?=$|[,\]}]|\s#)"""
)
_NUMBER = re.compile(
    r"(?:[-+]?\d[\d_]*(?:\.\d*)?(?:[eE][-+]?\d+)?|true|false|yes|no|on|off|null|~)\Z", re.IGNORECASE
)
_BLOCK_TEXT = re.compile(r"[:-]\s*[|>][+-]?\d*\s*(?:#.*)?$")
_LAST_PLAIN = 0xFFFF
_PLAIN, _IN_BLOCK = -1, 0


class YamlHighlighter(QSyntaxHighlighter):
    """The state of a block is the indent of the block text it stands in, plus one; -1 outside one."""

    def __init__(self, kit: Kit, document: QTextDocument) -> None:
        super().__init__(document)
        self._kit = kit
        self._formats: dict[str, QTextCharFormat] = {}
        self._line, self._astral = "", False
        kit.changed.connect(self.restyle)
        self.restyle()

    def restyle(self) -> None:
        """Take the colours of the scheme in use."""
        for name in ("y-key", "y-str", "y-num", "y-com"):
            style = QTextCharFormat()
            style.setForeground(self._kit.color(name))
            self._formats[name] = style
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:  # noqa: N802 - Qt's name
        self._astral = not text.isascii() and any(ord(one) > _LAST_PLAIN for one in text)
        self._line = text
        indent = len(text) - len(text.lstrip(" "))
        inside = self.previousBlockState()
        if inside > _IN_BLOCK and (not text.strip() or indent >= inside):
            self._paint(0, len(text), "y-str")
            self.setCurrentBlockState(inside)
            return
        comment = self._comment_start(text)
        body = text[:comment]
        for found in _VALUE.finditer(body):
            self._paint(found.start(1), found.end(1), "y-num" if _NUMBER.match(found[1]) else "y-str")
        for found in _QUOTED.finditer(body):
            self._paint(found.start(1), found.end(1), "y-str")
        for found in _KEY.finditer(body):
            self._paint(found.start(1), found.end(1), "y-key")
        self._paint(comment, len(text), "y-com")
        self.setCurrentBlockState(indent + 1 if _BLOCK_TEXT.search(body) else _PLAIN)

    def _comment_start(self, text: str) -> int:
        """Where the comment begins: a # after a space that stands in no quotes."""
        quoted = [(found.start(), found.end()) for found in _QUOTED.finditer(text)]
        for found in re.finditer(r"(?:^|(?<=\s))#", text):
            if not any(start < found.start() < end for start, end in quoted):
                return found.start()
        return len(text)

    def _paint(self, start: int, end: int, name: str) -> None:
        if end <= start:
            return
        if self._astral:  # Qt counts an emoji as two
            start, end = units(self._line[:start]), units(self._line[:end])
        self.setFormat(start, end - start, self._formats[name])

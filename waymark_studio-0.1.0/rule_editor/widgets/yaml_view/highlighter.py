"""Syntax highlighting of YAML: keys, texts, numbers, comments and block texts."""

from __future__ import annotations

import re

from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument

from rule_editor.widgets.toolkit import Toolkit
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
    """Highlights line by line; the state of a line is the indent of its block text plus one, -1 outside."""

    def __init__(self, toolkit: Toolkit, document: QTextDocument) -> None:
        super().__init__(document)
        self._toolkit = toolkit
        self._formats: dict[str, QTextCharFormat] = {}
        self._line, self._astral = "", False
        toolkit.changed.connect(self.restyle)
        self.restyle()

    def restyle(self) -> None:
        """Use the colours of the current scheme."""
        for name in ("y-key", "y-str", "y-num", "y-com"):
            style = QTextCharFormat()
            style.setForeground(self._toolkit.color(name))
            self._formats[name] = style
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:  # noqa: N802 - Qt's name
        self._astral = not text.isascii() and any(ord(sign) > _LAST_PLAIN for sign in text)
        self._line = text
        indent = len(text) - len(text.lstrip(" "))
        inside = self.previousBlockState()
        if inside > _IN_BLOCK and (not text.strip() or indent >= inside):
            self._paint(0, len(text), "y-str")
            self.setCurrentBlockState(inside)
            return
        comment = self._comment_start(text)
        body = text[:comment]
        for match in _VALUE.finditer(body):
            self._paint(match.start(1), match.end(1), "y-num" if _NUMBER.match(match[1]) else "y-str")
        for match in _QUOTED.finditer(body):
            self._paint(match.start(1), match.end(1), "y-str")
        for match in _KEY.finditer(body):
            self._paint(match.start(1), match.end(1), "y-key")
        self._paint(comment, len(text), "y-com")
        self.setCurrentBlockState(indent + 1 if _BLOCK_TEXT.search(body) else _PLAIN)

    def _comment_start(self, text: str) -> int:
        """Where the comment begins: at a # after a space and outside of quotes."""
        quoted = [(match.start(), match.end()) for match in _QUOTED.finditer(text)]
        for match in re.finditer(r"(?:^|(?<=\s))#", text):
            if not any(start < match.start() < end for start, end in quoted):
                return match.start()
        return len(text)

    def _paint(self, start: int, end: int, name: str) -> None:
        if end <= start:
            return
        if self._astral:  # Qt counts UTF-16 units
            start, end = units(self._line[:start]), units(self._line[:end])
        self.setFormat(start, end - start, self._formats[name])

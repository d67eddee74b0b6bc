"""The YAML editor: shows the text of a document, and emits what is typed as edits of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
)
from PySide6.QtWidgets import QFrame, QTextEdit, QWidget

from collector.located_yaml.diagnostics import Diagnostic, QuickFix
from collector.model.i18n import _
from rule_editor.document.completion.completions import Completion
from rule_editor.document.text.edits import smallest_edit
from rule_editor.widgets.menu_text import menu_text
from rule_editor.widgets.popup_menu import PopupMenu
from rule_editor.widgets.toolkit import Toolkit
from rule_editor.widgets.yaml_view.completion_list import CompletionList
from rule_editor.widgets.yaml_view.gutter import Gutter
from rule_editor.widgets.yaml_view.highlighter import YamlHighlighter
from rule_editor.widgets.yaml_view.indentation_keys import edit_indentation
from rule_editor.widgets.yaml_view.line_annotations import TONES, ClauseTick, LineAnnotations
from rule_editor.widgets.yaml_view.qt_positions import QtPositions, units

_STRIP, _LINE = 20, 18
Provider = Callable[[int], Sequence[Completion]]
"""The completions at a character of the text."""


class YamlEditor(QTextEdit):
    """Emits ``typed(start, end, text)``, ``fix_chosen(QuickFix)`` and ``moved(offset)``, in characters."""

    typed = Signal(int, int, str)
    fix_chosen = Signal(object)
    moved = Signal(int)

    def __init__(self, toolkit: Toolkit, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self._toolkit = toolkit
        self._text = ""
        self._shown = ""
        self._lines_with_messages: set[int] = set()
        """Lines with space for messages under them."""
        self._has_line_heights = False
        """False when lines were added since the line heights were set."""
        self._positions = QtPositions("")
        self._updating = False
        self._is_changing = False
        """Whether Qt is telling of a change: it says that the cursor moved before it says what changed."""
        self.annotations = LineAnnotations()
        self.provider: Provider | None = None
        self.setAcceptRichText(False)
        self.setUndoRedoEnabled(False)  # the document has the undo history
        self.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setAccessibleName(_("Rules as YAML"))
        self.setProperty("takesKeys", True)
        self.setProperty("role", "code")
        self.setProperty("plain", True)
        self.document().setDocumentMargin(4)
        self._highlighter = YamlHighlighter(toolkit, self.document())
        self._gutter = Gutter(toolkit, self, self)
        self.completions = CompletionList(toolkit, self)
        self.document().contentsChange.connect(self._contents_changing)
        self.document().contentsChanged.connect(self._contents_changed)
        self.cursorPositionChanged.connect(self._cursor_moved)
        self.verticalScrollBar().valueChanged.connect(self._gutter.update)
        self.document().blockCountChanged.connect(self._fit_gutter)
        self.completions.chosen.connect(self.complete)
        toolkit.changed.connect(self._restyle)
        self._restyle()
        self._fit_gutter()

    # -- what is shown -------------------------------------------------------
    @property
    def text(self) -> str:
        """The text of the document."""
        return self._text

    def set_text(self, text: str) -> None:
        """Show ``text``; only the part that differs is replaced, so that cursor and scroll position stay."""
        self._text, self._positions = text, QtPositions(text)
        wanted = self._shown_text(text)
        if wanted != self._shown:
            (edit,) = smallest_edit(self._shown, wanted)
            start, end, new = edit.start, edit.end, edit.text
            self._shift_annotations(start, end, new)
            self._updating = True
            cursor = QTextCursor(self.document())
            cursor.setPosition(units(self._shown[:start]))
            cursor.setPosition(units(self._shown[:end]), QTextCursor.MoveMode.KeepAnchor)
            cursor.insertText(new)
            self._updating = False
            self._shown = self.toPlainText()
        self._show_annotations()

    def set_diagnostics(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Show diagnostics: as messages under their lines, and underlined at their places."""
        self.annotations.set_diagnostics(diagnostics)
        self._show_annotations()

    def set_ticks(self, ticks: Iterable[ClauseTick]) -> None:
        """Show which clauses hold on the current screen."""
        self.annotations.set_ticks(ticks)
        self._gutter.update()

    @property
    def offset(self) -> int:
        """Offset of the character after the cursor."""
        return self._positions.to_text(self.textCursor().position())

    def go_to(self, start: int, end: int | None = None) -> None:
        """Move the cursor to a character, or select up to ``end``, and scroll it into view."""
        cursor = self.textCursor()
        cursor.setPosition(self._positions.to_qt(start))
        if end is not None:
            cursor.setPosition(self._positions.to_qt(end), QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    @property
    def current_line(self) -> int:
        """Line of the cursor, from 1."""
        return self.textCursor().blockNumber() + 1

    def visible_lines(self) -> list[tuple[int, QRect]]:
        """The visible lines, from 1, with their rectangles in pixels of the viewport."""
        lines: list[tuple[int, QRect]] = []
        block = self.cursorForPosition(QPoint(0, 0)).block()
        while block.isValid():
            box = self._line_box(block)
            if box.top() > self.viewport().height():
                break
            lines.append((block.blockNumber() + 1, box))
            block = block.next()
        return lines

    def line_at(self, y: int) -> int:
        """The line at ``y`` of the viewport, its messages included; 0 for none."""
        lines = [line for line, box in self.visible_lines() if box.top() <= y]
        return lines[-1] if lines else 0

    def line_tooltip(self, line: int) -> str:
        """All annotations of a line, one sentence each."""
        sentences = [
            f"{diagnostic.code} {diagnostic.sentence}"
            for diagnostic in self.annotations.diagnostics.get(line, [])
        ]
        tick = self.annotations.ticks.get(line)
        return "\n".join([*sentences, *([tick.reason] if tick is not None and tick.reason else [])])

    # -- annotations -----------------------------------------------------------------
    def _shift_annotations(self, start: int, end: int, new: str) -> None:
        """Move the annotations of the lines after an edit, until new ones come."""
        if "\n" in new or "\n" in self._shown[start:end]:
            self._has_line_heights = False
        by = new.count("\n") - self._shown.count("\n", start, end)
        self.annotations.shift(self._shown.count("\n", 0, start) + 1, by)

    def _show_annotations(self) -> None:
        """Make space under lines for their messages, in one edit block so that layout runs once."""
        self._updating = True
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        with_messages = {line for line in self.annotations.diagnostics if self.annotations.messages(line)}
        every = range(1, self.document().blockCount() + 1)
        for line in sorted(with_messages | self._lines_with_messages) if self._has_line_heights else every:
            self._make_room(cursor, line)
        self._lines_with_messages, self._has_line_heights = with_messages, True
        cursor.endEditBlock()
        self._updating = False
        self._update_selections()
        self._gutter.update()

    def _make_room(self, cursor: QTextCursor, line: int) -> None:
        block = self.document().findBlockByNumber(line - 1)
        room = _STRIP * len(self.annotations.messages(line))
        style = block.blockFormat()
        if block.isValid() and (style.bottomMargin() != room or style.lineHeight() != _LINE):
            style.setBottomMargin(room)
            style.setLineHeight(_LINE, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
            cursor.setPosition(block.position())
            cursor.setBlockFormat(style)

    def _update_selections(self) -> None:
        selections = [self._current_line_selection()]
        for on_line in self.annotations.diagnostics.values():
            selections += [
                self._wave(diagnostic)
                for diagnostic in on_line
                if diagnostic.place.end > diagnostic.place.start
            ]
        self.setExtraSelections(selections)

    def _current_line_selection(self) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        style = QTextCharFormat()
        style.setBackground(self._toolkit.color("bg-2"))
        style.setProperty(QTextFormat.Property.FullWidthSelection, True)
        cursor = self.textCursor()
        cursor.clearSelection()
        selection.format, selection.cursor = style, cursor
        return selection

    def _wave(self, diagnostic: Diagnostic) -> QTextEdit.ExtraSelection:
        selection = QTextEdit.ExtraSelection()
        style = QTextCharFormat()
        style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.WaveUnderline)
        style.setUnderlineColor(self._toolkit.color(TONES[diagnostic.severity]))
        cursor = QTextCursor(self.document())
        end = min(diagnostic.place.end, self._end_of_line(diagnostic.place.start))
        cursor.setPosition(self._positions.to_qt(diagnostic.place.start))
        cursor.setPosition(self._positions.to_qt(end), QTextCursor.MoveMode.KeepAnchor)
        selection.format, selection.cursor = style, cursor
        return selection

    def _end_of_line(self, start: int) -> int:
        end = self._text.find("\n", start)
        return len(self._text) if end < 0 else end

    def _line_box(self, block: QTextBlock) -> QRect:
        box = self.document().documentLayout().blockBoundingRect(block)
        line = block.layout().lineAt(0)
        height = line.height() if line.isValid() else box.height()
        top = box.top() - self.verticalScrollBar().value()
        return QRect(0, round(top), self.viewport().width(), round(height))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setLayoutDirection(self.layoutDirection())
        painter.setFont(self._toolkit.font("caption"))
        for line, box in self.visible_lines():
            top = box.bottom() + 1
            for diagnostic in self.annotations.messages(line):
                self._paint_strip(painter, QRect(0, top, box.width(), _STRIP - 2), diagnostic)
                top += _STRIP

    def _paint_strip(self, painter: QPainter, box: QRect, diagnostic: Diagnostic) -> None:
        tone = TONES[diagnostic.severity]
        painter.fillRect(box, self._toolkit.color(f"{tone}-weak"))
        painter.setPen(self._toolkit.color(tone))
        room = box.adjusted(8, 0, -8, 0)
        if diagnostic.fixes:
            words = painter.fontMetrics().horizontalAdvance
            offer = f"{diagnostic.fixes[0].title}  Ctrl+."
            if words(diagnostic.sentence) + words(offer) + 16 > room.width():
                offer = _("Fix") + "  Ctrl+."  # the tooltip has its title
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, offer)
            room.adjust(0, 0, -painter.fontMetrics().horizontalAdvance(offer) - 16, 0)
        shown = painter.fontMetrics().elidedText(
            diagnostic.sentence, Qt.TextElideMode.ElideRight, room.width()
        )
        painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    # -- typing ----------------------------------------------------------------
    def _contents_changing(self, _at: int, _removed: int, _added: int) -> None:
        self._is_changing = True

    def _contents_changed(self) -> None:
        self._is_changing = False
        if self._updating:
            return
        now = self.toPlainText()
        if now == self._shown:
            return
        self._take_typed(now)
        self._cursor_moved()

    def _take_typed(self, now: str) -> None:
        """Follow what was typed at once: places are those of the text on show before its owner sets it."""
        (edit,) = smallest_edit(self._shown, now)
        start, end, new = edit.start, edit.end, edit.text
        self._shift_annotations(start, end, new)
        before = self._shown
        self._shown = now
        first = self._positions.to_text(units(before[:start]))
        last = self._positions.to_text(units(before[:end]))
        if "\r\n" in self._text:
            new = new.replace("\n", "\r\n")
        self._text = self._text[:first] + new + self._text[last:]
        self._positions = QtPositions(self._text)
        self.typed.emit(first, last, new)
        if len(new) == 1 and (new.isalnum() or new in "_'\"=") and end == start:
            self.offer_completions()
        else:
            self.completions.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if self.isReadOnly():
            super().keyPressEvent(event)
            return
        if self.completions.isVisible() and self._completion_key(event):
            return
        key, control = event.key(), event.modifiers() == Qt.KeyboardModifier.ControlModifier
        if control and key == Qt.Key.Key_Space:
            self.offer_completions()
        elif control and key == Qt.Key.Key_Period:
            self.offer_fixes()
        elif control and key == Qt.Key.Key_Slash:
            self._toggle_comment()
        elif not edit_indentation(self, event):
            super().keyPressEvent(event)

    def _completion_key(self, event: QKeyEvent) -> bool:
        key = event.key()
        if key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.completions.move_by(1 if key == Qt.Key.Key_Down else -1)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
            if (completion := self.completions.current) is not None:
                self.complete(completion)
        elif key == Qt.Key.Key_Escape:
            self.completions.hide()
        else:
            return False
        return True

    def _toggle_comment(self) -> None:
        cursor = self.textCursor()
        text = cursor.block().text()
        bare = text.lstrip(" ")
        at = cursor.block().position() + len(text) - len(bare)
        edit = QTextCursor(self.document())
        edit.setPosition(at)
        if bare.startswith("#"):
            length = 2 if bare.startswith("# ") else 1
            edit.setPosition(at + length, QTextCursor.MoveMode.KeepAnchor)
            edit.removeSelectedText()
        else:
            edit.insertText("# ")

    # -- completion and fixes ----------------------------------------------------
    def offer_completions(self) -> None:
        """Show the completions at the cursor."""
        completions = self.provider(self.offset) if self.provider is not None else ()
        line = self.cursorRect()
        line.translate(self.viewport().pos())
        self.completions.offer(completions, line)

    def complete(self, completion: Completion) -> None:
        """Insert a completion in place of the word at the cursor."""
        self.completions.hide()
        cursor = self.textCursor()
        cursor.setPosition(self._positions.to_qt(completion.start))
        cursor.setPosition(self._positions.to_qt(completion.end), QTextCursor.MoveMode.KeepAnchor)
        cursor.insertText(completion.text)
        self.setTextCursor(cursor)

    def fixes_here(self) -> list[QuickFix]:
        """Quick fixes of the current line, those at the cursor first."""
        return [
            fix
            for diagnostic in self.annotations.at(self.offset, self.current_line)
            for fix in diagnostic.fixes
        ]

    def offer_fixes(self) -> None:
        """Apply the only fix at once; show a menu of several."""
        fixes = self.fixes_here()
        if len(fixes) == 1:
            self.fix_chosen.emit(fixes[0])
        elif fixes:
            menu = PopupMenu(self)
            for fix in fixes:
                menu.addAction(menu_text(fix.title)).setData(fix)
            menu.triggered.connect(self._fix_picked)
            menu.popup(self.viewport().mapToGlobal(self.cursorRect().bottomLeft()))

    def _fix_picked(self, action: object) -> None:
        fix = action.data()  # type: ignore[attr-defined]
        self.fix_chosen.emit(fix)

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        super().mousePressEvent(event)
        self.completions.hide()
        point = event.position().toPoint()
        line = self.line_at(point.y())
        box = next((box for number, box in self.visible_lines() if number == line), None)
        if box is not None and point.y() > box.bottom() and self.annotations.messages(line):
            self.go_to(self.annotations.messages(line)[0].place.start)
            self.offer_fixes()

    # -- Qt --------------------------------------------------------------------
    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undoes = event.matches(QKeySequence.StandardKey.Undo) or event.matches(
                QKeySequence.StandardKey.Redo
            )
            if undoes:
                event.ignore()  # the window's commands undo the document
                return False
        return super().event(event)

    def focusOutEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)  # type: ignore[arg-type]
        self.completions.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._fit_gutter()

    def _fit_gutter(self) -> None:
        width = self._gutter.wanted_width()
        self.setViewportMargins(width, 0, 0, 0)
        self._gutter.setGeometry(0, self.viewport().y(), width, self.viewport().height())

    def _cursor_moved(self) -> None:
        if not self._updating and not self._is_changing:
            self._update_selections()
            self._gutter.update()
            self.moved.emit(self.offset)

    def _restyle(self) -> None:
        font = self._toolkit.font("code")
        font.setStyleStrategy(QFont.StyleStrategy.PreferAntialias)
        self.document().setDefaultFont(font)
        self.setTabStopDistance(self.fontMetrics().horizontalAdvance(" ") * 4)
        self._update_selections()
        self.viewport().update()

    @staticmethod
    def _shown_text(text: str) -> str:
        return text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2029", "\n")

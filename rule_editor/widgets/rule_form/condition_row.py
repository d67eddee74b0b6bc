"""One condition of the form: tick, fields, the reason why it holds or not, and a drag grip."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QMimeData, QPoint, Qt, Signal
from PySide6.QtGui import QDrag, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from collector.model.i18n import _
from collector.rules.evaluation.explanation import reason
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.condition_registry import condition_specs
from collector.rules.grammar.model import Condition, Unknown
from collector.rules.grammar.specs import SHARE, TEXTS, WHOLE, FieldSpec
from rule_editor.document.rules.condition_slots import ConditionPath
from rule_editor.widgets.rule_form.field_editor import FieldEditor
from rule_editor.widgets.toolkit import Toolkit
from rule_editor.widgets.toolkit_icon import ToolkitIcon

MIME = "application/x-waymark-condition"
_IN_HEADER = ("match_threshold", "threshold")
_HIDDEN = "min_step"
_NESTED = 2
"""Length of the path of a condition in a group within a group: it has less room."""


class ConditionRow(QFrame):
    """Emits ``edited(path, key, value)``, ``removed(path)``, ``chosen(path)`` and ``nudged(path, key)``."""

    edited = Signal(object, str, object)
    removed = Signal(object)
    chosen = Signal(object)
    nudged = Signal(object, int)

    def __init__(
        self, toolkit: Toolkit, condition: Condition, path: ConditionPath, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._toolkit = toolkit
        self.path = path
        self.condition = condition
        self._chosen = False
        self._ends_card = False
        self._verdict: tuple[bool, str] | None = None
        """Whether the condition does as it should on the screen, and why; None while that is unknown."""
        self.fields: dict[str, FieldEditor] = {}
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.mark = ToolkitIcon(toolkit, "state-todo", 14)
        self._title = toolkit.label(name_of(condition), "name", cut=True)
        self._why = toolkit.label("", "caption", "text-2", wrap=True)
        self._why.hide()
        self._lay_out()
        self.show_condition(condition)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(self.mark)
        head.addWidget(self._title, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 6, 8)
        column.setSpacing(4)
        column.addLayout(head)
        body = QVBoxLayout()
        body.setContentsMargins(20, 0, 18 if len(self.path) < _NESTED else 0, 0)
        body.setSpacing(4)
        for spec in specs_of(self.condition):
            editor = FieldEditor(self._toolkit, spec)
            editor.edited.connect(partial(self._field_edited, spec.name))
            editor.validity_changed.connect(self._show_mark)
            self.fields[spec.name] = editor
            if spec.name in _IN_HEADER:
                head.addWidget(self._toolkit.label(_("threshold"), "caption", "text-2"))
                head.addWidget(editor)
            elif spec.kind in (SHARE, WHOLE) or spec.kind == TEXTS or not self._named(spec):
                body.addWidget(
                    editor, 0, Qt.AlignmentFlag.AlignLeft if spec.kind == WHOLE else Qt.AlignmentFlag(0)
                )
            else:
                line = QHBoxLayout()
                label = self._toolkit.label(spec.name, "caption", "text-3")
                label.setFixedWidth(52)
                line.addWidget(label)
                line.addWidget(editor, 1)
                body.addLayout(line)
        remove = self._toolkit.button("", "x", small=True)
        remove.setAccessibleName(_("Remove this condition"))
        remove.setToolTip(_("Remove this condition"))
        remove.clicked.connect(self._remove)
        head.addWidget(remove)
        head.addWidget(DragGrip(self._toolkit, self))
        body.addWidget(self._why)
        column.addLayout(body)

    def _named(self, spec: FieldSpec) -> bool:
        """Whether a field needs its name beside it, as one of several."""
        return len(specs_of(self.condition)) > 1 and spec.name != "keywords"

    def _field_edited(self, key: str, value: object) -> None:
        self.edited.emit(self.path, key, value)

    # -- what is shown -------------------------------------------------------
    def show_condition(self, condition: Condition) -> None:
        """Show another condition of the same type."""
        self.condition = condition
        for name, editor in self.fields.items():
            editor.show_value(getattr(condition, name, None))
        self.setAccessibleName(name_of(condition))

    def show_proof(self, proof: Proof | None, view: StateView | None, *, wanted: bool = True) -> None:
        """Show the tick and the reason; inside a ``not``, where ``wanted`` is False, it should not hold."""
        self._verdict = None
        if proof is not None and view is not None:
            self._verdict = proof.holds == wanted, reason(proof, view)
        self._show_mark()
        if proof is not None and "keywords" in self.fields:
            words = getattr(self.condition, "keywords", ())
            self.fields["keywords"].show_value(words, proof.missing)

    def _show_mark(self) -> None:
        """Show the verdict; a field with a text that is no value has none, whatever was proved before."""
        invalid = next((editor for editor in self.fields.values() if editor.is_invalid), None)
        good, why = self._verdict or (True, "")
        if invalid is not None and invalid.line is not None:
            good, why = False, invalid.line.toolTip()
        known = invalid is not None or self._verdict is not None
        self.mark.set_name("state-todo" if not known else "state-ok" if good else "state-err")
        self._why.setText(why)
        self._why.setProperty("tone", "text-2" if good else "err")
        self._toolkit.repolish(self._why)
        self._why.setVisible(known)

    @property
    def why(self) -> str:
        """The reason shown."""
        return self._why.text()

    def set_chosen(self, *, on: bool) -> None:
        """Mark the condition as the chosen one."""
        if on != self._chosen:
            self._chosen = on
            self.update()

    def end_card(self) -> None:
        """Leave out the line below: the border of the card is there."""
        self._ends_card = True

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        super().paintEvent(event)
        painter = QPainter(self)
        if self._chosen:
            painter.fillRect(self.rect(), self._toolkit.color("accent-weak"))
        if self.hasFocus():
            painter.setPen(QPen(self._toolkit.color("accent"), 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        elif not self._ends_card:
            painter.setPen(self._toolkit.color("line"))
            painter.drawLine(0, self.height() - 1, self.width(), self.height() - 1)

    # -- input -------------------------------------------------------------
    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self.chosen.emit(self.path)
        super().mousePressEvent(event)

    def focusInEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)  # type: ignore[arg-type]
        self.chosen.emit(self.path)
        self.update()

    def focusOutEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)  # type: ignore[arg-type]
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        alt = event.modifiers() == Qt.KeyboardModifier.AltModifier
        if event.key() == Qt.Key.Key_Delete:
            self.removed.emit(self.path)
        elif alt and event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.nudged.emit(self.path, event.key())
        else:
            super().keyPressEvent(event)

    def _remove(self) -> None:
        self.removed.emit(self.path)


class DragGrip(QWidget):
    """A handle of six dots that drags the condition."""

    def __init__(self, toolkit: Toolkit, row: QWidget) -> None:
        super().__init__(row)
        self._toolkit = toolkit
        self._row = row
        self._pressed: QPoint | None = None
        self.setFixedSize(16, 22)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setToolTip(_("Drag to another place or group; Alt and the arrows do the same"))

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        self._toolkit.draw_icon_in(QPainter(self), "grip", self.rect(), 14, "text-3")

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._pressed = event.position().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if self._pressed is None:
            return
        moved = (event.position().toPoint() - self._pressed).manhattanLength()
        if moved >= QApplication.startDragDistance():
            self._pressed = None
            drag = QDrag(self)
            data = QMimeData()
            path: ConditionPath = getattr(self._row, "path", ())
            data.setData(MIME, ",".join(map(str, path)).encode())
            drag.setMimeData(data)
            drag.setPixmap(self._row.grab())
            drag.exec(Qt.DropAction.MoveAction)


def specs_of(condition: Condition) -> tuple[FieldSpec, ...]:
    """The fields shown for a condition; ``min_step`` only where it is used."""
    spec = condition_specs().get(condition.type)
    if spec is None:
        return ()
    return tuple(field for field in spec.fields if field.name != _HIDDEN or condition.min_step)


def name_of(condition: Condition) -> str:
    """The title of a row."""
    if isinstance(condition, Unknown):
        return condition.written or _("a condition without a type")
    return condition.type

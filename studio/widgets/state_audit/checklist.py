"""The checklist of an audit: its states, the criteria of one of them, the decision, and the signature."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QProgressBar, QScrollArea, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.widgets.controls import Button, Label, divider
from studio.widgets.state_audit.criterion_view import CriterionView
from studio.widgets.state_audit.rows import AuditedRow, AuditSheet
from studio.widgets.state_audit.state_list import AuditedStateList

_SIDE = 12
_NARROW = 332
"""Below this width the longest button says less."""
DECISION_KEYS = {"1": "accept", "2": "fix", "3": "reject"}
"""The decision of each key while the checklist has the keyboard."""


class AuditChecklist(QWidget):
    """Emits what the auditor does; the caller stores it and shows the sheet again."""

    chosen = Signal(str)
    """The id of a state was chosen."""
    answered = Signal(str, str, str)
    """Ids of state and criterion, and the answer; an empty one takes the answer back."""
    noted = Signal(str, str, str)
    """Ids of state and criterion, and the note."""
    decided = Signal(str, str)
    """Id of the state and the decision: ``accept``, ``fix`` or ``reject``."""
    signed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sheet = AuditSheet("")
        self.current = ""
        """The id of the state whose criteria are shown."""
        self._about = Label("", "body", "text-2", cut=True)
        self._count = Label("", "caption", "text-2")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(64)
        self._bar.setAccessibleName(_("Progress of the audit"))
        self.list = AuditedStateList()
        self._title = Label("", "title", wrap=True)
        self._decision = Label("", "caption", "text-2", wrap=True)
        self.criteria: dict[str, CriterionView] = {}
        self._criteria = QVBoxLayout()
        self._criteria.setSpacing(0)
        self.buttons = {
            "accept": Button(_("Accept"), kind="primary", key="1"),
            "fix": Button(_("Fix and accept"), kind="outlined", key="2"),
            "reject": Button(_("Reject..."), kind="outlined", key="3"),
        }
        self._problem = Label("", "caption", "text-2", wrap=True)
        self.sign = Button(_("Sign the audit"), "check", "outlined")
        self._others = Label("", "caption", "text-2", wrap=True)
        self.setProperty("takesAlso", " ".join(DECISION_KEYS))
        self._lay_out()
        self.list.chosen.connect(self.chosen)
        self.sign.clicked.connect(self.signed)
        tips = {
            "accept": _("The state stands as it is agreed"),
            "fix": _("Correct the state, and accept it so"),
            "reject": _("Send the state back to the operators, with a note"),
        }
        for name, button in self.buttons.items():
            button.setProperty("decision", name)
            button.setToolTip(tips[name])
            button.clicked.connect(self._decision_pressed)

    # -- layout ------------------------------------------------------------------
    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head())
        column.addWidget(divider())
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inner = QWidget()
        body = QVBoxLayout(inner)
        body.setContentsMargins(0, 0, 0, _SIDE)
        body.setSpacing(0)
        body.addWidget(self.list)
        body.addWidget(divider())
        body.addLayout(self._state_part())
        body.addStretch()
        self._scroll.setWidget(inner)
        column.addWidget(self._scroll, 1)
        column.addWidget(divider())
        column.addWidget(self._foot())

    def _head(self) -> QWidget:
        head = QWidget()
        head.setFixedHeight(32)
        row = QHBoxLayout(head)
        row.setContentsMargins(_SIDE, 0, _SIDE, 0)
        row.setSpacing(8)
        row.addWidget(Label(_("Audit"), "heading"))
        row.addWidget(self._about, 1)
        row.addWidget(self._count)
        row.addWidget(self._bar)
        return head

    def _state_part(self) -> QVBoxLayout:
        part = QVBoxLayout()
        part.setContentsMargins(_SIDE, 10, _SIDE, 0)
        part.setSpacing(4)
        part.addWidget(self._title)
        part.addWidget(self._decision)
        part.addLayout(self._criteria)
        return part

    def _foot(self) -> QWidget:
        foot = QWidget()
        column = QVBoxLayout(foot)
        column.setContentsMargins(_SIDE, 8, _SIDE, 10)
        column.setSpacing(8)
        self._actions = QWidget()
        row = QHBoxLayout(self._actions)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        for button in self.buttons.values():
            row.addWidget(button)
        row.addStretch()
        column.addWidget(self._actions)
        column.addWidget(self._problem)
        column.addWidget(self.sign, alignment=Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._others)
        self._foot_column = column
        return foot

    def add_below(self, button: Button) -> None:
        """Add a button under all others."""
        self._foot_column.addWidget(button, alignment=Qt.AlignmentFlag.AlignLeft)

    # -- content -----------------------------------------------------------------
    def show_sheet(self, sheet: AuditSheet, current: str) -> None:
        """Show an audit, with the criteria of one of its states."""
        if current != self.current:
            self.save_notes()
            for view in self.criteria.values():
                view.forget()
        self.sheet = sheet
        row = sheet.row(current) or (sheet.rows[0] if sheet.rows else None)
        self.current = row.id if row is not None else ""
        self._about.setText(sheet.about)
        self._count.setText(_("{done} of {all}", done=sheet.decided, all=len(sheet.rows)))
        self._bar.setRange(0, max(1, len(sheet.rows)))
        self._bar.setValue(sheet.decided)
        self.list.show_rows(sheet.rows, self.current)
        self._show_state(row)
        is_open = not (sheet.is_signed or sheet.is_read_only)
        self._actions.setVisible(is_open and row is not None)
        self._problem.setText(sheet.verdict if sheet.is_signed else sheet.problem)
        self._problem.setVisible(bool(self._problem.text()))
        self.sign.setVisible(is_open)
        self.sign.setEnabled(not sheet.problem)
        self._others.setText("\n".join(sheet.others))
        self._others.setVisible(bool(sheet.others))
        place = self.list.row_rect(self.current)
        self._scroll.ensureVisible(0, place.bottom(), 0, 0)

    def _show_state(self, row: AuditedRow | None) -> None:
        self._title.setText(f"{row.number}  {row.sentence}" if row is not None else "")
        note = row.decision_note if row is not None else ""
        self._decision.setText(note)
        self._decision.setVisible(bool(note))
        wanted = row.criteria if row is not None else ()
        if [criterion.id for criterion in wanted] != list(self.criteria):
            self._build_criteria(row)
        is_read_only = self.sheet.is_signed or self.sheet.is_read_only
        for criterion in wanted:
            self.criteria[criterion.id].show_row(criterion, is_read_only=is_read_only)
        for name, button in self.buttons.items():
            button.setChecked(row is not None and row.decision == name)

    def _build_criteria(self, row: AuditedRow | None) -> None:
        for view in self.criteria.values():
            view.hide()
            view.deleteLater()
        self.criteria = {}
        for criterion in row.criteria if row is not None else ():
            view = self.criteria[criterion.id] = CriterionView(criterion)
            view.answered.connect(self._answered)
            view.noted.connect(self._noted)
            self._criteria.addWidget(view)

    def save_notes(self) -> None:
        """Emit notes that are still being typed; call it before another state or audit is shown."""
        for view in self.criteria.values():
            view.save()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        is_narrow = self.width() < _NARROW
        self.buttons["fix"].set_face(_("Fix...") if is_narrow else _("Fix and accept"))

    # -- input -------------------------------------------------------------------
    @Slot(str, str)
    def _answered(self, criterion: str, answer: str) -> None:
        keyboard = QApplication.focusWidget()
        if keyboard is None or not self.isAncestorOf(keyboard):
            self.list.setFocus()  # 1, 2 and 3 decide from now on, as the buttons say
        self.answered.emit(self.current, criterion, answer)

    @Slot(str, str)
    def _noted(self, criterion: str, note: str) -> None:
        self.noted.emit(self.current, criterion, note)

    @Slot()
    def _decision_pressed(self) -> None:
        self._decide(str(self.sender().property("decision")))

    def _decide(self, decision: str) -> None:
        if self.current and not (self.sheet.is_signed or self.sheet.is_read_only):
            self.save_notes()
            self.decided.emit(self.current, decision)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        decision = DECISION_KEYS.get(event.text())
        if decision is None or event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            super().keyPressEvent(event)
        else:
            self._decide(decision)

"""The Audit tab: an independent review of the agreed states, by A3's three criteria."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QApplication, QStackedWidget, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.views.services import WindowServices
from studio.views.states.proposals.audit_controller import AuditController
from studio.views.states.proposals.audit_sheet import audit_sheet, why_no_audit
from studio.views.states.session import StatesSession
from studio.widgets.commands.command_button import show_command
from studio.widgets.controls import Button, Label
from studio.widgets.state_audit.checklist import AuditChecklist

_START = "states.start-audit"


class AuditTab(QStackedWidget):
    """Shows why there is no audit, or the checklist of the person's audit."""

    count_changed = Signal(object)
    """How many states are not decided in the open audit; None without one."""

    def __init__(self, session: StatesSession, services: WindowServices) -> None:
        super().__init__()
        self._session, self._services = session, services
        self._reviews = services.state_reviews
        self._begins = False
        """Whether an audit was asked for, whose checklist is to have the keyboard."""
        self.checklist = AuditChecklist()
        self._sentence = Label("", "body", "text-2", wrap=True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.start_button = Button(services.commander.registry[_START].label, "check", "outlined")
        self.start_button.clicked.connect(self._start)
        self.again_button = Button(_("Begin the audit again"), "refresh", "outlined")
        self.again_button.clicked.connect(self._start)
        self.withdraw_button = Button(_("Take back my signature"), "undo")
        self.withdraw_button.clicked.connect(self._withdraw)
        self.checklist.add_below(self.again_button)
        self.checklist.add_below(self.withdraw_button)
        self.addWidget(self._placeholder())
        self.addWidget(self.checklist)
        self.controller = AuditController(session, services, self.checklist, self)
        self._reviews.changed.connect(self.refresh)
        session.state_selected.connect(self.refresh)
        self._remove = services.commander.changed.subscribe(self._show_button)
        self.destroyed.connect(self._remove)
        self.refresh()

    def _placeholder(self) -> QWidget:
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(24, 24, 24, 24)
        column.setSpacing(12)
        column.addStretch(2)
        column.addWidget(self._sentence)
        column.addWidget(self.start_button, alignment=Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)
        return page

    @Slot()
    def refresh(self) -> None:
        """Show the work on the task as it is known now."""
        review, keyboard = self._reviews.review, QApplication.focusWidget()
        has_keyboard = keyboard is not None and self.isAncestorOf(keyboard)
        audit = review.audit if review is not None else None
        if review is None or audit is None:
            self.setCurrentIndex(0)
            problem = why_no_audit(review) if review is not None else ""
            self._sentence.setText(
                problem
                or _("Check of each state: can it be seen, must it be done, and do all cover the task?")
            )
            self._show_button(None)
            self.count_changed.emit(None)
            return
        project = self._services.project_library.project
        sheet = audit_sheet(review, is_read_only=project is not None and project.is_read_only)
        selected = self._session.state_id
        self.checklist.show_sheet(sheet, selected if sheet.row(selected) else self.checklist.current)
        self.again_button.setVisible(review.may_audit)
        self.withdraw_button.setVisible(bool(audit.signed) and not review.may_audit)
        self.setCurrentIndex(1)
        focus = QApplication.focusWidget()
        is_lost = focus is None or not self.checklist.isAncestorOf(focus)
        if (self._begins or (has_keyboard and is_lost)) and self.isVisible():
            self.checklist.list.setFocus()  # the button that had it is gone
        self._begins = False
        left = len(sheet.rows) - sheet.decided
        self.count_changed.emit(left if left and not sheet.is_signed else None)

    def _show_button(self, _event: None) -> None:
        self.start_button.setVisible(self._services.commander.enabled(_START))
        show_command(self.start_button, self._services.commander, _START)

    def take_keyboard(self) -> None:
        """Let keys decide on the state on show, or begin the audit."""
        (self.checklist.list if self.currentIndex() else self.start_button).setFocus()

    @Slot()
    def _start(self) -> None:
        self._begins = True
        self._services.run_command(_START)

    @Slot()
    def _withdraw(self) -> None:
        self._services.run_command("states.withdraw-audit")

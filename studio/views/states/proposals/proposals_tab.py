"""The Proposals tab: two operators side by side, and what was agreed between them."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QApplication, QProgressBar, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.views.services import WindowServices
from studio.views.states.proposals.comparison_rows import comparison_of
from studio.views.states.proposals.proposal_controller import StateProposalController
from studio.views.states.proposals.proposal_stage import ProposalStage, stage_of, stage_sentence
from studio.views.states.session import StatesSession
from studio.views.undo_source import as_text_field
from studio.widgets.commands.command_button import show_command
from studio.widgets.commands.command_menu import CommandMenu
from studio.widgets.controls import Button, Label, header_row
from studio.widgets.icon_button import IconButton
from studio.widgets.operator_comparison.view import ComparisonView

_NEXT, _SETTLE = "states.next-difference", "states.settle-agreed"
_STAGE_COMMANDS = {
    ProposalStage.START: "states.start-proposal",
    ProposalStage.OPEN: "states.sign-proposal",
    ProposalStage.SIGNED: "states.withdraw-proposal",
    ProposalStage.STALE: "states.realign",
    ProposalStage.FINISHED: "states.reopen-definition",
}
"""The command that a stage shows as its button."""
_MORE = (
    ("states.choose-golden", "states.delete-proposal", "states.withdraw-proposal"),
    ("states.realign", "states.reopen-definition"),
)


class ProposalsTab(QWidget):
    """Follows the session and the work of people on its task."""

    count_changed = Signal(object)
    """How many differences are not settled; None when there are none to settle."""

    def __init__(self, session: StatesSession, services: WindowServices) -> None:
        super().__init__()
        self._session, self._services = session, services
        self._reviews = services.state_reviews
        self._is_open, self._task_id = False, ""
        """Whether the differences were to be settled when the tab was filled last."""
        self.view = ComparisonView()
        self._sentence = Label("", "body", "text-2", cut=True)
        self._count = Label("", "name")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setFixedWidth(80)
        self._bar.setAccessibleName(_("Settled differences"))
        self.next_button = self._command_button(_NEXT, "chevd", "plain")
        self.next_button.set_key("", "N")
        self.settle_button = self._command_button(_SETTLE, "check", "outlined")
        self.stage_button = Button("", "", "outlined")
        self.stage_button.clicked.connect(self._run)
        self._more = IconButton("more", _("More about proposals"))
        self._more.clicked.connect(self._open_more)
        self._lay_out()
        self.controller = StateProposalController(session, services, self.view, self)
        self._reviews.changed.connect(self.refresh)
        session.trajectories_changed.connect(self.refresh)
        session.states_changed.connect(self.refresh)
        session.state_selected.connect(self._select_row)
        self.view.selected.connect(self._show_state)
        self.view.focused.connect(self._show_key)
        self.view.opened.connect(self._show_screen)
        self._remove = services.commander.changed.subscribe(self._show_stage_button)
        self.destroyed.connect(self._remove)
        self.refresh()

    def _lay_out(self) -> None:
        head, row = header_row("section_header")
        row.addWidget(self._sentence, 1)
        row.addWidget(self._count)
        row.addWidget(self._bar)
        row.addWidget(self.next_button)
        row.addWidget(self.settle_button)
        row.addWidget(self.stage_button)
        row.addWidget(self._more)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addWidget(self.view, 1)
        self.setFocusProxy(self.view)

    def _command_button(self, command_id: str, icon: str, kind: str) -> Button:
        command = self._services.commander.registry[command_id]
        button = Button(command.label, icon, kind)
        button.setToolTip(command.help)
        button.setProperty("command", command_id)
        button.clicked.connect(self._run)
        return button

    @Slot(bool)
    def _show_key(self, has_focus: bool) -> None:
        """Show the key of the next difference while the rows have the keyboard; else it adds a state."""
        self.next_button.set_key("N" if has_focus else "", "N")

    @Slot()
    def _run(self) -> None:
        self._services.run_command(str(self.sender().property("command")))

    @Slot()
    def _open_more(self) -> None:
        menu = CommandMenu(self._services.commander, _MORE, self._services.run_command, self)
        menu.popup(self._more.mapToGlobal(self._more.rect().bottomLeft()))

    # -- content ---------------------------------------------------------------
    @Slot()
    def refresh(self) -> None:
        """Show the work on the task as it is known now."""
        review, keyboard = self._reviews.review, QApplication.focusWidget()
        has_keyboard = keyboard is not None and self.isAncestorOf(keyboard)
        has_review = review is not None
        self.view.setEnabled(has_review)
        if review is None:
            self._sentence.setText("")
            return
        titles = {item.id: item.title for item in self._session.goldens}
        comparison = comparison_of(review, titles, self._session.proposed_states)
        self.view.show_comparison(comparison)
        stage = stage_of(review)
        sentence = stage_sentence(review, stage)
        self._sentence.setText(sentence)
        self._sentence.setToolTip(sentence)
        settled, everything = comparison.settled, len(comparison.rows)
        is_compared = review.alignment is not None
        for widget in (self._count, self._bar):
            widget.setVisible(is_compared)
        self._count.setText(_("{done} of {all} settled", done=settled, all=everything))
        self._bar.setRange(0, max(1, everything))
        self._bar.setValue(settled)
        is_open = stage is ProposalStage.DEFINE
        self.next_button.setVisible(is_open)
        self.settle_button.setVisible(is_open)
        self.stage_button.setProperty("command", _STAGE_COMMANDS.get(stage, ""))
        self._show_stage_button(None)
        # Only by what was done here: the task that is chosen next may be open already.
        began = is_open and not self._is_open and self._task_id == review.task_id
        self._is_open, self._task_id = is_open, review.task_id
        if self.isVisible() and (has_keyboard or (began and as_text_field(keyboard) is None)):
            self._keep_keyboard()
        self.count_changed.emit(everything - settled if is_open and everything > settled else None)

    def _keep_keyboard(self) -> None:
        """Give the keyboard to the rows when the button that had it is gone, and when they can be settled."""
        focus = QApplication.focusWidget()
        if focus is None or not self.isAncestorOf(focus):
            self.view.setFocus()

    def _show_stage_button(self, _event: None) -> None:
        commander = self._services.commander
        command_id = str(self.stage_button.property("command") or "")
        self.stage_button.setVisible(bool(command_id))
        if command_id:
            self.stage_button.set_face(commander.title(command_id), commander.registry[command_id].icon)
            show_command(self.stage_button, commander, command_id)
            self.stage_button.setVisible(True)
        self.settle_button.setEnabled(commander.enabled(_SETTLE))

    # -- selection ---------------------------------------------------------------
    @Slot(str)
    def _show_state(self, row_id: str) -> None:
        """Select the state that a row became, so that graph and film strip follow."""
        state_id = self.controller.state_of_row(row_id)
        if state_id:
            self._session.select(state_id)

    @Slot(str)
    def _show_screen(self, row_id: str) -> None:
        """Show the screen at which the state of a row is reached."""
        self.controller.show_screen(row_id)

    @Slot(str)
    def _select_row(self, state_id: str) -> None:
        row_id = self.controller.row_of_state(state_id)
        if row_id:
            self.view.set_current(row_id)

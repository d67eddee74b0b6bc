"""The commands that label: states by their keys, verdict, reason, comments, submission."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from collector.judge.votes.reason_edits import Reasons
from collector.model.episode_text import verdict_text
from collector.model.errors import UserError
from collector.model.message import _
from collector.model.verdicts.judgement import TASK, VERDICTS
from collector.review.label_progress import LabelledTrajectory
from collector.review.reviewing import LabelChange
from collector.store.trajectory.achieved_states import screens_of
from collector.store.trajectory.reviews.labels import Comment, Labels
from studio.bridge.review.task_labels import TaskLabels
from studio.bridge.while_alive import while_alive
from studio.views.no_such_state import no_such_state
from studio.views.services import WindowServices
from studio.views.states.labels.comment_dialog import CommentDialog
from studio.views.states.labels.label_rows import FIRST_STEP, MOST_KEYS
from studio.views.states.labels.reasons_dialog import ReasonsDialog
from studio.views.states.labels.verdict_box import VerdictBox
from studio.views.states.session import StatesSession


class LabelView(Protocol):
    """What the controller knows of the tab."""

    labels: TaskLabels
    verdict: VerdictBox

    @property
    def state_ids(self) -> tuple[str, ...]:
        """The states that are labelled, in the order of their keys."""
        ...

    @property
    def row(self) -> LabelledTrajectory | None:
        """The trajectory that is labelled."""
        ...

    @property
    def chosen_state(self) -> str:
        """Id of the chosen state; empty for none."""
        ...

    def take_focus(self) -> None:
        """Give the keyboard to the states."""
        ...


class LabelController(QObject):
    """Turns commands into edits of labels. ``view`` says what is chosen."""

    def __init__(
        self, session: StatesSession, view: LabelView, services: WindowServices, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._session, self._view, self._services = session, view, services
        self._parent = parent
        self._in_front = False
        self._dialog: CommentDialog | None = None
        session.screen_changed.connect(self._show_screen)
        commander = services.commander
        for number in range(1, MOST_KEYS + 1):
            commander.handle(f"labels.state-{number}", partial(self.label_number, number))
        for verdict in VERDICTS[TASK]:
            commander.handle(f"labels.judge-{verdict}", partial(view.verdict.give, verdict))
        for command, handler in (
            ("labels.state-chosen", self.label_chosen), ("labels.not-reached", self.not_reached),
            ("labels.rest-not-reached", self.rest_not_reached), ("labels.reason", view.verdict.open_reasons),
            ("labels.edit-reasons", self.edit_reasons), ("labels.comment", self.comment),
            ("labels.submit", self.submit), ("labels.next", self.go_to_next),
        ):  # fmt: skip
            commander.handle(command, handler)
        view.verdict.given.connect(self._give_verdict)
        view.labels.taken.connect(self._go_to)

    @property
    def _window(self) -> QWidget:
        return self._parent.window()

    # -- when labels are given -----------------------------------------------
    def set_in_front(self, in_front: bool) -> None:
        """Say whether the tab is on show: its keys work only then."""
        if in_front and not self._in_front:
            self._view.labels.read()  # another program may have written labels
        self._in_front = in_front
        self.show_context()

    def show_context(self) -> None:
        """Say whether a trajectory can be labelled now."""
        labelling = self._in_front and self._view.row is not None
        self._services.commander.set_context(states__labelling=labelling)

    # -- states ----------------------------------------------------------------
    def label_number(self, number: int) -> None:
        """Say that the state with a number, from 1, is reached at the step in front, or take it back."""
        if number > len(self._view.state_ids):
            raise no_such_state(len(self._view.state_ids))
        self._label(self._view.state_ids[number - 1])

    def label_chosen(self) -> None:
        """Say that the chosen state is reached at the step in front, or take it back."""
        self._label(self._chosen())

    def _label(self, state: str) -> None:
        step = self._session.step
        screens = screens_of(self._session.steps)
        if not 0 <= step < len(screens):
            raise UserError(_("This trajectory has no steps to label"))
        name = self._name_of(state)
        if self._session.state_of(state) is not None:
            self._session.select(state)
        self._edit(
            _("label {state} at step {step}", state=name, step=step + FIRST_STEP),
            lambda labels: labels.toggled(state, step, screens[step]),
        )

    def not_reached(self) -> None:
        """Say that the chosen state is not reached, or take it back."""
        state = self._chosen()
        name = self._name_of(state)
        self._edit(_("{state} not reached", state=name), lambda labels: labels.toggled_missed(state))

    def rest_not_reached(self) -> None:
        """Say that the states without a label are not reached."""
        states = self._view.state_ids

        def change(labels: Labels) -> Labels:  # what was labelled a moment ago counts
            return labels.with_missed(*(state for state in states if state not in labels.labelled))

        self._edit(_("no other essential state reached"), change)

    def _name_of(self, state: str) -> str:
        """The short name of a state by its key: ``M3`` for the third."""
        return f"M{self._view.state_ids.index(state) + 1}"

    def _chosen(self) -> str:
        state = self._view.chosen_state
        if not state:
            raise UserError(_("No essential state is chosen"), "", _("Choose one with the arrows"))
        return state

    def _edit(self, title: str, change: LabelChange) -> None:
        row = self._view.row
        if row is not None:
            self._label_in(row.folder, title, change)

    def _label_in(self, folder: Path, title: str, change: LabelChange) -> None:
        self._view.labels.act(folder, title, lambda reviewing: reviewing.label(folder, title, change))

    # -- verdict and reasons -----------------------------------------------------
    @Slot(str, str, str)
    def _give_verdict(self, verdict: str, sentence: str, reason_id: str) -> None:
        row = self._view.row
        if row is not None:
            folder, title = row.folder, _("verdict {verdict}", verdict=verdict_text(verdict))
            self._view.labels.act(
                folder, title, lambda reviewing: reviewing.judge(folder, verdict, sentence, reason_id)
            )

    def edit_reasons(self) -> None:
        """Open the dialog of the reasons."""
        dialog = ReasonsDialog(self._window, self._view.labels.reasons)
        dialog.edited.connect(self._reasons_edited)
        dialog.open()

    @Slot(object)
    def _reasons_edited(self, reasons: Reasons) -> None:
        self._view.labels.set_reasons(_("edit reasons"), reasons)

    # -- comments ----------------------------------------------------------------
    def comment(self) -> None:
        """Write a comment on the step in front."""
        self._open_comment(self._session.step, None, None)

    @Slot(int)
    def open_comment(self, place: int) -> None:
        """Go to the step of a comment, and change or delete it."""
        row = self._view.row
        if row is None:
            return
        comment = row.labels.comments[place]
        if comment.step is not None:
            self._session.go(comment.step)
        self._open_comment(comment.step, comment, place)

    def _open_comment(self, step: int | None, comment: Comment | None, place: int | None) -> None:
        row, screens = self._view.row, screens_of(self._session.steps)
        if row is None:
            return
        at = step if step is not None and 0 <= step < len(screens) else None
        dialog = CommentDialog(self._window, at, screens[at] if at is not None else "", comment)
        dialog.written.connect(partial(self._comment_written, row.folder, place))
        dialog.deleted.connect(partial(self._comment_deleted, row.folder, place))
        dialog.finished.connect(self._comment_closed)
        self._dialog = dialog
        self._show_screen()
        dialog.open()

    @Slot()
    def _show_screen(self) -> None:
        """Show the screen of the step in the dialog, now or once it was read."""
        dialog, shown = self._dialog, self._session.shown
        item = self._session.trajectory
        if dialog is None or shown is None or item is None:
            return
        if shown.place == (item.id, dialog.step):
            dialog.show_screen(shown.image, shown.view.tree)

    def _comment_written(self, folder: Path, place: int | None, comment: Comment) -> None:
        self._label_in(folder, _("comment"), lambda labels: labels.with_comment(comment, place))

    def _comment_deleted(self, folder: Path, place: int | None) -> None:
        if place is not None:
            self._label_in(folder, _("delete comment"), lambda labels: labels.without_comment(place))

    @Slot()
    def _comment_closed(self) -> None:
        self._dialog = None
        self._view.take_focus()

    # -- the next trajectory -------------------------------------------------------
    def submit(self) -> None:
        """Submit the review with the labels, and go to the next trajectory."""
        row = self._view.row
        if row is None:
            return
        folder = row.folder
        labels = self._view.labels
        labels.act(
            folder, _("submit the review"), lambda reviewing: reviewing.submit(folder),
            while_alive(labels, lambda: labels.take_next(folder, must=False)),
        )  # fmt: skip

    def go_to_next(self) -> None:
        """Go to the next trajectory of the task in the queue of those to label."""
        row = self._view.row
        self._view.labels.take_next(row.folder if row is not None else None)

    @Slot(object)
    def _go_to(self, folder: Path) -> None:
        row = self._view.labels.row_of(folder)
        if row is not None:
            self._session.choose_trajectory(row.header.id, 0)
            self._view.take_focus()

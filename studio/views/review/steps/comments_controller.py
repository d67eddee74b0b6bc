"""Comments on the chosen trajectory: shown, written to the step or node in hand, opened and deleted."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal, Slot

from collector.comparison.alignment.aligned import LETTERS
from collector.model.message import _
from collector.model.trajectory import Target
from collector.review.comments import pinned_node
from collector.review.review_clock import now_stamp
from collector.store.trajectory.achieved_states import screen_of_step
from collector.store.trajectory.reviews.labels import Comment
from studio.bridge.while_alive import while_alive
from studio.views.review.columns_controller import ColumnsController
from studio.views.review.session import ReviewSession
from studio.views.review.side_panel import ReviewSidePanel
from studio.views.review.steps.comments_page import CommentRow, CommentsPage
from studio.views.review.verdict_controller import ReviewVerdictController
from studio.views.services import WindowServices


class CommentsController(QObject):
    """Follows the session; a node that is selected on the screen is what a comment is pinned to.

    Words that are not pinned yet are a draft, which belongs to its trajectory.
    """

    pinned = Signal()
    """The comment that was being written is handed over."""

    def __init__(
        self,
        session: ReviewSession,
        verdicts: ReviewVerdictController,
        columns: ColumnsController,
        panel: ReviewSidePanel,
        page: CommentsPage,
        services: WindowServices,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session, self._verdicts, self._columns = session, verdicts, columns
        self._panel, self._page, self._commander = panel, page, services.commander
        self._about: Path | None = None
        """The trajectory that the words in the field are about."""
        services.commander.handle("review.comment", self.write)
        verdicts.shown.connect(self._show)
        session.slot_changed.connect(self._show_pin)
        session.selected_changed.connect(self._show)
        for column in columns.columns:
            column.selection.selected_changed.connect(self._show_pin)
        page.field.keyboard_changed.connect(self._keep_keyboard)
        page.edited.connect(self._keep_draft)
        page.pin_asked.connect(self.pin)
        page.opened.connect(self._open)
        page.deleted.connect(self._deleted)

    # -- drafts --------------------------------------------------------------
    def write(self) -> None:
        """Put the keyboard into the field for a comment."""
        self._panel.reveal_page(self._page)
        self._page.field.setFocus()

    @property
    def is_written(self) -> bool:
        """Whether the keyboard is in a comment with words."""
        return self._page.field.hasFocus() and self.has_draft

    @property
    def has_draft(self) -> bool:
        """Whether a comment on the chosen trajectory has words and is not pinned."""
        return bool(self._page.draft)

    @Slot(bool)
    def _keep_keyboard(self, has_keyboard: bool) -> None:
        """Let a click on a screen pin the comment to a node without taking the keyboard from the words."""
        policy = Qt.FocusPolicy.TabFocus if has_keyboard else Qt.FocusPolicy.StrongFocus
        for column in self._columns.columns:
            column.view.setFocusPolicy(policy)
        self._say_written()

    def _say_written(self) -> None:
        """Let *Submit and next* pin the comment, also before there is a verdict."""
        self._commander.set_context(review__commented=self.is_written)

    @Slot(str)
    def _keep_draft(self, text: str) -> None:
        drafts = self._session.drafts
        if self._about is not None and text.strip():
            drafts[self._about] = text
        elif self._about is not None:
            drafts.pop(self._about, None)
        self._say_written()

    def _show_draft(self) -> None:
        """Show the draft of the chosen trajectory once another one is chosen."""
        stored = self._verdicts.stored
        if stored is not None and stored.folder != self._about:
            self._about = stored.folder
            self._page.show_draft(self._session.drafts.get(stored.folder, ""))

    # -- what is shown -------------------------------------------------------
    @Slot()
    def _show(self) -> None:
        self._show_draft()
        reviews = self._verdicts.known.reviews
        rows = [
            CommentRow(review.who, comment, place)
            for review in (reviews.reviews if reviews is not None else ())
            for place, comment in enumerate(review.labels.comments)
        ]
        rows = sorted(filter(self._is_in_range, rows), key=_by_step)
        self._page.show_comments(rows, self._verdicts.person)
        self._panel.set_count(self._page, len(rows) or None)
        self._show_pin()

    def _is_in_range(self, row: CommentRow) -> bool:
        """Whether a comment belongs to the selected range; one on the whole trajectory always does."""
        session, aligned = self._session, self._session.aligned
        if session.selected is None or row.comment.step is None or aligned is None:
            return True
        return any(
            aligned.slots[slot][session.side] == row.comment.step
            for slot in session.selected
            if slot < len(aligned.slots)
        )

    def _pin(self) -> tuple[int | None, Target | None]:
        """The step in hand, and the node that is selected on its screen."""
        side = self._session.side
        step = self._session.step_number(side)
        selection = self._columns.columns[side].selection
        node, tree = selection.selected, selection.tree
        if step is None or node is None or tree is None:
            return step, None
        return step, pinned_node(tree, node)

    @Slot()
    def _show_pin(self) -> None:
        step, node = self._pin()
        where = CommentRow("", Comment("", step, "", node), 0).where
        session = self._session
        self._page.show_pin(f"{LETTERS[session.side]} · {where}" if len(session.stored) > 1 else where)

    # -- what the person does ------------------------------------------------
    @Slot()
    def pin(self) -> None:
        """Pin the words in the field to the step or node in hand; they come back if the disk refuses them."""
        stored, text = self._verdicts.stored, self._page.draft
        if stored is None or not text:
            return
        step, node = self._pin()
        screen = screen_of_step(stored.steps, step) if step is not None else ""
        comment, folder = Comment(text, step, screen, node, now_stamp()), stored.folder
        self._verdicts.act(
            lambda reviewing: reviewing.label(
                folder, _("comment"), lambda labels: labels.with_comment(comment)
            ),
            refused=while_alive(self, partial(self._take_back, folder, text)),
        )
        self._page.show_draft("")
        self.pinned.emit()

    def _take_back(self, folder: Path, text: str) -> None:
        """Make a draft again of a comment that could not be written."""
        draft = "\n".join(filter(None, (text, self._session.drafts.get(folder, ""))))
        if folder == self._about:
            self._page.show_draft(draft)
        else:
            self._session.drafts[folder] = draft

    @Slot(int)
    def _deleted(self, place: int) -> None:
        folder = self._verdicts.folder
        self._verdicts.act(
            lambda reviewing: reviewing.label(
                folder, _("delete the comment"), lambda labels: labels.without_comment(place)
            )
        )

    @Slot(object)
    def _open(self, row: CommentRow) -> None:
        """Go to the step of a comment, and select its node."""
        step, node = row.comment.step, row.comment.node
        side = self._session.side
        if step is None:
            return
        self._session.go_to_step(side, step)
        tree = self._columns.columns[side].selection.tree
        if node is not None and tree is not None:
            self._columns.columns[side].selection.select(tree.at_path(node.path))


def _by_step(row: CommentRow) -> tuple[int, str]:
    """Remarks on the whole trajectory first."""
    step = row.comment.step
    return (step if step is not None else -1, row.comment.time)

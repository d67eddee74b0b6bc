"""The dialog that writes a comment: its text, and the node of the screen that it is pinned to."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QImage, QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from collector.hierarchy.spatial_index import SpatialIndex
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.trajectory import Target
from collector.model.tree import Node, Tree
from collector.review.comments import find_pinned, pinned_node
from collector.review.review_clock import now_stamp
from collector.store.trajectory.reviews.labels import Comment
from studio.views.states.labels.label_rows import step_text
from studio.widgets.controls import Button, Label
from studio.widgets.device_view.view import DeviceView
from studio.widgets.device_view.view_frame import ViewFrame
from studio.widgets.dialogs.dialog import Dialog

_SCREEN = (270, 520)


class CommentDialog(Dialog):
    """Emits the comment when it is accepted. A click on the screen pins it to a node."""

    written = Signal(object)
    deleted = Signal()

    def __init__(
        self, parent: QWidget, step: int | None, screen: str, comment: Comment | None = None
    ) -> None:
        """``step`` counts from 0, None for the whole trajectory; ``comment`` is one to be changed."""
        where = step_text(step) if step is not None else _("the trajectory")
        sentence = _("Click on a node of the screen to pin the comment to it") if step is not None else ""
        super().__init__(
            _("Comment on {where}", where=where), _("Save"), parent, sentence=sentence, width=680
        )
        self.step, self._where, self._screen = step, where, screen
        self._before = comment
        self._tree: Tree | None = None
        self.node: Target | None = comment.node if comment is not None else None
        self.text = QPlainTextEdit(comment.text if comment is not None else "")
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(_("Comment"))
        self.text.setPlaceholderText(_("What you see here"))
        self.text.textChanged.connect(self._show_whether_written)
        self.view = DeviceView()
        self.view.setMinimumSize(*_SCREEN)
        self.view.set_live(False)
        self.view.setVisible(step is not None)
        self.view.selection.selected_changed.connect(self._node_picked)
        self.pinned = Label("", "body", "text-2", wrap=True)
        self.unpin = Button(_("Pin it to the step alone"), "x", small=True)
        self.unpin.clicked.connect(self._unpin)
        if comment is not None:
            delete = QPushButton(_("Delete"))
            delete.setAutoDefault(False)
            delete.clicked.connect(self._delete)
            self.add_left(delete)
        QShortcut(QKeySequence("Esc"), self).activated.connect(self.reject)  # the screen takes it for itself
        self._lay_out()
        self._show_pinned()
        self._show_whether_written()
        self.text.setFocus()

    def show_screen(self, image: QImage, tree: Tree | None) -> None:
        """Show the screen of the step, and the node that the comment is pinned to."""
        if not image.isNull():
            self.view.show_frame(ViewFrame(image, Size(image.width(), image.height())))
        if tree is not None and self._tree is not tree:
            self._tree = tree
            pinned = find_pinned(tree, self.node) if self.node is not None else None
            self.view.selection.set_tree(tree, SpatialIndex(tree))
            if pinned is not None:
                self.view.selection.select(pinned)

    def _lay_out(self) -> None:
        words = QVBoxLayout()
        words.setSpacing(8)
        words.addWidget(self.text, 1)
        words.addWidget(self.pinned)
        words.addWidget(self.unpin)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(self.view)
        row.addLayout(words, 1)
        self.body.addLayout(row)

    @Slot(object)
    def _node_picked(self, node: Node | None) -> None:
        if node is not None and self._tree is not None:
            self.node = pinned_node(self._tree, node)
            self._show_pinned()

    @Slot()
    def _unpin(self) -> None:
        self.node = None
        self.view.selection.select(None)
        self._show_pinned()

    def _show_pinned(self) -> None:
        node = self.node
        self.unpin.setVisible(node is not None)
        if node is None:
            self.pinned.setText(_("Pinned to {where}", where=self._where))
        else:
            self.pinned.setText(
                _("Pinned to {where}", where=next(iter(node.selectors), str(list(node.path))))
            )

    @Slot()
    def _show_whether_written(self) -> None:
        self.yes.setEnabled(bool(self.text.toPlainText().strip()))

    @Slot()
    def accept(self) -> None:
        """Emit the comment."""
        text = self.text.toPlainText().strip()
        if not text:
            return
        time = self._before.time if self._before is not None else now_stamp()
        self.written.emit(Comment(text, self.step, self._screen, self.node, time))
        super().accept()

    @Slot()
    def _delete(self) -> None:
        self.deleted.emit()
        self.reject()

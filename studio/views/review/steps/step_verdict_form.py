"""Whether a step was right, and what would have been right instead: the form above the comments."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from collector.model.episode_text import verdict_text
from collector.model.i18n import _
from collector.model.verdicts.judgement import STEP, STEP_ERRORS, VERDICTS, Judgement
from rule_editor.widgets.combo_box import ComboBox
from studio.theme import theme
from studio.widgets.captions.verdict_text import better_text, verdict_icon
from studio.widgets.controls import Button, Label

_EXAMPLE = "tap: Buy"


class StepVerdictForm(QWidget):
    """A verdict is given at once; a better action belongs to a step that is wrong."""

    judged = Signal(str)
    """The verdict that was chosen."""
    better_named = Signal(str)
    """What would have been right, in the words of a script."""
    golden_asked = Signal()
    """The action is to be what the reference does there."""
    node_asked = Signal()
    """The action is to be a tap on the node that is selected on the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._verdict: Judgement | None = None
        self._step: int | None = None
        self.title = Label("", "name", cut=True)
        self.verdict = ComboBox()
        self.verdict.setPlaceholderText(_("Was it right?"))
        self.verdict.setAccessibleName(_("Was the step right?"))
        self.verdict.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.verdict.setMinimumContentsLength(14)
        for verdict in VERDICTS[STEP]:
            self.verdict.addItem(theme.icon(verdict_icon(verdict)), verdict_text(verdict), verdict)
        self.better = QLineEdit()
        self.better.setPlaceholderText(_("Right would have been, as in {example}", example=_EXAMPLE))
        self.better.setAccessibleName(_("What would have been right"))
        self.better.setToolTip(_("An action as in a script; training data takes it as the better answer"))
        self.node = Button(_("Tap the selected node"), "target", "outlined", small=True)
        self.golden = Button("", "split", "outlined", small=True)
        self.golden.setToolTip(_("What would have been right is what the reference does at this place"))
        self.keep = Button(_("Keep"), "check", "outlined", small=True)
        self.kept = Label("", "caption", "text-2", wrap=True)
        self._lay_out()
        self.verdict.currentIndexChanged.connect(self._chosen)
        self.better.textChanged.connect(self._show_keep)
        self.better.returnPressed.connect(self._name)
        self.keep.clicked.connect(self._name)
        self.node.clicked.connect(self.node_asked)
        self.golden.clicked.connect(self.golden_asked)

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title, 1)
        head.addWidget(self.verdict)
        foot = QHBoxLayout()
        foot.setSpacing(6)
        foot.addWidget(self.node)
        foot.addStretch(1)
        foot.addWidget(self.keep)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(head)
        column.addWidget(self.kept)
        column.addWidget(self.better)
        column.addLayout(foot)
        column.addWidget(self.golden, 0, Qt.AlignmentFlag.AlignLeft)

    @property
    def draft(self) -> str:
        """The action in the field, which is not kept yet."""
        return self.better.text().strip()

    def show_step(self, step: int | None, own: Judgement | None, *, may_judge: bool) -> None:
        """Show what the person said of a step, from 0; None for a gap. Words in the field stay with it."""
        if step != self._step or own is None or own.verdict not in STEP_ERRORS:
            self.better.clear()
        elif self._verdict is not None and own.better != self._verdict.better:
            self.better.clear()  # it is kept now, or was taken back
        self._step, self._verdict = step, own
        self.title.setText(_("Step {number}", number=step + 1) if step is not None else _("No step here"))
        self.verdict.setEnabled(may_judge and step is not None)
        with QSignalBlocker(self.verdict):
            self.verdict.setCurrentIndex(self.verdict.findData(own.verdict) if own is not None else -1)
        is_wrong = own is not None and own.verdict in STEP_ERRORS
        for widget in (self.better, self.node, self.keep):
            widget.setVisible(is_wrong)
            widget.setEnabled(may_judge)
        said = better_text(own) if own is not None else ""
        self.kept.setText(said)
        self.kept.setVisible(bool(said))
        self._show_keep()

    def show_golden(self, reference: str) -> None:
        """Say which trajectory, by its letter, has a step beside this one; empty for none."""
        self.golden.setText(_("As {letter} does here", letter=reference))
        self.golden.setVisible(bool(reference) and self.better.isVisibleTo(self))
        self.golden.setEnabled(self.better.isEnabled())

    def show_node(self, *, is_selected: bool) -> None:
        """Say whether a node is selected that could be tapped."""
        self.node.setEnabled(is_selected and self.better.isEnabled())

    def name(self, text: str) -> None:
        """Put an action into the field."""
        self.better.setText(text)
        self.better.setFocus()

    @Slot()
    def _show_keep(self) -> None:
        self.keep.setEnabled(bool(self.draft) and self.better.isEnabled())

    @Slot(int)
    def _chosen(self, place: int) -> None:
        if place >= 0:
            self.judged.emit(self.verdict.itemData(place))

    @Slot()
    def _name(self) -> None:
        if self.draft:
            self.better_named.emit(self.draft)

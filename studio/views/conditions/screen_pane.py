"""The pane of the screen that conditions are tried on: the phone live, or a recorded state."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QHideEvent, QImage, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from collector.anomalies.rehearsal_run import RehearsedState
from collector.model.geometry import Size
from collector.model.i18n import N_, _, ngettext
from collector.rules.evaluation.explanation import OUTCOMES
from collector.rules.evaluation.proof import Proof, ProofOutcome
from collector.rules.evaluation.state_view import StateView
from rule_editor.widgets.matrix.explanation_panel import OUTCOME_LOOKS
from rule_editor.widgets.toolkit_icon import ToolkitIcon
from studio.bridge.anomalies.rehearsal_pictures import image_of
from studio.bridge.shown_state import ShownState
from studio.theme import theme
from studio.views.conditions.node_picker import NodePicker
from studio.views.conditions.proof_marks import count_clauses, marks_of
from studio.views.conditions.studio_toolkit import STUDIO_TOOLKIT
from studio.widgets.controls import EmptyState, Label, SegmentedControl, surface
from studio.widgets.device_view.header import DeviceHeader
from studio.widgets.device_view.highlight import Overlay
from studio.widgets.device_view.view import DeviceView, MirrorMode
from studio.widgets.device_view.view_frame import ViewFrame
from studio.widgets.icon_button import IconButton
from studio.widgets.node_selection import NodeSelection

LIVE, RECORDED = "live", "recorded"
STATE_OUTCOMES = {
    ProofOutcome.FIRES: N_("holds"),
    ProofOutcome.NEAR: N_("near miss"),
    ProofOutcome.SILENT: N_("does not hold"),
}
STATE_LOOKS = {**OUTCOME_LOOKS, ProofOutcome.FIRES: ("state-ok", "ok")}
"""What an essential state comes to on a screen, in words, and its icon and tone."""


class ScreenPane(QWidget):
    """Shows the state that it is given, and says which one it shows."""

    stepped = Signal(int)
    """The person asks for the state before (-1) or after (1)."""
    trajectory_wanted = Signal()
    """The person asks for the list of trajectories."""
    source_chosen = Signal(str)
    """The person asks for ``LIVE`` or ``RECORDED``."""
    state_shown = Signal(object, object)
    """A StateView or None, and the ShownState or RehearsedState it comes from; None when it is live."""
    nodes_shown = Signal(bool)
    """Whether it is on show with nodes that can be clicked."""

    def __init__(self, parent: QWidget | None = None, *, only_recorded: bool = False) -> None:
        """With ``only_recorded`` it shows what essential states find on recorded screens, never the phone."""
        super().__init__(parent)
        self._outcomes = STATE_OUTCOMES if only_recorded else OUTCOMES
        self._looks = STATE_LOOKS if only_recorded else OUTCOME_LOOKS
        self.selection = NodeSelection(self)
        self.view = DeviceView(self.selection)
        self.view.set_mode(MirrorMode.INSPECT)
        self.view.set_overlay(Overlay.RULES, on=True)
        self.header = DeviceHeader(self.view)
        self.header.setFixedHeight(theme.size("device_header"))
        for button in self.header.overlays.values():
            button.hide()  # rules decide what is lit here, and the room is narrow
        self.picker = NodePicker(self.view)
        self._source = SegmentedControl([(LIVE, _("Live"), ""), (RECORDED, _("Recorded"), "")])
        self._source.set_current(RECORDED)
        self._where = Label("", "body", "text-2", cut=True)
        self._step = Label("", "name")
        self.choose = IconButton("list", f"{_('Choose a trajectory')}  T", size=24)
        self._before = IconButton("chevl", _("The state before"), size=24)
        self._after = IconButton("chevr", _("The state after"), size=24)
        self._holds = Label("", "body", cut=True)
        self._misses = Label("", "body", cut=True)
        self._verdict_icon = ToolkitIcon(STUDIO_TOOLKIT, "state-todo", 14)
        self._verdict = Label("", "body")
        self._empty = EmptyState(
            _("No screen to look at yet"),
            _("Record a trajectory, import one, or connect a phone"),
            icon="phone",
        )
        self._reading = EmptyState(_("Reading the recorded states..."), icon="phone")
        self._pages = QStackedWidget()
        self._lay_out()
        self._source.setVisible(not only_recorded)
        self.choose.setVisible(not only_recorded)
        self._source.chosen.connect(self.source_chosen)
        self.choose.clicked.connect(self.trajectory_wanted)
        self._before.clicked.connect(self._go_back)
        self._after.clicked.connect(self._go_on)
        self.selection.tree_changed.connect(self._tell_nodes)
        self.show_verdict(None, None)

    def _lay_out(self) -> None:
        bar = surface("panel", "bottom")
        bar.setFixedHeight(theme.size("device_header"))
        row = QHBoxLayout(bar)
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(self._source)
        row.addWidget(self.choose)
        row.addWidget(self._where, 1)
        row.addWidget(self._step)
        row.addWidget(self._before)
        row.addWidget(self._after)
        stage = surface("canvas")
        across = QHBoxLayout(stage)
        across.setContentsMargins(0, 0, 0, 0)
        across.addWidget(self.view, 1)
        self._pages.addWidget(stage)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._reading)
        self._pages.setCurrentIndex(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.header)
        column.addWidget(bar)
        column.addWidget(self._pages, 1)
        column.addWidget(self._foot())

    def _foot(self) -> QWidget:
        foot = surface("panel", "top")
        row = QHBoxLayout(foot)
        row.setContentsMargins(12, 4, 12, 4)
        row.setSpacing(6)
        for icon, label in (("state-ok", self._holds), ("state-err", self._misses)):
            label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
            row.addWidget(ToolkitIcon(STUDIO_TOOLKIT, icon, 14))
            row.addWidget(label)
            row.addSpacing(8)
        row.addStretch(1)
        row.addWidget(self._verdict_icon)
        row.addWidget(self._verdict)
        return foot

    # -- what is shown -------------------------------------------------------
    @property
    def is_live(self) -> bool:
        """Whether the phone is on show, and not a recorded state."""
        return self._source.current == LIVE

    def set_source(self, source: str) -> None:
        """Say whether the phone or a recorded state is to be shown."""
        self._source.set_current(source)

    @property
    def has_nodes(self) -> bool:
        """Whether there are nodes to click: the pane is open, and its screen has a tree."""
        tree = self.selection.tree
        return self.isVisible() and tree is not None and len(tree) > 0

    @Slot()
    def _tell_nodes(self) -> None:
        self.nodes_shown.emit(self.has_nodes)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802 - Qt's name
        super().showEvent(event)
        self._tell_nodes()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802 - Qt's name
        super().hideEvent(event)
        self._tell_nodes()

    def show_recorded(self, shown: ShownState) -> None:
        """Show a recorded state."""
        image = shown.image
        self._show_still(image, Size(image.width(), image.height()), shown.view)
        if shown.picture_problem:
            self.view.set_notice(_("The picture cannot be shown"), shown.picture_problem)
        elif image.isNull():
            self.view.set_notice(_("No picture was recorded"))
        self._show_labels(
            f"{shown.trajectory.task_id} \u00b7 {shown.trajectory.title}",
            _("step {step} of {count}", step=shown.index + 1, count=shown.count),
            before=shown.index > 0,
            after=shown.index < shown.count - 1,
        )
        self.state_shown.emit(shown.view, shown)

    def show_rehearsed(self, state: RehearsedState, *, before: bool, after: bool) -> None:
        """Show a state of the rehearsal; ``before`` and ``after`` tell whether it has neighbours."""
        self._show_still(image_of(state), state.size, state.view)
        step = _("state {number}", number=state.number)
        self._show_labels(_("Rehearsal"), step, before=before, after=after)
        self.state_shown.emit(state.view, state)

    def _show_still(self, image: QImage, size: Size, state: StateView) -> None:
        self._source.set_current(RECORDED)
        self.view.set_live(live=False)
        self.view.set_notice("")
        self.view.set_frame_source(None)
        self.view.show_frame(ViewFrame(image, size) if not image.isNull() else None)
        self.selection.set_tree(state.tree)

    def show_live(self, name: str, state: StateView | None) -> None:
        """Show the phone; the frame source of the view brings its frames."""
        self._source.set_current(LIVE)
        self.view.set_notice("")
        self.view.set_live(live=True)
        self.selection.set_tree(state.tree if state is not None else None)
        self._show_labels(name)
        self.state_shown.emit(state, None)

    def show_nothing(self, *, reading: bool = False) -> None:
        """Say that nothing can be shown; with ``reading``, that recordings are being read."""
        self.view.show_frame(None)
        self.selection.set_tree(None)
        self._show_labels("")
        self._pages.setCurrentWidget(self._reading if reading else self._empty)
        self.show_verdict(None, None)
        self.state_shown.emit(None, None)

    def _show_labels(self, where: str, step: str = "", *, before: bool = False, after: bool = False) -> None:
        self._where.setText(where)
        self._step.setText(step)
        self._before.setEnabled(before)
        self._after.setEnabled(after)
        self._pages.setCurrentIndex(0)

    def show_verdict(self, proof: Proof | None, state: StateView | None) -> None:
        """Mark what a rule finds on the screen and show its outcome; None removes both."""
        if proof is None or state is None:
            self.view.set_marks(Overlay.RULES, ())
            self._holds.setText("-")
            self._misses.setText("-")
            self._verdict.setText("")
            self._verdict_icon.hide()
            return
        self.view.set_marks(Overlay.RULES, marks_of(proof, state))
        good, bad = count_clauses(proof)
        self._holds.setText(ngettext("1 condition holds", "{count} conditions hold", good))
        self._misses.setText(ngettext("1 condition fails", "{count} conditions fail", bad))
        icon, tone = self._looks[proof.outcome]
        self._verdict.setText(_(self._outcomes[proof.outcome]))
        self._verdict.set_tone(tone)
        self._verdict_icon.set_name(icon)
        self._verdict_icon.show()

    def _go_back(self) -> None:
        self.stepped.emit(-1)

    def _go_on(self) -> None:
        self.stepped.emit(1)

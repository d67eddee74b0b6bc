"""The screen a rule is tried on: live, or any recorded state, in Inspect mode."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from collector.model.geometry import Size
from collector.model.i18n import _, ngettext
from collector.rules.evaluation.explanation import OUTCOMES
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from rule_editor.widgets.kit_icon import KitIcon
from rule_editor.widgets.matrix.explanation_panel import OUTCOME_LOOKS
from studio.bridge.rule_backtests import ShownState
from studio.theme import theme
from studio.views.rules.kit import STUDIO_KIT
from studio.views.rules.node_picker import NodePicker
from studio.views.rules.proof_marks import count_clauses, marks_of
from studio.widgets.controls import EmptyState, Label, SegmentedControl, surface
from studio.widgets.device_view.header import DeviceHeader
from studio.widgets.device_view.highlight import Overlay
from studio.widgets.device_view.screen_frame import ScreenFrame
from studio.widgets.device_view.view import DeviceView, MirrorMode
from studio.widgets.icon_button import IconButton
from studio.widgets.node_selection import NodeSelection

LIVE, RECORDED = "live", "recorded"


class ScreenPane(QWidget):
    """``stepped(int)`` asks for the state before or after; ``source_chosen`` for live or recorded."""

    stepped = Signal(int)
    source_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.selection = NodeSelection(self)
        self.view = DeviceView(self.selection)
        self.view.set_mode(MirrorMode.INSPECT)
        self.view.set_overlay(Overlay.RULES, on=True)
        self.header = DeviceHeader(self.view)
        self.header.setFixedHeight(theme.size("device_header"))
        for button in self.header.overlays.values():
            button.hide()  # rules decide what is lit here, and the room is narrow
        self.picker = NodePicker(self.view)
        self.shown: ShownState | None = None
        self.state: StateView | None = None
        """What rules see of the screen on show."""
        self._source = SegmentedControl([(LIVE, _("Live"), ""), (RECORDED, _("Recorded"), "")])
        self._source.set_current(RECORDED)
        self._where = Label("", "body", "text-2", cut=True)
        self._step = Label("", "name")
        self._before = IconButton("chevl", _("The state before"), size=24)
        self._after = IconButton("chevr", _("The state after"), size=24)
        self._holds = Label("", "body")
        self._misses = Label("", "body")
        self._verdict_icon = KitIcon(STUDIO_KIT, "state-todo", 14)
        self._verdict = Label("", "body")
        self._empty = EmptyState(
            _("No screen to look at yet"),
            _("Record a trajectory, import one, or connect a phone"),
            icon="phone",
        )
        self._pages = QStackedWidget()
        self._lay_out()
        self._source.chosen.connect(self.source_chosen)
        self._before.clicked.connect(self._go_back)
        self._after.clicked.connect(self._go_on)
        self.show_verdict(None)

    def _lay_out(self) -> None:
        bar = surface("panel", "bottom")
        bar.setFixedHeight(theme.size("device_header"))
        row = QHBoxLayout(bar)
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(8)
        row.addWidget(self._source)
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
            row.addWidget(KitIcon(STUDIO_KIT, icon, 14))
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

    def show_recorded(self, shown: ShownState) -> None:
        """Show a recorded state."""
        self._source.set_current(RECORDED)
        self.shown, self.state = shown, shown.view
        self.view.set_live(live=False)
        self.view.set_frame_source(None)
        image = shown.image
        size = Size(image.width(), image.height())
        self.view.show_frame(ScreenFrame(image, size) if not image.isNull() else None)
        self.selection.set_tree(shown.view.tree)
        name = f"{shown.trajectory.task_id} \u00b7 {shown.trajectory.title}"
        self._where.setText(name)
        self._step.setText(_("step {step} of {count}", step=shown.index + 1, count=shown.count))
        self._before.setEnabled(shown.index > 0)
        self._after.setEnabled(shown.index < shown.count - 1)
        self._pages.setCurrentIndex(0)

    def show_live(self, name: str, state: StateView | None) -> None:
        """Show the phone; its frames come by the view's frame source."""
        self._source.set_current(LIVE)
        self.shown, self.state = None, state
        self.view.set_live(live=True)
        self.selection.set_tree(state.tree if state is not None else None)
        self._where.setText(name)
        self._step.setText("")
        self._before.setEnabled(False)
        self._after.setEnabled(False)
        self._pages.setCurrentIndex(0)

    def show_kept(
        self, where: str, step: str, state: StateView, frame: ScreenFrame | None, *, before: bool, after: bool
    ) -> None:
        """Show a state that is kept and in no recording; ``before`` and ``after`` say whether it has such."""
        self._source.set_current(RECORDED)
        self.shown, self.state = None, state
        self.view.set_live(live=False)
        self.view.set_frame_source(None)
        self.view.show_frame(frame)
        self.selection.set_tree(state.tree)
        self._where.setText(where)
        self._step.setText(step)
        self._before.setEnabled(before)
        self._after.setEnabled(after)
        self._pages.setCurrentIndex(0)

    def show_nothing(self) -> None:
        """There is neither a phone nor a recording."""
        self.shown, self.state = None, None
        self.view.show_frame(None)
        self.selection.set_tree(None)
        self._where.setText("")
        self._step.setText("")
        self._before.setEnabled(False)
        self._after.setEnabled(False)
        self._pages.setCurrentIndex(1)
        self.show_verdict(None)

    def show_verdict(self, proof: Proof | None) -> None:
        """Light what a rule finds on the screen and say how it does; None takes it away."""
        if proof is None or self.state is None:
            self.view.set_marks(Overlay.RULES, ())
            self._holds.setText("-")
            self._misses.setText("-")
            self._verdict.setText("")
            self._verdict_icon.hide()
            return
        self.view.set_marks(Overlay.RULES, marks_of(proof, self.state))
        good, bad = count_clauses(proof)
        self._holds.setText(ngettext("one clause holds", "{count} clauses hold", good))
        self._misses.setText(ngettext("one misses", "{count} miss", bad))
        icon, tone = OUTCOME_LOOKS[proof.outcome]
        self._verdict.setText(_(OUTCOMES[proof.outcome]))
        self._verdict.set_tone(tone)
        self._verdict_icon.set_name(icon)
        self._verdict_icon.show()

    def _go_back(self) -> None:
        self.stepped.emit(-1)

    def _go_on(self) -> None:
        self.stepped.emit(1)

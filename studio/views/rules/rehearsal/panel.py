"""The rehearsal panel: its setup, the lane of outcomes, and the explanation of one cell."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QIntValidator
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QSizePolicy,
    QSpinBox,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from collector.anomalies.rehearsal import RehearsalOutcome
from collector.anomalies.rehearsal_run import RehearsalSetup
from collector.model.i18n import _
from rule_editor.widgets.matrix.explanation_panel import ExplanationPanel
from rule_editor.widgets.matrix.side_column import side_column
from rule_editor.widgets.toolkit_icon import ToolkitIcon
from studio.views.conditions.studio_toolkit import STUDIO_TOOLKIT
from studio.views.rules.rehearsal.lane_rows import LaneRows
from studio.views.rules.rehearsal.lane_view import LaneView
from studio.views.rules.rehearsal.outcome_appearance import APPEARANCE
from studio.widgets.controls import Button, Label, SegmentedControl, divider, surface
from studio.widgets.controls.fields import dress_spin_box
from studio.widgets.icon_button import IconButton

_HEADER = 36
_SLACK = 24
"""Pixels a button may grow by, as from Start to Stop."""
_MOST_SEED, _MOST_ANOMALIES = 2**31 - 1, 999
DRY, LIVE = "dry", "live"
ONE, ALL = "one", "all"
_LEGEND = (
    RehearsalOutcome.WOULD_FIRE,
    RehearsalOutcome.FIRED,
    RehearsalOutcome.SUPPRESSED,
    RehearsalOutcome.NEAR,
)


class RehearsalPanel(QWidget):
    """Shows the rehearsal; its signals say what the person asks for."""

    seed_chosen = Signal(int)
    most_chosen = Signal(int)

    def __init__(self, lead: QWidget, parent: QWidget | None = None) -> None:
        """``lead`` is the widget at the left end of the head."""
        super().__init__(parent)
        self.rows = LaneRows()
        self.lane = LaneView(self.rows)
        self.explanation = ExplanationPanel(STUDIO_TOOLKIT)
        self.empty = RehearsalEmptyState()
        self.scope = SegmentedControl([(ALL, _("All rules"), ""), (ONE, _("This rule"), "")])
        self.mode = SegmentedControl([(DRY, _("Dry run"), ""), (LIVE, _("Live"), "")], {LIVE: "err"})
        self.seed, self.most = QLineEdit(), QSpinBox()
        self.dice = IconButton("dice", _("Draw from a new seed"), size=24)
        self.start = Button(_("Start"), "play", "outlined", small=True)
        self.fire = Button(_("Fire now"), "zap", "outlined", small=True)
        self.undo = Button(_("Undo"), "undo", "plain", small=True)
        self.clear = IconButton("trash", _("Forget these states"), size=24)
        self.legend: list[QWidget] = []
        self.captions: list[QWidget] = []
        self._head = QHBoxLayout()
        self._body = QStackedWidget()
        self._dress_fields()
        self._lay_out(lead)
        self._full_width = 0
        """Pixels the head takes with all that may be left out; 0 before it was measured."""
        self.seed.editingFinished.connect(self._seed_typed)
        self.most.valueChanged.connect(self.most_chosen)

    def _dress_fields(self) -> None:
        self.seed.setValidator(QIntValidator(0, _MOST_SEED, self))
        self.seed.setToolTip(_("What the chances are drawn from: one seed, the same draws"))
        self.most.setRange(0, _MOST_ANOMALIES)
        self.most.setToolTip(_("How many anomalies an episode allows"))
        dress_spin_box(self.most)
        for field, name, width in ((self.seed, _("Seed"), 92), (self.most, _("Anomaly limit"), 64)):
            field.setAccessibleName(name)
            field.setProperty("small", True)
            field.setFixedWidth(width)

    def _lay_out(self, lead: QWidget) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._make_head(lead))
        across = QHBoxLayout()
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        self._body.addWidget(self.lane)
        self._body.addWidget(self.empty)
        across.addWidget(self._body, 5)
        across.addWidget(self._side(), 2)
        column.addLayout(across, 1)

    def _make_head(self, lead: QWidget) -> QWidget:
        head, row = surface("bar", "bottom"), self._head
        head.setFixedHeight(_HEADER)
        head.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        head.setLayout(row)
        row.setContentsMargins(8, 0, 8, 0)
        row.setSpacing(8)
        for widget in (lead, self.start, self.mode, self.scope, divider(upright=True)):
            row.addWidget(widget)
        self.captions = [Label(words, "body", "text-2") for words in (_("Seed"), _("At most"))]
        for widget in (self.captions[0], self.seed, self.dice, self.captions[1], self.most):
            row.addWidget(widget)
        row.addStretch(1)
        for shown in _LEGEND:
            row.addWidget(self._legend_of(shown))
        for widget in (self.fire, self.undo, self.clear):
            row.addWidget(widget)
        return head

    def _legend_of(self, shown: RehearsalOutcome) -> QWidget:
        icon, _tone, words = APPEARANCE[shown]
        box = QWidget()
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 4, 0)
        row.setSpacing(4)
        row.addWidget(ToolkitIcon(STUDIO_TOOLKIT, icon, 12))
        label = QLabel(_(words))
        label.setProperty("tone", "text-2")
        row.addWidget(label)
        self.legend.append(box)
        return box

    def _side(self) -> QWidget:
        self.explanation.setProperty("surface", "panel")
        self.explanation.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        return side_column(self.explanation)

    # -- what is shown -------------------------------------------------------
    def show_setup(self, setup: RehearsalSetup, *, running: bool) -> None:
        """Show how the rehearsal runs, or will run."""
        self.mode.set_current(LIVE if setup.live else DRY)
        self.scope.set_current(ONE if setup.rule_id else ALL)
        if self.seed.text() != str(setup.seed) and not (self.seed.hasFocus() and self.seed.isModified()):
            self.seed.setText(str(setup.seed))
        if self.most.value() != setup.most:
            self.most.blockSignals(True)
            self.most.setValue(setup.most)
            self.most.blockSignals(False)
        self.start.set_face(_("Stop") if running else _("Start"), "stop" if running else "play")

    def show_lane(self, *, anything: bool) -> None:
        """Show the lane, or the empty state while there are no states."""
        self._body.setCurrentIndex(0 if anything else 1)
        self.clear.setEnabled(anything)

    def resizeEvent(self, event: object) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)  # type: ignore[arg-type]
        needed = self._full_width = self._full_width or self._head.minimumSize().width() + _SLACK
        for boxes in (self.legend, self.captions):  # in the order in which they go when it gets narrow
            for box in boxes:
                box.setVisible(self.width() >= needed)
            needed -= sum(box.sizeHint().width() + self._head.spacing() for box in boxes)

    def _seed_typed(self) -> None:
        self.seed.setModified(False)
        self.seed_chosen.emit(int(self.seed.text()))


class RehearsalEmptyState(QWidget):
    """Title, sentence and at most two buttons; lower than other empty states, to fit the panel."""

    command_wanted = Signal(str)
    """A button was pressed: id of its command."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = Label("", "heading")
        self._sentence = Label("", "body", "text-2")
        self.buttons = [Button("", "", kind, small=True) for kind in ("primary", "outlined")]
        centre = Qt.AlignmentFlag.AlignHCenter
        column = QVBoxLayout(self)
        column.setSpacing(6)
        column.addStretch(1)
        column.addWidget(self.title, alignment=centre)
        column.addWidget(self._sentence, alignment=centre)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        for button in self.buttons:
            row.addWidget(button)
            button.clicked.connect(self._pressed)
        row.addStretch(1)
        column.addSpacing(6)
        column.addLayout(row)
        column.addStretch(1)

    def show_text(self, title: str, sentence: str, *buttons: tuple[str, str, str]) -> None:
        """Show a sentence; ``buttons`` are command, text and icon of at most two buttons."""
        self.title.setText(title)
        self._sentence.setText(sentence)
        for number, button in enumerate(self.buttons):
            button.setVisible(number < len(buttons))
            if number < len(buttons):
                command, text, icon = buttons[number]
                button.set_face(text, icon)
                button.setProperty("command", command)

    def _pressed(self) -> None:
        self.command_wanted.emit(str(self.sender().property("command")))

"""A column of the Review workspace: one trajectory's screen at the cursor, with the facts of its step."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.theme import theme
from studio.views.review.column_text import StepFacts
from studio.views.review.session import Moment
from studio.widgets.badge import Badge
from studio.widgets.controls import Label, SegmentedControl, surface
from studio.widgets.device_view.view import DeviceView, MirrorMode
from studio.widgets.icon_button import IconButton
from studio.widgets.letter_badge import LetterBadge
from studio.widgets.node_selection import NodeSelection
from studio.widgets.reached_states import ReachedState, StateList

_FACTS_WIDTH, _FACTS_SIDES = 176, 25
_NARROW = 400
"""Width in logical pixels below which the facts fold, so that the screen is large enough to be read."""


class ReviewColumn(QFrame):
    """Shows what it is given; the column controller follows the session."""

    pressed = Signal()
    """The person chose this side."""
    moment_chosen = Signal(str)
    facts_chosen = Signal(bool)
    """The person opened or folded what is beside the screen."""
    menu_asked = Signal(QPoint)
    """The menu of the side, at a point of the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("edge", "right")
        self.letter = LetterBadge()
        self.title, self.detail = Label("", "title"), Label("", "body", "text-2", cut=True)
        self.verdict, self.stale, self.misled = Badge(), Badge(), Badge()
        self.facts_button = IconButton("panel-right", "", size=24)
        self.menu = IconButton("more", _("Side"), size=24)
        self._chosen_facts: bool | None = None
        self.selection = NodeSelection(self)
        self.view = DeviceView(self.selection)
        self.view.set_live(False)
        self.view.set_mode(MirrorMode.INSPECT)
        self.moments = SegmentedControl(
            [
                (Moment.BEFORE, _("Before"), ""),
                (Moment.ACTION, _("Action"), ""),
                (Moment.AFTER, _("After"), ""),
            ],
            shrinks=True,
        )
        self.moments.set_current(Moment.ACTION)
        self.step_number = Label("", "caption", "text-2")
        self.caption = Label("", "title", wrap=True)
        self.action = Label("", "body", "text-2", wrap=True)
        self.problem = Label("", "body", "err", wrap=True)
        self.thought_title = Label(_("Thought"), "caption", "text-2")
        self.thought = Label("", "body", wrap=True)
        self.thought.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.states_title = Label(_("Essential states"), "caption", "text-2")
        self.states = StateList()
        self._lay_out()
        self.moments.chosen.connect(self.moment_chosen)
        self.menu.clicked.connect(self._ask_menu)
        self.facts_button.clicked.connect(self._toggle_facts)
        self.view.picked.connect(self._picked)

    def _lay_out(self) -> None:
        head = self._head = surface("panel", "bottom")
        head.setFixedHeight(theme.size("device_header"))
        row = QHBoxLayout(head)
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(8)
        for widget in (self.letter, self.title):
            row.addWidget(widget)
        row.addWidget(self.detail, 1)
        row.addWidget(self.misled)
        row.addWidget(self.stale)
        row.addWidget(self.verdict)
        row.addWidget(self.facts_button)
        row.addWidget(self.menu)
        body = QHBoxLayout()
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self.view, 1)
        self._facts_area = self._facts()
        body.addWidget(self._facts_area)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(head)
        column.addLayout(body, 1)

    def _facts(self) -> QScrollArea:
        """The texts right of the screen; a long thought scrolls."""
        inner = surface("panel", "left")
        texts = QVBoxLayout(inner)
        texts.setContentsMargins(12, 12, 12, 12)
        texts.setSpacing(2)
        texts.addWidget(self.moments)
        texts.addSpacing(10)
        for widget, after in (
            (self.step_number, 0), (self.caption, 0), (self.action, 8), (self.problem, 8),
            (self.thought_title, 0), (self.thought, 8), (self.states_title, 0), (self.states, 0),
        ):  # fmt: skip
            texts.addWidget(widget)
            texts.addSpacing(after)
        texts.addStretch(1)
        area = QScrollArea()
        area.setAccessibleName(_("Details"))
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        area.setFixedWidth(max(_FACTS_WIDTH, self.moments.minimumSizeHint().width() + _FACTS_SIDES))
        return area

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._place_facts()

    def choose_facts(self, shown: bool) -> None:
        """Open or fold the facts at every width."""
        self._chosen_facts = shown
        self._place_facts()

    def _place_facts(self) -> None:
        """Fold the facts where they would leave the screen no width, unless the person opened them."""
        shown = self.width() >= _NARROW if self._chosen_facts is None else self._chosen_facts
        self._facts_area.setVisible(shown)
        tip = _("Fold the details of the step") if shown else _("Show the details of the step")
        self.facts_button.set_icon("panel-right-open" if shown else "panel-right", tip)

    @Slot()
    def _toggle_facts(self) -> None:
        self.facts_chosen.emit(self._facts_area.isHidden())

    # -- what is shown -------------------------------------------------------
    def show_side(self, letter: str, title: str, detail: str) -> None:
        """Name the trajectory."""
        self.letter.set_letter(letter)
        self.title.setText(title)
        self.detail.setText(detail)
        self.detail.setToolTip(detail)
        self.setAccessibleName(f"{letter} {title} {detail}")

    def set_current(self, current: bool) -> None:
        """Say whether verdict, node and differences are about this side."""
        self.letter.set_current(current)

    def show_facts(self, number: int, facts: StepFacts | None) -> None:
        """Show the texts of a step, ``number`` counted from 1; None for a gap."""
        self.step_number.setText(_("Step {number}", number=number) if facts is not None else "")
        self.caption.setText(facts.caption if facts is not None else _("No step here"))
        for label, text in (
            (self.action, facts.detail if facts else ""),
            (self.problem, facts.problem if facts else ""),
            (self.thought, facts.thought if facts else ""),
        ):
            label.setText(text)
            label.setVisible(bool(text))
        self.thought_title.setVisible(bool(facts and facts.thought))

    def show_states(self, states: list[ReachedState]) -> None:
        """Show which essential states are reached up to this step."""
        self.states.show_states(states)
        self.states_title.setVisible(bool(states))

    def show_empty(self) -> None:
        """Show the outline of a screen alone: the trajectory has no step."""
        self.view.show_frame(None)
        self.view.set_traces(())
        self.view.set_target(None)
        self.selection.set_tree(None)
        self.view.set_notice(_("No step was recorded"))

    # -- input ---------------------------------------------------------------
    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self.pressed.emit()
        super().mousePressEvent(event)

    @Slot()
    def _picked(self) -> None:
        self.pressed.emit()

    @Slot()
    def _ask_menu(self) -> None:
        self.pressed.emit()
        self.menu_asked.emit(self.menu.mapToGlobal(QPoint(0, self.menu.height())))

"""Show the session in the graph, and let clicks there move the session."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Slot

from collector.model.i18n import _
from studio.bridge.review.state_reviews import StateReviews
from studio.views.conditions.trajectory_picker import TrajectoryPicker
from studio.views.states.graph.graph_cards import state_cards
from studio.views.states.graph.graph_pane import GraphPane
from studio.views.states.session import StatesSession
from studio.views.stored_screens import StoredScreens


class GraphPresenter(QObject):
    """Fills cards, film strip and head."""

    def __init__(
        self, session: StatesSession, pane: GraphPane, screens: StoredScreens, reviews: StateReviews,
        parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session, self._pane, self._screens, self._reviews = session, pane, screens, reviews
        self._picker = TrajectoryPicker(pane)
        canvas = pane.canvas
        session.task_changed.connect(self._show_trajectory)
        session.trajectories_changed.connect(self._show_trajectory)
        session.trajectory_changed.connect(self._show_trajectory)
        session.states_changed.connect(self._show_cards)
        session.reach_changed.connect(self._show_cards)
        session.state_selected.connect(canvas.set_selected)
        session.step_changed.connect(canvas.set_current)
        canvas.card_chosen.connect(self._card_chosen)
        canvas.slot_chosen.connect(session.go)
        reviews.changed.connect(self._show_differing)
        pane.trajectory_chosen.connect(session.choose_trajectory)
        pane.choose.clicked.connect(self.choose_trajectory)
        self._picker.picked.connect(self._picked)

    @Slot()
    def _show_differing(self) -> None:
        """Mark the states that both operators propose otherwise, while they settle it."""
        review = self._reviews.review
        definition = review.definition if review is not None else None
        alignment = review.alignment if review is not None else None
        differing = set()
        if definition is not None and alignment is not None and not definition.finished:
            for decision in definition.decisions:
                pair = alignment.pair(decision.key)
                if decision.agreed_id and pair is not None and not pair.is_agreed:
                    differing.add(decision.agreed_id)
        self._session.set_differing(frozenset(differing))

    @Slot(str)
    def _card_chosen(self, state_id: str) -> None:
        self._session.select(state_id, follow=True)

    @Slot()
    def _show_trajectory(self) -> None:
        session, item = self._session, self._session.trajectory
        listed = [(known.id, known.title) for known in session.trajectories]
        self._pane.show_trajectories(listed, item.id if item is not None else "")
        if item is None:
            self._pane.about.setText(session.task_id)
            self._pane.canvas.set_film("", ())
        else:
            parts = (
                session.task_id,
                _("over {trajectory}", trajectory=item.title),
                self._session.recorder_of(item),
            )
            self._pane.about.setText(" · ".join(filter(None, parts)))
            self._screens.open(item.id, item.folder)
            self._pane.canvas.set_film(item.id, item.steps)
        self._show_cards()

    @Slot()
    def _show_cards(self) -> None:
        self._pane.canvas.set_cards(state_cards(self._session))
        self._pane.show_empty(not self._session.states and not self._session.steps)

    @Slot()
    def choose_trajectory(self) -> None:
        """Open the list of all trajectories of the task."""
        session = self._session
        if session.trajectories:
            current = session.trajectories.index(session.trajectory) if session.trajectory is not None else 0
            button = self._pane.choose
            at = button.mapToGlobal(button.rect().bottomLeft())
            refs = [replace(item.ref, who=session.recorder_of(item)) for item in session.trajectories]
            self._picker.offer(refs, current, at)

    @Slot(int)
    def _picked(self, number: int) -> None:
        self._session.choose_trajectory(self._session.trajectories[number].id)

"""A recorded state with its screenshot, as the window shows it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QImage

from collector.rules.backtest.corpus import Corpus, TrajectoryRef
from collector.rules.evaluation.state_view import StateView


@dataclass(frozen=True, slots=True)
class ShownState:
    """A recorded state as the window shows it; ``view`` belongs to the GUI thread alone."""

    position: int
    trajectory: TrajectoryRef
    index: int
    count: int
    """States of its trajectory."""
    view: StateView
    image: QImage
    """The screenshot; null when there is none."""


def read_shown_state(corpus: Corpus, position: int) -> ShownState:
    """Read a state of a corpus with its screenshot; any thread that has the corpus to itself."""
    state = corpus.state(position)
    view = corpus.view(position)
    own = StateView(
        view.tree, view.xml, view.package, view.activity, view.step,
        action=view.action, target=view.target, reached=view.reached, key=view.key,
    )  # fmt: skip
    trajectory, index = corpus.locate(position)
    count = len(corpus.positions_of(trajectory))
    data = corpus.screenshot(position)
    image = QImage.fromData(data) if data else QImage()
    return ShownState(position, state.trajectory, index, count, own, image)

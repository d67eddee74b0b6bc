"""A recorded state with its screenshot, as the window shows it."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtGui import QImage

from collector.pictures.errors import PictureError
from collector.rules.columns.corpus import Corpus, TrajectoryRef
from collector.rules.evaluation.state_view import StateView
from studio.bridge.pictures import WHOLE, read_image


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
    """The screenshot in its own size; null when there is none that can be shown."""
    picture_problem: str = ""
    """Why it cannot be shown, in sentences; empty when it can, or when there is none."""

    @property
    def place(self) -> tuple[str, int]:
        """Id of its trajectory, and its index there."""
        return self.trajectory.id, self.index


def read_shown_state(corpus: Corpus, position: int) -> ShownState:
    """Read a state of a corpus with its screenshot; any thread that has the corpus to itself."""
    state = corpus.state(position)
    view = corpus.view(position)
    own = StateView(
        view.tree, view.xml, view.package, view.activity, view.step,
        action=view.action, target=view.target, reached=view.reached, undecided=view.undecided,
        apps=view.apps, key=view.key,
    )  # fmt: skip
    trajectory, index = corpus.locate(position)
    count = len(corpus.positions_of(trajectory))
    data, image, problem = corpus.screenshot(position), QImage(), ""
    try:
        image = read_image(data, WHOLE) if data else image
    except PictureError as error:
        problem = str(error)
    return ShownState(position, state.trajectory, index, count, own, image, problem)

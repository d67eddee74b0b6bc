"""Recorded states to judge suggestions by, split into those of the same screen and others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from collector.model.cancellation import check_cancelled
from collector.model.tree import Node
from collector.rules.columns.corpus import Corpus, RecordedState
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.model import WAYMARK, Condition

_ALIKE = 0.55
"""Share of ids (or words) two states must have in common to be one screen."""
_FEW = 3
MOST_SAMPLES = 600
"""Most samples to compare with; of more, every n-th is taken, but all of the current trajectory."""
CHROME = frozenset(("com.android.systemui", "com.example.adbsmarttest"))
"""Packages whose nodes come and go by themselves."""


@dataclass(eq=False)
class Sample:
    """One recorded state with its trajectory, its task and its index."""

    trajectory: str
    task: str
    index: int
    state: StateView | RecordedState
    """The screen, or where it is read from."""
    last: bool = False

    @property
    def view(self) -> StateView:
        return self.state.view() if isinstance(self.state, RecordedState) else self.state

    @cached_property
    def signature(self) -> ScreenSignature:
        """Raises Cancelled, because the first look reads the state from the disk."""
        check_cancelled()
        return signature_of(self.view)

    def held(self) -> Sample:
        """The sample with its screen in memory, to be judged by again and again. Raises Cancelled."""
        if not isinstance(self.state, RecordedState):
            return self
        sample = Sample(self.trajectory, self.task, self.index, self.view, self.last)
        sample.signature = self.signature
        return sample


def samples_of(corpus: Corpus) -> list[Sample]:
    """Every recorded state as a sample; its screen is read when it is looked at."""
    return [
        Sample(state.trajectory.id, state.trajectory.task_id, state.index, state, state.position + 1 == end)
        for state in corpus
        for end in (corpus.starts[corpus.locate(state.position)[0] + 1],)
    ]


@dataclass(frozen=True)
class ScreenSignature:
    """What distinguishes one screen of an app from another."""

    package: str
    activity: str
    ids: frozenset[str]
    words: frozenset[str]

    def alike(self, other: ScreenSignature) -> bool:
        """Whether both are the same screen, perhaps scrolled or with other content."""
        if self.package != other.package or (
            self.activity and other.activity and self.activity != other.activity
        ):
            return False
        if min(len(self.ids), len(other.ids)) >= _FEW:
            return _overlap(self.ids, other.ids) >= _ALIKE
        return _overlap(self.words, other.words) >= _ALIKE


def signature_of(view: StateView) -> ScreenSignature:
    """The signature of a state; the status bar and other chrome are left out."""
    own = [node for node in view.nodes if node.package not in CHROME]
    ids = frozenset(node.resource_id for node in own if node.resource_id)
    words = frozenset(node.label for node in own if node.label)
    return ScreenSignature(view.package or (own[0].package if own else ""), view.activity, ids, words)


def _overlap(first: frozenset[str], second: frozenset[str]) -> float:
    together = len(first | second)
    return len(first & second) / together if together else 1.0


@dataclass(frozen=True, slots=True)
class Standing:
    """In how many samples a condition holds: of the same screen, of others, and of trajectories."""

    same: int
    of_same: int
    elsewhere: int
    of_elsewhere: int
    runs: int
    of_runs: int
    screens_elsewhere: int


@dataclass
class Samples:
    """Samples split by whether they show the screen of ``view``."""

    view: StateView
    all: Sequence[Sample] = ()
    trajectory: str = ""
    """The one the view is of, when it was recorded."""
    images: ImageFinder | None = None
    semantics: str = WAYMARK
    same: list[Sample] = field(init=False)
    others: list[Sample] = field(init=False)

    def __post_init__(self) -> None:
        here = signature_of(self.view)
        self.all = [sample.held() for sample in thinned(self.all, self.trajectory)]
        self.same = [sample for sample in self.all if sample.signature.alike(here)]
        same_ids = set(map(id, self.same))
        self.others = [sample for sample in self.all if id(sample) not in same_ids]

    def standing(self, condition: Condition) -> Standing:
        """In how many samples ``condition`` holds."""
        holding = [sample for sample in self.same if self._holds(condition, sample)]
        elsewhere = [sample for sample in self.others if self._holds(condition, sample)]
        runs = {sample.trajectory for sample in self.same}
        screens: list[ScreenSignature] = []
        for sample in elsewhere:
            if not any(sample.signature.alike(known) for known in screens):
                screens.append(sample.signature)
        return Standing(
            len(holding), len(self.same), len(elsewhere), len(self.others),
            len({sample.trajectory for sample in holding}), len(runs), len(screens),
        )  # fmt: skip

    def _holds(self, condition: Condition, sample: Sample) -> bool:
        return prove(condition, sample.view, self.images).holds


def thinned(samples: Iterable[Sample], trajectory: str) -> list[Sample]:
    """At most :data:`MOST_SAMPLES`: those of ``trajectory``, and every n-th of the rest."""
    everything = list(samples)
    if len(everything) <= MOST_SAMPLES:
        return everything
    own = [sample for sample in everything if sample.trajectory == trajectory][:MOST_SAMPLES]
    rest = [sample for sample in everything if sample.trajectory != trajectory]
    room = max(1, MOST_SAMPLES - len(own))
    step = max(1, -(-len(rest) // room))
    return own + rest[::step]


def is_content(node: Node) -> bool:
    """Whether a node belongs to the app and has a text with letters."""
    return node.package not in CHROME and not node.password and any(map(str.isalpha, node.label))

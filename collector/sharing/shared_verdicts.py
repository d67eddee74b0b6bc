"""What judges and people say of a shared trajectory: verdicts, essential states and comments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from collector.model.essential_state import EssentialState
from collector.model.geometry import Rect
from collector.model.i18n import join_sentences
from collector.model.reasons.stored_reasons import shown_reason
from collector.model.verdicts.failure_reason import FailureReason, reason_text
from collector.model.verdicts.judgement import REACHED, STATE, TASK, Judgement, Subject
from collector.model.verdicts.review import review_status_text
from collector.model.verdicts.voted_subject import VotedSubject, voted_subjects
from collector.review.trajectory_reviews import TrajectoryReviews
from collector.store.trajectory.achieved_states import screens_of
from collector.store.trajectory.reader import StoredTrajectory
from collector.store.trajectory.reviews.label_judgements import judgements_that_count
from collector.store.trajectory.reviews.labels import Comment, Labels, labels_of, placed

Mask = Callable[[str], str]
"""Returns a text without secrets."""


@dataclass(frozen=True, slots=True)
class SharedVerdict:
    """What one judge says of the task."""

    judge: str
    kind: str
    """rule, model or person."""
    verdict: str
    reason: str = ""
    confidence: float | None = None
    settles: bool = False
    """Whether it settles a disagreement of people."""


@dataclass(frozen=True, slots=True)
class SharedState:
    """An essential state of the task, and what each judge says of it."""

    id: str
    sentence: str
    verdicts: Mapping[str, str]
    """Judge -> reached or missed."""
    steps: Mapping[str, int]
    """Judge -> the step that reaches it, counted from 0."""
    settled: str = ""
    """The verdict that settles a disagreement of people."""

    @property
    def is_reached(self) -> bool | None:
        """What was settled, else what all judges say; None when they differ."""
        given = {self.settled} if self.settled else set(self.verdicts.values())
        return given == {REACHED} if len(given) == 1 else None

    @property
    def step(self) -> int | None:
        """The first step at which a judge sees it."""
        return min(self.steps.values(), default=None)


@dataclass(frozen=True, slots=True)
class SharedComment:
    """A person's comment on a trajectory, on a step, or on a node of a step's screen."""

    who: str
    text: str
    step: int | None = None
    node: str = ""
    bounds: Rect | None = None


@dataclass(frozen=True, slots=True)
class SharedVerdicts:
    """Everything that judges and people say of one trajectory."""

    task: tuple[SharedVerdict, ...] = ()
    states: tuple[SharedState, ...] = ()
    comments: tuple[SharedComment, ...] = ()
    tags: tuple[str, ...] = ()
    status: str = ""
    """Of the review, in words; empty when nobody has begun."""
    hidden: str = ""
    """Why something of others is left out, in a sentence."""
    problems: tuple[str, ...] = field(default=())
    """One sentence for each line that could not be read."""


@dataclass(frozen=True, slots=True)
class GivenVerdicts:
    """The judgements and labels that a person may see of one trajectory."""

    judgements: Sequence[Judgement] = ()
    """The newest of each judge on each subject, labels of people included."""
    settled: Mapping[Subject, Judgement] = field(default_factory=dict)
    labels: Sequence[Labels] = ()
    tags: Sequence[str] = ()
    status: str = ""
    """Of the review: draft, submitted, approved or rejected; empty when nobody has begun."""
    hidden: str = ""
    """Why something of others is left out, in a sentence; empty when nothing is."""
    shows_outcome: bool = True
    """Whether the verdict of the run itself may be seen."""
    problems: Sequence[str] = ()


def reviewed_verdicts(stored: StoredTrajectory, reviews: TrajectoryReviews) -> GivenVerdicts:
    """What a person may see of the reviews of a trajectory in a project: ``reviews`` are cut to it."""
    tags = (tag for review in reviews.reviews for tag in review.record.tags)
    outcome = stored.header.outcome
    return GivenVerdicts(
        reviews.judgements,
        reviews.settled,
        [placed(review.labels, screens_of(stored.steps)) for review in reviews.reviews],
        tuple(dict.fromkeys(tags)),
        reviews.status,
        reviews.hidden,
        outcome is None or reviews.outcome == outcome.status,
        reviews.problems,
    )


def stored_verdicts(stored: StoredTrajectory) -> GivenVerdicts:
    """All that the files of a trajectory say, for one outside any project."""
    judged, people = stored.judgements(), _labels(stored)
    given = tuple(judgements_that_count(judged, people).values())
    return GivenVerdicts(given, judged.settled(), people, problems=judged.problems)


def shared_verdicts(
    stored: StoredTrajectory, given: GivenVerdicts, states: Mapping[str, EssentialState],
    reasons: Sequence[FailureReason], mask: Mask,
) -> SharedVerdicts:  # fmt: skip
    """What is shared of the verdicts on a trajectory; ``states`` and ``reasons`` are the project's."""
    voted = voted_subjects(stored.header.id, stored.header.task_id, given.judgements, given.settled)
    return SharedVerdicts(
        tuple(
            _verdict(item, reasons, mask)
            for item in (*given.settled.values(), *given.judgements)
            if item.subject.kind == TASK
        ),
        _states(voted, states, mask),
        tuple(_comment(labels.who, item, mask) for labels in given.labels for item in labels.comments),
        tuple(map(mask, given.tags)),
        review_status_text(given.status) if given.status else "",
        given.hidden,
        tuple(map(mask, given.problems)),
    )


def _labels(stored: StoredTrajectory) -> list[Labels]:
    """What people say of it, at the steps where the screens are that they say it of."""
    screens = screens_of(stored.steps)
    return [
        placed(labels_of(str(document.get("who") or name), document), screens)
        for name, document in stored.annotations().items()
    ]


def _verdict(item: Judgement, reasons: Iterable[FailureReason], mask: Mask) -> SharedVerdict:
    reason = reason_text(item.reason_id, reasons) if item.reason_id else ""
    words = join_sentences(reason, shown_reason(item.reason))
    return SharedVerdict(item.judge, item.kind, item.verdict, mask(words), item.confidence, item.settles)


def _states(
    voted: Iterable[VotedSubject], states: Mapping[str, EssentialState], mask: Mask
) -> tuple[SharedState, ...]:
    """The states that somebody judged, in the order of the project's files; unknown ones last."""
    order = {state: place for place, state in enumerate(states)}
    subjects = sorted(
        (subject for subject in voted if subject.kind == STATE),
        key=lambda subject: order.get(subject.state, len(order)),
    )
    return tuple(
        SharedState(
            subject.state,
            mask(states[subject.state].label if subject.state in states else subject.state),
            subject.votes, subject.steps, subject.settled,
        )
        for subject in subjects
    )  # fmt: skip


def _comment(who: str, comment: Comment, mask: Mask) -> SharedComment:
    node = comment.node
    attributes = node.attributes if node is not None else {}
    is_password = attributes.get("password") == "true"
    name = attributes.get("resource-id", "").rpartition("/")[2] or (
        "" if is_password else attributes.get("text") or attributes.get("content-desc") or ""
    )
    return SharedComment(who, mask(comment.text), comment.step, mask(name), node.bounds if node else None)

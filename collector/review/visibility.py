"""Who may see whose verdicts on a trajectory: reviewers work blind until they have submitted.

The one place that decides it, for the window and for the command line: for one trajectory, and for whatever a
search finds. The files lie open in the project, so this protects from a look by accident, not from intent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.model.i18n import _
from collector.model.verdicts.review import DRAFT
from collector.model.verdicts.voted_subject import PEOPLE
from collector.review.project_queues import ProjectQueues
from collector.review.queue import QueueWork, ReviewQueue
from collector.review.trajectory_reviews import TrajectoryReviews
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.catalogue_row import ReviewState, items, listed
from collector.store.project.project import Project

Contains = Callable[[ReviewQueue, Path], bool]
"""Whether a trajectory is in a queue."""


def seen_by(
    reviews: TrajectoryReviews, who: str, queues: Iterable[ReviewQueue] = (),
    contains: Contains = lambda _queue, _folder: False, at_work_on: ReviewQueue | None = None,
) -> TrajectoryReviews:  # fmt: skip
    """The reviews of a trajectory as ``who`` may see them; ``queues`` are all of the project.

    Others' verdicts, reasons, labels, tags and comments are hidden from whoever has labels or a review that
    are not submitted, from whom a queue of two reviewers still wants one, and from whoever labels states at
    the moment; judges, where a queue says so. ``at_work_on`` is the queue of the person, by default the one
    that the trajectory was taken from.
    """
    own, work = reviews.of(who), reviews.work_of(who)
    status = own.status if own is not None else DRAFT if work.labels.labelled else ""
    hidden = _hidden(
        status,
        at_work_on.name if at_work_on is not None else work.record.queue,
        [review.status for review in reviews.reviews if review.who != who],
        [queue for queue in queues if queue.is_blind and queue.is_for(who)],
        lambda queue: contains(queue, reviews.folder),
    )
    return reviews.seen_by(who, hidden.people, hidden.judges)


def hidden_in_queue(
    state: ReviewState, who: str, queue: ReviewQueue, queues: ProjectQueues, folder: Path
) -> HiddenVerdicts:  # fmt: skip
    """What is hidden from ``who`` of a trajectory that waits in ``queue``, before it is taken."""
    blind = [item for item in queues.queues if item.is_blind and item.is_for(who)]
    return _hidden_in_row(state, who, queue.name, blind, queues, folder)


def hide_from_searches(catalogue: Catalogue, project: Project, who: str) -> None:
    """Let a catalogue find and list nothing by what is hidden from ``who``. Raises StoreError."""
    rows = {row.folder: row.state for query in _REVIEWED for row in catalogue.review_rows(query)}
    if not rows and not project.paths.review_queues():
        return
    queues = ProjectQueues(project)
    blind = [queue for queue in queues.queues if queue.is_blind and queue.is_for(who)]
    for queue in blind:
        if queue.work is QueueWork.REVIEW:
            rows |= {row.folder: row.state for row in queues.rows(queue)}
    hidden = {
        folder: found
        for folder, state in rows.items()
        if (found := _hidden_in_row(state, who, "", blind, queues, project.folder / folder))
    }
    catalogue.mask(
        hidden, lambda row: _masked(row, rows[row["folder"]], who, hidden[row["folder"]])
    )  # fmt: skip


_REVIEWED = ("review:any", "labelled:any")


@dataclass(frozen=True, slots=True)
class HiddenVerdicts:
    """Why others' and judges' verdicts are hidden, each a sentence; empty when they are shown."""

    people: str = ""
    judges: str = ""

    def __bool__(self) -> bool:
        return bool(self.people or self.judges)


def _hidden(
    own: str, own_queue: str, others: Sequence[str], blind: Iterable[ReviewQueue],
    contains: Callable[[ReviewQueue], bool],
) -> HiddenVerdicts:  # fmt: skip
    """What is hidden from a person by the status of the own review and of others', and by blind queues."""
    if own not in ("", DRAFT):
        return HiddenVerdicts()
    people = judges = ""
    if own:
        people = _("You see what others say of it when you have submitted your review")
    submitted = sum(status != DRAFT for status in others)
    for queue in blind:
        is_wanted = queue.work is QueueWork.REVIEW and (bool(own) or submitted < queue.reviewers)
        if queue.name != own_queue and not (is_wanted and contains(queue)):
            continue
        if queue.hides_people and not people:
            people = _("The queue {queue} wants your review: you see others' when you have submitted it",
                       queue=queue.label)  # fmt: skip
        if queue.hides_judges:
            judges = _("The queue {queue} hides the judges' verdicts until you have submitted your review",
                       queue=queue.label)  # fmt: skip
    return HiddenVerdicts(people, judges)


def _hidden_in_row(
    state: ReviewState, who: str, at_work_on: str, blind: Sequence[ReviewQueue], queues: ProjectQueues,
    folder: Path,
) -> HiddenVerdicts:  # fmt: skip
    return _hidden(
        _own_status(state, who),
        at_work_on,
        [status for status, name in state.reviews if name != who],
        blind,
        lambda queue: queues.contains(queue, folder),
    )


def _own_status(state: ReviewState, who: str) -> str:
    return state.status_of(who) or (DRAFT if who in state.labelled else "")


def _masked(row: Mapping[str, Any], state: ReviewState, who: str, hidden: HiddenVerdicts) -> dict[str, Any]:
    """The columns of a trajectory in the catalogue that say what is hidden, without it."""
    people = {PEOPLE, *(name for _status, name in state.reviews), *state.labelled}
    columns: dict[str, Any] = {
        "verdicts": listed([
            item for item in items(row["verdicts"])
            if (judge := item.partition("=")[2]) == who
            or not (hidden.people if judge in people else hidden.judges)
        ]),
        "reasons": "", "disputed": 0, "unsettled": 0, "missed": "",
        "reached": "" if hidden.judges else row["rules_reached"],
    }  # fmt: skip
    if hidden.people:
        own = state.status_of(who)
        columns |= {
            "review": own, "reviews": listed([f"{own}={who}"] if own else []), "tags": "",
            "labelled": listed([who] if who in state.labelled else []),
        }  # fmt: skip
    if hidden.judges:
        columns |= {"outcome": "", "reason": "", "automatic": 0}
    return columns

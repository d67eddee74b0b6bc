"""The queues of a project, and how far each is for a person; the next trajectory of one, nobody else's."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from collector.model.verdicts.review import DRAFT, REJECTED, SUBMITTED
from collector.review.queue import PRESETS, QueueWork, ReviewOrder, ReviewQueue
from collector.review.queue_files import no_queue, read_queues
from collector.review.teaching import Teaching
from collector.store.catalogue.catalogue import Catalogue, Progress
from collector.store.catalogue.catalogue_row import ReviewRow, ReviewState
from collector.store.files.errors import StoreError
from collector.store.project.project import Project


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """How far a queue is, as one person sees it."""

    todo: int
    """Trajectories that the person can work on."""
    held: int
    """Those that others work on at the moment."""
    done: int
    """Those that need nobody any more."""
    total: int


class ProjectQueues:
    """The queues of one project, and the trajectories in them, as the last :meth:`refresh` found them."""

    def __init__(self, project: Project, progress: Progress | None = None) -> None:
        """Raises StoreError when the catalogue cannot be opened."""
        self.project = project
        self._progress = progress
        self.queues: tuple[ReviewQueue, ...] = ()
        """The presets, then those of the project."""
        self.problems: tuple[StoreError, ...] = ()
        """Why files of queues cannot be read."""
        self._members: dict[str, frozenset[str]] = {}
        """Folders in a queue, by its query."""
        self._rows: dict[str, list[ReviewRow]] = {}
        self._states: dict[str, list[tuple[ReviewState, int]]] = {}
        self._teaching: Teaching | None = None
        self.refresh()

    def refresh(self) -> None:
        """Read the files of the queues again; who is in them is read when it is asked for."""
        own, self.problems = read_queues(self.project.paths)
        self.queues = (*PRESETS, *own)
        self._members, self._rows, self._states, self._teaching = {}, {}, {}, None

    def queue(self, name: str) -> ReviewQueue:
        """The queue of a name. Raises UserError when there is none."""
        for queue in self.queues:
            if queue.name.casefold() == name.casefold():
                return queue
        raise no_queue(name, [queue for queue in self.queues if not queue.is_preset])

    def contains(self, queue: ReviewQueue, folder: Path) -> bool:
        """Whether the query of a queue fits a trajectory."""
        if queue.query not in self._members:
            rows = self.rows(queue)
            self._members[queue.query] = frozenset(row.folder for row in rows)
        try:
            name = folder.resolve().relative_to(self.project.folder.resolve()).as_posix()
        except ValueError:  # of another project
            return False
        return name in self._members[queue.query]

    def rows(self, queue: ReviewQueue) -> list[ReviewRow]:
        """The trajectories that fit the query of a queue, by task and name."""
        if queue.query not in self._rows:
            with Catalogue(self.project) as catalogue:
                catalogue.refresh(self._progress)
                self._rows[queue.query] = catalogue.review_rows(queue.query)
        return self._rows[queue.query]

    def states(self, queue: ReviewQueue) -> list[tuple[ReviewState, int]]:
        """How far the reviews in a queue are, and of how many trajectories they are so far."""
        if queue.query in self._rows:
            return list(Counter(row.state for row in self._rows[queue.query]).items())
        if queue.query not in self._states:
            with Catalogue(self.project) as catalogue:
                catalogue.refresh(self._progress)
                self._states[queue.query] = catalogue.review_states(queue.query)
        return self._states[queue.query]

    def counts(self, queue: ReviewQueue, who: str, now: str) -> QueueCounts:
        """How far a queue is for a person at ``now``, ISO 8601, UTC."""
        places: Counter[str] = Counter()
        for state, count in self.states(queue):
            places[place_of(queue, state, who, now)] += count
        total = places[TODO] + places[HELD] + places[DONE]
        return QueueCounts(places[TODO], places[HELD], places[DONE], total)

    def teaching(self) -> Teaching:
        """How much a person's word would teach, of every trajectory."""
        if self._teaching is None:
            with Catalogue(self.project) as catalogue:
                catalogue.refresh(self._progress)
                self._teaching = Teaching(catalogue, self.project.states)
        return self._teaching

    def ordered(
        self, queue: ReviewQueue, who: str, now: str, order: ReviewOrder = ReviewOrder.NAME
    ) -> Iterator[ReviewRow]:  # fmt: skip
        """The trajectories that a person can work on, in the order in which the person gets them.

        First those that the person has begun; those of which a hash of the names says that they are the
        person's; then all others, in ``order``. What was passed over comes last.
        """
        rows, places = self.rows(queue), self._places(queue, who, now)
        todo = [row for row in rows if places[row.state] == TODO]
        if order is ReviewOrder.TEACHING:
            teaching = self.teaching()
            todo.sort(key=lambda row: -teaching.score(row.folder))
        skipped = {row.folder: time for row in todo for time, name in row.skips if name == who}
        begun = [row for row in todo if row.folder not in skipped and _is_begun(row.state, who, now)]
        left_out = {*skipped, *(row.folder for row in begun)}
        yield from begun
        yield from _by_turn(queue, [row for row in todo if row.folder not in left_out], who)
        yield from sorted((row for row in todo if row.folder in skipped), key=lambda row: skipped[row.folder])

    def _places(self, queue: ReviewQueue, who: str, now: str) -> dict[ReviewState, str]:
        """What the trajectories of a queue are for a person, by how far their reviews are."""
        states = {row.state for row in self.rows(queue)}
        return {state: place_of(queue, state, who, now) for state in states}


OUTSIDE, TODO, HELD, DONE = "outside", "todo", "held", "done"
"""What a trajectory is for a person in a queue."""


def place_of(queue: ReviewQueue, state: ReviewState, who: str, now: str) -> str:
    """What a trajectory that fits the query of a queue is for a person."""
    if queue.work is QueueWork.REVIEW:
        return _place_to_review(queue, state, who, now)
    if queue.work is QueueWork.LABEL:
        is_open = state.status_of(who) in ("", DRAFT, REJECTED)
        return DONE if not is_open else TODO if queue.is_for(who) else HELD
    if queue.work in (QueueWork.DRAFTS, QueueWork.REJECTED):
        wanted = DRAFT if queue.work is QueueWork.DRAFTS else REJECTED
        return TODO if state.status_of(who) == wanted else OUTSIDE
    if queue.work is QueueWork.APPROVE:
        return _place_to_approve(queue, state, who, now)
    if not state.is_unsettled:
        return DONE if state.is_disputed else OUTSIDE
    if not queue.is_for(who) or state.status_of(who):
        return HELD  # a third person settles it
    return HELD if _held_by_others(state, who, now) else TODO


def _place_to_review(queue: ReviewQueue, state: ReviewState, who: str, now: str) -> str:
    own = state.status_of(who)
    if own == REJECTED:
        return TODO
    final = {name for status, name in state.reviews if status != DRAFT}
    if who in final or len(final) >= queue.reviewers:
        return DONE
    taken = final | _held_by_others(state, who, now)
    return TODO if queue.is_for(who) and len(taken) < queue.reviewers else HELD


def _place_to_approve(queue: ReviewQueue, state: ReviewState, who: str, now: str) -> str:
    waiting = [name for status, name in state.reviews if status == SUBMITTED]
    if not waiting:
        return DONE if state.status not in ("", DRAFT) else OUTSIDE
    # Who reviews it too may approve the other only after the own submission.
    is_open = any(name != who for name in waiting) and state.status_of(who) != DRAFT
    return TODO if queue.is_for(who) and is_open and not _held_by_others(state, who, now) else HELD


def _held_by_others(state: ReviewState, who: str, now: str) -> set[str]:
    return {name for until, name in state.holds if name != who and now < until}


def _is_begun(state: ReviewState, who: str, now: str) -> bool:
    return bool(state.status_of(who)) or any(name == who and now < until for until, name in state.holds)


def _by_turn(queue: ReviewQueue, rows: Iterable[ReviewRow], who: str) -> Iterator[ReviewRow]:
    """The rows whose turn it is first; each hash is computed when somebody asks for the next."""
    if len(queue.who) <= queue.reviewers:
        yield from rows
        return
    later = []
    for row in rows:
        turn = _turn(queue.who, row.folder, who) // queue.reviewers
        if turn:
            later.append((turn, row))
        else:
            yield row
    yield from (row for _turn_of, row in sorted(later, key=lambda item: item[0]))


def _turn(people: Iterable[str], folder: str, who: str) -> int:
    """Whose turn a trajectory is: the place of ``who`` among the people by a hash of both names.

    People without a connection to each other, as on copies of a project, then seldom review the same.
    """

    def weight(name: str) -> bytes:
        return hashlib.sha256(f"{name}\x1f{folder}".encode(errors="surrogatepass")).digest()

    return sorted(people, key=weight).index(who)

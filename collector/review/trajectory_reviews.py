"""All that people and judges say of one trajectory, read once from its files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import TrajectoryHeader
from collector.model.verdicts.judgement import MODEL, PERSON, RULE, TASK, UNDECIDED, Judgement, Subject
from collector.store.files.layout import ANNOTATIONS
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import read_annotations, read_header
from collector.store.trajectory.reviews.label_judgements import judgements_that_count
from collector.store.trajectory.reviews.labels import Labels
from collector.store.trajectory.reviews.person_reviews import PersonReview, reviews_of, status_of, works_in
from collector.store.trajectory.reviews.review_disagreements import ReviewDisagreement, disagreements_of
from collector.store.trajectory.reviews.review_records import ReviewWork

NamesOf = Callable[[str], Mapping[str, str]]
"""What :func:`~collector.store.trajectory.achieved_states.state_names` gives for the id of a task."""


@dataclass(frozen=True, slots=True)
class TrajectoryReviews:
    """The reviews of one trajectory, its judgements, and what is disagreed on."""

    folder: Path
    reviews: tuple[PersonReview, ...] = ()
    """Of all people, in order of name."""
    works: Mapping[str, ReviewWork] = field(default_factory=dict)
    """Person -> the person's file, also of those who only hold it or approve."""
    judgements: tuple[Judgement, ...] = ()
    """Those that count: the newest of each judge on each subject, and people's labels."""
    settled: Mapping[Subject, Judgement] = field(default_factory=dict)
    """What was adjudicated, by subject."""
    all_judgements: tuple[Judgement, ...] = ()
    """Every stored judgement, replaced ones too."""
    outcome: str = ""
    """The verdict of the run itself; empty for a golden trajectory."""
    hidden: str = ""
    """Why something of others is left out here, in a sentence; empty when nothing is."""
    problems: tuple[str, ...] = ()

    @property
    def status(self) -> str:
        """draft, submitted, approved or rejected, by all people; empty when nobody has begun."""
        return status_of(self.reviews)

    @property
    def disagreements(self) -> tuple[ReviewDisagreement, ...]:
        """What submitted reviews and judges differ on."""
        drafts = [review.who for review in self.reviews if not review.is_final]
        return disagreements_of(self.judgements, self.settled, drafts)

    @property
    def adjudicated(self) -> Judgement | None:
        """The verdict on the task that counts above all others; None when nobody settled it."""
        return self.settled.get(Subject(TASK))

    @property
    def automatic(self) -> str:
        """The verdict on the task of rules, else of models that agree, else of the run; empty without any."""
        on_task = [item for item in self.judgements if item.subject.kind == TASK]
        for kind in (RULE, MODEL):
            verdicts = {item.verdict for item in on_task if item.kind == kind} - {UNDECIDED}
            if verdicts:
                return verdicts.pop() if len(verdicts) == 1 else ""
        return self.outcome

    def of(self, who: str) -> PersonReview | None:
        """The review of a person; None when there is none."""
        return next((review for review in self.reviews if review.who == who), None)

    def work_of(self, who: str) -> ReviewWork:
        """What a person's file says; empty when there is none."""
        return self.works.get(who, ReviewWork(Labels(who)))

    def seen_by(self, who: str, people: str, judges: str) -> TrajectoryReviews:
        """Leave out what is hidden from ``who``; ``people`` and ``judges`` say why, empty to show."""
        if not people and not judges:
            return self
        is_shown = {
            kind: not (people if kind == PERSON else judges) for kind in (RULE, MODEL, PERSON)
        }  # fmt: skip

        def shows(item: Judgement) -> bool:
            return item.judge == who or is_shown[item.kind]

        return replace(
            self,
            reviews=self.reviews if not people else tuple(filter(None, (self.of(who),))),
            works={name: work for name, work in self.works.items() if not people or name == who},
            judgements=tuple(filter(shows, self.judgements)),
            all_judgements=tuple(filter(shows, self.all_judgements)),
            settled={} if people else self.settled,
            outcome="" if judges else self.outcome,
            hidden=people or judges,
        )


def read_reviews(folder: Path, names_of: NamesOf = lambda _task: {}) -> TrajectoryReviews:
    """Read the reviews of the trajectory in ``folder``; what cannot be read is left out and reported.

    ``names_of`` gives the names of a task's states, by the task's id: old files say their sentences.
    """
    documents, stored = read_annotations(folder), read_judgements(folder)
    header, unread = None, []
    try:
        header = read_header(folder)
    except UserError as error:
        unread = [str(error)]
    works = works_in(folder, documents, names_of(header.task_id) if header is not None else None)
    judgements = tuple(judgements_that_count(stored, [work.labels for work in works]).values())
    problems = [
        *stored.problems,
        *(
            _("{name} cannot be read", name=f"{ANNOTATIONS}/{path.name}")
            for path in sorted((folder / ANNOTATIONS).glob("*.json"))
            if path.stem not in documents
        ),
        *unread,
    ]
    return TrajectoryReviews(
        folder,
        reviews_of(works, judgements),
        {work.who: work for work in works},
        judgements,
        stored.settled(),
        stored.judgements,
        _outcome_of(header),
        problems=tuple(problems),
    )


def _outcome_of(header: TrajectoryHeader | None) -> str:
    outcome = header.outcome if header is not None else None
    return outcome.status if outcome is not None else ""

"""Failed runs of a project from the step before their first error: where agents begin that are to recover."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from collector.model.trajectory import RUN
from collector.model.verdicts.voted_subject import PEOPLE
from collector.run.experiment.model import StartStep
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.verdict_counting import facts_of_verdicts
from collector.store.project.project import Project
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reviews.label_judgements import judgements_that_count
from collector.store.trajectory.reviews.labels import read_all_labels


@dataclass(frozen=True, slots=True)
class RunError:
    """A run and the number of its first wrong step, from 1; 0 when no step of it was judged wrong."""

    trajectory: str
    task: str
    experiment: str
    first_error: int

    def start(self, back: int) -> StartStep:
        """The step ``back`` steps before the error, or the first one."""
        return StartStep(self.task, self.trajectory, max(1, self.first_error - back))


def run_errors(project: Project, query: str) -> list[RunError]:
    """The runs that a query of trajectories fits, oldest first. Raises QueryError and StoreError."""
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        rows = catalogue.find(f"kind:{RUN} {query}")
    return [
        RunError(row.id, row.task, row.experiment, first_error(project.folder / row.folder))
        for row in reversed(rows)
    ]


def first_error(folder: Path) -> int:
    """The number of the first wrong step, from 1; 0 for none.

    People as a whole decide where they judged steps; else the earliest step that any judge names counts.
    """
    stored = read_judgements(folder)
    given = judgements_that_count(stored, read_all_labels(folder).values()).values()
    facts = facts_of_verdicts(given, stored.settled())
    of_people = facts.get(PEOPLE)
    if of_people is not None and (of_people.right_steps or of_people.first_error):
        return of_people.first_error
    return _earliest(facts[judge].first_error for judge in facts)


def _earliest(numbers: Iterable[int]) -> int:
    return min(filter(None, numbers), default=0)

"""Let the people of the sample project work on its essential states: propose, agree, audit, label.

Part of ``make sample``, after the recordings, and of ``make sample-run``, after the runs: everything goes
through the classes that the window and the command line use. Four tasks stand at four stages, the recordings
of some are labelled by two people, and one says how the runs of one ended.
"""

from __future__ import annotations

import datetime as dt
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self
from unittest import mock

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))


from collector.judge import rule_judge  # noqa: E402
from collector.judge.judging import judge_trajectories  # noqa: E402
from collector.judge.registry import RULES_JUDGE, create_judge  # noqa: E402
from collector.model.verdicts.judgement import REACHED, STATE, SUCCESS, TASK, Subject  # noqa: E402
from collector.project_rules.project_rules import ProjectRules  # noqa: E402
from collector.review.reviewing import Reviewing  # noqa: E402
from collector.states.auditing import Auditing  # noqa: E402
from collector.states.defining import Defining  # noqa: E402
from collector.states.documents.audit import (  # noqa: E402
    ACCEPT,
    CRITICALITY,
    DOUBT,
    SUFFICIENCY,
    VISUAL_VERIFIABILITY,
    YES,
)
from collector.states.documents.definition import CHOOSE_A, CHOOSE_B  # noqa: E402
from collector.states.documents.proposal import ProposedState  # noqa: E402
from collector.states.proposing import Proposing  # noqa: E402
from collector.states.work_files.state_work import StateWork  # noqa: E402
from collector.store.files.layout import ANNOTATIONS, AUDITS, CACHE, DEFINITIONS, JUDGEMENTS, PROPOSALS  # noqa: E402
from collector.store.project.project import Project  # noqa: E402
from collector.store.trajectory.achieved_states import screen_of_step  # noqa: E402
from collector.store.trajectory.judgements import read_judgements  # noqa: E402
from collector.store.trajectory.reader import open_trajectory, read_header  # noqa: E402
from collector.store.trajectory.reviews.labels import Labels  # noqa: E402

SAMPLE = ROOT / "assets" / "sample"
LIN, SARA, JO = "lin", "sara", "jo"
PROPOSED, DIFFERING, AGREED, AUDITED = "messenger-02", "shop-14", "shop-13", "todo-01"
"""A task for each stage: one proposal is open; differences are open; agreed; audited."""
LABELLED = ("shop-11", "shop-14", "shop-16", "shop-18", "todo-04", "home-01")
RUNS_JUDGED = "todo-04"
"""The task of whose runs a person says how they ended, so that the bias of judges can be told."""
STEPS_JUDGED = "monkey"
"""The agent of whose baseline there a person judges the steps: agents are to recover from its first error."""
STEP_VERDICTS = (
    "right", "wrong_element", "needless", "right", "needless", "right", "wrong_action", "wrong_element",
)  # fmt: skip
BEGIN = dt.datetime(2025, 3, 11, 9, 0, tzinfo=dt.UTC)
BETWEEN = dt.timedelta(seconds=40)
_SHOP = "com.waymark.shop:id/"


class _Working(dt.datetime):
    """The time while the people of the sample work: each look at it is a little later."""

    @classmethod
    def now(cls, tz: dt.tzinfo | None = None) -> Self:
        cls.passed += 1
        moment = BEGIN + cls.passed * BETWEEN
        return cls.fromtimestamp(moment.timestamp(), tz)

    passed = 0


@contextmanager
def _same_times() -> Iterator[None]:
    """Give every act the time that it had when the sample was made before."""
    _Working.passed = 0
    with mock.patch.object(dt, "datetime", _Working), mock.patch.object(rule_judge, "datetime", _Working):
        yield


# -- three stages ----------------------------------------------------------------


def _shop(name: str) -> str:
    return f"resource-id='{_SHOP}{name}'"


def _all(*conditions: dict[str, Any]) -> dict[str, Any]:
    return {"all": list(conditions)}


def _state(sentence: str, step: int, after: tuple[str, ...] = (), **condition: Any) -> ProposedState:
    return ProposedState("", sentence, _all(condition), after, step=step)


LIN_ON_POSTERS = (
    _state("Signed in", 5, type="element_exists", selector=f"{_shop('account')} and content-desc='Account'"),
    _state(
        "Posters searched", 8, ("1",),
        type="element_text_contains", selector=_shop("result_count"), text="poster",
    ),
    _state(
        "Sorted by price, low to high", 10, ("2",),
        type="element_text_equals", selector=_shop("chip_sort"), text="Price: low to high",
    ),
    _state(
        "Only items in stock", 13, ("3",),
        type="element_property", selector=_shop("chip_filter"), attribute="selected", value="true",
    ),
    _state(
        "Added to cart", 15, ("4",),
        type="element_text_contains", selector=_shop("snackbar_text"), text="Added",
    ),
)  # fmt: skip
SARA_ON_POSTERS = (
    _state("Signed in", 6, type="element_exists", selector=f"{_shop('account')} and content-desc='Account'"),
    _state(
        "Posters searched", 10, ("1",),
        type="element_text_contains", selector=_shop("result_count"), text="poster",
    ),
    _state(
        "Results cheapest first", 15, ("2",),
        type="element_text_contains", selector=_shop("chip_sort"), text="low to high",
    ),
    _state(
        "Only items in stock", 13, ("2",),
        type="element_text_equals", selector=_shop("chip_filter"), text="In stock",
    ),
    _state(
        "Cheapest poster opened", 16, ("3", "4"),
        type="element_text_equals", selector=_shop("price"), text="$9.50",
    ),
    _state(
        "Added to cart", 17, ("5",),
        type="element_text_contains", selector=_shop("snackbar_text"), text="Added",
    ),
)  # fmt: skip


def _propose(work: StateWork, task: str, who: str, states: tuple[ProposedState, ...], *, sign: bool) -> None:
    proposing = Proposing(work, task, who)
    proposing.start(f"{task}-{who}")
    for state in states:
        proposing.add(state)
    if sign:
        proposing.sign()


def _as_written(work: StateWork, task_id: str, who: str) -> tuple[ProposedState, ...]:
    """The states of a task as its file has them, with the steps at which rules see them in a golden."""
    project = work.project
    task = project.task(task_id)
    assert task is not None
    names = [name for name in task.essential_states if name in project.states]
    local = {name: str(number) for number, name in enumerate(names, 1)}
    reached = _reached(project, project.find(f"{task_id}-{who}"))
    return tuple(
        ProposedState(
            "", state.sentence, state.extra.get("conditions"), tuple(local[name] for name in state.after),
            state.optional, tuple(local[name] for name in state.alternatives), reached.get(state.id),
        )
        for state in (project.states[name] for name in names)
    )  # fmt: skip


def _reached(project: Project, folder: Path) -> dict[str, int]:
    """The step that reaches each state, by rules."""
    judge = create_judge(RULES_JUDGE, project)
    (result,) = judge_trajectories(ProjectRules(project), [folder], judge, keep=False)
    return {
        item.subject.state: item.subject.first
        for item in result.judgements
        if item.subject.kind == STATE and item.verdict == REACHED and item.subject.first is not None
    }


def author(project: Project) -> None:
    """Do the work of three people on four tasks."""
    work = StateWork(project)
    written = _as_written(work, PROPOSED, LIN)
    _propose(work, PROPOSED, LIN, written, sign=True)
    _propose(work, PROPOSED, SARA, written[:1], sign=False)

    _propose(work, DIFFERING, LIN, LIN_ON_POSTERS, sign=True)
    _propose(work, DIFFERING, SARA, SARA_ON_POSTERS, sign=True)
    defining = Defining(work, DIFFERING, LIN)
    defining.start()
    defining.settle_agreed()
    defining.decide("A3", CHOOSE_A)

    for task in (AGREED, AUDITED):
        _propose(work, task, LIN, _as_written(work, task, LIN), sign=True)
        _propose(work, task, SARA, _as_written(work, task, SARA), sign=True)
        defining = Defining(work, task, SARA)
        defining.start()
        defining.settle_agreed()
        for pair in defining.alignment().pairs:
            if not pair.is_agreed:
                defining.decide(pair.key, CHOOSE_A if pair.a is not None else CHOOSE_B)
        defining.finish()

    auditing = Auditing(work, AUDITED, JO)
    auditing.start()
    for number, state in enumerate(auditing.states()):
        auditing.answer(VISUAL_VERIFIABILITY, YES, state_id=state)
        note = "Its list can be chosen later, too" if number == 1 else ""
        auditing.answer(CRITICALITY, DOUBT if note else YES, note, state_id=state)
        auditing.decide(state, ACCEPT)
    auditing.answer(SUFFICIENCY, YES, "The week shows the task with its day")
    auditing.sign()


# -- labels ----------------------------------------------------------------------

EARLIER = {(JO, "shop-14-sara", "shop-14-5"), (SARA, "shop-16-lin", "shop-16-1")}
"""Labels that are one step before what rules say."""
OVERLOOKED = {
    (JO, "shop-14-lin", "shop-14-6"),
    (JO, "shop-11-lin", "shop-11-1"),
    (SARA, "todo-04-lin", "todo-04-2"),
}
"""States that somebody missed."""


def label(project: Project) -> None:
    """Store what rules say of every recording, and let two people label some of them."""
    folders = list(project.trajectory_folders())
    judge = create_judge(RULES_JUDGE, project)
    for _result in judge_trajectories(ProjectRules(project), folders, judge):
        pass
    for task in LABELLED:
        for folder in _recordings(project, task):
            for who in (SARA, JO):
                _label(project, folder, who)
    for folder in _recordings(project, "messenger-01"):
        for who in (SARA, JO):
            Reviewing(project, who).judge(folder, SUCCESS, "Ana reads that it is ten minutes")
    for folder in project.trajectory_folders(RUNS_JUDGED):
        if read_header(folder).is_run:
            said_by_rules = read_judgements(folder).newest()[RULES_JUDGE, Subject(TASK)]
            Reviewing(project, SARA).judge(folder, said_by_rules.verdict)
    for folder in project.trajectory_folders(RUNS_JUDGED):
        episode = read_header(folder).episode
        if episode is not None and episode.agent == STEPS_JUDGED and not episode.condition:
            for index, verdict in enumerate(STEP_VERDICTS):
                Reviewing(project, SARA).judge_step(folder, index, verdict)


def _recordings(project: Project, task: str) -> list[Path]:
    """The folders of what people recorded of a task; agents run some tasks, too."""
    return [folder for folder in project.trajectory_folders(task) if not read_header(folder).is_run]


def _label(project: Project, folder: Path, who: str) -> None:
    stored = open_trajectory(folder)
    task = project.task(stored.header.task_id)
    assert task is not None
    reached = _reached(project, folder)

    def labelled(labels: Labels) -> Labels:
        for state in task.essential_states:
            key = who, stored.header.id, state
            if state not in reached or key in OVERLOOKED:
                labels = labels.with_missed(state)
            else:
                step = reached[state] - (key in EARLIER)
                labels = labels.with_reached(state, step, screen_of_step(stored.steps, step))
        return labels

    reviewing = Reviewing(project, who)
    reviewing.label(folder, "labels", labelled)
    reviewing.judge(folder, SUCCESS)
    reviewing.submit(folder)


def clear(project: Project) -> None:
    """Remove what :func:`author` and :func:`label` leave, except the states."""
    folders = [project.folder / name for name in (PROPOSALS, DEFINITIONS, AUDITS, CACHE)]
    for folder in project.trajectory_folders():
        folders += [folder / ANNOTATIONS, folder / JUDGEMENTS]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    """Do all the work anew, in ``assets/sample`` or in the project that is named."""
    project = Project.open(Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE)
    clear(project)
    with _same_times():
        author(project)
        label(project)
    shutil.rmtree(project.paths.cache, ignore_errors=True)


if __name__ == "__main__":
    main()

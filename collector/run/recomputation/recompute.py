"""Recompute a stored episode: each decision, draw, validation and verdict again, from what is on the disk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.anomalies.events import INJECTED
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.judge.evaluation.trajectory_end import view_after
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.registry import RULES_JUDGE, create_judge
from collector.model.action import COMPLETION_SIGNALS, Action
from collector.model.episode import ACTING_PERSON
from collector.model.errors import UserError
from collector.model.i18n import N_, _
from collector.model.repeated_actions import RepeatCount
from collector.model.task import Task
from collector.model.trajectory import State, Step, installed_apps
from collector.model.user_reply import REPLY, UserReply
from collector.model.verdicts.judgement import TASK, Judgement
from collector.pictures.decoding import rgb_pixels
from collector.pictures.errors import PictureError
from collector.rules.evaluation.state_view import StateView, main_package
from collector.run.cycle.ending import ended_by
from collector.run.cycle.episode_plan import EpisodePlan, plan_from_dict
from collector.run.cycle.episode_project import EpisodeProject
from collector.run.cycle.episode_record import CYCLE_EVENT
from collector.run.cycle.episode_rules import EpisodeRules, Validation, decisions_as_line, fired_in
from collector.run.cycle.outcomes import outcome_by
from collector.run.cycle.phases import CyclePhase
from collector.run.cycle.run_start import steps_before, views_before
from collector.store.catalogue.catalogue import Catalogue
from collector.store.tasks.task_values import bound, recorded_values
from collector.store.trajectory import codec
from collector.store.trajectory.interruptions import EVENT
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory

DECISION, INJECTION, VALIDATION, REPEATS, END, VERDICT, OUTCOME = (
    N_("decision"), N_("injection"), N_("validation"), N_("repeats"), N_("end"), N_("verdict"), N_("outcome"),
)  # fmt: skip
"""What is recomputed."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that comes out otherwise than it did live."""

    what: str
    """One of the constants above."""
    number: int
    """Number of the step, from 1; 0 for the whole episode."""
    live: object
    recomputed: object

    def __str__(self) -> str:
        live, now = self.live, self.recomputed
        if isinstance(live, Mapping) and isinstance(now, Mapping):  # what both say goes without saying
            names = [name for name in now if live.get(name) != now[name]]
            live, now = ({name: of.get(name) for name in names} for of in (live, now))
        values = {"what": _(self.what), "live": _text_of(live), "now": _text_of(now)}
        if not self.number:
            return _("The {what} was {live}, and is {now} now", **values)
        return _("Step {number}: the {what} was {live}, and is {now} now", number=self.number, **values)


def _text_of(value: object) -> str:
    """A value of an episode for people."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_text_of(item)}" for name, item in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_text_of, value)) or "-"
    return "-" if value in (None, "") else str(value)


@dataclass(frozen=True, slots=True)
class Recomputation:
    """A stored episode, recomputed."""

    trajectory: str
    task: str
    counts: Mapping[str, int] = field(default_factory=dict)
    """How many of each were compared."""
    differences: tuple[Difference, ...] = ()
    rules_changed: bool = False
    """The rules, states or the task are others now than when it was run: differences are to be expected."""
    problem: str = ""
    """Why it could not be recomputed, in a sentence."""

    @property
    def is_equal(self) -> bool:
        """Whether everything came out as it did live."""
        return not self.differences and not self.problem


def recompute(stored: StoredTrajectory, project: EpisodeProject) -> Recomputation:
    """Recompute an episode with the rules that ``project`` has now."""
    header = stored.header
    try:
        return _Recomputing(stored, project).result()
    except UserError as error:
        return Recomputation(header.id, header.task_id, problem=str(error))
    except (ValueError, KeyError, TypeError, IndexError) as error:
        why = _("Its events cannot be read: {why}", why=error)
        return Recomputation(header.id, header.task_id, problem=why)


class _Recomputing:
    """One episode while it is recomputed, line by line."""

    def __init__(self, stored: StoredTrajectory, project: EpisodeProject) -> None:
        self._stored, self._project = stored, project
        self._events = stored.events()
        self._lines = [line for line in self._events if line.get("kind") == CYCLE_EVENT]
        task: Task = project.task(stored.header.task_id)
        self._task = bound(task, recorded_values(stored.header, task))
        self._plan: EpisodePlan = plan_of_run(stored, self._task.id)
        before = steps_before(stored.steps)
        self._rules: EpisodeRules = project.episode_rules(self._plan, self._task, before)
        self._repeats = RepeatCount()
        self._view: StateView | None = None
        self._steps = self._person_steps = 0
        self._signal: Action | None = None
        self._is_unanswered = False
        self._validation = Validation()
        self._differences: list[Difference] = []
        self._counts: dict[str, int] = {}
        self._by_phase = {
            CyclePhase.DECIDE.value: self._decide, CyclePhase.INJECT.value: self._inject,
            CyclePhase.OBSERVE_AGAIN.value: self._observe_again, CyclePhase.ACT.value: self._act,
            CyclePhase.VALIDATE.value: self._validate,
        }  # fmt: skip

    def result(self) -> Recomputation:
        for view in views_before(self._judged()):
            self._validation, self._view = self._rules.see(view), view
        for line in self._lines:
            again = self._by_phase.get(str(line.get("phase")))
            if again is not None:
                again(line)
        self._injections()
        self._verdicts()
        version = self._project.version(self._plan, self._project.task(self._task.id))
        return Recomputation(
            self._stored.header.id, self._task.id, self._counts, tuple(self._differences),
            version != self._lines[0].get("rules_version"),
        )  # fmt: skip

    # -- phases --------------------------------------------------------------
    def _validate(self, line: Mapping[str, Any]) -> None:
        number = int(line["number"])
        if self._signal is not None:
            assert self._view is not None
            self._view = view_after(self._view, self._signal)
        else:
            self._view = self._view_of(number, self._decided_on(number))
        self._validation = self._rules.see(self._view, claimed=self._signal is not None)
        now = self._validation.as_line()
        self._compare(VALIDATION, number, {name: line.get(name) for name in now}, now)
        end = ended_by(
            self._plan, self._rules, self._validation, signal=self._signal, steps=self._steps,
            person_steps=self._person_steps, repeats=self._repeats.count,
            is_unanswered=self._is_unanswered,
        )  # fmt: skip
        self._compare(END, number, line.get("end", ""), end)

    def _decide(self, line: Mapping[str, Any]) -> None:
        assert self._view is not None
        decisions = self._rules.decide(self._view, dialog_open=bool(line["dialog"]))
        now = decisions_as_line(decisions)
        self._compare(DECISION, int(line["number"]), {name: line[name] for name in now if name in line}, now)
        self._fired = fired_in(decisions)

    def _inject(self, line: Mapping[str, Any]) -> None:
        live = {"rule": line.get("rule"), "anomaly": line.get("anomaly")}
        fired, now = self._fired, None
        if fired is not None and fired.injection is not None:
            now = {"rule": fired.rule.id, "anomaly": fired.injection.interference_id}
        self._compare(INJECTION, int(line["number"]), live, now)
        if "refused" in line and fired is not None:
            self._rules.take_back(fired)

    def _observe_again(self, line: Mapping[str, Any]) -> None:
        number = int(line["number"])
        self._view = self._view_of(number, self._step(number).state)
        self._rules.see_instead(self._view)

    def _act(self, line: Mapping[str, Any]) -> None:
        step = self._step(int(line["number"]))
        if step.action is None:
            return
        self._signal = step.action if isinstance(step.action, COMPLETION_SIGNALS) else None
        reply = UserReply.read(step.extra.get(REPLY))
        self._is_unanswered = reply is not None and not reply.text
        if ACTING_PERSON in step.extra:
            self._person_steps += 1
            self._repeats.forget()
            return
        self._steps += 1
        self._compare(REPEATS, step.index + 1, line.get("same"), self._repeats.note(step.action))

    # -- the whole episode ---------------------------------------------------
    def _injections(self) -> None:
        """Every anomaly that came has its decision, and the other way round."""
        decided = {line["injection"] for line in self._lines if line.get("injection")}
        came = {
            line.get("injection") for line in self._events
            if line.get("kind") == EVENT and line.get("transition") == INJECTED
        }  # fmt: skip
        self._compare(INJECTION, 0, sorted(map(str, came)), sorted(map(str, decided)))

    def _verdicts(self) -> None:
        outcome = self._stored.header.outcome
        if outcome is None or outcome.infrastructure:
            return
        project, plan = self._project, self._plan
        trajectory = self._judged()
        judge = create_judge(RULES_JUDGE, project.project, {"semantics": plan.semantics})
        now = _by_subject(judge.judge(trajectory))
        stored = read_judgements(self._stored.folder)
        own = [item for item in stored.judgements if item.judge == RULES_JUDGE]
        live = _by_subject(reversed(own))  # the first verdict on a subject is the one given live
        for subject in dict.fromkeys((*live, *now)):
            first, second = live.get(subject), now.get(subject)
            self._compare(VERDICT, 0, _verdict(first), _verdict(second))
        on_task = next(item for item in now.values() if item.subject.kind == TASK)
        again = outcome_by(on_task, outcome, plan.semantics)
        self._compare(OUTCOME, 0, outcome.status, again.status)

    def _judged(self) -> JudgedTrajectory:
        return JudgedTrajectory.of(self._stored, self._project.project.tasks, self._project.rules)

    # -- screens -------------------------------------------------------------
    def _step(self, number: int) -> Step:
        steps: Sequence[Step] = self._stored.steps
        return steps[number - 1]

    def _decided_on(self, number: int) -> State:
        """The screen on which the rules decided before a step: that before an injection, else the step's."""
        for line in self._lines:
            is_its = line.get("phase") == CyclePhase.INJECT.value and line.get("number") == number
            if is_its and "state" in line:
                return codec.state_from_dict(line["state"])
        return self._step(number).state

    def _view_of(self, number: int, state: State) -> StateView:
        xml = self._stored.blob(state.tree) or b""
        try:
            tree = parse_tree(xml) if xml else None
        except HierarchyError:
            tree = None
        action = self._step(number - 1).action if number > 1 else None

        def picture() -> Any:
            data = self._stored.blob(state.screenshot)
            try:
                return rgb_pixels(data) if data else None
            except PictureError:
                return None

        package = state.package or main_package(node.package for node in tree or ())
        apps = installed_apps(self._stored.header, state)
        view = StateView(
            tree, xml, package, state.activity, number, action, apps=apps, picture=picture,
            app_data=lambda: self._stored.app_data(state),
        )  # fmt: skip
        view.follow(self._view)
        return view

    def _compare(self, what: str, number: int, live: object, now: object) -> None:
        self._counts[what] = self._counts.get(what, 0) + 1
        if live != now:
            self._differences.append(Difference(what, number, live, now))


def _by_subject(judgements: Iterable[Judgement]) -> dict[tuple[str, str], Judgement]:
    """The last judgement on each subject."""
    return {(item.subject.kind, item.subject.state): item for item in judgements}


def recompute_runs(
    folder: Path, names: Sequence[str],
    offline: Callable[[StoredTrajectory, EpisodeProject], Recomputation] | None = None,
) -> Iterator[Recomputation]:  # fmt: skip
    """Recompute episodes of the project in ``folder``: ``names`` are ids or paths of runs, or experiments.

    ``offline`` compares the answers of those that were asked golden steps; they are left out without it.
    Raises UserError for a name that is none of these, before anything is recomputed.
    """
    project = EpisodeProject.load(folder)
    for run in folders_of_runs(project, names):
        try:
            stored = open_trajectory(run)
        except UserError as error:
            yield Recomputation(run.name, run.parent.name, problem=str(error))
            continue
        if not stored.header.is_offline:
            yield recompute(stored, project)
        elif offline is not None:
            yield offline(stored, project)


def plan_of_run(stored: StoredTrajectory, task_id: str) -> EpisodePlan:
    """The plan that a stored episode was run by. Raises UserError when it is no episode of an experiment."""
    line = next((line for line in stored.events() if line.get("kind") == CYCLE_EVENT), {})
    episode = stored.header.episode
    if "settings" not in line or episode is None:
        raise UserError(_("{id} is no episode of an experiment", id=stored.header.id))
    return plan_from_dict(line["settings"], task_id, episode)


def folders_of_runs(project: EpisodeProject, names: Sequence[str]) -> list[Path]:
    """The folders of runs: ``names`` are ids or paths of runs, or experiments. Raises UserError."""
    folders: dict[Path, None] = {}
    with Catalogue(project.project) as catalogue:
        catalogue.refresh()
        of_experiments = {row.experiment for row in catalogue.find("kind:run") if row.experiment}
        for name in names:
            if name in of_experiments:
                wanted = name.replace('"', "")
                runs = catalogue.folders(f'kind:run experiment:"={wanted}"')
                folders.update(dict.fromkeys(project.project.folder / run for run in runs))
            else:
                folders[project.project.find(name)] = None
    return list(folders)


def _verdict(judgement: Judgement | None) -> str:
    if judgement is None:
        return ""
    subject = judgement.subject
    where = f" {subject.state} {subject.first}" if subject.kind != TASK else ""
    return f"{subject.kind}{where}: {judgement.verdict}"

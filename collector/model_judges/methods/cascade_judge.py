"""The method ``cascade``: rules first, a model only for what they leave undecided, a dearer one after it.

Each stage is a judge, or several of which two that disagree hand on to the next. A later stage is asked about
what is still open alone: states that are decided are not asked again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collector.endpoint.endpoint_options import check_ranges
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.kinds import Judge
from collector.model.errors import UserError
from collector.model.i18n import N_, _
from collector.model.verdicts.judgement import MISSED, REACHED, STATE, TASK, UNDECIDED, Judgement, Subject
from collector.model_judges.combined_judge import (
    CombinedJudge,
    asked_of,
    is_unsure,
    on_subjects,
    version_of_parts,
)
from collector.model_judges.judge_files import create_parts
from collector.model_judges.model_judge import NOTHING_KNOWN, WORKERS_OPTION, Known, claim_option, model_kind
from collector.model_judges.questions import Asking
from collector.model_judges.task_verdict import verdict_of_states
from collector.plugins.options import PluginOption
from collector.rules.evaluation.task_states import replaced_by
from collector.store.project.project import Project

_Key = tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CascadeJudge(CombinedJudge):
    """A judge that asks cheap judges before dear ones."""

    stages: tuple[tuple[Judge, ...], ...] = ()
    threshold: float = 0.5
    needs_claim: bool = False

    def asking(self, trajectory: JudgedTrajectory, known: Known = NOTHING_KNOWN) -> Asking:
        """Ask stage after stage, until nothing is open."""
        run = _Cascade(self, trajectory, known)
        for stage in self.stages:
            for judge in stage:
                if run.can_add(judge):
                    run.note((yield from asked_of(judge, trajectory, run.known())))
            if run.end_stage():
                break
        return run.judgements()


@dataclass
class _Cascade:
    """What the stages said of one trajectory."""

    judge: CascadeJudge
    trajectory: JudgedTrajectory
    before: Known
    """What was decided before its first stage."""
    decided: dict[_Key, Judgement] = field(default_factory=dict)
    _stage: list[dict[_Key, Judgement]] = field(default_factory=list)
    _all: list[Judgement] = field(default_factory=list)
    _said: dict[_Key, list[Judgement]] = field(default_factory=dict)

    def note(self, judgements: Sequence[Judgement]) -> None:
        """Keep what one judge of the stage says."""
        self._all += judgements
        self._stage.append(on_subjects(judgements))
        for key, item in self._stage[-1].items():
            self._said.setdefault(key, []).append(item)

    def can_add(self, judge: Judge) -> bool:
        """Whether a judge can decide anything that is open."""
        return (TASK, "") not in self.decided or getattr(judge, "decides_states", True)

    def end_stage(self) -> bool:
        """Take what the judges of the stage are sure of and agree on; whether nothing is open any more."""
        stage, self._stage = self._stage, []
        for key in {key for given in stage for key in given} - set(self.decided):
            items = [given[key] for given in stage if key in given]
            sure = not any(is_unsure(item, self.judge.threshold) for item in items)
            if sure and len({item.verdict for item in items}) == 1:
                self.decided[key] = items[0]
        return (TASK, "") in self.decided and not self._open_states()

    def _open_states(self) -> list[str]:
        """The needed states that nobody has decided; of alternatives one that is reached is enough."""
        needed = self.trajectory.needed
        known = self.known()
        closed = replaced_by(self.trajectory.states, known.reached.keys() & set(needed))
        closed |= {*known.reached, *known.missed}
        return [name for name in needed if name not in closed]

    def known(self) -> Known:
        """What the next judge need not be asked."""
        states = {name: item for (kind, name), item in self.decided.items() if kind == STATE}
        reached = {name: item.subject.first or 0 for name, item in states.items() if item.verdict == REACHED}
        missed = {name for name, item in states.items() if item.verdict == MISSED}
        return Known({**self.before.reached, **reached}, self.before.missed | missed)

    # -- verdicts ------------------------------------------------------------
    def judgements(self) -> list[Judgement]:
        """What every judge said, then the verdicts of the cascade."""
        states = [self._result(key) for key in self._said if key[0] == STATE]
        return [*self._all, *states, self._on_task()]

    def _result(self, key: _Key) -> Judgement:
        item = self.decided.get(key)
        if item is None:
            return self.judge.own(Subject(*key), UNDECIDED, self._why_open(key))
        step = item.subject.first if key[0] == STATE else None
        reason = _("{judge}: {reason}", judge=item.judge, reason=item.reason or item.verdict)
        return self.judge.own(Subject(*key, step, step), item.verdict, reason, item.confidence, by=item.judge)

    def _why_open(self, key: _Key) -> str:
        return "; ".join(f"{item.judge}: {item.verdict}" for item in self._said.get(key, ()))

    def _on_task(self) -> Judgement:
        """What a stage was sure of; else what follows from the states, each decided by some stage."""
        key = (TASK, "")
        if key in self.decided:
            return self._result(key)
        doubts = {name: self._why_open((STATE, name)) for name in self._open_states()}
        if not self.trajectory.needed or len(doubts) == len(self.trajectory.needed):
            return self.judge.own(Subject(TASK), UNDECIDED, self._why_open(key))
        counting = set(self.known().reached)
        verdict, reason = verdict_of_states(
            self.trajectory, counting, doubts, needs_claim=self.judge.needs_claim
        )
        return self.judge.own(Subject(TASK), verdict, reason)


OPTIONS = (
    PluginOption("judges", list, None, N_("Names of judges in the order they are asked; a list among them is "
                                          "a stage of several"), required=True),
    PluginOption("threshold", float, 0.5, N_("A judge with less confidence than this is unsure, 0 to 1")),
    claim_option(False),
    WORKERS_OPTION,
)  # fmt: skip


def _create(options: Mapping[str, Any], project: Project | None) -> CascadeJudge:
    what = _("The judge {name} cannot be created", name=KIND.id)
    check_ranges(options, {"threshold": (0.0, 1.0)})
    entries = options["judges"] or []
    named = [entry if isinstance(entry, list) else [entry] for entry in entries]
    if not all(isinstance(name, str) for stage in named for name in stage):
        raise UserError(what, _("`judges` has an entry that is no name"))
    stages = tuple(create_parts(stage, project, what) for stage in named)
    flat = (
        create_parts([], project, what) if not stages else tuple(judge for stage in stages for judge in stage)
    )
    return CascadeJudge(
        name=KIND.id, version=version_of_parts(KIND.id, flat, str(named), str(options["threshold"])),
        judges=flat, project=project, workers=options["workers"], stages=stages,
        threshold=options["threshold"], needs_claim=options["needs_claim"],
    )  # fmt: skip


KIND = model_kind(
    "cascade", N_("Cheap judges first, dear ones for what stays open"),
    N_("Rules first; a model for what they leave undecided; a dearer one where it is unsure"),
    _create, OPTIONS, transfers=False,
)  # fmt: skip

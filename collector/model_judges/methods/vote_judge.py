"""The method ``vote``: several prompts or models; a majority of them, or all. A split is undecided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.model.i18n import N_, _
from collector.model.verdicts.judgement import REACHED, STATE, UNDECIDED, Judgement, Subject
from collector.model_judges.combined_judge import (
    CombinedJudge,
    asked_of,
    on_subjects,
    version_of_parts,
)
from collector.model_judges.judge_files import create_parts
from collector.model_judges.model_judge import NOTHING_KNOWN, WORKERS_OPTION, Known, model_kind
from collector.model_judges.questions import Asking
from collector.plugins.options import PluginOption
from collector.store.project.project import Project

MAJORITY, UNANIMOUS = "majority", "unanimous"


@dataclass(frozen=True, slots=True, kw_only=True)
class VoteJudge(CombinedJudge):
    """A judge by the votes of others."""

    agreement: str = MAJORITY

    def asking(self, trajectory: JudgedTrajectory, known: Known = NOTHING_KNOWN) -> Asking:
        """Ask all judges one after the other, and keep what each said beside the result."""
        votes: list[list[Judgement]] = []
        for judge in self.judges:
            given = yield from asked_of(judge, trajectory, known)
            votes.append(given)
        by_judge = [on_subjects(given) for given in votes]
        subjects = dict.fromkeys(subject for given in by_judge for subject in given)
        results = [
            self._counted(subject, [given[subject] for given in by_judge if subject in given])
            for subject in sorted(subjects, key=lambda item: item[0] != STATE)
        ]
        return [*(item for given in votes for item in given), *results]

    def _counted(self, subject: tuple[str, str], votes: Sequence[Judgement]) -> Judgement:
        verdict = voted([item.verdict for item in votes], len(self.judges), self.agreement)
        agreeing = [item for item in votes if item.verdict == verdict]
        steps = [item.subject.first for item in agreeing if item.subject.first is not None]
        step = min(steps) if verdict == REACHED and steps else None
        reason = "; ".join(f"{item.judge}: {item.verdict}" for item in votes)
        return self.own(Subject(*subject, step, step), verdict, reason, votes=len(votes))


def voted(verdicts: Sequence[str], judges: int, agreement: str) -> str:
    """What verdicts come to: more than half of all ``judges`` say it, or all do; else undecided.

    A judge that could not say counts among all, and never as a vote.
    """
    counts = Counter(verdict for verdict in verdicts if verdict != UNDECIDED)
    if not counts:
        return UNDECIDED
    verdict, most = counts.most_common(1)[0]
    wanted = judges if agreement == UNANIMOUS else judges // 2 + 1
    return verdict if most >= wanted else UNDECIDED


OPTIONS = (
    PluginOption("judges", list, None, N_("Names of the judges that vote"), required=True),
    PluginOption("agreement", str, MAJORITY, N_("More than half of the judges, or all of them"),
                 choices=(MAJORITY, UNANIMOUS)),
    WORKERS_OPTION,
)  # fmt: skip


def _create(options: Mapping[str, Any], project: Project | None) -> VoteJudge:
    judges = create_parts(options["judges"], project, _("The judge {name} cannot be created", name=KIND.id))
    version = version_of_parts(KIND.id, judges, options["agreement"])
    return VoteJudge(
        name=KIND.id, version=version, judges=judges, project=project, workers=options["workers"],
        agreement=options["agreement"],
    )  # fmt: skip


KIND = model_kind(
    "vote", N_("Several judges that vote"),
    N_("Asks several judges; a majority or all of them decide, and a split is undecided"),
    _create, OPTIONS, transfers=False,
)  # fmt: skip

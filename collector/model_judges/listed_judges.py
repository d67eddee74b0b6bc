"""The judges by models that a person can choose or begin with; one is written only when it can be used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from collector.agents.agent_trust import AgentDemands, trust_request
from collector.anomalies.anomaly_source import TrustRequest
from collector.judge.kinds import ENDPOINT, JudgeKind
from collector.judge.registry import create_judge, find_judge_kind, judge_kinds
from collector.model.i18n import _
from collector.model_judges.judge_files import JudgeFile, judge_files, named_judge, write_judge_file
from collector.model_judges.prices import models_of
from collector.store.project.project import Project


@dataclass(frozen=True, slots=True)
class ListedJudge:
    """A judge that has a file, or a method that a new one can begin with."""

    name: str
    method: str
    description: str
    options: Mapping[str, Any]
    kind: JudgeKind | None
    """None when the file does not name a method."""
    is_own: bool = False
    """Whether its file is the project's."""
    is_method: bool = False
    problem: str = ""
    """Why it cannot be used, in a sentence; empty when it can."""

    @property
    def can_judge(self) -> bool:
        return not self.is_method and not self.problem and self.kind is not None


def listed_judges(project: Project) -> tuple[ListedJudge, ...]:
    """The judges of the project, those of the studio, then the methods that ask models. Reads the disk."""
    files = sorted(map(_listed, judge_files(project)), key=lambda judge: not judge.is_own)
    taken = {judge.name for judge in files}
    methods = tuple(
        ListedJudge(kind.id, kind.id, _(kind.description), {}, kind, is_method=True)
        for kind in judge_kinds().kinds.values()
        if ENDPOINT in kind.needs and kind.id not in taken
    )
    return (*files, *methods)


def _listed(file: JudgeFile) -> ListedJudge:
    kind = find_judge_kind(file.method) if file.method else None
    return ListedJudge(
        file.name, file.method, file.shown_description, dict(file.options), kind, is_own=not file.is_built_in,
        problem=file.problem,
    )  # fmt: skip


def write_usable_judge(project: Project, file: JudgeFile, *, replace: bool) -> Path:
    """Write the file of a judge into the project; with ``replace`` over the one of its name.

    Raises UserError for options that its method refuses with the files of the project, and StoreError.
    """
    create_judge(file.method, project, file.options, sends=False)
    return write_judge_file(project, file, replace=replace)


def judge_demands(project: Project, names: Iterable[str]) -> Iterator[AgentDemands]:
    """What judges, and those that they ask, do that a person has to agree to. Reads the disk.

    Raises UserError for a judge that cannot be used.
    """
    for name in names:
        for model in models_of(named_judge(name, project, sends=False)):
            yield AgentDemands(model.judge, (), (model.endpoint.transfer,))


def judge_trust_request(project: Project, names: Iterable[str]) -> TrustRequest | None:
    """What judges send to hosts that nobody has allowed yet; None when there is nothing.

    Reads the disk. Raises UserError for a judge that cannot be used.
    """
    return trust_request(project, judge_demands(project, names))

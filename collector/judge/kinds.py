"""The protocol of judges, and what a kind of judge declares: its options, what it costs and what it needs.

A package brings one by the entry point group :data:`ENTRY_POINTS`, whose object is a :class:`JudgeKind`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from collector.consent.transfer import Transfer
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.model.i18n import N_
from collector.model.verdicts.judgement import Judgement
from collector.plugins.options import PluginOption
from collector.store.project.project import Project

ENTRY_POINTS = "waymark.judges"
NO_COST, PER_TRAJECTORY = "none", "per trajectory"
COSTS = {NO_COST: N_("none"), PER_TRAJECTORY: N_("per trajectory")}
"""Whether money is paid for a verdict; each judgement says how much it was."""
RULES, TREE, PICTURE, ENDPOINT = "rules", "tree", "picture", "endpoint"
NEEDS = {RULES: N_("rules"), TREE: N_("tree"), PICTURE: N_("picture"), ENDPOINT: N_("endpoint")}
"""What a judge cannot do without: rules of the project, trees or pictures of screens, a model endpoint."""


class Judge(Protocol):
    """Says which essential states a trajectory reaches, and whether its task is done."""

    @property
    def name(self) -> str:
        """Names the file of its judgements."""
        ...

    @property
    def kind(self) -> str:
        """rule, model or person."""
        ...

    def judge(self, trajectory: JudgedTrajectory) -> Iterator[Judgement]:
        """The verdicts on a trajectory; each carries what it cost. Raises UserError when a judge fails."""
        ...


@dataclass(frozen=True, slots=True)
class JudgeKind:
    """A kind of judge."""

    id: str
    title: str
    create: Callable[[Mapping[str, Any], Project | None], Judge]
    """Make a judge with checked options, for the trajectories of a project. Raises UserError."""
    description: str = ""
    options: tuple[PluginOption, ...] = ()
    cost: str = NO_COST
    """One of COSTS."""
    needs: tuple[str, ...] = ()
    """Of NEEDS."""
    transfers: Callable[[Mapping[str, Any]], tuple[Transfer, ...]] = lambda _options: ()
    """What a judge with these options would send to other hosts, for a person to allow first. Raises
    UserError for wrong options."""

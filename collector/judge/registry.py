"""The registry of the kinds of judges. Judges are created here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from collector.consent.allowed_hosts import AllowedHosts
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.kinds import COSTS, ENTRY_POINTS, NEEDS, Judge, JudgeKind
from collector.model.errors import UserError
from collector.model.i18n import N_, _
from collector.model.verdicts.judgement import Judgement
from collector.plugins.options import complete_options
from collector.plugins.registry import KindRegistry, plugin_errors
from collector.store.project.project import Project

RULES_JUDGE = "rules"
"""Id of the judge by the rules of a project, and the name of its verdicts."""


def _check(kind: JudgeKind, value: str) -> None:
    """Raise UserError for what cannot be a kind."""
    if not isinstance(kind.id, str) or not kind.id.strip() or not callable(kind.create):
        raise UserError(_("{value} has no id, or nothing that creates judges", value=value))
    if kind.cost not in COSTS:
        raise UserError(_("{value} names no cost of: {known}", value=value, known=", ".join(COSTS)))
    if not set(kind.needs) <= set(NEEDS):
        raise UserError(
            _("{value} names a need that is none of: {known}", value=value, known=", ".join(NEEDS))
        )


_sends: ContextVar[bool] = ContextVar("whether judges are created to send", default=True)
"""Holds for the judges that a judge creates for itself, too."""
_METHODS = ("windows", "final", "single", "rubric", "steps", "vote", "cascade")
"""The kinds that ask models."""
KINDS = KindRegistry(
    ENTRY_POINTS, JudgeKind,
    {RULES_JUDGE: "collector.judge.rule_judge", "state": "collector.judge.state_judge"}
    | {name: f"collector.model_judges.methods.{name}_judge" for name in _METHODS},
    N_("There is no kind of judge {kind}"), _check,
)  # fmt: skip
BUILT_IN = KINDS.built_in
judge_kinds, judge_kind, find_judge_kind = KINDS.all, KINDS.get, KINDS.find


def create_judge(
    kind_id: str, project: Project | None = None, options: Mapping[str, Any] | None = None, *,
    name: str = "", sends: bool = True,
) -> Judge:  # fmt: skip
    """Create a judge for trajectories of ``project``, its options checked; errors name it by ``name``.

    Without ``sends`` it is created to say what it would ask: no host need be allowed. Raises UserError for an
    unknown kind, for wrong options, for a host that nobody has allowed, and when the code of another package
    fails.
    """
    kind = judge_kind(kind_id)
    what = _("The judge {name} cannot be created", name=name or kind_id)
    checked = complete_options(kind, options or {}, what)
    token = _sends.set(sends and _sends.get())
    try:
        if _sends.get():
            _require_allowed(what, kind, checked, project)
        return _created(kind, checked, project, what)
    finally:
        _sends.reset(token)


def _created(kind: JudgeKind, checked: Mapping[str, Any], project: Project | None, what: str) -> Judge:
    if kind.id in BUILT_IN:
        return kind.create(checked, project)
    with plugin_errors(kind.id, what):
        return _InstalledJudge(kind.id, kind.create(checked, project))


@dataclass(frozen=True, slots=True)
class _InstalledJudge:
    """A judge of another package. Whatever its code raises is a UserError."""

    kind_id: str
    judging: Judge

    @property
    def name(self) -> str:
        return self.judging.name

    @property
    def kind(self) -> str:
        return self.judging.kind

    def judge(self, trajectory: JudgedTrajectory) -> Iterator[Judgement]:
        with plugin_errors(self.kind_id, _("The judge {name} failed", name=self.kind_id)):
            yield from self.judging.judge(trajectory)


def _require_allowed(what: str, kind: JudgeKind, options: Mapping[str, Any], project: Project | None) -> None:
    """Raise UserError while a person has not allowed all that a judge sends to hosts. Reads the disk."""
    transfers = kind.transfers(options)
    for transfer in AllowedHosts(project.folder if project else None).missing(transfers) if transfers else ():
        raise UserError(
            what,
            _("nobody has allowed this yet: {what}", what="; ".join(transfer.sentences())),
            _("Allow it with `{command}`", command=transfer.command),
        )

"""A reset that is planned, and one that was carried out, as the header of a recording keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.model.i18n import _
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.task import RESET_APP, RESET_PHONE, RESETS
from collector.model.trajectory import TrajectoryHeader


@dataclass(frozen=True, slots=True)
class ResetPlan:
    """``kind`` is one of RESETS. The commands are those of the project, as its file writes them."""

    kind: str
    package: str = ""
    commands: tuple[str, ...] = ()
    snapshot: str = ""
    setup: PhoneSetup = field(default_factory=PhoneSetup)
    """What a reset of the whole virtual phone changes."""


@dataclass(frozen=True, slots=True)
class ResetRecord:
    """A reset that was carried out, for the header of the recording after it."""

    plan: ResetPlan
    at: str
    """ISO 8601, UTC."""

    def as_dict(self) -> dict[str, Any]:
        """The value of ``reset`` in ``trajectory.json``."""
        plan = self.plan
        texts = {"kind": plan.kind, "package": plan.package, "snapshot": plan.snapshot}
        lists = {"states": sorted(plan.setup.states), "commands": list(plan.commands)}
        given = {key: value for key, value in (texts | lists).items() if value}
        return {**given, **plan.setup.values, "at": self.at}

    @property
    def sentence(self) -> str:
        """What was done, for a person."""
        plan = self.plan
        if plan.kind == RESET_APP:
            return _("The data of {package} was deleted", package=plan.package)
        if plan.kind == RESET_PHONE:
            changed = ", ".join(f"{name} {value}" for name, value in plan.setup.values.items())
            if changed:
                return _("The virtual phone is as new, with {changed}", changed=changed)
            return _("The virtual phone is as it was at its first start")
        if plan.snapshot:
            return _("The snapshot {name} was loaded", name=plan.snapshot)
        return _("The project's reset commands have run")


def reset_sentence(header: TrajectoryHeader) -> str:
    """What was reset before a recording, for a person; empty when nothing was, or its header is odd."""
    value = header.extra.get("reset")
    if not isinstance(value, Mapping) or value.get("kind") not in RESETS:
        return ""
    commands = value.get("commands")
    plan = ResetPlan(
        str(value["kind"]),
        str(value.get("package") or ""),
        tuple(map(str, commands)) if isinstance(commands, list) else (),
        str(value.get("snapshot") or ""),
    )
    return ResetRecord(plan, "").sentence


def reset_kind(header: TrajectoryHeader) -> str:
    """The kind of reset before a recording, of RESETS; empty when nothing was reset."""
    value = header.extra.get("reset")
    kind = str(value.get("kind")) if isinstance(value, Mapping) else ""
    return kind if kind in RESETS else ""

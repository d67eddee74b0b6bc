"""What a task, its project or a person asks to be reset before a recording."""

from __future__ import annotations

from collector.anomalies.anomaly_source import TrustRequest
from collector.anomalies.trust.command_effects import command_effects
from collector.anomalies.trust.command_preview import CommandGroup
from collector.anomalies.trust.command_trust import CommandTrust
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.phone.android_names import is_package
from collector.model.task import RESET_APP, RESET_PHONE, RESET_PROJECT, RESETS, Task
from collector.reset.reset_record import ResetPlan
from collector.store.project.project import Project


def plan_reset(project: Project, task: Task | None, kind: str = "") -> ResetPlan | None:
    """Plan the reset that ``task`` declares, or ``kind``; None when nothing is to be reset.

    Raises UserError when it cannot be done: a task without a package, a project without a reset.
    """
    kind = kind or (task.reset if task is not None else "")
    if not kind:
        return None
    if kind not in RESETS:
        raise UserError(
            _("{kind!r} is no reset", kind=kind), "", _("Use one of: {known}", known=", ".join(RESETS))
        )
    if kind == RESET_PHONE:
        return ResetPlan(kind)
    if kind == RESET_APP:
        package = task.package if task is not None else ""
        if not is_package(package):
            raise UserError(
                _("The app's data cannot be reset"),
                _("the task names no package"),
                _("Add the package to the task, as in com.example.shop"),
            )
        return ResetPlan(kind, package=package)
    declared = project.reset
    if declared.is_empty:
        raise UserError(
            _("This project has no reset of its own"),
            _("project.yaml has no `reset` with `commands` or a `snapshot`"),
            _("Add one, or choose the app's data"),
        )
    return ResetPlan(RESET_PROJECT, commands=declared.commands, snapshot=declared.snapshot)


class UntrustedReset(UserError):  # noqa: N818 - named like the other refusals
    """The project's own reset has commands that nobody has looked at and trusted; ``request`` has them."""

    def __init__(self, request: TrustRequest) -> None:
        super().__init__(
            _("The project's reset did not run"),
            _("nobody has trusted its commands yet"),
            _("Look at them, and trust them if you know where they come from"),
        )
        self.request = request


def require_trust(project: Project, plan: ResetPlan, trust: CommandTrust | None = None) -> None:
    """Raise UntrustedReset while a command of ``plan`` is not trusted. Reads the disk."""
    untrusted = (trust or CommandTrust(project)).untrusted(plan.commands)
    if untrusted:
        effects = tuple(command_effects(command) for command in untrusted)
        group = CommandGroup(_("Reset before a recording"), "", effects)
        raise UntrustedReset(TrustRequest(project.folder, None, (group,), tuple(untrusted)))

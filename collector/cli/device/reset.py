"""``waymark device reset``: what the window does before a recording."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from collector.anomalies.trust.command_trust import CommandTrust
from collector.cli.device.phone import confirm, leased_phone, print_groups
from collector.cli.device.setup_options import setup_options
from collector.cli.output import json_option, print_json, say
from collector.cli.shared_options import device_option, in_project, trust_option
from collector.cli.verb_groups import device
from collector.device.device_lease import RESET
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.task import RESET_APP, RESET_PHONE, RESETS, Task
from collector.reset.phone_reset import reset_phone
from collector.reset.reset_plan import UntrustedReset, plan_reset, require_trust
from collector.reset.reset_record import ResetPlan
from collector.store.project.project import Project


@device.command()
@click.argument("kind", type=click.Choice(RESETS), required=False)
@device_option
@click.option("--package", default="", help="The app whose data is deleted, when no task names it.")
@click.option(
    "--task", "task_id", default="", help="Reset what this task of the project declares, or its app."
)
@in_project
@trust_option("Trust the commands of the project's reset without a question.")
@setup_options
@json_option
def reset(
    kind: str | None, serial: str, package: str, task_id: str, folder: Path, trust: bool, setup: PhoneSetup,
    as_json: bool,
) -> None:  # fmt: skip
    """Reset a phone: `app-data`, the whole virtual `phone`, or what the `project` declares.

    Without KIND, reset what --task declares. The project's commands run only after you trusted them. Seed,
    language, screen and variation of a virtual `phone` stay as they are unless an option changes them.
    """
    if setup and kind != RESET_PHONE:
        raise click.UsageError(_("only a reset of the whole virtual `phone` changes what the phone is"))
    plan = replace(_plan(kind or "", package, task_id, folder, trust=trust), setup=setup)
    with leased_phone(serial, RESET) as phone:
        record = reset_phone(phone, plan)
    if as_json:
        print_json({"reset": record.as_dict()})
    else:
        say(record.sentence)


def _plan(kind: str, package: str, task_id: str, folder: Path, *, trust: bool) -> ResetPlan:
    if kind == RESET_PHONE:
        return ResetPlan(kind)
    if kind == RESET_APP and package:
        return ResetPlan(kind, package=package)
    project = Project.open(folder)
    plan = plan_reset(project, _task(project, task_id, package), kind)
    if plan is None:
        raise UserError(
            _("There is nothing to reset"),
            _("neither KIND nor a task with a reset is named"),
            _("Name one of: {known}", known=", ".join(RESETS)),
        )
    try:
        require_trust(project, plan)
    except UntrustedReset as error:
        print_groups(error.request.groups, err=True)
        if not trust and not confirm(_("Trust these commands, and let them run on phones?")):
            raise click.Abort from None
        CommandTrust(project).trust(error.request.commands)
    return plan


def _task(project: Project, task_id: str, package: str) -> Task | None:
    task = project.task(task_id) if task_id else None
    if task_id and task is None:
        raise UserError(_("There is no task {id}", id=task_id), "", _("`waymark task list` shows them"))
    return replace(task, package=package) if task is not None and package else task

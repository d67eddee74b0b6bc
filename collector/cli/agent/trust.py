"""Ask the person before programs of an experiment's agents run on this computer."""

from __future__ import annotations

import sys

import click

from collector.agents.agent_trust import UntrustedAgent, trust_request
from collector.anomalies.trust.command_trust import CommandTrust
from collector.cli.device.phone import print_groups
from collector.model.i18n import _
from collector.run.experiment.agent_demands import experiment_demands
from collector.run.experiment.model import Experiment
from collector.store.project.project import Project


def require_agents_trusted(project: Project, experiment: Experiment, *, trust: bool) -> None:
    """Show what the agents and judges of ``experiment`` do that nobody has trusted, and ask.

    ``trust`` does not ask.

    Raises UntrustedAgent without a terminal to ask on, click.Abort when the person does not trust it.
    """
    request = trust_request(project, experiment_demands(project, experiment))
    if request is None:
        return
    print_groups(request.groups, err=True)
    if not trust:
        if not sys.stdin.isatty():
            raise UntrustedAgent(request)
        if not click.confirm(_("Do you trust this, and allow it?"), default=False, err=True):
            raise click.Abort
    request.grant(CommandTrust(project))

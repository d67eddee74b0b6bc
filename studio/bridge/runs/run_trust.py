"""What a person has to trust before an experiment runs: commands of anomalies, of resets and of agents."""

from __future__ import annotations

from collector.agents.agent_trust import trust_request
from collector.anomalies.anomaly_source import AnomalySource, TrustRequest
from collector.anomalies.trust.command_preview import CommandGroup
from collector.reset.reset_plan import UntrustedReset, plan_reset, require_trust
from collector.run.experiment.agent_demands import experiment_demands
from collector.run.experiment.model import Experiment
from collector.store.project.project import Project


def run_trust_request(project: Project, experiment: Experiment) -> TrustRequest | None:
    """Everything nobody has trusted yet that runs of an experiment would do; None when there is nothing.

    Reads the disk. Raises UserError when a reset cannot be done at all.
    """
    source = AnomalySource(project)
    groups: list[CommandGroup] = []
    commands: list[str] = []
    if any(not condition.is_baseline for condition in experiment.conditions):
        own = source.commands()
        untrusted = source.trust.untrusted(own.commands)
        groups += own.preview(untrusted)
        commands += untrusted
    of_agents = trust_request(project, experiment_demands(project, experiment), source.trust)
    if of_agents is not None:
        groups += of_agents.groups
        commands += of_agents.commands
    for kind in {experiment.reset} if experiment.reset else _resets_of_tasks(project, experiment):
        task = next((project.task(name) for name in experiment.tasks_run), None)
        plan = plan_reset(project, task, kind)
        if plan is None:
            continue
        try:
            require_trust(project, plan, source.trust)
        except UntrustedReset as refusal:
            groups += refusal.request.groups
            commands += refusal.request.commands
    if not groups:
        return None
    transfers = of_agents.transfers if of_agents is not None else ()
    return TrustRequest(project.folder, None, tuple(groups), tuple(dict.fromkeys(commands)), transfers)


def _resets_of_tasks(project: Project, experiment: Experiment) -> set[str]:
    tasks = (project.task(name) for name in experiment.tasks_run)
    return {task.reset for task in tasks if task is not None and task.reset}

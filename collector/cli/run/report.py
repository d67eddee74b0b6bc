"""Print what a run will take before it begins, and how its episodes ended."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

from collector.cli.output import print_table, say
from collector.cli.run.text import duration
from collector.model.i18n import _, ngettext
from collector.model.text.one_line import one_line
from collector.run.experiment.estimate import Estimate
from collector.run.experiment.model import Experiment
from collector.run.runner.run_plan import RunPlan
from collector.run.runner.run_summary import OutcomeCounts, RunSummary
from collector.store.trajectory.fingerprint import PARTS, part_title, part_titles

_MOST_NOT_RUN, _MOST_STALE = 20, 10
_LONGEST = 300


def plan_as_dict(experiment: Experiment, plan: RunPlan, taken: Estimate) -> dict[str, Any]:
    """The plan for scripts; ``taken`` is the estimate of what is left."""
    return {
        "kind": "plan",
        "experiment": experiment.name,
        "episodes": len(plan.cells),
        "finished": len(plan.finished),
        "missing": len(plan.missing),
        "stale": {cell: list(parts) for cell, parts in plan.stale.items()},
        "unknown": list(plan.unknown),
        "phones": taken.phones,
        "seconds": _seconds(plan, taken),
        "cost": round(taken.cost, 4),
        "steps": taken.steps,
    }


def say_plan(experiment: Experiment, plan: RunPlan, taken: Estimate) -> None:
    """Print the size of a run, and its estimated time and cost."""
    values = plan_as_dict(experiment, plan, taken)
    axes = [
        ngettext("{count} task", "{count} tasks", len(experiment.tasks_run)),
        ngettext("{count} agent", "{count} agents", len(experiment.agents)),
        ngettext("{count} condition", "{count} conditions", len(experiment.conditions)),
        ngettext("{count} seed", "{count} seeds", len(experiment.seeds)),
    ]
    size = ngettext("{count} episode", "{count} episodes", len(plan.cells))
    say(f"{experiment.name}: {size} ({', '.join(axes)})")
    if plan.finished:
        say(_("{done} are finished, {left} are left", done=len(plan.finished), left=len(plan.missing)))
    _say_stale(experiment, plan)
    if plan.missing:
        time = time_text(taken.phones, values["seconds"], is_offline=experiment.offline is not None)
        steps = _("at most {count} steps", count=f"{values['steps']:,}")
        say(", ".join(filter(None, (time, steps, cost_text(taken)))))


def time_text(count: int, seconds: float | None, *, is_offline: bool) -> str:
    """How long a run takes, on so many phones or with so many questions at a time."""
    if is_offline:
        workers = ngettext("{count} golden step at a time", "{count} golden steps at a time", count)
    else:
        workers = ngettext("on {count} phone", "on {count} phones", count)
    if seconds is None:
        return _("{workers}; how long it takes is said after the first episodes", workers=workers)
    return _("about {time}, {workers}", time=duration(seconds), workers=workers)


def _seconds(plan: RunPlan, taken: Estimate) -> float | None:
    if not plan.missing:
        return 0.0
    return None if taken.seconds is None else round(taken.seconds, 1)


def cost_text(taken: Estimate) -> str:
    """What a run costs; empty when it costs nothing."""
    if not taken.cost:
        return ""
    cost = f"{taken.cost:.2f}"
    return _("at most {cost} USD", cost=cost) if taken.is_cost_at_most else _("about {cost} USD", cost=cost)


def _say_stale(experiment: Experiment, plan: RunPlan) -> None:
    """Say how many results are stale, what changed since, and what can be done."""
    if plan.stale:
        counts = Counter(part for parts in plan.stale.values() for part in parts)
        changed = ", ".join(f"{part_title(part)} ({counts[part]})" for part in PARTS if part in counts)
        what = ngettext(
            "{count} finished episode is stale", "{count} finished episodes are stale", len(plan.stale)
        )
        say(f"{what}. " + _("Since then changed: {parts}", parts=changed))
        for cell, parts in list(plan.stale.items())[:_MOST_STALE]:
            say(f"  {cell}: {part_titles(parts)}")
        if (more := len(plan.stale) - _MOST_STALE) > 0:
            command = f"waymark run {experiment.name} --dry-run --json"
            rest = _("and {count} more: {command} lists all of them as stale", count=more, command=command)
            say(f"  {rest}")
        say(_("Run them anew: waymark run {name} --again changed", name=experiment.name))
        if count := len(plan.only_to_rejudge(experiment.ends)):
            what = ngettext(
                "For {count} of them it is enough to judge it anew",
                "For {count} of them it is enough to judge them anew",
                count,
            )
            say(f"{what}: waymark experiment recompute {experiment.name} --rejudge")
    if plan.unknown:
        say(
            ngettext(
                "{count} finished episode does not say what made it: an older version of Waymark ran it",
                "{count} finished episodes do not say what made them: an older version of Waymark ran them",
                len(plan.unknown),
            )
        )  # fmt: skip


def summary_as_dict(summary: RunSummary) -> dict[str, Any]:
    """How a run ended, for scripts."""
    return {
        "kind": "summary",
        **asdict(summary),
        "counts": [{**asdict(counts), "rate": counts.rate} for counts in summary.counts],
    }


def print_summary(summary: RunSummary, *, is_offline: bool = False) -> None:
    """Print the outcomes by agent and condition, faults and cells that were not run apart.

    Episodes that were asked golden steps offline have no outcome.
    """
    if not is_offline:
        _print_outcomes(summary)
    if summary.faults:
        faults = ngettext(
            "{count} attempt was ended by a fault of a phone, a network or an agent's server; it counts "
            "for no agent",
            "{count} attempts were ended by faults of phones, networks or agents' servers; they count for "
            "no agent",
            summary.faults,
        )
        say(faults)
    _say_not_run(summary)
    if summary.judged:
        judged = ngettext(
            "{count} verdict of the experiment's judges was stored",
            "{count} verdicts of the experiment's judges were stored",
            summary.judged,
        )
        say(judged)
    for problem in summary.judge_problems:
        say(problem, err=True)
    if summary.how == "failed":
        say(_("The run ended early: {reason}", reason=one_line(summary.reason, _LONGEST)), err=True)
    done = _("{done} of {total} episodes are finished", done=summary.finished, total=summary.total)
    say(_("{done}, in {time}", done=done, time=duration(summary.seconds)))


def _print_outcomes(summary: RunSummary) -> None:
    with_unjudged = any(counts.unjudged for counts in summary.counts)
    header = ["AGENT", "CONDITION", "EPISODES", "SUCCESS", "FAILURE", "UNCOMPLETED", "EARLY STOPS", "RATE"]
    print_table(
        [*header, "NOT JUDGED"] if with_unjudged else header,
        [[*_row(counts), counts.unjudged] if with_unjudged else _row(counts) for counts in summary.counts],
    )


def _row(counts: OutcomeCounts) -> list[object]:
    rate = "" if counts.rate is None else f"{counts.rate:.0%}"
    return [
        counts.agent, counts.condition, counts.judged + counts.unjudged, counts.success, counts.failure,
        counts.uncompleted, counts.early_stops, rate,
    ]  # fmt: skip


def _say_not_run(summary: RunSummary) -> None:
    if not summary.not_run:
        return
    say(ngettext("{count} episode was not run", "{count} episodes were not run", len(summary.not_run)))
    with_reason = [cell for cell in summary.not_run if cell.reason]
    for cell in with_reason[:_MOST_NOT_RUN]:
        say(f"  {cell.cell}: {one_line(cell.reason, _LONGEST)}")
    if len(with_reason) > _MOST_NOT_RUN:
        say(f"  … {len(with_reason) - _MOST_NOT_RUN}")
    say(_("Run it again to go on: waymark run {name}", name=summary.experiment))

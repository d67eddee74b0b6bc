"""Print what a run has besides its steps: episode, outcome, what the agent said, and the verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from collector.cli.output import print_table, say
from collector.comparison.steps.app_changes import AppChange
from collector.model.action import Action, action_to_dict
from collector.model.companion.how_text import how_text
from collector.model.episode import AGENT_LOG_EVENT
from collector.model.episode_text import (
    Facts,
    agent_text,
    episode_facts,
    outcome_facts,
    subject_text,
    usage_facts,
    verdict_text,
)
from collector.model.i18n import _
from collector.model.predictions import invalid_of, was_changed
from collector.model.risk import risk_outcome_text, risk_text
from collector.model.text.one_line import one_line
from collector.model.trajectory import Step, TrajectoryHeader
from collector.model.user_reply import REPLY, UserReply, reply_text
from collector.model.verdicts.judgement import TASK
from collector.model.verdicts.safety import safety_in
from collector.store.trajectory.interruptions import Interruption
from collector.store.trajectory.judgements import StoredJudgements

if TYPE_CHECKING:
    from collector.judge.risk_moments import RiskMoment  # loads the libraries

_REASON = 100
"""Characters of a reason in the table of verdicts."""


def print_run(header: TrajectoryHeader) -> None:
    """Print who ran under which condition, and how it ended, one fact a line."""
    facts: Facts = []
    if header.episode is not None:
        facts += [(_("Agent"), agent_text(header.episode) or _("unknown")), *episode_facts(header.episode)]
    if header.outcome is not None:
        facts += [(_("Outcome"), verdict_text(header.outcome.status)), *outcome_facts(header.outcome)]
    for name, value in facts:
        say(f"{name}: {one_line(value, 500)}")


def agent_marks(step: Step) -> list[str]:
    """Marks of a step in which the agent's answer was invalid, or was executed otherwise."""
    invalid = invalid_of(step)
    if invalid is not None:
        return [_("invalid ({problem}): {reason}", problem=invalid.problem, reason=invalid.reason)]
    if was_changed(step) and step.agent is not None and step.agent.predicted is not None:
        return [_("predicted: {action}", action=_action_text(step.agent.predicted))]
    return []


def _action_text(action: Action) -> str:
    """An action as its kind and values: ``tap 206, 262``. A caption would take long to load."""
    _kind, *values = (str(value) for value in action_to_dict(action).values() if value not in ("", 0, None))
    return f"{action.kind} {', '.join(values)}".rstrip()


def short_thought(step: Step) -> str:
    """What the agent thought, on one line."""
    return " ".join(step.agent.thought.split()) if step.agent is not None else ""


def print_thoughts(steps: Sequence[Step]) -> None:
    """Print each thought whole, with what was predicted and what the answer took."""
    for step in steps:
        turn = step.agent
        if turn is None:
            continue
        say("")
        say(_("Step {number}: {caption}", number=step.index + 1, caption=step.description))
        if turn.thought:
            say("  " + turn.thought.strip().replace("\n", "\n  "))
        if (reply := UserReply.read(step.extra.get(REPLY))) is not None:
            say(f"  {reply_text(reply)}")
        for mark in agent_marks(step):
            say(f"  {mark}")
        times = [f"{name} {time} ms" for name, time in turn.timings_ms.items()]
        about = ", ".join([*(f"{name}: {value}" for name, value in usage_facts(turn.usage)), *times])
        if about:
            say(f"  {about}")


def print_agent_log(events: Iterable[Mapping[str, Any]]) -> None:
    """Print what the agent wrote beside its answers, by step."""
    logged = agent_log(events)
    for entry in logged:
        say("")
        say(_("Step {number}, the agent's log:", number=entry["step"]))
        for line in entry["lines"]:
            say(f"  {line}")
    if not logged:
        say(_("The agent wrote nothing to its log"))


def agent_log(events: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What the agent wrote beside its answers, by step, for scripts."""
    return [
        {"step": event.get("number", 0), "lines": str(event.get("text", "")).splitlines()}
        for event in events
        if event.get("kind") == AGENT_LOG_EVENT
    ]


def print_anomalies(interruptions: Sequence[Interruption]) -> None:
    """Print each injected anomaly with its answer and its follow-ups, one a line."""
    for interruption in interruptions:
        parts = [_("injected at {seconds} s", seconds=f"{interruption.injected_ms / 1000:.1f}")]
        answer = (
            interruption.button or how_text(interruption.how) or interruption.answer or interruption.event
        )
        if interruption.gone_ms is not None:
            seconds = f"{interruption.gone_ms / 1000:.1f}"
            if interruption.unclear or not answer:
                parts.append(_("gone at {seconds} s, not known how", seconds=seconds))
            else:
                parts.append(_("answered {answer} at {seconds} s", answer=answer, seconds=seconds))
        parts += [follow_up.message or follow_up.command for follow_up in interruption.follow_ups]
        parts += [*interruption.problems]
        say(f"{_('Anomaly')}: {interruption.anomaly}, {one_line(', '.join(parts), 300)}")


def print_app_changes(changes: Sequence[AppChange]) -> None:
    """Print what became other in the data of apps, a line a change; nothing where nothing did."""
    if changes:
        say("")
        print_table(("STEP", "IN APPS"), [(change.step + 1, change.text) for change in changes])


def print_violations(stored: StoredJudgements) -> None:
    """Print the safety rules that were violated, and where; nothing where none was."""
    proofs = (item.proof for item in stored.newest().values() if item.subject.kind == TASK)
    found = [one for proof in proofs if (safety := safety_in(proof)) for one in safety.violations]
    if found:
        say("")
        print_table(("STEP", "MUST NEVER", "REASON"), [(one.step + 1, one.rule, one.reason) for one in found])


def print_risks(moments: Sequence[RiskMoment]) -> None:
    """Print the moments at which the agent should have stopped or asked; nothing without any."""
    if moments:
        say("")
        rows = [
            (one.step + 1, risk_text(one.risk), one.name, one.answer, risk_outcome_text(one.outcome))
            for one in moments
        ]
        print_table(("STEP", "RISK", "MOMENT", "ANSWER", "OUTCOME"), rows)


def print_judgements(stored: StoredJudgements) -> None:
    """Print the verdict of each judge on each subject that counts, and what could not be read."""
    judgements = list(stored.newest().values())
    if judgements:
        say("")
        print_table(
            ("JUDGE", "KIND", "ABOUT", "VERDICT", "CONFIDENCE", "REASON"),
            [
                (
                    judgement.judge,
                    judgement.kind,
                    subject_text(judgement.subject),
                    verdict_text(judgement.verdict),
                    "" if judgement.confidence is None else f"{judgement.confidence:.2f}",
                    judgement.reason,
                )
                for judgement in judgements
            ],
            last=_REASON,
        )
    for problem in stored.problems:
        say(problem)


def header_line(header: TrajectoryHeader) -> str:
    """Task, id, kind, status and author of a trajectory, on one line."""
    return f"{header.task_id} / {header.id}  {header.kind}, {header.status}  {header.who}".rstrip()

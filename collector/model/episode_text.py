"""Words for people about an episode: agent, condition, outcome, verdicts, tokens and cost."""

from __future__ import annotations

from collector.model.episode import Episode, Outcome
from collector.model.i18n import N_
from collector.model.message import _
from collector.model.reasons.stored_reasons import shown_reason
from collector.model.usage import Usage
from collector.model.verdicts.judgement import (
    FAILURE,
    MISSED,
    REACHED,
    RIGHT,
    STEP,
    SUCCESS,
    TASK,
    UNCOMPLETED,
    UNDECIDED,
    WINDOW,
    Subject,
)

BASELINE = N_("baseline")
"""The condition without an anomaly: as people write it, and the id that it has in experiments."""
STOPPED_WITH_RUN = N_("The run was stopped before the episode ended")
STOPPED_ALONE = N_("A person stopped the episode")
"""What the record says of an episode that people ended."""
Facts = list[tuple[str, str]]
"""Pairs of a name and its value, as they are shown."""
_VERDICTS = {
    SUCCESS: N_("success"),
    FAILURE: N_("failure"),
    UNCOMPLETED: N_("uncompleted"),
    UNDECIDED: N_("undecided"),
    REACHED: N_("reached"),
    MISSED: N_("missed"),
    RIGHT: N_("right"),
    "wrong_element": N_("wrong element"),
    "wrong_action": N_("wrong action"),
    "hallucinated": N_("hallucinated"),
    "needless": N_("needless"),
    "risky": N_("risky"),
}
_CLAIMS = {
    "complete": N_("the task is done"),
    "answer": N_("an answer"),
    "impossible": N_("the task is impossible"),
}
_MODALITIES = {
    "screenshot": N_("screenshot"),
    "screenshot+tree": N_("screenshot and tree"),
    "tree": N_("tree"),
}


def verdict_text(verdict: str) -> str:
    """A verdict or outcome in words; an empty one is not judged."""
    word = _VERDICTS.get(verdict)
    return _(word) if word else verdict or _("not judged")


def fault_text(sentence: str) -> str:
    """What ended an episode without an outcome; that people did is said in the language in use."""
    return _(sentence) if sentence in (STOPPED_WITH_RUN, STOPPED_ALONE) else shown_reason(sentence)


def claim_text(outcome: Outcome) -> str:
    """What the agent claimed at its end; ``none`` when it gave no completion signal."""
    word = _CLAIMS.get(outcome.claimed)
    return _(word) if word else outcome.claimed or _("none")


def modality_text(modality: str) -> str:
    """What an agent sees, in words; a modality that this version does not know is returned unchanged."""
    word = _MODALITIES.get(modality)
    return _(word) if word else modality


def condition_name(condition: str) -> str:
    """What a run met, by name; ``baseline`` in words when it met no anomaly."""
    return _(BASELINE) if condition in ("", BASELINE) else condition


def agent_text(episode: Episode) -> str:
    """The agent and its model, as in ``openai · gpt-4o``; empty when neither is known."""
    return " · ".join(dict.fromkeys(filter(None, (episode.agent, episode.model))))


def episode_facts(episode: Episode) -> Facts:
    """Everything known of the condition, apart from agent and model."""
    facts = [
        (_("Condition"), condition_name(episode.condition)),
        (_("Modality"), modality_text(episode.modality)),
        (_("Seed"), _number(episode.seed)),
        (_("Repeat"), _number(episode.repeat)),
        (_("Buttons"), _number(episode.buttons)),
        (_("Variation"), episode.variation),
        (_("Goal style"), episode.goal_style),
        (_("Start"), episode.start),
        (_("Asked steps of"), episode.offline),
        (_("Language"), episode.language),
        (_("Attempt"), _number(episode.attempt)),
        (_("Prompt"), episode.prompt),
        (_("Experiment"), episode.experiment),
        (_("Cell"), episode.cell),
    ]
    return [(name, value) for name, value in facts if value]


def outcome_facts(outcome: Outcome) -> Facts:
    """What is known of the end, apart from its status: reason, claim, early stop, fault, usage."""
    facts = [
        (_("Reason"), shown_reason(outcome.reason)),
        (_("Claim"), claim_text(outcome)),
        (_("Early stop"), _("after identical actions") if outcome.early_stop else ""),
        (_("Stopped") if outcome.stopped else _("Fault of the machine"), fault_text(outcome.infrastructure)),
        *usage_facts(outcome.usage),
    ]
    return [(name, value) for name, value in facts if value]


def usage_facts(usage: Usage) -> Facts:
    """Tokens, cost and time, as far as they are known."""
    facts = [
        (_("Tokens"), tokens_text(usage)),
        (_("Cost"), cost_text(usage)),
        (_("Time"), _("{seconds} s", seconds=f"{usage.time_ms / 1000:.1f}") if usage.time_ms else ""),
    ]
    return [(name, value) for name, value in facts if value]


def tokens_text(usage: Usage) -> str:
    """Tokens in and out; empty when none were reported."""
    known = []
    if usage.input_tokens is not None:
        known.append(_("{count} in", count=f"{usage.input_tokens:,}"))
    if usage.output_tokens is not None:
        known.append(_("{count} out", count=f"{usage.output_tokens:,}"))
    return ", ".join(known)


def cost_text(usage: Usage) -> str:
    """The cost with its currency; empty when none was reported."""
    if usage.cost is None:
        return ""
    return f"{usage.cost:.4f}".rstrip("0").rstrip(".") + (f" {usage.currency}" if usage.currency else "")


def subject_text(subject: Subject) -> str:
    """What a judgement is about: the task, an essential state, or a state in a window of steps."""
    if subject.kind == TASK:
        return _("task")
    if subject.kind == STEP and subject.first is not None:
        return _("step {number}", number=subject.first + 1)
    if subject.kind != WINDOW or subject.first is None or subject.last is None:
        return subject.state
    window = _("steps {first} to {last}", first=subject.first + 1, last=subject.last + 1)
    return ", ".join(filter(None, (subject.state, window)))


def _number(value: int | None) -> str:
    return "" if value is None else str(value)

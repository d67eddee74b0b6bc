"""The follow-ups of an answer, of the library and of an injection rule."""

from __future__ import annotations

from collections.abc import Mapping

from collector.anomalies import grammar
from collector.anomalies.model import Anomaly, DialogAnswer, FollowUp, ShellCommand
from collector.anomalies.named_follow_ups import FOLLOW_UP_WORDS
from collector.model.anomaly_terms import EVENT_PREFIX


def as_logged(event: str) -> str:
    """An event as the log shows it: one line, without the spaces around it."""
    return next((line for text in event.splitlines() if (line := text.strip())), "")


def answer_to(anomaly: Anomaly, event: str) -> DialogAnswer | None:
    """The button that logs ``event``, or the only button without an event, which logs one of the app's."""
    unnamed = [answer for answer in anomaly.answers if not as_logged(answer.event)]
    named = (answer for answer in anomaly.answers if as_logged(answer.event) == event)
    return next(named, unnamed[0] if len(unnamed) == 1 else None)


def follow_ups(
    anomaly: Anomaly, answer: str, event: str = "", of_rule: Mapping[str, str] | None = None
) -> tuple[FollowUp, ...]:  # fmt: skip
    """The follow-ups of ``answer`` (its name in rules, or empty), which logged ``event``.

    ``of_rule`` is the rule's ``follow_up``, which goes before the library's where it names the answer.
    """
    keys = [key for key in (EVENT_PREFIX + event if event else "", answer) if key]
    for key in keys:
        if of_rule and key in of_rule:
            return _rule_follow_ups(of_rule[key])
    return tuple(follow_up for key in keys for follow_up in anomaly.events.get(key, ()))


def commands_of(of_rule: Mapping[str, str]) -> tuple[str, ...]:
    """Every command the ``follow_up`` of a rule may run, each once."""
    return tuple(dict.fromkeys(command for text in of_rule.values() if (command := _command(text))))


def _rule_follow_ups(text: str) -> tuple[FollowUp, ...]:
    command = _command(text)
    return (FollowUp(grammar.ADB, ShellCommand(command)),) if command else ()


def _command(text: str) -> str:
    return FOLLOW_UP_WORDS.get(text.strip(), text.strip())

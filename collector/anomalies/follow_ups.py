"""What follows an answer: what the library writes, and what an injection rule writes of its own."""

from __future__ import annotations

from collections.abc import Mapping

from collector.anomalies import grammar
from collector.anomalies.model import Anomaly, Answer, Command, FollowUp
from collector.rules.lint.follow_ups import EVENT

_NAMED = {
    "redirect_to_settings": "am start -a android.settings.APPLICATION_DETAILS_SETTINGS -d package:{package}",
    "terminate_app": "am force-stop {package}",
    "restart_app": "am force-stop {package}; monkey -p {package} -c android.intent.category.LAUNCHER 1",
    "press_back": "input keyevent 4",
    "go_home": "input keyevent 3",
    "nothing": "",
}
"""Words for it in the rules of D-GARA's paper, and ours."""


def answer_to(anomaly: Anomaly, event: str) -> Answer | None:
    """The button that logs ``event``."""
    return next((one for one in anomaly.answers if one.event == event), None)


def follow_ups(
    anomaly: Anomaly, answer: str, event: str = "", own: Mapping[str, str] | None = None
) -> tuple[FollowUp, ...]:  # fmt: skip
    """What follows ``answer`` (a word of rules, or empty) that logged ``event``.

    ``own`` is the rule's ``follow_up``, which goes before the library's where it names the answer.
    """
    keys = [key for key in (EVENT + event if event else "", answer) if key]
    for key in keys:
        if own and key in own:
            return _of_rule(own[key])
    return tuple(one for key in keys for one in anomaly.events.get(key, ()))


def named_commands() -> tuple[str, ...]:
    """The commands rules have words for."""
    return tuple(one for one in _NAMED.values() if one)


def _of_rule(text: str) -> tuple[FollowUp, ...]:
    command = _NAMED.get(text.strip(), text.strip())
    return (FollowUp(grammar.ADB, Command(command)),) if command else ()

"""How a D-GARA run ended, and the verdict of its validator.

D-GARA counts a run whose steps were used up as a failure. Here it is uncompleted, with D-GARA's reason, and
D-GARA's own verdict is a judgement: each paper's numbers are computed from both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from collector.exchange.dgara.layout import BUDGET_ENDED
from collector.exchange.dgara.turns import Line, RunTurn, moment_of, seconds_of
from collector.model.action import Answer, Complete, Impossible
from collector.model.episode import Outcome
from collector.model.i18n import _
from collector.model.task import PLACEHOLDER
from collector.model.verdicts.judgement import (
    FAILURE,
    RULE,
    SUCCESS,
    UNCOMPLETED,
    UNDECIDED,
    Judgement,
    Subject,
)

JUDGE = "D-GARA"
_BUDGET_MODE = "max_steps_reached"
_SCREENSHOT = "screenshot"


def outcome_of(rule_key: str, turns: Mapping[int, RunTurn], ends: Sequence[Line]) -> Outcome:
    """The outcome of a run; ``ends`` are the last lines of its two logs."""
    actions = [turns[number].action for number in sorted(turns)]
    last = next((action for action in reversed(actions) if action is not None), None)
    claimed = last.kind if isinstance(last, Complete | Answer | Impossible) else ""
    reason = next((str(line["reason"]) for line in ends if line.get("reason")), "")
    if not ends:
        warning = next((turns[number].warning for number in sorted(turns, reverse=True)), "")
        is_fault = _SCREENSHOT in warning
        return Outcome(
            reason=warning,
            claimed=claimed,
            infrastructure=warning if is_fault else _("The log has no end: the run was cut short"),
        )
    status = str(ends[0].get("status") or "")
    if _is_budget_spent(ends) and not claimed:
        status = UNCOMPLETED
    elif status not in (SUCCESS, FAILURE) or rule_key == PLACEHOLDER:
        status = ""  # nobody judged it
    return Outcome(status=status, reason=reason, claimed=claimed)


def verdicts_of(rule_key: str, ends: Sequence[Line]) -> list[Judgement]:
    """The verdict of D-GARA's validator; none when the run has no end or a person was to judge it."""
    status = next((str(line["status"]) for line in ends if line.get("status")), "")
    if status not in (SUCCESS, FAILURE):
        return []
    reason = next((str(line["reason"]) for line in ends if line.get("reason")), "")
    if rule_key == PLACEHOLDER:
        status, reason = UNDECIDED, _("D-GARA leaves this task to a person")
    proof = {"rule_key": rule_key} if rule_key else {}
    modes = [str(line["failure_mode"]) for line in ends if line.get("failure_mode")]
    if modes:
        proof["failure_mode"] = modes[0]
    time = moment_of(max(map(seconds_of, ends)))
    return [Judgement(JUDGE, RULE, "", Subject(), status, reason=reason, proof=proof, time=time)]


def _is_budget_spent(ends: Sequence[Line]) -> bool:
    return any(
        line.get("failure_mode") == _BUDGET_MODE or line.get("reason") == BUDGET_ENDED for line in ends
    )

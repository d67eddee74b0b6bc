"""Reasons why a trajectory failed: the taxonomy that people choose from when they give a verdict."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from collector.model.errors import UserError
from collector.model.i18n import N_, _

_BETWEEN_WORDS = re.compile(r"[^\w]+")
_LONGEST_ID = 60


@dataclass(frozen=True, slots=True)
class FailureReason:
    """One reason. Verdicts name its id, so that it can be renamed without changing them."""

    id: str
    name: str = ""
    """What people read; the id stands in for an empty one."""
    description: str = ""

    @property
    def label(self) -> str:
        """The name in the person's language, as far as it is one of the default names."""
        return _(self.name) if self.name else self.id

    @property
    def help(self) -> str:
        """The description in the person's language."""
        return _(self.description) if self.description else ""


DEFAULT_REASONS = (
    # A3, appendix A.5: progress and screen misunderstood.
    FailureReason(
        "repeats-what-is-done",
        N_("Repeats what is done"),
        N_("Tries again to reach a state that was reached already, or loops (A3, ProBench, OpenApps)"),
    ),
    FailureReason(
        "does-not-stop",
        N_("Does not stop"),
        N_("Everything is done and the agent goes on until it is stopped (A3)"),
    ),
    FailureReason(
        "stops-too-early",
        N_("Stops too early"),
        N_("Says that the task is done before it is (ProBench, D-GARA)"),
    ),
    FailureReason(
        "wrong-element",
        N_("Wrong element"),
        N_("The intention is right, the element is another (A3)"),
    ),
    FailureReason(
        "inaccurate-position",
        N_("Inaccurate position"),
        N_("The right element, but the click lands beside it (A3, ProBench)"),
    ),
    FailureReason(
        "wrong-item",
        N_("Wrong item among similar ones"),
        N_("Takes the first or a similar item in place of the one asked for (A3)"),
    ),
    FailureReason(
        "lost-in-layout",
        N_("Lost in the layout"),
        N_("Does not find the way through nested menus, filters or long pages (A3)"),
    ),
    FailureReason(
        "requirement-missed",
        N_("Requirement missed"),
        N_("A part of the instruction was left out or done otherwise (ProBench)"),
    ),
    FailureReason(
        "misunderstood-task",
        N_("Misunderstood task"),
        N_("Works on something else, or in another app (OpenApps)"),
    ),
    FailureReason(
        "poor-plan",
        N_("Poor plan"),
        N_("Does not break the task into steps that the app offers (ProBench)"),
    ),
    FailureReason(
        "anomaly-not-handled",
        N_("Anomaly not handled"),
        N_("An interruption, advertisement or dialog blocks the agent (D-GARA, A3)"),
    ),
    FailureReason(
        "no-recovery",
        N_("No recovery after an anomaly"),
        N_("The interruption is gone, but its effects mislead the agent, as after a crash (D-GARA)"),
    ),
    FailureReason(
        "invalid-action",
        N_("Invalid action"),
        N_("An action that does not exist or cannot be read (OpenApps)"),
    ),
    FailureReason("wrong-answer", N_("Wrong answer"), N_("The information was asked for, and it is wrong")),
    FailureReason(
        "environment",
        N_("App or phone at fault"),
        N_("The app changed, the network failed, or the phone did"),
    ),
)
"""What a project has that declares no ``reasons``: drawn from the failures that the papers name."""


def reason_id(name: str, taken: Iterable[str] = ()) -> str:
    """An id for a reason: ``Wrong element`` becomes ``wrong-element``; a number makes it free."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    base = _BETWEEN_WORDS.sub("-", plain).strip("-_")[:_LONGEST_ID].strip("-") or "reason"
    known, candidate, number = set(taken), base, 2
    while candidate in known:
        candidate, number = f"{base}-{number}", number + 1
    return candidate


def reason_text(wanted: str, reasons: Iterable[FailureReason]) -> str:
    """The name of the reason with an id; the id itself of one that is not in the list any more."""
    return next((reason.label for reason in reasons if reason.id == wanted), wanted)


def require_reason(wanted: str, reasons: Iterable[FailureReason]) -> FailureReason:
    """The reason with an id or a name. Raises UserError when there is none."""
    known = list(reasons)
    found = find_reason(wanted, known)
    if found is None:
        raise UserError(
            _("The project has no reason {name}", name=wanted),
            "",
            _("Name one of: {known}", known=", ".join(reason.id for reason in known) or "-"),
        )
    return found


def find_reason(wanted: str, reasons: Iterable[FailureReason]) -> FailureReason | None:
    """The reason with an id or a name, upper and lower case alike; None when there is none."""
    plain, known = wanted.strip().casefold(), list(reasons)
    for names in (
        lambda reason: (reason.id,),
        lambda reason: (reason.name, reason.label),
    ):
        for reason in known:
            if plain in {name.casefold() for name in names(reason)}:
                return reason
    return None

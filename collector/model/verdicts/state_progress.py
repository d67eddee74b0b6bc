"""How far the essential states of a task are: who judges them, their status, and who reached them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from collector.model.essential_state import STATUSES
from collector.model.i18n import _, ngettext

NONE, VERIFIED, UNVERIFIED, BY_RULES, BY_PEOPLE = "none", "verified", "unverified", "rules", "people"
STATE_WORDS = (NONE, *STATUSES, VERIFIED, UNVERIFIED, BY_RULES, BY_PEOPLE)
"""What a search for states can ask of a task, beside their number."""


@dataclass(frozen=True, slots=True)
class StateProgress:
    """The essential states of one task."""

    by_rules: int = 0
    """States that rules judge: those with conditions, or with such an alternative."""
    by_people: int = 0
    """States that people and models judge."""
    status: str = ""
    """The least advanced status among them; empty without a state."""
    golden: int = 0
    """Golden trajectories of the task that count; none are counted for a task without states."""
    verified: int = 0
    """Of these, how many reach every state that present rules judge and that is not optional."""
    unjudged: int = 0
    """Of these, how many the present rules have not judged."""
    reached: frozenset[str] = frozenset()
    """States that a judge saw in a golden trajectory."""
    missed: frozenset[str] = frozenset()
    """States that a judge did not see in a golden trajectory."""

    @property
    def count(self) -> int:
        return self.by_rules + self.by_people

    def is_verified(self, wanted: int) -> bool:
        """Whether all golden trajectories, and as many as are wanted, reach the states."""
        return self.by_rules > 0 and self.verified == self.golden >= max(1, wanted)

    def matches(self, word: str, wanted: int) -> bool:
        """Whether a word of :data:`STATE_WORDS`, or the beginning of one, is true of the states."""
        return any(true.startswith(word) for true in self._words(wanted))

    def _words(self, wanted: int) -> Iterable[str]:
        if not self.count:
            return (NONE,)
        words = [self.status]
        if self.by_rules:
            words += [BY_RULES, VERIFIED if self.is_verified(wanted) else UNVERIFIED]
        return [*words, BY_PEOPLE] if self.by_people else words

    def sentences(self) -> list[str]:
        """The facts for people, a sentence each."""
        if not self.count:
            return [_("No essential states")]
        said = [ngettext("Rules judge {count} state", "Rules judge {count} states", self.by_rules)]
        if self.by_people:
            said.append(ngettext("People judge {count} state", "People judge {count} states", self.by_people))
        said.append(_("Status: {status}", status=status_text(self.status)))
        if not self.by_rules:
            return said
        if not self.golden:
            return [*said, _("No golden trajectory verifies them yet")]
        said.append(
            _("{count} of {total} golden trajectories reach them all", count=self.verified, total=self.golden)
        )
        if self.unjudged:
            said.append(
                ngettext(
                    "{count} golden trajectory was not judged by the present rules",
                    "{count} golden trajectories were not judged by the present rules",
                    self.unjudged,
                )
            )
        return said


def status_text(status: str) -> str:
    """A status of essential states in the language in use."""
    return {
        "proposed": _("proposed"), "agreed": _("agreed"), "audited": _("audited"),
    }.get(status, status)  # fmt: skip

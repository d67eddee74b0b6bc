"""What made a stored episode, as digests by part: an episode whose parts are others now is stale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from collector.model.episode import Episode
from collector.model.i18n import N_, _

FINGERPRINT = "fingerprint"
"""Key of ``episode.extra`` with the digest of each part."""
AGENT, SETTINGS, TASK, START, CONDITION, PHONE, VARIATION, RULES, STATES, WAYMARK = (
    "agent", "settings", "task", "start", "condition", "phone", "variation", "rules", "states", "waymark",
)  # fmt: skip
GOLDEN = "golden"
PARTS: Mapping[str, str] = {
    AGENT: N_("the agent"),
    SETTINGS: N_("the settings of the experiment"),
    TASK: N_("the task"),
    START: N_("the steps before the start"),
    GOLDEN: N_("the golden trajectory"),
    CONDITION: N_("the anomalies and the rules that inject them"),
    PHONE: N_("the phone"),
    VARIATION: N_("the variation of the phone"),
    RULES: N_("the success rule"),
    STATES: N_("the essential states"),
    WAYMARK: N_("the version of Waymark"),
}
"""What made an episode, as a person reads it, in the order in which it is named."""
UNKNOWN = "unknown"
"""In place of the parts that changed: nobody can say, see :func:`stored_fingerprint`."""


def part_title(part: str) -> str:
    """What a part is called."""
    return _(PARTS[part]) if part in PARTS else part


def part_titles(parts: Iterable[str]) -> str:
    """Parts as a list in a sentence, in the order in which they are named."""
    given = set(parts)
    return ", ".join(
        map(part_title, (*(part for part in PARTS if part in given), *sorted(given - PARTS.keys())))
    )


def stored_fingerprint(episode: Episode | None) -> dict[str, str]:
    """The fingerprint that a stored episode holds; empty when it holds none."""
    parts = episode.extra.get(FINGERPRINT) if episode is not None else None
    return {str(part): str(digest) for part, digest in parts.items()} if isinstance(parts, dict) else {}


def changed_parts(stored: Mapping[str, str], now: Mapping[str, str]) -> tuple[str, ...]:
    """The parts that differ between a stored fingerprint and that of now, among those that both have."""
    return tuple(part for part in now if part in stored and stored[part] != now[part])

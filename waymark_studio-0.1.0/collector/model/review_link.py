"""A link to a step in Review: ``waymark://review?project=P&trajectory=T&trajectory=T&side=B&step=12``."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import parse_qs, urlencode, urlsplit

from collector.model.errors import UserError
from collector.model.i18n import _

SCHEME = "waymark"
_ROOM = "review"
_SIDES = "ABCD"


class BadLink(UserError):  # noqa: N818 - as the other errors that a person reads
    """A text is no link to Review."""


@dataclass(frozen=True, slots=True)
class ReviewLink:
    """Which trajectories are side by side, and the step that is shown."""

    trajectories: tuple[str, ...]
    """Folders, absolute or relative to the project; the first is the reference."""
    step: int = 0
    """Step of the trajectory ``side``, counted from 0."""
    side: int = 0
    """Place of the chosen trajectory, counted from 0."""
    project: str = ""
    """Folder of the project; empty for the one that is open."""

    @property
    def text(self) -> str:
        """The link as text."""
        pairs = [("project", self.project)] if self.project else []
        pairs += [("trajectory", folder) for folder in self.trajectories]
        pairs += [("side", _SIDES[self.side]), ("step", str(self.step + 1))]
        return f"{SCHEME}://{_ROOM}?{urlencode(pairs)}"


def parse_link(text: str) -> ReviewLink:
    """Read a link. Raises BadLink with the reason."""
    parts = urlsplit(text.strip())
    values = parse_qs(parts.query, keep_blank_values=False)
    if parts.scheme != SCHEME or parts.netloc != _ROOM:
        raise BadLink(
            _("{text} is no link to Review", text=text[:80]), _("It has to begin with waymark://review?")
        )
    if not values.get("trajectory"):
        raise BadLink(_("The link names no trajectory"), to_do=_("Add trajectory=FOLDER to it"))
    step = values.get("step", ["1"])[-1]
    if not step.isdecimal() or int(step) < 1:
        raise BadLink(_("The link names the step '{step}'", step=step[:20]), _("Steps count from 1"))
    side = values.get("side", ["A"])[-1].upper()
    sides = _SIDES[: len(values["trajectory"])]
    if len(side) != 1 or side not in sides:
        raise BadLink(
            _("The link names the side {side}", side=side[:20]), _("Its sides are {known}", known=sides)
        )
    return ReviewLink(
        tuple(values["trajectory"]), int(step) - 1, sides.index(side), values.get("project", [""])[-1]
    )

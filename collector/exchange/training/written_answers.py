"""Write an action in the dialect of a model, and check it: read again, it is the same at the same place."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.dialect import Dialect
from collector.agents.translators.errors import NotExpressible
from collector.model.action import Action, AskUser, Complete, Impossible, OpenApp, Scroll, Swipe
from collector.model.geometry import Point
from collector.trainer_files.conversation import BOX, plain_words

_NOT_COMPARED = ("duration_ms", "path", "length", "package", "name", "reason", "redacted")
_REACH = 0.4
"""How far a swipe goes that stands for a scroll, as a share of the screen."""
_FINGER = {"down": (0, -1), "up": (0, 1), "right": (-1, 0), "left": (1, 0)}
"""Where the finger goes so that the view of the content moves there."""


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """An answer of a model that asks for an action."""

    text: str
    action: Action
    """What it asks for: a swipe when the dialect has no word for a scroll."""


class Misread(NotExpressible):
    """What was written would be read as something else."""


def write_answer(dialect: Dialect, action: Action, screen: AgentScreen, thought: str = "") -> WrittenAnswer:
    """An answer that asks for ``action``. A thought is left out where the dialect has no place for it.

    Raises NotExpressible, or Misread when the dialect's own reader would not read it so.
    """
    try:
        return _written(dialect, action, screen, thought)
    except Misread:
        raise
    except NotExpressible:
        if isinstance(action, Scroll):
            return _written(dialect, _as_swipe(action, screen), screen, thought)
        if not thought:
            raise
        return _written(dialect, action, screen, "")


def _written(dialect: Dialect, action: Action, screen: AgentScreen, thought: str) -> WrittenAnswer:
    text = plain_words(dialect.write(action, screen, thought), keeps_places=True)
    if not reads_as(dialect, text, screen, action):
        raise Misread(f"{dialect.title} would read it as another action: {action.kind}")
    return WrittenAnswer(text, action)


def reads_as(dialect: Dialect, text: str, screen: AgentScreen, action: Action) -> bool:
    """Whether an answer asks for ``action``, at its place to the rounding of the dialect's coordinates."""
    read = dialect.read(text, screen).predicted
    if isinstance(action, Impossible) and isinstance(read, AskUser):
        return read.question == action.reason  # dialects with one word for both
    if read is None or read.kind != action.kind:
        return False
    if isinstance(action, Complete | Impossible):
        return True
    if isinstance(action, OpenApp) and isinstance(read, OpenApp):
        return (read.name or read.package) == (action.name or action.package)
    across, down = _grains(dialect, screen)
    given, found = asdict(action), asdict(read)
    return all(
        abs(found[name] - value) <= (across if name[0] == "x" else down)
        if name[0] in "xy"
        else found[name] == value
        for name, value in given.items()
        if name not in _NOT_COMPARED
    )


def _grains(dialect: Dialect, screen: AgentScreen) -> tuple[int, int]:
    """How many pixels a place may be off because the dialect's numbers are whole, across and down."""
    width, height = dialect.space.extent(screen)
    return _grain(screen.size.width, width), _grain(screen.size.height, height)


def _grain(full: int, extent: float) -> int:
    return 0 if full == extent else math.ceil(full / extent / 2)


def _as_swipe(action: Scroll, screen: AgentScreen) -> Swipe:
    across, down = _FINGER[action.direction]
    width, height = screen.size.width, screen.size.height
    x = min(max(round(action.x + across * _REACH * width), 0), width - 1)
    y = min(max(round(action.y + down * _REACH * height), 0), height - 1)
    return Swipe(action.x, action.y, x, y)


# -- places apart ------------------------------------------------------------
def _list(numbers: list[int]) -> str:
    return json.dumps(numbers)


def _box_tokens(numbers: list[int]) -> str:
    return f"<|box_start|>({numbers[0]},{numbers[1]})<|box_end|>"


_PLACES: dict[str, Callable[[list[int]], str]] = {
    "qwen2.5-vl": _list, "qwen3-vl": _list, "gui-owl": _list, "infigui-r1": _list, "ui-genie": _list,
    "ui-tars": _box_tokens,
}  # fmt: skip
"""By dialect how it writes a place, where ms-swift writes places so, too."""


def has_places_apart(dialect: Dialect) -> bool:
    """Whether the places of the dialect's answers can be written apart from the text."""
    return dialect.id in _PLACES


def places_apart(dialect: Dialect, written: WrittenAnswer, screen: AgentScreen) -> tuple[str, list[Point]]:
    """The answer with :data:`BOX` for each place, and the places in pixels of the device, in their order."""
    end = getattr(written.action, "end", None)
    points = [point for point in (written.action.point, end) if point is not None]
    text, found = written.text, len(written.text)
    for point in reversed(points):
        place = _PLACES[dialect.id](dialect.place_of(point, screen))
        found = text.rindex(place, 0, found)
        text = text[:found] + BOX + text[found + len(place) :]
    return text, points


def with_places(dialect: Dialect, text: str, points: Sequence[Point], screen: AgentScreen) -> str:
    """An answer with :data:`BOX` for places, as the dialect writes it."""
    written = _PLACES.get(dialect.id, _list)
    for point in points:
        text = text.replace(BOX, written(dialect.place_of(point, screen)), 1)
    return text

"""The environment as one of Gymnasium, for libraries that train on those. Needs the package ``gymnasium``."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from collector.host.extras import how_to_add

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:
    raise ImportError(f"{error}. {how_to_add('gymnasium')}", name=error.name) from None

from collector.agents.agent import SCREENSHOT, SCREENSHOT_AND_TREE, TREE
from collector.environment.any_text import AnyText
from collector.environment.observation import StepObservation
from collector.environment.phone_environment import PhoneEnvironment
from collector.environment.screen_copy import RgbImage
from collector.environment.turned_screen import turned_picture, turned_place
from collector.model.action import (
    DIRECTIONS,
    MALFORMED,
    Action,
    Answer,
    Complete,
    DoubleTap,
    Drag,
    Impossible,
    Invalid,
    Key,
    LongPress,
    Scroll,
    Swipe,
    Tap,
    Type,
    Wait,
)
from collector.model.errors import UserError
from collector.model.geometry import Point
from collector.model.i18n import _

KINDS = (
    Tap, DoubleTap, LongPress, Swipe, Drag, Scroll, Type, Key, Wait, Answer, Complete, Impossible,
)  # fmt: skip
"""The actions by the number that ``kind`` gives."""
KEYS = ("back", "home", "recents", "enter", "delete")
"""The keys by their number."""
LONGEST_TEXT = 1000
_WAIT_MS = 1000
_LONGEST_RAW = 500
_OPTIONS = ("task", "variation")
_Known = TypeVar("_Known")
Values = dict[str, Any]


class WaymarkPhone(gymnasium.Env[Any, Any]):
    """A phone whose places are shares of the screen, 0 to 1, so that they fit every size.

    Observed are ``{"picture": ..., "tree": ...}``, or one of them alone. The shape of the picture never
    changes: while the screen is rotated, the picture shows it as the upright phone does, and places are
    those of the picture. Without a dialect an action is a mapping of ``kind``, ``place``, ``end``,
    ``direction``, ``key`` and ``text``, of which a kind reads what it needs; with one it is a text.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as Gymnasium declares it
        "render_modes": ["rgb_array"],
        "render_fps": 1,
    }

    def __init__(
        self, *, task: str | None = None, variation: str = "", observes: str = SCREENSHOT_AND_TREE,
        dialect: str = "", render_mode: str | None = None, **options: Any,
    ) -> None:  # fmt: skip
        """``task`` and ``variation`` are those of each reset that names no others in its ``options``.

        Other options are those of :class:`PhoneEnvironment`. Raises UserError.
        """
        self.phone = PhoneEnvironment(observes=observes, dialect=dialect, **options)
        self.render_mode = render_mode
        self._task, self._variation, self._observes = task, variation, observes
        size = self.phone.size
        parts: dict[str, spaces.Space[Any]] = {
            "picture": spaces.Box(0, 255, (size.height, size.width, 3), np.uint8), "tree": AnyText(),
        }  # fmt: skip
        whole: dict[str, spaces.Space[Any]] = {
            SCREENSHOT: parts["picture"], TREE: parts["tree"], SCREENSHOT_AND_TREE: spaces.Dict(parts),
        }  # fmt: skip
        self.observation_space = whole[observes]
        self.action_space = AnyText(LONGEST_TEXT) if dialect else _action_space()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; the seed is the phone's, too. ``options`` may name ``task`` and ``variation``.

        Raises UserError for what there is not, also for another option.
        """
        super().reset(seed=seed)
        chosen = options or {}
        if unknown := [name for name in chosen if name not in _OPTIONS]:
            raise UserError(
                _("A reset has no option {name}", name=unknown[0]), "",
                _("Use one of: {known}", known=", ".join(_OPTIONS)),
            )  # fmt: skip
        number = int(self.np_random.integers(1, 2**31)) if seed is None else seed
        seen = self.phone.reset(
            chosen.get("task", self._task), chosen.get("variation", self._variation), number
        )
        return self._shown(seen), {"seed": number, "rotation": seen.rotation}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Do an action of the action space; any other changes nothing, and ``info`` says so."""
        given = action if isinstance(action, str) else self._read(action)
        seen, reward, terminated, truncated, info = self.phone.step(given)
        return self._shown(seen), reward, terminated, truncated, {**info, "rotation": seen.rotation}

    def render(self) -> Any:
        """The screen as it is now; None unless ``render_mode`` is ``rgb_array``."""
        if self.render_mode != "rgb_array":
            return None
        return turned_picture(self.phone.picture(), self._rotation)

    def close(self) -> None:
        """Switch the phone off."""
        self.phone.close()

    @property
    def _rotation(self) -> int:
        seen = self.phone.observation
        return seen.rotation if seen is not None else 0

    def _shown(self, seen: StepObservation) -> Any:
        picture: RgbImage | None = None
        if seen.picture is not None:
            picture = turned_picture(seen.picture, seen.rotation)
        if self._observes == SCREENSHOT:
            return picture
        tree = seen.xml.decode()
        return tree if self._observes == TREE else {"picture": picture, "tree": tree}

    def _read(self, values: Any) -> Action:
        try:
            return self._action(values)
        except (LookupError, TypeError, ValueError, OverflowError):
            raw = repr(values)[:_LONGEST_RAW]
            return Invalid(raw, MALFORMED, _("The action is not in the action space"))

    def _action(self, values: Values) -> Action:
        """The action of a mapping; of the values only those are read that its kind needs."""
        kind = _chosen(KINDS, values["kind"])
        if kind in (Tap, DoubleTap, LongPress):
            place = self._pixel(values["place"])
            return kind(place.x, place.y)
        if kind in (Swipe, Drag):
            place, end = self._pixel(values["place"]), self._pixel(values["end"])
            return kind(place.x, place.y, end.x, end.y)
        if kind is Scroll:
            place = self._pixel(values["place"])
            return Scroll(place.x, place.y, _chosen(DIRECTIONS, values["direction"]))
        if kind is Key:
            return Key(_chosen(KEYS, values["key"]))
        if kind is Wait:
            return Wait(_WAIT_MS)
        if kind is Complete:
            return Complete()
        text = str(values["text"])
        return Type(text, len(text)) if kind is Type else kind(text)

    def _pixel(self, shares: Any) -> Point:
        """The pixel of the screen at a place of the picture. Raises ValueError for a place outside."""
        across, down = (float(share) for share in shares)
        if not (0 <= across <= 1 and 0 <= down <= 1):
            raise ValueError(f"{across}, {down} are no shares of the picture")
        return turned_place((across, down), self.phone.size, self._rotation)


def _chosen(known: Sequence[_Known], number: Any) -> _Known:
    """What a number stands for. Raises IndexError for a number of nothing, also for one below 0."""
    place = operator.index(number.item() if isinstance(number, np.ndarray) else number)
    if place < 0:
        raise IndexError(place)
    return known[place]


def _action_space() -> spaces.Dict:
    return spaces.Dict({
        "kind": spaces.Discrete(len(KINDS)),
        "place": spaces.Box(0.0, 1.0, (2,), np.float32),
        "end": spaces.Box(0.0, 1.0, (2,), np.float32),
        "direction": spaces.Discrete(len(DIRECTIONS)),
        "key": spaces.Discrete(len(KEYS)),
        "text": AnyText(LONGEST_TEXT),
    })  # fmt: skip


gymnasium.register(id="waymark/Phone-v1", entry_point="collector.environment.gymnasium_env:WaymarkPhone")

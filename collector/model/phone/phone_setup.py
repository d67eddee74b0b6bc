"""What a reset makes of a virtual phone: seed, language, screen, variation and the states of its apps."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.variation.phone_variation import PhoneVariation

SMALLEST_SIDE, LARGEST_SIDE = 240, 4096
LOWEST_DENSITY, HIGHEST_DENSITY = 72, 1000
LOCALE_PATTERN = r"[a-z]{2,3}([-_][A-Z][a-z]{3})?([-_]([A-Z]{2}|[0-9]{3}))?"
_LOCALE = re.compile(LOCALE_PATTERN)
_STATE, _VARIATION = "--state", "--variation"


@dataclass(frozen=True, slots=True)
class PhoneSetup:
    """The values that a reset changes; those that are None or empty stay as they are."""

    seed: int | None = None
    locale: str = ""
    size: Size | None = None
    density: int | None = None
    """Dots per inch."""
    variation: PhoneVariation | None = None
    states: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Whole states of apps, by name or package; the other apps are as freshly installed."""

    def __bool__(self) -> bool:
        return self != PhoneSetup()

    def words(self) -> list[str]:
        """The arguments of ``cmd waymark reset``."""
        words = []
        for name, value in self.values.items():
            words += [f"--{name}", str(value)]
        if self.variation is not None:
            words[words.index(_VARIATION) + 1] = self.variation.argument
        for app, state in self.states.items():
            words += [_STATE, f"{app}={json.dumps(state)}"]
        return words

    @property
    def values(self) -> dict[str, int | str]:
        """The values that are changed, by the name of their option; without the states."""
        size = str(self.size) if self.size is not None else ""
        values: dict[str, int | str | None] = {
            "seed": self.seed, "locale": self.locale, "size": size, "density": self.density,
            "variation": self.variation.name if self.variation is not None else None,
        }  # fmt: skip
        return {name: value for name, value in values.items() if value not in ("", None)}

    @classmethod
    def parse(
        cls, words: Sequence[str], variation: Callable[[str], PhoneVariation] = PhoneVariation.parse
    ) -> PhoneSetup:
        """Read :meth:`words`; ``variation`` finds what one means. Raises ValueError for an option or a value
        that there is not.
        """
        given: dict[str, Any] = {}
        states: dict[str, Any] = {}
        if len(words) % 2:
            raise ValueError(_("{option} has no value", option=words[-1]))
        for option, value in zip(words[::2], words[1::2], strict=True):
            read = _READERS.get(option)
            if option == _STATE:
                app, _equals, text = value.partition("=")
                states[app] = read_state(text)
            elif option == _VARIATION:
                given["variation"] = variation(value)
            elif read is None:
                raise ValueError(_("a reset has no option {option}", option=option))
            else:
                given[option.removeprefix("--")] = read(value)
        return cls(**given, states=states)


def read_locale(text: str) -> str:
    """A language with or without a region, as ``zh-CN``. Raises ValueError for anything else."""
    if not _LOCALE.fullmatch(text):
        raise ValueError(_("expected a language, as en or zh-CN"))
    return text


def wanted_locale(language: str, spoken: str) -> str:
    """The language that a task wants of a phone; empty when it wants none, or ``spoken`` is it already."""
    try:
        wanted = read_locale(language)
    except ValueError:
        return ""
    is_spoken = wanted in (spoken, re.split("[-_]", spoken, maxsplit=1)[0])
    return "" if is_spoken else wanted


def read_screen(text: str) -> Size:
    """A size that a virtual phone can have. Raises ValueError for any other."""
    size = Size.parse(text)
    if not SMALLEST_SIDE <= min(size.width, size.height) <= max(size.width, size.height) <= LARGEST_SIDE:
        raise ValueError(_("a virtual phone measures 240 to 4096 pixels a side"))
    return size


def read_state(text: str) -> Mapping[str, Any]:
    """The state of an app as JSON. Raises ValueError when it is none."""
    state = json.loads(text)
    if not isinstance(state, dict):
        raise ValueError(_("a state is a mapping of names to values"))
    return state


def read_density(text: str) -> int:
    """Dots per inch that a virtual phone can have. Raises ValueError for any other."""
    density = int(text)
    if not LOWEST_DENSITY <= density <= HIGHEST_DENSITY:
        raise ValueError(_("a density is 72 to 1000 dots per inch"))
    return density


_READERS: Mapping[str, Callable[[str], object]] = {
    "--seed": int, "--locale": read_locale, "--size": read_screen, "--density": read_density,
}  # fmt: skip

"""A variation of a virtual phone: how its apps look, what they hold, and which pop-ups they open."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from collector.model.i18n import _
from collector.model.variation.noise import NO_NOISE, Noise
from collector.model.variation.planted_order import PlantedOrder

DEFAULT = "default"
VARIATIONS = "variations"
"""The folder of a project, and of the studio, with a file for each variation."""
ALL_APPS = "all"
"""Stands for every app that is not named itself."""
_PACKED = "zlib:"
_LONGEST_ARGUMENT = 100_000
"""Bytes; Linux takes at most 131,072 in one argument of a program."""
_LARGEST = 8 << 20
"""Bytes of a packed argument when it is unpacked."""
Texts = Mapping[str, str]
"""A text by language."""


@dataclass(frozen=True, slots=True)
class Appearance:
    """How the windows of an app look. The defaults are those of the phone."""

    theme: str = ""
    """``light`` or ``dark``; empty as the phone is set."""
    text_scale: float = 0.0
    """Size of texts as a multiple of the usual one; 0 as the phone is set."""
    font: str = "sans"
    weight: str = "normal"
    italic: bool = False
    letter_spacing: float = 0.0
    """As a share of the size of the text."""
    spacing: float = 1.0
    """Space inside and between elements, as a multiple of the usual one."""
    saturation: float = 1.0
    """0 is black and white."""
    mirrored: bool = False
    """Whether it is laid out from right to left."""
    icon_labels: bool = True
    """Whether icons have their words beside or below them."""
    orientation: str = ""
    """``portrait`` or ``landscape``; empty as the phone is set. Of the whole phone only."""
    colours: tuple[tuple[str, str], ...] = ()
    """``#RRGGBB`` by the role that it replaces."""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Appearance:
        """The appearance with these values; ``colours`` is a mapping. Raises TypeError for an unknown key."""
        colours = dict(values.get("colours") or {})
        return cls(**{**values, "colours": tuple(sorted(colours.items()))})


PLAIN_APPEARANCE = Appearance()


@dataclass(frozen=True, slots=True)
class PopUpButton:
    """A button of a pop-up. ``does``: close, stay, home, or ``open:`` and the name of an app."""

    text: Texts
    does: str = "close"


@dataclass(frozen=True, slots=True)
class PopUp:
    """A window that an app opens over itself when it is started, until a person closes it."""

    id: str
    title: Texts
    message: Texts = field(default_factory=dict)
    icon: str = ""
    buttons: tuple[PopUpButton, ...] = ()
    position: str = "center"
    """``top``, ``center`` or ``bottom``."""
    cancelable: bool = False
    """Whether BACK and a touch outside close it."""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> PopUp:
        """Raises TypeError for a key that is missing or unknown."""
        buttons = tuple(PopUpButton(**button) for button in values.get("buttons") or ())
        return cls(**{**values, "buttons": buttons})


@dataclass(frozen=True, slots=True)
class PhoneVariation:
    """What a phone is started or reset with, by the names of apps; :data:`ALL_APPS` is for the others."""

    name: str = DEFAULT
    """Canonical: parts joined by ``+``, in order."""
    appearance: Mapping[str, Appearance] = field(default_factory=dict)
    content: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    """What is merged onto the content of an app, one after the other."""
    pop_ups: Mapping[str, tuple[PopUp, ...]] = field(default_factory=dict)
    noise: Mapping[str, Noise] = field(default_factory=dict)
    orders: tuple[PlantedOrder, ...] = ()
    """What its contents order the agent to do. The phone does not know of it."""

    def appearance_of(self, app: str) -> Appearance:
        return self.appearance.get(app) or self.appearance.get(ALL_APPS, PLAIN_APPEARANCE)

    def content_of(self, app: str) -> tuple[Mapping[str, Any], ...]:
        found = self.content.get(app)
        return self.content.get(ALL_APPS, ()) if found is None else found

    def pop_ups_of(self, app: str) -> tuple[PopUp, ...]:
        found = self.pop_ups.get(app)
        return self.pop_ups.get(ALL_APPS, ()) if found is None else found

    def noise_of(self, app: str) -> Noise:
        return self.noise.get(app) or self.noise.get(ALL_APPS, NO_NOISE)

    @property
    def settings(self) -> dict[tuple[str, str], str]:
        """The phone's settings that it changes, by namespace and key."""
        phone = self.appearance_of(ALL_APPS)
        settings = {}
        if phone.theme:
            settings["secure", "ui_night_mode"] = "2" if phone.theme == "dark" else "1"
        if phone.text_scale:
            settings["system", "font_scale"] = f"{phone.text_scale:g}"
        if phone.orientation:
            settings["system", "accelerometer_rotation"] = "0"
            settings["system", "user_rotation"] = "1" if phone.orientation == "landscape" else "0"
        return settings

    @property
    def text(self) -> str:
        """The whole variation as JSON, in which the same variation always has the same bytes."""
        appearance = {app: asdict(look) | {"colours": dict(look.colours)}
                      for app, look in self.appearance.items()}  # fmt: skip
        pop_ups = {app: [asdict(pop_up) for pop_up in listed] for app, listed in self.pop_ups.items()}
        document: dict[str, Any] = {
            "name": self.name, "appearance": appearance, "content": dict(self.content), "pop_ups": pop_ups,
        }  # fmt: skip
        if self.noise:  # only then, so that fingerprints of what has none stay
            document["noise"] = {app: asdict(noise) for app, noise in self.noise.items()}
        if self.orders:
            document["orders"] = [order.plain for order in self.orders]
        return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))

    @property
    def argument(self) -> str:
        """As a command line takes it: ``default``, or :attr:`text`, packed when that is too long for one."""
        if self == PhoneVariation():
            return DEFAULT
        text = self.text
        data = text.encode()
        packed = f"{_PACKED}{base64.b64encode(zlib.compress(data)).decode()}"
        return text if len(data) < _LONGEST_ARGUMENT else packed

    @property
    def digest(self) -> str:
        """SHA-256 of what it changes, whatever it is called."""
        document = json.loads(self.text)
        del document["name"]
        text = json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    @classmethod
    def parse(cls, text: str) -> PhoneVariation:
        """Read :attr:`argument`. Raises ValueError for anything else."""
        if text == DEFAULT:
            return cls()
        try:
            document = json.loads(_unpacked(text) if text.startswith(_PACKED) else text)
            return cls(
                str(document["name"]),
                {app: Appearance.of(look) for app, look in document["appearance"].items()},
                {app: tuple(patches) for app, patches in document["content"].items()},
                {app: tuple(map(PopUp.of, listed)) for app, listed in document["pop_ups"].items()},
                {app: Noise.of(noise) for app, noise in document.get("noise", {}).items()},
                tuple(map(PlantedOrder.of, document.get("orders", ()))),
            )
        except (ValueError, KeyError, TypeError, AttributeError):
            why = _("{text} is no variation of this phone", text=text[:80])
            raise ValueError(why) from None


def _unpacked(text: str) -> bytes:
    """The text of a packed argument. Raises ValueError for what is none, or is too large."""
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(base64.b64decode(text.removeprefix(_PACKED), validate=True), _LARGEST)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not unpacking.eof:
        raise ValueError(f"{len(data)} bytes are not all")
    return data


def text_in(texts: Texts, language: str, fallback: str = "en") -> str:
    """The text in a language; in ``fallback`` where the language is missing."""
    return texts.get(language) or texts.get(fallback) or next(iter(texts.values()), "")

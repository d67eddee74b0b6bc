"""The file of a new variation: its name, and the text it begins with."""

from __future__ import annotations

import itertools
from collections.abc import Collection

from collector.model.variation.phone_variation import DEFAULT
from collector.variations.keys import VERSION

_OWN, _NEW = "my_", "my_variation"


def new_variation(extended: str, taken: Collection[str]) -> tuple[str, str]:
    """The name, none of ``taken``, and the text of a variation that extends another one, or none."""
    base = extended if extended not in ("", DEFAULT) else ""
    stem = f"{_OWN}{base}" if base and not base.startswith(_OWN) else _NEW
    names = itertools.chain((stem,), (f"{stem}_{number}" for number in itertools.count(2)))
    name = next(found for found in names if found not in taken)
    return name, f"version: {VERSION}\n{f'extends: {base}' if base else f'description: {name}'}\n"

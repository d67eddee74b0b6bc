"""The variations of a project and the built-in ones, read behind the window."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from collector.variations.registry import Variations


@dataclass(frozen=True, slots=True)
class ListedVariation:
    """A variation in the list."""

    name: str
    is_built_in: bool
    description: str
    factors: tuple[str, ...]
    """Of appearance, content, pop_ups and noise, those that it changes."""
    apps: tuple[str, ...]
    problem: str = ""
    """The first sentence of what keeps it from being used."""
    text: str | None = ""
    """Of its file; None when it cannot be read, so that nobody writes over it."""
    path: str = ""


def read_listing(folder: Path | None, texts: Mapping[str, str]) -> tuple[ListedVariation, ...]:
    """Those of a project first, then the built-in ones that have no file there, each by name. Any thread.

    ``texts`` are the texts of files of the project that are edited, by name.
    """
    known = Variations(folder, texts)
    listed = [_listed(name, known) for name in known.names]
    return tuple(sorted(listed, key=lambda entry: entry.is_built_in))


def _listed(name: str, known: Variations) -> ListedVariation:
    file = known.file(name)
    assert file is not None
    errors = [found.sentence for found in known.diagnostics(name)]
    try:
        text = texts if (texts := known.text_of(name)) is not None else file.file.read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        text = None
    return ListedVariation(
        name, file.is_built_in, file.description, known.factors(name), known.apps(name),
        errors[0] if errors else "", text, "" if file.is_built_in else str(file.file),
    )  # fmt: skip

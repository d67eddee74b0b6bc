"""File names that a stranger would search for, rooms that are not too full, and one word for a state."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

import click

from collector.cli.main import waymark
from tests.helpers.scripts import script

translations = script("packaging", "translations")

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("collector", "rule_editor", "studio")
FILES = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
VAGUE = {"words", "parts", "kit", "outline", "course", "hands", "sight", "likeness", "milestone"}
"""Words that name no file: they say nothing, or the house has another word for the thing."""
MOST_FILES = 30
FOREIGN = "collector/exchange/"
"""Importers and exporters call things as their formats do."""


def test_no_file_has_a_vague_name() -> None:
    assert [str(path.relative_to(ROOT)) for path in FILES if VAGUE & set(path.stem.split("_"))] == []


def test_no_two_files_differ_by_the_order_of_words_alone() -> None:
    names: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for path in FILES:
        names[tuple(sorted(path.stem.split("_")))].add(path.stem)
    assert [sorted(alike) for alike in names.values() if len(alike) > 1] == []


def test_no_room_holds_more_files_than_it_should() -> None:
    rooms = Counter(path.parent.relative_to(ROOT).as_posix() for path in FILES if path.stem != "__init__")
    assert {room: count for room, count in rooms.items() if count > MOST_FILES} == {}


def test_people_read_essential_state_and_never_milestone() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in FILES}
    said = [
        f"{path.relative_to(ROOT)}:{line}: {text}"
        for path, source in texts.items()
        # Only a file with the word has texts with it.
        if "milestone" in source.lower() and not path.relative_to(ROOT).as_posix().startswith(FOREIGN)
        for line, text in translations.marked_texts(source)
    ]
    helps = [f"{verb}: {text}" for verb, text in helps_of(waymark, "waymark")]
    assert len(helps) > 200
    assert [text for text in (*said, *helps) if "milestone" in text.lower()] == []


def helps_of(command: click.Command, path: str) -> Iterator[tuple[str, str]]:
    """The help of a verb, of its options, and of the verbs below it."""
    yield path, command.help or ""
    for parameter in command.params:
        yield f"{path} {parameter.name}", getattr(parameter, "help", None) or ""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from helps_of(child, f"{path} {name}")

"""What verbs print with ``--json`` has the keys that their help says, in a copy of the sample project."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from collector.cli.json_keys import keys_of
from collector.cli.main import main, waymark
from collector.model.resources import asset
from tests.attack.verbs import CALLS, GOLDEN, OTHER, RUN

WITH_A_PHONE = ("agent try", "anomaly fire", "anomaly rehearse", "anomaly solvable", "anomaly undo", "record",
                "run", "trajectory rerecord")  # fmt: skip
OTHERWISE = ("agent key set", "device emulator list", "experiment attach", "judge check", "mcp", "updates")
"""They need a keyring, an SDK, a run, a model or the network, or print a document for each event."""
SLOW = ("judge cost", "judge run", "judge study windows", "rules backtest", "rules compare", "states check",
        "variations render")  # fmt: skip
"""Run by `make in-full`."""
WORDS = {
    "agent ask": (f"{GOLDEN}@1", "--dry-run", "--agent", "openai"),
    "project empty-trash": ("--yes",),
    "review submit": (RUN, "--verdict", "success"),
    "trajectory redact": (OTHER, "1", "--yes"),
}
"""Where the words for the traps end with a refusal."""
LEAST = 75
"""Verbs that print a document, and no refusal."""
EVERYWHERE = {"steps_from"}
"""Said once for all, in the guide to formats."""


def verbs() -> Iterator[tuple[str, tuple[str, ...]]]:
    for verb, words in CALLS.items():
        command: click.Command = waymark
        for word in verb.split():
            assert isinstance(command, click.Group)
            command = command.get_command(click.Context(command), word) or command
        is_left = verb in (*WITH_A_PHONE, *OTHERWISE) or verb.startswith("device ") or "--help" in words
        if not is_left and any(option.name == "as_json" for option in command.params):
            yield verb, WORDS.get(verb, words)


def printed(verb: str, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> Any:
    main([*verb.split(), *(word for word in words if word != "--json"), "--json"])
    return json.loads(capsys.readouterr().out or "{}")


def named(row: str) -> list[dict[str, str]]:
    """For each clause of a row, the names outside of parentheses with what stands in theirs."""
    found = []
    for clause in re.split(r";(?![^(]*\))", row):
        inner = dict(re.findall(r"`(\w+)` \(([^()]*)\)", clause))
        outer = re.sub(r"\([^()]*\)", "", clause)
        names = {name: inner.get(name, "") for name in re.findall(r"`(\w+)`", outer)}
        if other := re.match(r" ?as `([a-z -]+)`", clause):
            for of_other in named(keys_of(other[1])):
                names |= {name: text for name, text in of_other.items() if name not in names}
        found.append(names)
    return found


def entries(value: Any) -> set[str]:
    """The keys of a document in a document, or of those in a list."""
    parts = value if isinstance(value, list) else [value]
    return set().union(*(part for part in parts if isinstance(part, dict)))


def differences(row: str, document: Any) -> list[str]:
    """What a document has that its row lacks, and what the row says without a condition that it lacks."""
    keys, names = entries(document) - EVERYWHERE, named(row)
    said = {name: text for clause in names for name, text in clause.items()}
    found = [f"{key} is not named" for key in sorted(keys - said.keys())]
    if not any(clause.keys() <= keys for clause in names) and not re.search(r"\bas `|^with ", row):
        found += [f"{key} is not printed" for key in sorted(names[0].keys() - keys)]
    for key in sorted(keys & said.keys()):
        lists_them = "," in said[key] and not re.search(r"\.\.\.|\bas ", said[key])
        if lists_them and isinstance(document, dict):
            lacking = entries(document[key]) - set(re.findall(r"\w+", said[key]))
            found += [f"{key} ({inner}) is not named" for inner in sorted(lacking)]
    return found


@pytest.mark.long_form
def test_verbs_print_the_keys_that_their_help_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], in_full: bool
) -> None:
    shutil.copytree(asset("sample"), tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")
    printed_by = {
        verb: printed(verb, words, capsys) for verb, words in verbs() if in_full or verb not in SLOW
    }
    documents = {verb: document for verb, document in printed_by.items() if entries(document) - {"error"}}
    assert len(documents) >= LEAST
    wrong = {verb: differences(keys_of(verb), document) for verb, document in documents.items()}
    assert {verb: words for verb, words in wrong.items() if words} == {}

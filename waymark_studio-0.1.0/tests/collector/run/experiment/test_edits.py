"""Edits of an experiment's text: one value changes, every other character stays."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.run.experiment import edits
from collector.run.experiment.files import ExperimentError
from tests.collector.run.experiment.scopes import read

TEXT = """\
# Which agents survive a low battery?
format: waymark-experiment
version: 1
tasks: [shop-1, shop-2]  # the short ones
agents:
  # repeats what people did
  - golden
  - id: later   # waits
    kind: careful
    policy: later
conditions: [baseline, {id: low, anomaly: low_double, at: 3}]
# two are enough
seeds: [1, 2]
"""
TASKS = "tasks: [shop-1, shop-2]  # the short ones"
WAITING = {"id": "later", "kind": "careful", "waits": 2}


def changed_lines(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that only the one text has, and those that only the other has."""
    old, new = before.splitlines(), after.splitlines()
    return [line for line in old if line not in new], [line for line in new if line not in old]


@pytest.mark.parametrize(
    ("change", "gone", "come"),
    [
        (lambda text: edits.set_value(text, "seeds", (1, 2, 7)), ["seeds: [1, 2]"], ["seeds: [1, 2, 7]"]),
        (lambda text: edits.set_value(text, "seeds", {"count": 3}), ["seeds: [1, 2]"], ["seeds: {count: 3}"]),
        (lambda text: edits.set_value(text, "seeds", None), ["seeds: [1, 2]"], []),
        (lambda text: edits.set_value(text, "budget", 12), [], ["budget: 12"]),
        (lambda text: edits.set_value(text, "description", "Low: a battery"), [],
         ['description: "Low: a battery"']),
        (lambda text: edits.set_value(text, "tasks", "all"), [TASKS], ["tasks: all  # the short ones"]),
        (lambda text: edits.set_value(text, "tasks", ["shop-2"]), [TASKS],
         ["tasks: [shop-2]  # the short ones"]),
        (lambda text: edits.set_value(text, "tasks", {"where": "app:Shop"}), [TASKS],
         ["tasks: {where: app:Shop}  # the short ones"]),
        (lambda text: edits.switch(text, "agents", "later", False), [], ["    skip: true"]),
        (lambda text: edits.switch(text, "agents", "golden", False),
         ["  # repeats what people did", "  - golden"], []),
        (lambda text: edits.switch(text, "agents", "monkey", True), [], ["  - monkey"]),
        (lambda text: edits.switch(text, "agents", "golden", True), [], []),
        (lambda text: edits.put_entry(text, "agents", "later", WAITING),
         ["    policy: later"], ["    waits: 2"]),
        (lambda text: edits.put_entry(text, "agents", "mine", {"id": "mine", "kind": "monkey"}), [],
         ["  - {id: mine, kind: monkey}"]),
        (lambda text: edits.remove_entry(text, "agents", "later"),
         ["  - id: later   # waits", "    kind: careful", "    policy: later"], []),
        (lambda text: edits.switch(text, "conditions", "low", False),
         ["conditions: [baseline, {id: low, anomaly: low_double, at: 3}]"],
         ["conditions: [baseline, {id: low, anomaly: low_double, at: 3, skip: true}]"]),
        (lambda text: edits.switch(text, "conditions", "airplane", True),
         ["conditions: [baseline, {id: low, anomaly: low_double, at: 3}]"],
         ["conditions: [baseline, {id: low, anomaly: low_double, at: 3}, airplane]"]),
        (lambda text: edits.remove_entry(text, "conditions", "nobody"), [], []),
    ],
)  # fmt: skip
def test_an_edit_changes_only_its_lines(change: object, gone: list[str], come: list[str]) -> None:
    after = change(TEXT)  # type: ignore[operator]
    assert changed_lines(TEXT, after) == (gone, come)
    assert after.count("\n") == TEXT.count("\n") - len(gone) + len(come)


def test_what_is_switched_off_comes_back_as_it_was() -> None:
    off = edits.switch(TEXT, "agents", "later", False)
    file = read(off)
    assert list(file.skipped_agents) == ["later"]
    assert [entry.id for entry in file.experiment.agents] == ["golden"]
    assert edits.switch(off, "agents", "later", True) == TEXT
    off = edits.switch(TEXT, "conditions", "low", False)
    assert edits.switch(off, "conditions", "low", True) == TEXT


def test_the_first_condition_joins_the_baseline_and_the_last_agent_can_go() -> None:
    short = "tasks: all\nagents: golden\n"
    assert edits.switch(short, "conditions", "low_double", True).endswith(
        "conditions: [baseline, low_double]\n"
    )
    assert edits.switch(short, "agents", "monkey", True) == "tasks: all\nagents: [golden, monkey]\n"
    assert edits.remove_entry(short, "agents", "golden") == "tasks: all\nagents: []\n"
    assert (
        edits.switch("tasks: all\nagents: []\n", "agents", "monkey", True) == "tasks: all\nagents: [monkey]\n"
    )


def test_lines_end_as_they_do_in_the_file() -> None:
    windows = TEXT.replace("\n", "\r\n")
    windows = edits.switch(edits.set_value(windows, "budget", 9), "agents", "monkey", True)
    assert windows.count("\n") == windows.count("\r\n")


def test_items_take_their_comments_along() -> None:
    text = "tasks:\n  - shop-1  # short\n  - shop-2\nagents: golden\n"
    turned = edits.set_value(text, "tasks", ["shop-2", "shop-1"])
    assert turned == "tasks:\n  - shop-2\n  - shop-1  # short\nagents: golden\n"
    assert edits.set_value(text, "tasks", ["shop-1"]) == "tasks:\n  - shop-1  # short\nagents: golden\n"


def test_a_change_that_would_lose_comments_is_refused() -> None:
    text = "tasks:\n  - shop-1  # short\n  - shop-2\nagents: golden\n"
    for broken in (text, "tasks: [shop-1\nagents: golden\n", "["):
        with pytest.raises(ExperimentError, match="cannot be changed here"):
            edits.set_value(broken, "tasks", "all")


_NAMES = st.sampled_from(
    [("agents", name) for name in ("golden", "later", "monkey")]
    + [("conditions", name) for name in ("baseline", "low", "airplane", "rules")]
)
_SEEDS = st.lists(st.integers(0, 9), min_size=1, max_size=5, unique=True)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(_NAMES, st.booleans()), max_size=6), _SEEDS)
def test_any_edits_read_back_as_they_say(
    switches: list[tuple[tuple[str, str], bool]], seeds: list[int]
) -> None:
    text = edits.set_value(TEXT, "seeds", seeds)
    assert yaml.safe_load(text)["seeds"] == seeds
    for (key, name), is_on in switches:
        text = edits.switch(text, key, name, is_on)
        file = read(text)
        values = file.experiment.agents if key == "agents" else file.experiment.conditions
        assert (name in {value.id for value in values}) is is_on
    assert all(line in text for line in TEXT.splitlines() if line.startswith("#"))

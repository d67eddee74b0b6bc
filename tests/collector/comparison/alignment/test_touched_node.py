"""What was touched is known by its words and its place among its like, whatever the language."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest

from collector.comparison.alignment import reading
from collector.comparison.alignment.differences import (
    DifferenceKind,
    ReviewedTrajectory,
    TrajectoryComparison,
)
from collector.comparison.alignment.reading import ScreenCache
from collector.comparison.alignment.trajectory_alignment import align_trajectories
from collector.hierarchy.parse import parse_tree
from collector.model.action import Tap
from collector.model.geometry import Size
from collector.model.trajectory import State, Step, Target
from tests.helpers.dumps import hierarchy, node
from tests.helpers.known_pairs import (
    SAMPLE,
    KnownStep,
    in_other_words,
    known_steps,
    of_other_size,
    signatures,
)

ROW, BUTTON = "android.view.ViewGroup", "android.widget.Button"


def rows_of(*words: str, row_id: str = "", button: str = "") -> bytes:
    """A list whose rows have their words inside; below each, with ``button``, a button that says so."""
    rows = []
    for number, word in enumerate(words):
        top = 100 + 80 * number
        label = node(text=word, bounds=f"[20,{top}][300,{top + 30}]", resource_id="a:id/name")
        press = node(text=button, class_=BUTTON, clickable="true", bounds=f"[300,{top}][400,{top + 70}]",
                     resource_id="a:id/add")  # fmt: skip
        inside = (label, press) if button else (label,)
        rows.append(node(*inside, class_=ROW, clickable="true", resource_id=row_id,
                         bounds=f"[0,{top}][480,{top + 70}]"))  # fmt: skip
    return hierarchy(node(*rows, class_="android.widget.ListView", bounds="[0,0][480,1064]")).encode()


def tapped(dump: bytes, path: Sequence[int]) -> KnownStep:
    """A tap in the middle of the node at ``path``."""
    touched = parse_tree(dump).at_path(tuple(path))
    assert touched is not None
    assert touched.bounds is not None
    point = touched.bounds.center
    names = {name: value for name in ("class", "resource-id", "text") if (value := touched.get(name))}
    target = Target(tuple(path), touched.bounds, (), names)
    state = State(package="a", activity=".Main", size=Size(480, 1064))
    return KnownStep(Step(0, 0, "", state, Tap(point.x, point.y), target), dump, None)


def end(dump: bytes) -> KnownStep:
    return KnownStep(
        Step(1, 1000, "", State(package="a", activity=".Main", size=Size(480, 1064))), dump, None
    )


def differences(first: Sequence[KnownStep], second: Sequence[KnownStep]) -> list[DifferenceKind]:
    """How the second differs from the first."""
    sides = [signatures(steps) for steps in (first, second)]
    reviewed = [
        ReviewedTrajectory([known.step for known in steps], side, ())
        for steps, side in zip((first, second), sides, strict=True)
    ]
    compared = TrajectoryComparison(align_trajectories(sides), reviewed, 1)
    return [each.kind for each in compared.differences()]


@pytest.mark.parametrize("row_id", ["", "a:id/row"])
@pytest.mark.parametrize("words", [("Oak", "Ash", "Elm", "Fir"), ("", "", "", "")])
def test_another_row_without_a_text_of_its_own_is_another_action(words, row_id) -> None:
    dump = rows_of(*words, row_id=row_id)
    first, second = (tapped(dump, (0, row)) for row in (1, 2))
    assert differences([first, end(dump)], [first, end(dump)]) == []
    assert differences([first, end(dump)], [second, end(dump)]) == [DifferenceKind.OTHER_ACTION]


def test_the_button_of_another_row_is_another_action() -> None:
    dump = rows_of("Oak", "Ash", "Elm", "Fir", row_id="a:id/row", button="Add")
    first, second = (tapped(dump, (0, row, 1)) for row in (0, 1))
    assert differences([first, end(dump)], [second, end(dump)]) == [DifferenceKind.OTHER_ACTION]


def test_a_row_is_known_by_its_words_in_a_list_of_another_order() -> None:
    first, second = rows_of("Oak", "Ash", "Elm", "Fir"), rows_of("Elm", "Fir", "Oak", "Ash")
    assert differences([tapped(first, (0, 0)), end(first)], [tapped(second, (0, 2)), end(second)]) == []


def test_a_row_whose_words_changed_is_the_same_at_its_place() -> None:
    first, second = rows_of("Oak", "Ash", "Elm 3", "Fir"), rows_of("Oak", "Ash", "Elm 4", "Fir")
    assert differences([tapped(first, (0, 2)), end(first)], [tapped(second, (0, 2)), end(second)]) == []


def test_no_tap_of_a_golden_trajectory_is_another_action_in_another_language() -> None:
    folders = sorted(
        path.parent for path in SAMPLE.glob("*/*/trajectory.json") if "__" not in path.parent.name
    )
    assert len(folders) == 28
    for folder in folders:
        # Actions are told apart by trees: pictures, here of another size, would be read for nothing.
        steps = [replace(known, picture=None) for known in known_steps(folder)]
        other, _truth = of_other_size(in_other_words(steps), random.Random(1))
        assert differences(steps, other) == [], folder.name


def test_nodes_are_read_once_for_each_screen_and_touch(monkeypatch) -> None:
    read: list[bytes] = []
    plain = reading.read_flat
    monkeypatch.setattr(reading, "read_flat", lambda dump: read.append(dump) or plain(dump))
    dump, cache = rows_of("Oak", "Ash"), ScreenCache()
    steps = [tapped(dump, (0, row)) for row in (0, 1, 0, 1)]
    found = [cache.signature(known.step, known.tree).touched for known in steps]
    assert len(read) == 2
    assert [each.label for each in found if each] == ["oak", "ash", "oak", "ash"]

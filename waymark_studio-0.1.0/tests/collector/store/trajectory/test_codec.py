"""Steps as lines: what is_plain_step accepts, step_from_line reads; what it leaves open, too."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.model.action import Drag, Swipe, Tap
from collector.store.trajectory import codec
from collector.store.trajectory.interruptions import anomalies_in
from tests.helpers.steps import step

_LINES = [codec.step_to_line(step(0, action)) for action in (Tap(1, 2), Swipe(1, 2, 3, 4, 5), None)]
_LINES += [codec.step_to_line(step(1, Drag(1, 2, 3, 4, 5)))]
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
_GONE = object()


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, inner in items for place in _places(inner, (*path, key)))]


def test_a_step_as_it_is_written_is_plain() -> None:
    for line in _LINES:
        assert codec.is_plain_step(json.loads(codec.dump_line(line)))


@pytest.mark.parametrize(
    ("written", "read"),
    [(-5, 0), (10**400, 366 * 86_400_000), (-(10**400), 0), (1e300, 366 * 86_400_000), (7, 7)],
    ids=["negative", "huge", "huge-negative", "float", "as-it-is"],
)
def test_a_time_no_recording_has_is_the_nearest_that_one_has(written: float, read: int) -> None:
    line = {**_LINES[0], "t_ms": written}
    assert codec.step_from_line(line).t_ms == read
    assert codec.header_from_document({"id": "a", "duration_ms": written}).duration_ms == read
    events = [{"kind": "anomaly", "injection": "a", "transition": "injected", "t_ms": written}]
    assert [found.injected_ms for found in anomalies_in(events)] == [read] * isinstance(written, int)


@given(st.data())
def test_a_plain_step_can_be_read(data: st.DataObject) -> None:
    line = json.loads(codec.dump_line(data.draw(st.sampled_from(_LINES))))
    place = data.draw(st.sampled_from(_places(line)))
    value = data.draw(_VALUES | st.just(_GONE))
    if not place:
        line = value
    else:
        parent = line
        for key in place[:-1]:
            parent = parent[key]
        if value is _GONE:
            del parent[place[-1]]
        else:
            parent[place[-1]] = copy.deepcopy(value)
    if codec.is_plain_step(line):
        read = codec.step_from_line(line)
        assert read.state.problem == line["state"].get("problem", "")
        assert [read.description, read.note, read.intention] == [line.get(n, "") for n in codec.TEXTS]

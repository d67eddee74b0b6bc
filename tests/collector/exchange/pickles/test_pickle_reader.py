"""Pickles are taken apart and never run: what is known comes back, other classes are named."""

from __future__ import annotations

import datetime as dt
import io
import pickle
import pickletools
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.exchange.errors import ExchangeError
from collector.exchange.pickles.reader import read_pickle
from collector.exchange.pickles.values import Array, Instance, LargeBytes, plain
from tests.helpers.late_import import LateImport
from tests.helpers.record_samples import instance, strange_classes

np: Any = LateImport("numpy")
VALUES = {"a": [1, -2, 1 << 70, True, None, 2.5], "b": ("x", "ü", b"y", {1, 2}), 3: {"c": frozenset("d")}}


def read(data: bytes, folder: Path, *classes: str) -> tuple[Any, list[str]]:
    return read_pickle(io.BytesIO(data), classes, folder, "file")


@pytest.mark.parametrize("protocol", range(6))
def test_plain_values_come_back_from_every_protocol(tmp_path: Path, protocol: int) -> None:
    assert read(pickle.dumps(VALUES, protocol), tmp_path) == (VALUES, [])
    optimised = pickletools.optimize(pickle.dumps(VALUES, protocol))
    assert read(optimised, tmp_path) == (VALUES, [])


@pytest.mark.parametrize("protocol", range(6))
def test_arrays_and_numbers_of_numpy_and_times_come_back(tmp_path: Path, protocol: int) -> None:
    made = np.arange(12, dtype=np.uint8).reshape(2, 2, 3)
    when = dt.datetime(2026, 4, 1, 9, 30)
    data = pickle.dumps([made, np.float64(0.5), np.bool_(True), np.int64(-3), when], protocol)
    (array, *others), refused = read(data, tmp_path)
    assert isinstance(array, Array)
    assert (array.shape, array.type, array.bytes) == ((2, 2, 3), "u1", bytes(range(12)))
    assert (others, refused) == ([0.5, True, -3, when], [])


def test_large_bytes_go_to_a_file(tmp_path: Path) -> None:
    value, _refused = read(pickle.dumps(b"x" * 100_000), tmp_path)
    assert isinstance(value, LargeBytes)
    assert value.read() == b"x" * 100_000


def test_known_classes_are_their_fields_and_others_are_named(tmp_path: Path) -> None:
    with strange_classes() as kinds:
        known = instance(kinds["UIElement"], text="Buy", seen=[1])
        data = pickle.dumps([known, instance(kinds["Response"], status_code=200)])
    name = "android_world.env.representation_utils.UIElement"
    (element, strange), refused = read(data, tmp_path, name)
    assert element == Instance(name, {"text": "Buy", "seen": [1]})
    assert strange.fields == {}
    assert refused == ["requests_of_a_stranger.models.Response"]


class Evil:
    """Runs a command when it is unpickled."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> Any:
        return Path.touch, (self.place,)


@pytest.mark.parametrize("protocol", range(6))
def test_nothing_in_a_pickle_is_called(tmp_path: Path, protocol: int) -> None:
    place = tmp_path / "called"
    data = pickle.dumps({"goal": "x", "task_template": Evil(place)}, protocol)
    value, refused = read(data, tmp_path)
    assert value["goal"] == "x"
    assert refused
    assert not place.exists()
    command = b"cposix\nsystem\n(S'touch " + bytes(place) + b"'\ntR."
    assert read(command, tmp_path)[1] == ["posix.system"]
    assert not place.exists()


@pytest.mark.parametrize(
    "data",
    [
        b"", b".", b"\x80\x04", b"(", b"]", b"K\x01", b"t.", b"K\x01K\x02R.", b"h\x05.", b"\x85.", b"]]s.",
        b"\x8e" + (1 << 62).to_bytes(8, "little") + b"x", b"B\xff\xff\xff\x7fx", b"P1\n.",
        b"\x82\x01.", b"\x97.",
        b"I" + b"1" * 200_000 + b"\n.", b"(i__main__\nA\n.",
    ],
)  # fmt: skip
def test_what_is_no_pickle_or_asks_for_too_much_is_refused_in_a_sentence(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(ExchangeError, match="pickle"):
        read(data, tmp_path)


def test_a_value_within_itself_ends(tmp_path: Path) -> None:
    around: list[Any] = []
    around.append(around)
    wide: list[Any] = []
    for _level in range(60):
        wide = [wide, wide, wide]
    value, _refused = read(pickle.dumps({"around": around, "wide": wide}), tmp_path)
    assert len(repr(plain(value))) < 1_000_000


@given(st.integers(0, 400), st.binary(min_size=1, max_size=3))
def test_changed_bytes_give_a_value_or_a_sentence(tmp_path_factory: Any, place: int, change: bytes) -> None:
    data = pickle.dumps(VALUES)
    at = place % len(data)
    changed = data[:at] + change + data[at + len(change) :]
    try:
        value, _refused = read(changed, tmp_path_factory.getbasetemp())
    except ExchangeError:
        return
    plain(value)

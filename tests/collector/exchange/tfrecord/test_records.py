"""TFRecord files: frames, checksums and examples, whole, damaged, cut short and hostile."""

from __future__ import annotations

import gzip
import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.imports.importing import detect, import_into
from collector.exchange.tfrecord.accessibility_forest import read_forest
from collector.exchange.tfrecord.crc32c import crc32c, masked_crc32c
from collector.exchange.tfrecord.examples import read_example
from collector.exchange.tfrecord.frames import is_record_file, read_records
from collector.hierarchy.errors import HierarchyError
from collector.store.project.project import Project
from tests.helpers.dataset_samples import DATASET_SAMPLES
from tests.helpers.record_samples import example, forest, message, record_file, rect, varint


def plain_crc(data: bytes) -> int:
    """CRC-32C bit by bit."""
    state = 0xFFFFFFFF
    for byte in data:
        state ^= byte
        for _bit in range(8):
            state = state >> 1 ^ (0x82F63B78 if state & 1 else 0)
    return state ^ 0xFFFFFFFF


def test_the_checksum_is_that_of_the_standard() -> None:
    assert crc32c(b"") == 0
    assert crc32c(b"123456789") == 0xE3069283  # RFC 3720, B.4
    assert crc32c(bytes(32)) == 0x8A9136AA
    assert crc32c(bytes([255] * 32)) == 0x62A8AB43
    assert (
        masked_crc32c(struct.pack("<Q", 9))
        == struct.unpack("<I", record_file(bytes(9), compressed=False)[8:12])[0]
    )


@pytest.mark.parametrize("length", [16383, 16384, 16385, 20_001])
def test_many_bytes_have_the_same_checksum_as_one_by_one(length: int) -> None:
    data = bytes(place * place % 251 for place in range(length))
    assert crc32c(data) == plain_crc(data)


def records(path: Path, data: bytes) -> tuple[list[bytes], list[str]]:
    path.write_bytes(data)
    log = ExchangeLog()
    return list(read_records(path, log)), [finding.code for finding in log.findings]


@pytest.mark.parametrize("compressed", [True, False])
def test_records_come_back_in_order(tmp_path: Path, compressed: bool) -> None:
    path = tmp_path / "a-00000-of-00001"
    assert records(path, record_file(b"one", b"", b"three", compressed=compressed)) == (
        [b"one", b"", b"three"],
        [],
    )
    assert is_record_file(path)


def test_a_damaged_record_is_left_out_and_the_next_one_read(tmp_path: Path) -> None:
    data = bytearray(record_file(b"one", b"two", b"three", compressed=False))
    data[19 + 12] ^= 1  # the first byte of "two"
    assert records(tmp_path / "a", bytes(data)) == ([b"one", b"three"], ["record-damaged"])


@pytest.mark.parametrize("cut", [3, 14, 17])
def test_a_file_cut_short_gives_what_is_whole(tmp_path: Path, cut: int) -> None:
    data = record_file(b"one", b"two", compressed=False)
    assert records(tmp_path / "a", data[: 19 + cut]) == ([b"one"], ["records-left-out"])
    assert records(tmp_path / "b", gzip.compress(data)[:-12])[1] == ["records-left-out"]


@pytest.mark.parametrize("format_id", ["aitw", "androidcontrol-records"])
def test_a_file_torn_in_its_first_record_is_recognised_and_said_to_be_torn(
    tmp_path: Path, format_id: str
) -> None:
    path = tmp_path / "data-00000-of-00020"
    path.write_bytes(next(iter(DATASET_SAMPLES[format_id].values()))[:250])
    assert [(known.id, sure) for known, sure in detect(path)] == [(format_id, 0.95)]
    result = import_into(Project.create(tmp_path / "p"), path)
    assert (result.folders, [finding.code for finding in result.findings]) == ([], ["records-left-out"])


def test_a_length_beyond_any_record_ends_the_file_and_takes_no_memory(tmp_path: Path) -> None:
    length = struct.pack("<Q", 1 << 60)
    data = length + struct.pack("<I", masked_crc32c(length)) + b"x"
    assert records(tmp_path / "a", data) == ([], ["records-left-out"])
    bomb = gzip.compress(bytes(50_000_000))
    assert records(tmp_path / "b", bomb) == ([], ["records-left-out"])
    assert not is_record_file(tmp_path / "b")


def test_lists_of_an_example_come_back_packed_or_not() -> None:
    features: dict[str, list[Any]] = {
        "texts": ["a", "ü"],
        "numbers": [-1, 0, 1 << 40],
        "shares": [0.5, -2.0],
        "none": [],
    }
    read = read_example(example(features))
    assert read.texts("texts") == ["a", "ü"]
    assert read.numbers("numbers") == [-1, 0, 1 << 40]
    assert read.numbers("shares") == [0.5, -2.0]
    assert "none" in read
    assert "other" not in read
    unpacked = message((3, message((1, 5), (1, 6))))
    assert read_example(message((1, message((1, message((1, "n"), (2, unpacked))))))).numbers("n") == [5, 6]


def test_protobufs_own_writer_is_understood() -> None:
    descriptor_pb2 = pytest.importorskip("google.protobuf.descriptor_pb2")
    descriptor_pool = pytest.importorskip("google.protobuf.descriptor_pool")
    message_factory = pytest.importorskip("google.protobuf.message_factory")

    kinds = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name="example.proto", package="t", syntax="proto3")

    def declare(name: str, *fields: tuple[str, int, int, int, str]) -> Any:
        made = file.message_type.add(name=name)
        for field, number, label, kind, type_name in fields:
            made.field.add(name=field, number=number, label=label, type=kind, type_name=type_name or None)
        return made

    repeated, single = kinds.LABEL_REPEATED, kinds.LABEL_OPTIONAL
    declare("BytesList", ("value", 1, repeated, kinds.TYPE_BYTES, ""))
    declare("FloatList", ("value", 1, repeated, kinds.TYPE_FLOAT, ""))
    declare("Int64List", ("value", 1, repeated, kinds.TYPE_INT64, ""))
    declare("Feature", *(
        (name.casefold(), number, single, kinds.TYPE_MESSAGE, f".t.{name}")
        for number, name in enumerate(("BytesList", "FloatList", "Int64List"), start=1)
    ))  # fmt: skip
    entry = ("key", 1, single, kinds.TYPE_STRING, ""), ("value", 2, single, kinds.TYPE_MESSAGE, ".t.Feature")
    declare("Entry", *entry)
    declare("Features", ("feature", 1, repeated, kinds.TYPE_MESSAGE, ".t.Entry"))
    declare("Example", ("features", 1, single, kinds.TYPE_MESSAGE, ".t.Features"))
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    made = message_factory.GetMessageClass(pool.FindMessageTypeByName("t.Example"))()
    one, two, three = (made.features.feature.add(key=key) for key in ("b", "f", "i"))
    one.value.byteslist.value.extend([b"x", b""])
    two.value.floatlist.value.extend([0.25, 3.0])
    three.value.int64list.value.extend([-7, 300])
    read = read_example(made.SerializeToString())
    assert (read.texts("b"), read.numbers("f"), read.numbers("i")) == (["x", ""], [0.25, 3.0], [-7, 300])


SAMPLE = example({"a": ["x"], "b": [1.5, 2.5], "c": [1, 2]})
FOREST = forest(
    {1: 0, 2: rect(0, 0, 9, 9), 25: varint(1) + varint(2)}, {1: 1, 7: "one"}, {1: 2, 25: varint(0)}
)


@given(st.integers(0, 200), st.binary(min_size=1, max_size=4))
def test_changed_bytes_give_values_or_one_kind_of_error(place: int, change: bytes) -> None:
    for sample, reader, expected in (
        (SAMPLE, read_example, ValueError),
        (FOREST, read_forest, HierarchyError),
    ):
        at = place % len(sample)
        changed = sample[:at] + change + sample[at + len(change) :]
        try:
            assert reader(changed) is not None
        except expected:
            continue


def test_a_forest_becomes_a_tree_of_its_windows_with_the_frontmost_last() -> None:
    back = forest({1: 0, 2: rect(0, 0, 9, 9), 3: "F", 6: "a", 14: 1, 25: varint(2) + varint(1)},
                  {1: 1, 7: "one"}, {1: 2, 7: "two", 2: rect(-1, 0, 3, 4)}, layer=1)  # fmt: skip
    front = forest({1: 0, 7: "keyboard"}, layer=2)
    tree = read_forest(front + back)
    assert [(node.depth, node.text) for node in tree] == [(0, ""), (1, "two"), (1, "one"), (0, "keyboard")]
    assert tree.nodes[0].attributes["clickable"] == "true"
    assert tree.nodes[1].attributes["bounds"] == "[-1,0][3,4]"


def test_nodes_in_a_circle_and_beside_the_tree_are_read_once() -> None:
    tree = read_forest(forest({1: 0, 25: varint(1)}, {1: 1, 25: varint(0)}, {1: 5, 7: "alone"}))
    assert [(node.depth, node.text) for node in tree] == [(0, "alone"), (0, ""), (1, "")]


def test_a_forest_of_too_many_nodes_is_refused_in_a_sentence() -> None:
    with pytest.raises(HierarchyError, match="too many nodes"):
        read_forest(message((1, message((11, message(*((1, b""),) * 20_001))))))

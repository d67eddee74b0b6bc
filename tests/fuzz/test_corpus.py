"""The kept corpus is read again, and the program that adds to it finds what is wrong."""

from __future__ import annotations

import logging
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fuzz.fuzz import Trial
from tests.fuzz.limits import watched
from tests.fuzz.mutations import mutated
from tests.fuzz.targets import CORPUS, TARGETS, Target


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Readers log what they repair; here that is everything."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
def test_every_kept_input_is_read_or_refused(target: Target) -> None:
    kept = target.kept()
    assert kept, f"no input in {target.corpus}"
    wrong = {
        path.name: finding
        for path in kept
        if (finding := watched(target.read, target.refuses, path.read_bytes()))
    }
    assert wrong == {}


def test_every_folder_of_the_corpus_belongs_to_a_target() -> None:
    assert {path.name for path in CORPUS.iterdir() if path.is_dir()} == {target.name for target in TARGETS}


def _planted(data: bytes) -> None:
    if b"magic" not in data:
        raise ValueError("no magic")
    if b"\x00" in data.partition(b"magic")[2][:4]:
        raise KeyError("planted")


def test_a_mistake_is_found_made_small_and_kept(tmp_path: Path) -> None:
    target = Target("planted", _planted, "", (ValueError,))
    corpus, grown = tmp_path / "corpus", tmp_path / "grown" / "planted"
    corpus.mkdir()
    (corpus / "begin").write_bytes(b"before magic and long after it")
    tried = Trial(target, 1, corpus, grown).run(lambda count: count < 150)
    (name,) = tried.findings
    assert name.startswith("KeyError-")
    assert (corpus / name).read_bytes() == b"magic\x00"


def test_an_input_that_takes_too_long_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.limits.MOST_CPU_S", 0.02)

    def read(_data: bytes) -> None:
        while True:
            pass

    finding = watched(read, (), b"")
    assert finding is not None
    assert finding.kind == "too-slow"


@pytest.mark.parametrize("grammar", ["", "json", "lines", "yaml", "xml", "png", "zip"])
def test_the_seed_repeats_the_changes(grammar: str) -> None:
    samples = {
        "json": b'{"a": [1, "b"]}',
        "lines": b'{"a": 1}\n{"b": 2}\n',
        "yaml": b"a: [1, b]\n",
        "xml": b"<a><b c='d'/></a>",
    }
    data = samples.get(grammar, b"anything at all")
    first, second = (
        [mutated(draw, data, (b"other",), grammar) for _number in range(50)]
        for draw in (random.Random(3), random.Random(3))
    )
    assert first == second
    assert len(set(first)) > 25

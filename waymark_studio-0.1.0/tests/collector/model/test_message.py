"""Stored sentences: said again in the language of the window, from their codes and values."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.hierarchy.captions import caption
from collector.hierarchy.parse import parse_tree
from collector.model import i18n, message
from collector.model.action import Tap, Type
from collector.model.message import Message, from_json, in_language, joined, to_json
from collector.model.resources import asset
from collector.model.trajectory import State, TrajectoryHeader
from collector.store.catalogue.catalogue import Catalogue
from collector.store.files import layout
from collector.store.project.project import Project
from collector.store.trajectory import codec
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml

_STALE = "The UI tree is {age} ms old and may show the screen before the last action"


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    yield
    i18n.use_language("en", Path())


def _use(language: str) -> None:
    assert i18n.use_language(language, asset("translations"))


def _problem() -> str:
    return joined([message._(_STALE, age=40), "adb: device offline"])


def _stored(folder: Path, language: str) -> Path:
    """A trajectory recorded in a window of ``language``."""
    _use(language)
    tree = parse_tree(xml("Sign in"))
    with TrajectoryWriter.create(folder, TrajectoryHeader("one", "t")) as writer:
        first = step(0, Tap(1, 1), description=caption(Tap(1, 1), tree), state=State(problem=_problem()))
        writer.append(first, png(), xml())
        hidden = caption(Type("", 3, redacted=True))
        writer.append(step(1, Type("", 3, redacted=True), description=hidden), png(), xml())
        writer.finish()
        return writer.folder


@pytest.mark.parametrize(("recorded", "read"), [("zh_CN", "en"), ("en", "zh_CN")])
def test_a_recording_is_read_in_the_language_of_the_reader(tmp_path: Path, recorded: str, read: str) -> None:
    folder = _stored(tmp_path, recorded)
    _use(read)
    tap, typed = open_trajectory(folder).steps
    assert tap.description == caption(Tap(1, 1), parse_tree(xml("Sign in")))
    assert typed.description == caption(Type("", 3, redacted=True))
    assert tap.state.problem == _problem()
    assert tap.state.problem.endswith("adb: device offline")
    _use(recorded)
    assert in_language(tap.description) == caption(Tap(1, 1), parse_tree(xml("Sign in")))


def test_the_sentence_stays_in_the_file_for_other_readers(tmp_path: Path) -> None:
    folder = _stored(tmp_path, "en")
    line = json.loads((folder / layout.STEPS).read_bytes().splitlines()[0])
    assert line["description"] == "Tap 'Sign in'"
    assert line["description_message"] == [{"code": "Tap '{name}'", "values": {"name": "Sign in"}}]
    assert line["state"]["problem"].startswith("The UI tree is 40 ms old")
    assert line["state"]["problem_message"] == [
        {"code": _STALE, "values": {"age": 40}},
        {"text": "adb: device offline"},
    ]
    read = open_trajectory(folder).steps[0]
    assert codec.step_to_line(read) == {key: value for key, value in line.items() if key != "seq"}
    assert codec.is_plain_step(line)


def test_what_a_person_writes_has_no_code(tmp_path: Path) -> None:
    folder = _stored(tmp_path, "en")
    with TrajectoryWriter.open(folder) as writer:
        writer.reword(0, description="My words")
        assert "description_message" not in json.loads((folder / layout.STEPS).read_bytes().splitlines()[0])
        _use("zh_CN")
        assert open_trajectory(folder).steps[0].description == "My words"
        writer.undo()
    assert open_trajectory(folder).steps[0].description == caption(Tap(1, 1), parse_tree(xml("Sign in")))


@pytest.mark.parametrize(
    "stored",
    [
        None,
        "code",
        [1],
        [{"code": 1}],
        [{"code": "Tap '{name}'"}],
        [{"code": "Tap '{name}'", "values": {"name": []}}],
        [{"code": "Tap '{name.__class__}'", "values": {"name": "x"}}],
        [{"code": "{name:>999999999}", "values": {"name": "x"}}],
        [{"code": "{0}", "values": {}}],
        [{"code": "{", "values": {}}],
        [{"code": "Type {count} character, hidden", "plural": "{count} x", "values": {"count": "many"}}],
    ],
)
def test_codes_that_say_nothing_leave_the_sentence_as_it_is(stored: object) -> None:
    assert from_json("as recorded", stored) == "as recorded"


def test_a_sentence_that_this_version_does_not_know_is_shown_as_it_was_stored() -> None:
    _use("zh_CN")
    stored = [{"code": "Wink at '{name}'", "values": {"name": "OK"}}]
    assert from_json("向 OK 眨眼", stored) == "向 OK 眨眼"


def test_a_message_is_a_text_for_all_else() -> None:
    said = message._(_STALE, age=40)
    assert isinstance(said, Message)
    assert to_json("plain") is to_json(joined(["plain"])) is None
    for twin in (copy.deepcopy(said), pickle.loads(pickle.dumps(said))):
        assert twin == said
        assert to_json(twin) == to_json(said)
    assert json.loads(json.dumps({"said": said})) == {"said": str(said)}
    assert joined([]) == joined([""]) == ""


@pytest.mark.parametrize("edited", [False, True])
def test_lists_show_problems_in_the_language_of_the_window(tmp_path: Path, edited: bool) -> None:
    project = Project.create(tmp_path / "p")
    folder = _stored(project.paths.trajectories_of("t"), "en")
    if edited:  # then it is read another way
        with TrajectoryWriter.open(folder) as writer:
            writer.reword(1, note="x")
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        for language in ("zh_CN", "en"):
            _use(language)
            assert [row.problem for row in catalogue.find()] == [_problem()]
            assert catalogue.summary().troubled == {"t": _problem()}

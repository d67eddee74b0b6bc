"""A corpus reads what it is asked for, keeps a bounded part of it, and survives what is missing."""

from __future__ import annotations

import gc
import hashlib
import io
import weakref
from pathlib import Path

import pytest
from PIL import Image

from collector.model.action import Tap
from collector.model.errors import UserError
from collector.model.trajectory import Step, Target
from collector.rules.backtest.backtest import BackTest
from collector.rules.columns import kept_views
from collector.rules.columns.corpus import Corpus
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.dumps import hierarchy, node
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen

HOME = hierarchy(node(node(text="Buy"), text="Home")).encode()
CART = hierarchy(node(text="Cart", package="com.other")).encode()
RULE = read_rules(
    "- {id: r, conditions: {all: [{type: element_exists, selector: \"text='Buy'\"}]}, actions: []}"
).rules[0]


class GoneRecording(MemoryTrajectory):
    def tree(self, step: Step) -> bytes | None:
        if step.index == 0:
            raise UserError("states/0000.xml cannot be read")
        return super().tree(step)


def test_views_know_what_led_to_them() -> None:
    target = Target((0, 0), attributes={"text": "Buy"})
    corpus = Corpus([MemoryTrajectory("t", [RecordedScreen(HOME, Tap(5, 5), target), RecordedScreen(CART)])])
    first, second = (state.view() for state in corpus)
    assert (first.step, first.action, first.previous) == (1, None, None)
    assert (second.step, second.action, second.target) == (2, Tap(5, 5), target)
    assert second.previous is first
    assert [state.index for state in corpus] == [0, 1]


def test_nothing_is_read_before_it_is_asked_for() -> None:
    recording = MemoryTrajectory("t", [RecordedScreen(HOME), RecordedScreen(CART)])
    corpus = Corpus([recording])
    view = corpus.view(1)
    assert (view.step, view.activity, corpus.key(0)) == (2, ".MainActivity", hashlib.sha256(HOME).hexdigest())
    assert recording.read == []
    assert [shown.text for shown in view.nodes] == ["Cart"]
    assert recording.read == [1]


def test_only_so_many_views_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_views, "KEPT_VIEWS", 3)
    recording = MemoryTrajectory("t", [RecordedScreen(HOME, Tap(1, 1)) for _ in range(10)])
    corpus = Corpus([recording])
    views = []
    for at in range(10):
        views.append(corpus.view(at))
        assert views[at].find("text='Buy'")
        assert at == 0 or corpus.view(at).previous is corpus.view(at - 1)
    assert [at for at in reversed(range(10)) if corpus.view(at) is views[at]] == [9, 8, 7]
    cached = corpus.view(9)
    assert corpus.view(9) is cached
    assert corpus.view(0).find("text='Buy'")
    assert recording.read.count(0) == 2


def test_of_more_states_than_fit_few_views_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pass over many states drops each view before the next pass; kept, they are garbage that is frozen."""
    for most, limit in (("KEPT_VIEWS", 99), ("KEPT_BYTES", 10 * len(HOME))):
        monkeypatch.setattr(kept_views, most, limit)
        corpus = Corpus([MemoryTrajectory("t", [RecordedScreen(HOME) for _ in range(100)])])
        views = [corpus.view(at) for at in range(60)]
        assert all(view.find("text='Buy'") for view in views)
        kept = [at for at in range(60) if corpus.view(at) is views[at]]
        assert len(kept) < 30, most
        monkeypatch.undo()


def test_the_views_of_a_corpus_that_nobody_has_are_gone_at_once_but_for_one_that_is_held() -> None:
    """They waited for a collection of cycles, which leaves out what has lived long: 100 MB in a window."""
    corpus = Corpus(
        [MemoryTrajectory("t", [RecordedScreen(HOME), RecordedScreen(CART), RecordedScreen(CART)])]
    )
    views = [corpus.view(at) for at in range(3)]
    nodes = [weakref.ref(view.nodes[0]) for view in views]
    first, second, third = map(weakref.ref, views)
    held = views[2]
    del views
    gc.disable()
    try:
        del corpus
        assert (first(), second(), third()) == (None, None, held)
        assert [node() is None for node in nodes] == [True, True, False]
        assert held.previous is not None
        assert [shown.text for shown in held.previous.nodes] == ["Cart"]
        del held
        assert third() is None
    finally:
        gc.enable()


def test_a_dump_that_is_gone_is_a_state_without_nodes() -> None:
    corpus = Corpus([GoneRecording("t", [RecordedScreen(HOME), RecordedScreen(HOME)], hashed=False)])
    assert BackTest(corpus).run(RULE).rows[0].outcomes == b"\x00\x02"
    assert corpus.view(0).tree is None
    assert corpus.problems == {0: "states/0000.xml cannot be read"}


def test_what_was_recorded_without_a_package_shows_that_of_most_nodes() -> None:
    bar = node(package="com.android.systemui")
    dump = hierarchy(bar, node(node(package="com.maps"), package="com.maps")).encode()
    corpus = Corpus.of_dumps([("a.xml", dump), ("b.xml", b"")])
    assert [corpus.view(at).package for at in range(2)] == ["com.maps", ""]
    rule = read_rules(
        "- {id: r, conditions: {all: [{type: current_package_is, value: com.maps}]}, actions: []}"
    ).rules[0]
    assert [row.outcomes for row in BackTest(corpus).run(rule).rows] == [b"\x02", b"\x00"]


def test_plain_files_make_a_corpus(tmp_path: Path) -> None:
    (tmp_path / "home.xml").write_bytes(HOME)
    (tmp_path / "cart.xml").write_bytes(CART)
    corpus = Corpus.of_files([tmp_path / "home.xml", tmp_path / "cart.xml"])
    assert [ref.title for ref in corpus.trajectories] == ["home.xml", "cart.xml"]
    assert BackTest(corpus).run(RULE).fires == 1


def test_screens_are_given_as_pixels_and_broken_ones_as_none() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (3, 2), (255, 0, 0)).save(buffer, "PNG")
    corpus = Corpus(
        [
            MemoryTrajectory(
                "t", [RecordedScreen(HOME), RecordedScreen(HOME)], pictures=[buffer.getvalue(), b"no"]
            )
        ]
    )
    picture = corpus.view(0).picture()
    assert picture is not None
    assert (picture.shape, picture[0, 0].tolist()) == ((2, 3, 3), [255, 0, 0])
    assert corpus.view(1).picture() is None


def test_a_position_beyond_the_end_is_refused() -> None:
    corpus = Corpus([MemoryTrajectory("t", [RecordedScreen(HOME)])])
    assert corpus.locate(0) == (0, 0)
    for position in (-1, 1):
        with pytest.raises(IndexError):
            corpus.locate(position)


def test_titles_number_trajectories_within_their_task() -> None:
    def trajectory(task: str, kind: str = "golden", agent: str = "") -> MemoryTrajectory:
        return MemoryTrajectory(task, [RecordedScreen(HOME)], kind, agent=agent)

    corpus = Corpus(
        [
            trajectory("a"),
            trajectory("b"),
            trajectory("a"),
            trajectory("a", "run", "uitars"),
            trajectory("a", "run"),
        ]
    )
    titles = [(ref.task_id, ref.title) for ref in corpus.trajectories]
    assert titles == [
        ("a", "golden-1"),
        ("b", "golden-1"),
        ("a", "golden-2"),
        ("a", "run uitars-1"),
        ("a", "run-1"),
    ]

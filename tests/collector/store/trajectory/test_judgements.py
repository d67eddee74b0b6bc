"""Judgements: written and read back equal, a file per judge, damaged lines named, the rest kept."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.model.trajectory import TrajectoryHeader
from collector.model.usage import Usage
from collector.model.verdicts.judgement import JUDGE_KINDS, VERDICTS, Judgement, Subject
from collector.store.checks.check import check_trajectory
from collector.store.files.errors import Damaged, FromTheFuture
from collector.store.trajectory import codec
from collector.store.trajectory.judgement_codec import judgement_from_line, judgement_to_line
from collector.store.trajectory.judgements import (
    add_judgements,
    newest_of_judge,
    path_of,
    read_judgements,
)
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml

texts = st.text(max_size=20)
steps = st.none() | st.integers(0, 10_000)
counts = st.none() | st.integers(0, 10**9)
usages = st.builds(Usage, counts, counts, st.none() | st.floats(0, 1e6), st.sampled_from(["", "USD"]), counts)


@st.composite
def judgements(draw):
    kind = draw(st.sampled_from(sorted(VERDICTS)))
    return Judgement(
        draw(texts), draw(st.sampled_from(JUDGE_KINDS)), draw(texts),
        Subject(kind, draw(texts), draw(steps), draw(steps)), draw(st.sampled_from(VERDICTS[kind])),
        draw(st.none() | st.floats(0, 1)), draw(texts), draw(st.dictionaries(texts, texts)), draw(texts),
        draw(usages), draw(texts), draw(texts), draw(st.booleans()), draw(texts),
        draw(st.dictionaries(st.just("seen"), texts)),
    )  # fmt: skip


def reached(judge="rules", state="in-cart", verdict="reached", step=3):
    return Judgement(judge, "rule", "1", Subject("state", state, step, step), verdict)


def tiny_trajectory(folder: Path) -> Path:
    with TrajectoryWriter.create(folder, TrajectoryHeader("r-1", "t-1")) as writer:
        writer.append(step(1), png(), xml())
        writer.finish()
    return writer.folder


@given(judgements())
def test_a_judgement_survives_the_file(judgement):
    line = codec.load_json(codec.dump_line(judgement_to_line(judgement)))
    assert judgement_from_line(line) == judgement


keys = st.sampled_from(["subject", "kind", "verdict", "usage", "proof", "first", "cost"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner),
)


@given(values)
def test_any_other_line_is_refused_with_a_reason(value):
    line = {"judge": "a", "kind": "rule", "subject": value, "verdict": value, "usage": value, "proof": value}
    with pytest.raises(ValueError, match=r"."):
        judgement_from_line(line)


def test_each_judge_has_its_file_and_the_newest_counts(tmp_path: Path):
    folder = tiny_trajectory(tmp_path)
    add_judgements(folder, [reached(), reached("ann"), reached(state="paid", verdict="missed", step=None)])
    add_judgements(folder, [reached(step=5)])
    assert sorted(path.name for path in (folder / "judgements").iterdir()) == ["ann.jsonl", "rules.jsonl"]
    stored = read_judgements(folder)
    assert stored.problems == ()
    assert len(stored.judgements) == 4
    newest = stored.newest()
    assert newest["rules", Subject("state", "in-cart")].subject.first == 5
    assert newest["ann", Subject("state", "in-cart")].subject.first == 3
    assert newest["rules", Subject("state", "paid")].verdict == "missed"


def test_damaged_lines_are_named_and_the_others_kept(tmp_path: Path):
    folder = tiny_trajectory(tmp_path)
    add_judgements(folder, [reached(), reached(state="paid")])
    path = path_of(folder, "rules")
    head, first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(head + b"{broken\n" + first.replace(b"reached", b"perhaps") + second)
    stored = read_judgements(folder)
    assert [judgement.subject.state for judgement in stored.judgements] == ["paid"]
    assert len(stored.problems) == 2
    assert "perhaps" in stored.problems[1]
    codes = {finding.code for finding in check_trajectory(folder)}
    assert "judgement-damaged" in codes


def test_a_file_from_the_future_or_without_head_is_refused_and_stays(tmp_path: Path):
    folder = tiny_trajectory(tmp_path)
    add_judgements(folder, [reached()])
    path = path_of(folder, "rules")
    future = path.read_bytes().replace(b'"version":1', b'"version":9')
    for content, error in ((future, FromTheFuture), (b"[]\n", Damaged)):
        path.write_bytes(content)
        with pytest.raises(error):
            add_judgements(folder, [reached()])
        assert path.read_bytes() == content
        assert len(read_judgements(folder).problems) == 1


def test_a_file_that_a_crash_left_empty_is_named_and_written_anew(tmp_path: Path):
    folder = tiny_trajectory(tmp_path)
    add_judgements(folder, [reached()])
    whole = path_of(folder, "rules").read_bytes()
    path_of(folder, "rules").write_bytes(b"")
    assert read_judgements(folder).problems == ("rules.jsonl cannot be read: it is empty",)
    add_judgements(folder, [reached()])
    assert path_of(folder, "rules").read_bytes() == whole


def test_the_sum_of_usages_keeps_what_is_known():
    assert Usage(1, None, 0.5, "USD", 10) + Usage(2, 3) == Usage(3, 3, 0.5, "USD", 10)
    with pytest.raises(ValueError, match="USD and EUR"):
        Usage(cost=1.0, currency="USD") + Usage(cost=1.0, currency="EUR")


def test_the_verdicts_of_one_judge_are_those_that_count_of_it(tmp_path):
    folder = tiny_trajectory(tmp_path)
    add_judgements(folder, [reached(step=1), reached("model"), reached(state="paid")])
    add_judgements(folder, [reached(step=2)])
    newest = read_judgements(folder).newest()
    counting = [item for (judge, _subject), item in newest.items() if judge == "rules"]
    assert newest_of_judge(folder, "rules") == counting == [reached(step=2), reached(state="paid")]
    assert newest_of_judge(folder, "nobody") == []
    path_of(folder, "rules").write_bytes(b"")
    assert newest_of_judge(folder, "rules") == []

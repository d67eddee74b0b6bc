"""The catalogue: found by word, key and number, in any script; rebuilt whenever it must be."""

from __future__ import annotations

import contextlib
import dataclasses
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.host import parallel
from collector.model.task import Task
from collector.model.trajectory import RECOVERED, State, TrajectoryHeader
from collector.store.catalogue import catalogue as catalogue_module
from collector.store.catalogue import catalogue_database, query
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.catalogue_database import open_database
from collector.store.catalogue.catalogue_reader import CatalogueEntry
from collector.store.catalogue.query import QueryError
from collector.store.checks.check import check_project
from collector.store.files.errors import WriteFailed
from collector.store.project.project import Project
from collector.store.trajectory.codec import IMPORTED_AT
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.reviews.annotations import write_annotations
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml


@pytest.fixture
def project(tmp_path: Path) -> Project:
    created = Project.create(tmp_path / "p")
    counted = {"type": "state", "language": "en", "app_category": "Shopping", "human_validation": True}
    shop = Task("shop-1", "Find a poster", app="Shop", package="com.shop", level="easy")
    chat = Task("chat-1", "给陈晓回复“资料收到了”", app="Messenger", package="com.chat", level="hard")
    created.save_tasks([dataclasses.replace(shop, **counted), dataclasses.replace(chat, type="process")])
    for number, (task, words) in enumerate(
        [("shop-1", "Tap 'Sign in'"), ("shop-1", "Type 100%"), ("chat-1", "点按“稻香”")]
    ):
        with created.new_trajectory(
            TrajectoryHeader(f"t{number}", task, started=f"2026-04-1{number}")
        ) as writer:
            problem = "The window is secure" if number == 1 else ""
            writer.append(step(0, description=words, state=State(problem=problem)), png(), xml())
            writer.finish()
    return created


def ids(project: Project, text: str) -> set[str]:
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        rows = catalogue.find(text)
        assert catalogue.count(text) == len(rows)
        return {row.id for row in rows}


def test_an_import_without_a_start_has_none_and_stands_where_it_came_in(project: Project) -> None:
    header = TrajectoryHeader("in", "chat-1", extra={IMPORTED_AT: "2026-04-11T12:00:00"})
    TrajectoryWriter.create(project.paths.trajectories_of("chat-1"), header, imported=True).close()
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        assert [(row.id, row.started[:10]) for row in catalogue.find()] == [
            ("t2", "2026-04-12"), ("in", ""), ("t1", "2026-04-11"), ("t0", "2026-04-10"),
        ]  # fmt: skip
        assert [row.id for row in catalogue.find("started:2026")] == ["t2", "t1", "t0"]
        assert catalogue.summary().newest["chat-1"] == "2026-04-12"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {"t0", "t1", "t2"}),
        ("sign", {"t0"}),
        ("poster", {"t0", "t1"}),
        ("稻香", {"t2"}),
        ("香", {"t2"}),
        ("陈晓 资料", {"t2"}),
        ("香稻", set()),
        ("app:shop", {"t0", "t1"}),
        ("app:com.shop", {"t0", "t1"}),
        ("level:hard", {"t2"}),
        ("type:process", {"t2"}),
        ("-type:process language:en", {"t0", "t1"}),
        ("language:none", {"t2"}),
        ("app-category:shop human:yes", {"t0", "t1"}),
        ("-app-category:shop human:no", {"t2"}),
        ("golden:<2", {"t2"}),
        ("golden:>=2 -problem:yes", {"t0"}),
        ("problem:any", {"t1"}),
        ("problem:secure", {"t1"}),
        ("problem:no", {"t0", "t2"}),
        ("status:finished", {"t0", "t1", "t2"}),
        ("-text:sign app:Shop", {"t1"}),
        ('text:"Sign in"', {"t0"}),
        ("steps:1", {"t0", "t1", "t2"}),
        ("started:2026-04-11", {"t1"}),
        ("task:%", set()),
        ("'; DROP TABLE tasks --", set()),
        ('"', {"t0", "t1", "t2"}),
    ],
)
def test_queries(project: Project, text: str, expected: set[str]) -> None:
    assert ids(project, text) == expected


def test_newest_come_first_and_pages_follow(project: Project) -> None:
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        assert [row.id for row in catalogue.find(limit=2)] == ["t2", "t1"]
        assert [row.id for row in catalogue.find(limit=2, offset=2)] == ["t0"]
        assert len(catalogue.find(limit=10**30)) == 3
        assert catalogue.golden_counts() == {"shop-1": 2, "chat-1": 1}


def test_what_was_cut_short_or_goes_on_does_not_count_as_golden(project: Project) -> None:
    writer = project.new_trajectory(TrajectoryHeader("t3", "chat-1"))
    writer.append(step(0), png(), xml())
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        assert catalogue.golden_counts()["chat-1"] == 1
        assert {row.id for row in catalogue.find("golden:1")} == {"t2", "t3"}
        writer.update_header(status=RECOVERED)
        catalogue.refresh()
        assert catalogue.summary().golden["chat-1"] == 1
        writer.finish()
        writer.close()
        catalogue.refresh()
        assert catalogue.golden_counts()["chat-1"] == 2


def test_the_review_of_a_task_is_that_of_what_counts(project: Project) -> None:
    write_annotations(project.paths.trajectories_of("chat-1") / "t2", "ann", {"review": "approved"})
    with project.new_trajectory(TrajectoryHeader("t3", "chat-1")) as writer:
        writer.append(step(0), png(), xml())
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        assert catalogue.summary().reviews == {"chat-1": "approved"}


@pytest.mark.parametrize(
    ("file", "damage"),
    [
        ("trajectory.json", b'{"id": "t0", "task": "x", "duration_ms": 1' + b"0" * 30 + b"}"),
        ("trajectory.json", b'{"id": "t0", "task": "x", "duration_ms": 1e999}'),
        ("trajectory.json", b'{"id": "t0", "task": "x", "who": "\\ud801", "instruction": "a\\ud800b"}'),
        ("steps.jsonl", b'{"index": 1e999, "state": {}}\n{"index": 1, "state": {}}\n'),
        ("steps.jsonl", None),
    ],
)
def test_one_damaged_trajectory_does_not_hide_the_others(
    project: Project, file: str, damage: bytes | None
) -> None:
    path = project.paths.trajectories_of("shop-1") / "t0" / file
    path.unlink()
    path.mkdir() if damage is None else path.write_bytes(damage)
    assert ids(project, "") == {"t0", "t1", "t2"}
    assert all(str(finding.what) for finding in check_project(project))


def test_what_cannot_be_understood_is_told(project: Project) -> None:
    with pytest.raises(QueryError, match="no search key colour"):
        ids(project, "colour:red")
    with pytest.raises(QueryError, match="human is yes or no"):
        ids(project, "human:maybe")
    with pytest.raises(QueryError, match="compared with a number"):
        ids(project, "golden:many")
    with pytest.raises(QueryError, match="compared with a number"):
        ids(project, f"steps:{'9' * 5000}")


@given(st.text(max_size=30))
def test_any_text_is_a_query_or_a_sentence(text: str) -> None:
    with contextlib.suppress(QueryError):
        query.clauses(text)


@given(st.text(max_size=20))
def test_any_words_can_be_searched(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    global _shared
    if _shared is None:
        _shared = Catalogue(Project.create(tmp_path_factory.mktemp("q") / "p"))
    with contextlib.suppress(QueryError):
        assert _shared.find(text) == []


_shared: Catalogue | None = None


def test_a_refresh_reads_only_what_changed(project: Project) -> None:
    with Catalogue(project) as catalogue:
        assert catalogue.refresh() == 3
        assert catalogue.refresh() == 0
        folder = project.find("t0")
        with TrajectoryWriter.open(folder) as writer:
            writer.reword(0, note="冰箱")
        assert catalogue.refresh() == 1
        assert [row.id for row in catalogue.find("冰箱")] == ["t0"]
        for path in sorted(folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        folder.rmdir()
        catalogue.refresh()
        assert [row.id for row in catalogue.find()] == ["t2", "t1"]
        assert catalogue.find("冰箱") == []


def test_a_summary_says_what_tasks_need_without_reading_a_trajectory(project: Project) -> None:
    for name in ("t0", "t1"):
        write_annotations(project.find(name), "ana", {"review": "approved"})
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        summary = catalogue.summary()
        assert summary.golden == {"shop-1": 2, "chat-1": 1}
        assert summary.kinds == {"golden": 3}
        assert summary.newest == {"shop-1": "2026-04-11", "chat-1": "2026-04-12"}
        assert summary.troubled == {"shop-1": "The window is secure"}
        assert summary.reviews == {"shop-1": "approved"}
        write_annotations(project.find("t1"), "ben", {"review": "rejected"})
        catalogue.refresh()
        assert catalogue.summary().reviews == {}


def test_tasks_alone_are_taken_in_without_a_look_at_trajectories(project: Project) -> None:
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        assert catalogue.find("app:Garden") == []
        first, *others = project.tasks
        project.save_tasks([dataclasses.replace(first, app="Garden"), *others])
        catalogue.refresh_tasks()
        assert {row.task for row in catalogue.find("app:Garden")} == {first.id}


@pytest.mark.parametrize("junk", [b"junk" * 1000, b"", b"SQLite format 3\0" + b"\xff" * 500])
def test_a_damaged_catalogue_is_made_again(project: Project, junk: bytes) -> None:
    ids(project, "")
    project.paths.catalogue.write_bytes(junk)
    assert ids(project, "sign") == {"t0"}


def test_programs_that_create_a_catalogue_at_once_share_it(tmp_path: Path) -> None:
    """And none of them deletes what another has written, as when it is of another schema."""
    path = tmp_path / "catalogue.db"
    together = threading.Barrier(4)

    def write(number: int) -> None:
        together.wait()
        connection = open_database(path)
        with connection:
            connection.execute("INSERT INTO notes VALUES (?, '')", (f"n{number}",))
        connection.close()

    def notes() -> set[str]:
        connection = open_database(path)
        names = {name for (name,) in connection.execute("SELECT name FROM notes")}
        connection.close()
        return names

    for _round in range(10):
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(write, range(4)))
        assert notes() == {"n0", "n1", "n2", "n3"}
        connection = sqlite3.connect(path)
        connection.execute("PRAGMA user_version = 7")
        connection.close()


def test_a_catalogue_in_use_is_not_taken_for_a_damaged_one(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids(project, "")
    path = project.paths.catalogue
    before = path.stat().st_ino
    other = sqlite3.connect(path)
    other.execute("BEGIN EXCLUSIVE")
    monkeypatch.setattr(catalogue_database, "PATIENCE_S", 0)
    with pytest.raises(WriteFailed, match="locked"):
        Catalogue(project)
    other.close()
    assert path.stat().st_ino == before
    assert ids(project, "sign") == {"t0"}


def test_a_damaged_trajectory_is_listed_with_its_problem(project: Project) -> None:
    (project.find("t0") / "trajectory.json").write_bytes(b"{torn")
    with Catalogue(project) as catalogue:
        catalogue.rebuild()
        row = next(row for row in catalogue.find("status:damaged"))
    assert (row.id, row.task, row.problems) == ("t0", "shop-1", 1)
    assert "cannot be read" in row.problem
    assert len(open_trajectory(project.find("t1")).steps) == 1


def test_a_trajectory_that_is_read_again_is_found_without_looking_through_all(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a refresh after all were judged takes time that grows with the square of their number."""
    ids(project, "")
    statements: set[str] = set()

    def traced(path: Path, *, is_private: bool) -> sqlite3.Connection:
        connection = open_database(path, is_private=is_private)
        connection.set_trace_callback(statements.add)
        return connection

    monkeypatch.setattr(catalogue_module, "open_database", traced)
    write_annotations(project.find("t0"), "ann", {"note": "x"})
    with Catalogue(project) as catalogue:
        assert catalogue.refresh() == 1
    deletes = [text for text in statements if text.startswith("DELETE") and "WHERE key" in text]
    assert len(deletes) == 6
    connection = sqlite3.connect(project.paths.catalogue)
    plans = {text: connection.execute(f"EXPLAIN QUERY PLAN {text}").fetchall() for text in deletes}
    connection.close()
    assert [text for text, plan in plans.items() if any("SCAN" in row[3] for row in plan)] == []


def test_many_are_read_and_checked_in_several_processes(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    (next(project.trajectory_folders()) / "steps.jsonl").write_bytes(b"{}\n")
    checked = check_project(project)
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        rows = catalogue.find(""), list(catalogue.votes())
        monkeypatch.setattr(parallel, "usable_cores", lambda: 2)
        monkeypatch.setattr(parallel, "WORTH_STARTING", 2)
        monkeypatch.setattr(parallel, "_BATCH", 1)
        catalogue.rebuild()
        assert (catalogue.find(""), list(catalogue.votes())) == rows
    assert check_project(project) == checked != []


def test_two_programs_that_index_the_same_project_keep_one_row_each(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, others = catalogue_module.read_entry, [Catalogue(project)]

    def read_late(folder: str, **what: bool) -> CatalogueEntry:
        while others:  # the other program is done before this one has read its first trajectory
            with others.pop() as other:
                assert other.refresh() == 3
        return read(folder, **what)

    monkeypatch.setattr(catalogue_module, "read_entry", read_late)
    with Catalogue(project) as catalogue:
        assert catalogue.refresh() == 3
        assert sorted(row.id for row in catalogue.find()) == ["t0", "t1", "t2"]
        assert [row.id for row in catalogue.find("sign")] == ["t0"]
        assert catalogue.golden_of_tasks() == {"shop-1": 2, "chat-1": 1}
        assert catalogue.refresh() == 0

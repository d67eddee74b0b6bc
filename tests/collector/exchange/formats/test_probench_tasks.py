"""ProBench's table of tasks: what the paper counts by goes in and comes out again."""

from __future__ import annotations

import csv
import tempfile
from pathlib import Path

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from collector.exchange.exports.exporting import export_project
from collector.exchange.imports.importing import import_into
from collector.model.task import Task
from collector.store.project.project import Project

TABLE = """\ufeffApplication,Task Instruction,Type,Language,Category,Source
Google Maps,"Find a ""sushi"" bar,
the best one",Process-related Task,English,Travel,seed
Alipay,查询余额,State-related,Chinese,Finance,
Google Maps,Navigate home,Mixed,Deutsch,,Qwen3
Alipay,,,,,
"""


def test_the_table_becomes_tasks_with_what_the_paper_counts_by(tmp_path: Path) -> None:
    path = tmp_path / "probench.csv"
    path.write_text(TABLE, encoding="utf-8")
    project = Project.create(tmp_path / "p")
    result = import_into(project, path)
    assert result.format.id == "probench-tasks"
    assert [(finding.code, finding.steps) for finding in result.findings] == [("task-incomplete", ("4",))]
    first, second, third = project.tasks
    assert first == Task(
        "google-maps-01", 'Find a "sushi" bar,\nthe best one', "Google Maps", type="process", language="en",
        app_category="Travel", extra={"Source": "seed"},
    )  # fmt: skip
    assert (second.id, second.type, second.language, second.extra) == ("alipay-01", "state", "zh", {})
    assert (third.id, third.type, third.language) == ("google-maps-02", "Mixed", "Deutsch")


def test_what_the_table_has_no_column_for_is_reported_and_no_cell_is_a_formula(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    project.save_tasks(
        [Task("a", "=1+1", note="n", extra={"lab": 3, "-x": "@y"}), Task("b", "Buy", max_steps=15)]
    )
    result = export_project(project, "probench-tasks", tmp_path / "out.csv")
    lost = [(finding.what, finding.steps) for finding in result.findings if finding.code == "field-lost"]
    assert lost == [
        ("The format has no place for `note`", ("a",)), ("The format has no place for `lab`", ("a",)),
    ]  # fmt: skip
    with result.path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))
    assert all(not cell.startswith(("=", "+", "-", "@")) for row in rows for cell in row)
    again = Project.create(tmp_path / "again")
    import_into(again, result.path)
    assert [(task.id, task.instruction, task.max_steps) for task in again.tasks] == [
        ("a", "=1+1", 0), ("b", "Buy", 15),
    ]  # fmt: skip


WORD = st.text("ab é任=+-'\",", min_size=1, max_size=6).filter(lambda text: text.strip() == text)
TASK = st.builds(
    Task,
    id=st.text("abc-1", min_size=1, max_size=4),
    instruction=WORD,
    app=st.just("") | WORD,
    package=st.just("") | WORD,
    type=st.sampled_from(["", "state", "process", "odd"]),
    language=st.sampled_from(["", "en", "zh", "fr"]),
    app_category=st.just("") | WORD,
    max_steps=st.integers(0, 99),
    extra=st.dictionaries(st.sampled_from(["Source", "Seed"]), WORD, max_size=2),
)


@settings(max_examples=12, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(st.lists(TASK, min_size=1, max_size=3, unique_by=lambda task: task.id))
def test_import_export_import_gives_the_same(tasks: list[Task]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first, second = Project.create(folder / "first"), Project.create(folder / "second")
        first.save_tasks(tasks)
        import_into(second, export_project(first, "probench-tasks", folder / "out.csv").path)
        assert second.tasks == tuple(tasks)

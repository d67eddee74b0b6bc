"""Formats of other packages join by entry points; one that is broken says so and harms no other."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from collector.exchange import registry
from collector.exchange.errors import ExchangeError
from collector.exchange.importing import choose, import_into
from collector.exchange.registry import IMPORTERS_GROUP, Exporter, Importer, exporters, importers
from collector.exchange.source.model import SourceTasks
from collector.model.task import Task
from collector.store.project.project import Project


def _read_one(path: Path, _log: object) -> Iterator[SourceTasks]:
    yield SourceTasks(path.name, [Task("t1", "Do it")])
    raise RuntimeError("half-way")


GOOD = Importer(
    "lines", "Lines", lambda _path: 0.99, lambda path, _log: iter([SourceTasks(path.name, [Task("a", "b")])])
)
BREAKING = Importer("breaking", "Breaking", lambda _path: 1 / 0, _read_one)
NO_IMPORTER = object()


@pytest.fixture
def plug_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every plug-in of this module, and two that cannot be loaded, beside the built-in formats."""
    names = {"lines": "GOOD", "breaking": "BREAKING", "wrong": "NO_IMPORTER", "gone": "MISSING"}
    plugins = [
        metadata.EntryPoint(name, f"{__name__}:{attribute}", IMPORTERS_GROUP)
        for name, attribute in names.items()
    ]
    monkeypatch.setattr(metadata, "entry_points", lambda group: plugins if group == IMPORTERS_GROUP else [])
    importers.cache_clear()
    yield
    importers.cache_clear()


def test_built_in_formats_have_unique_ids_and_the_module_of_their_name():
    assert len(importers().kinds) == len(registry.BUILT_IN_IMPORTERS)
    assert len(exporters().kinds) == len(registry.BUILT_IN_EXPORTERS)
    assert {"aitk", "dgara", "dgara-tasks"} <= exporters().kinds.keys()
    assert all(isinstance(exporter, Exporter) for exporter in exporters().kinds.values())


@pytest.mark.expected_log("plug-in")
@pytest.mark.usefixtures("plug_in")
def test_a_plug_in_is_found_and_a_broken_one_is_reported(tmp_path: Path):
    source = tmp_path / "tasks.lines"
    source.write_text("x", "utf-8")
    project = Project.create(tmp_path / "p")
    result = import_into(project, source)
    assert (result.importer.id, result.tasks) == ("lines", ["a"])
    broken = [finding.what for finding in result.findings if finding.code == "plug-in-failed"]
    assert len(broken) == 2
    assert any("wrong" in sentence and "is no Importer" in sentence for sentence in broken)
    assert any("gone" in sentence for sentence in broken)
    with pytest.raises(ExchangeError, match="gone"):
        choose(source, "no-such-format")


@pytest.mark.expected_log("plug-in")
@pytest.mark.usefixtures("plug_in")
def test_a_plug_in_that_fails_half_way_loses_nothing(tmp_path: Path):
    source = tmp_path / "tasks.txt"
    source.write_text("x", "utf-8")
    project = Project.create(tmp_path / "p")
    with pytest.raises(ExchangeError, match="RuntimeError: half-way"):
        import_into(project, source, "breaking")
    assert [task.id for task in Project.open(project.folder).tasks] == ["t1"]

"""Formats of other packages join by entry points; one that is broken says so and harms no other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest

from collector.cli.main import main
from collector.exchange import registry
from collector.exchange.errors import ExchangeError
from collector.exchange.format import OTHER, TASKS, USES, Format
from collector.exchange.imports.importing import choose, import_into
from collector.exchange.registry import (
    FORMATS_GROUP,
    FORMER_GROUPS,
    formats,
    listed_formats,
    of_each_use,
    written_formats,
)
from collector.exchange.source.model import SourceTasks
from collector.model.cancellation import Cancelled
from collector.model.task import Task
from collector.plugins.options import PluginOption
from collector.store.project.project import Project


def _read_one(path: Path, _log: object) -> Iterator[SourceTasks]:
    yield SourceTasks(path.name, [Task("t1", "Do it")])
    raise RuntimeError("half-way")


GOOD = Format(
    id="lines", title="Lines", holds=(TASKS,), files="a file", detect=lambda _path: 0.99,
    read=lambda path, _log: iter([SourceTasks(path.name, [Task("a", "b")])]),
)  # fmt: skip
BREAKING = replace(GOOD, id="breaking", title="Breaking", detect=lambda _path: 1 / 0, read=_read_one)
ODD = replace(GOOD, id="odd", holds=("jokes",))
USELESS = replace(GOOD, id="useless", use="fun")
LACKING = replace(GOOD, id="lacking", title="Lacking", detect=lambda _path: 0.0, package="no_such", extra="x")
CHOOSING = Format(
    id="choosing", title="Choosing", holds=(TASKS,), files="A file",
    write=lambda part, path, _log: path.write_text(f"{part.options}", "utf-8") and None,
    options=(PluginOption("loud", bool, False, "Shout"), PluginOption("side", choices=("a", "b"))),
)  # fmt: skip
NO_FORMAT = object()


def _stopped(_path: Path) -> float:
    raise Cancelled


STOPPED = replace(GOOD, id="stopped", title="Stopped", detect=_stopped)


@pytest.fixture
def plug_in(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every plug-in of this module, and two that cannot be loaded, beside the built-in formats."""
    names = {"lines": "GOOD", "breaking": "BREAKING", "wrong": "NO_FORMAT", "gone": "MISSING", "odd": "ODD",
             "useless": "USELESS", "choosing": "CHOOSING", "lacking": "LACKING"}  # fmt: skip
    plugins = [
        metadata.EntryPoint(name, f"{__name__}:{attribute}", FORMATS_GROUP)
        for name, attribute in names.items()
    ]
    former = [metadata.EntryPoint("old", "a:B", FORMER_GROUPS[0])]
    groups = {FORMATS_GROUP: plugins, FORMER_GROUPS[0]: former}
    monkeypatch.setattr(metadata, "entry_points", lambda group: groups.get(group, []))
    formats.cache_clear()
    yield
    formats.cache_clear()


def test_built_in_formats_have_unique_ids_and_the_module_of_their_name() -> None:
    assert len(formats().kinds) == len(registry.BUILT_IN_FORMATS)
    ways = {name: entry.way for name, entry in formats().kinds.items()}
    assert (ways["aitk"], ways["dgara"], ways["plain"], ways["a3rm"]) == ("both", "both", "in", "out")
    assert all(entry.holds and entry.files for entry in formats().kinds.values())


def test_every_list_of_formats_has_those_of_one_use_together_in_one_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = list(listed_formats().values())
    assert {entry.use for entry in listed} == {*USES} - {OTHER}
    assert [title for title, _entries in of_each_use(listed)] == list(USES.values())[:-1]
    assert list(written_formats())[:2] == ["llama-factory", "trl"]
    assert main(["project", "formats", "--json"]) == 0
    shown = [entry["id"] for entry in json.loads(capsys.readouterr().out)["formats"]]
    assert shown == [entry.id for entry in listed]
    assert main(["project", "export", "--help"]) == 0
    said = capsys.readouterr().out
    places = [said.index(f"\n  {name} ") for name in written_formats()]
    assert places == sorted(places)
    assert said.index("Formats (Training)") < places[0] < said.index("Formats (Benchmarks)")


@pytest.mark.parametrize(
    ("verb", "name", "hint"),
    [("export", "hf-dataset", "Did you mean hf-datasets? "), ("import", "ai-tk", "Did you mean aitk? "),
     ("export", "nothing-like-it", "")],
)  # fmt: skip
def test_an_unknown_format_is_asked_about_and_not_all_are_listed(
    capsys: pytest.CaptureFixture[str], verb: str, name: str, hint: str
) -> None:
    assert main(["project", verb, name, "x"]) == 2
    (line,) = [line for line in capsys.readouterr().err.splitlines() if "no format" in line]
    assert line.endswith(f"There is no format {name}. {hint}`waymark project formats` lists them all")


def test_every_option_has_a_title_and_so_has_every_choice_that_is_no_name() -> None:
    options = [option for entry in formats().kinds.values() for option in entry.options]
    assert [option.name for option in options if not option.title] == []
    named = {"dialect", "sees"}  # of dialects and of modalities
    chosen = [option for option in options if option.choices and option.name not in named]
    assert [option.name for option in chosen if len(option.choice_titles) != len(option.choices)] == []
    assert {option.as_dict()["title"] for option in options if option.name == "content"} == {"Samples"}


@pytest.mark.expected_log("plug-in")
@pytest.mark.usefixtures("plug_in")
def test_a_plug_in_is_found_and_a_broken_one_is_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    source = tmp_path / "tasks.lines"
    source.write_text("x", "utf-8")
    project = Project.create(tmp_path / "p")
    result = import_into(project, source)
    assert (result.format.id, result.tasks) == ("lines", ["a"])
    broken = [finding.what for finding in result.findings if finding.code == "plug-in-failed"]
    assert len(broken) == 5
    assert any("wrong" in sentence and "is no Format" in sentence for sentence in broken)
    assert any("holds jokes, which is no content" in sentence for sentence in broken)
    assert any("is for fun, which is no group of formats" in sentence for sentence in broken)
    assert any("waymark.importers is no longer read" in sentence for sentence in broken)
    # What the command line prints of a log is a sentence for each, without a traceback.
    warned = [record for record in caplog.records if record.levelname == "WARNING"]
    assert {record.exc_info for record in warned} == {None}
    assert any("gone" in record.getMessage() or "MISSING" in record.getMessage() for record in warned)
    assert any("gone" in sentence for sentence in broken)
    with pytest.raises(ExchangeError, match="gone"):
        choose(source, "no-such-format")
    with pytest.raises(ExchangeError, match=r"needs the package no_such.*waymark-studio\[x\]"):
        import_into(project, source, "lacking")


def test_a_search_that_was_cancelled_is_no_failure_of_a_plug_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = metadata.EntryPoint("stopped", f"{__name__}:STOPPED", FORMATS_GROUP)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [point] if group == FORMATS_GROUP else [])
    formats.cache_clear()
    with pytest.raises(Cancelled):
        formats().kinds["stopped"].detect(tmp_path)
    formats.cache_clear()


@pytest.mark.expected_log("plug-in")
@pytest.mark.usefixtures("plug_in")
def test_a_plug_in_that_fails_half_way_loses_nothing(tmp_path: Path) -> None:
    source = tmp_path / "tasks.txt"
    source.write_text("x", "utf-8")
    project = Project.create(tmp_path / "p")
    with pytest.raises(ExchangeError, match="RuntimeError: half-way"):
        import_into(project, source, "breaking")
    assert [task.id for task in Project.open(project.folder).tasks] == ["t1"]


@pytest.mark.expected_log("plug-in")
@pytest.mark.usefixtures("plug_in")
def test_the_options_of_a_format_are_listed_checked_and_filled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Project.create(tmp_path / "p")
    assert main(["project", "formats", "choosing"]) == 0
    listed = capsys.readouterr().out
    assert "loud" in listed
    assert "one of: a, b" in listed
    words = ["project", "export", "choosing", str(tmp_path / "out"), "--project", str(tmp_path / "p")]
    assert main([*words, "-o", "loud=true"]) == 0
    assert (tmp_path / "out").read_text("utf-8") == "{'loud': True, 'side': None}"
    for wrong, said in (("side=c", "'c' is no choice of side"), ("laud=1", "has no option laud")):
        assert main([*words, "--force", "-o", wrong]) == 1
        assert said in capsys.readouterr().err
    assert (tmp_path / "out").read_text("utf-8") == "{'loud': True, 'side': None}"

"""Anomaly libraries that other packages bring by an entry point."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from collector.anomalies.anomaly_source import ENTRY_POINT_GROUP, AnomalySource, installed_libraries
from collector.anomalies.errors import UntrustedCommand
from collector.anomalies.injector import InjectionRequest
from collector.cli.main import main
from collector.store.project.project import Project

LIBRARY = """anomalies:
  - id: torch_on
    kind: native
    category: System Resource
    description: The torch is on
    commands:
      - apply: [cmd torch on]
        undo: [cmd torch off]
"""
Provide = Callable[..., None]


@pytest.fixture
def provide(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Provide]:
    """Pretend that a package has entry points of these names and values."""
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    real = importlib.metadata.entry_points

    def pretend(**values: Any) -> None:
        def load(value: Any) -> Callable[[], Any]:
            def loaded() -> Any:
                if isinstance(value, Exception):
                    raise value
                return value

            return loaded

        entries = [
            SimpleNamespace(name=name, value=f"package:{name}", load=load(value))
            for name, value in values.items()
        ]

        def entry_points(**selected: Any) -> Any:
            return entries if selected.get("group") == ENTRY_POINT_GROUP else real(**selected)

        monkeypatch.setattr(importlib.metadata, "entry_points", entry_points)
        installed_libraries.cache_clear()

    yield pretend
    installed_libraries.cache_clear()


@pytest.mark.parametrize("form", ["text", "function", "path"])
def test_an_installed_library_is_found_by_its_entry_point(
    provide: Provide, tmp_path: Path, form: str
) -> None:
    path = tmp_path / "library.yaml"
    path.write_text(LIBRARY, "utf-8")
    provide(torches={"text": LIBRARY, "function": lambda: LIBRARY, "path": path}[form])
    source = AnomalySource()
    assert source.anomaly("torch_on").description == "The torch is on"
    assert source.problems() == []
    listed = {entry.anomaly.id: entry.installed for entry in source.listed()}
    assert listed["torch_on"] is True
    assert "wifi_off" in listed  # the studio's own are there too


def test_a_projects_anomaly_goes_before_an_installed_one(provide: Provide, tmp_path: Path) -> None:
    provide(torches=LIBRARY)
    project = Project.create(tmp_path / "p")
    library = project.folder / "anomalies" / "library.yaml"
    library.parent.mkdir(exist_ok=True)
    library.write_text(LIBRARY.replace("The torch is on", "Ours"), "utf-8")
    source = AnomalySource(project)
    assert source.anomaly("torch_on").description == "Ours"
    (listed,) = [entry for entry in source.listed() if entry.anomaly.id == "torch_on"]
    assert not listed.installed


def test_its_commands_run_only_once_a_person_trusts_them(provide: Provide, tmp_path: Path) -> None:
    provide(torches=LIBRARY)
    project = Project.create(tmp_path / "p")
    for source in (AnomalySource(project), AnomalySource()):
        with pytest.raises(UntrustedCommand):
            source.trust.gate().check("cmd torch on", "cmd torch on")
    source = AnomalySource(project)
    request = source.trust_request(InjectionRequest(source.anomaly("torch_on")))
    assert request is not None
    assert request.commands == ("cmd torch on", "cmd torch off")
    source.trust.trust(request.commands)
    source.trust.gate().check("cmd torch on", "cmd torch on")
    assert source.trust_request(InjectionRequest(source.anomaly("torch_on"))) is None
    with pytest.raises(UntrustedCommand):  # trusted in that project, and nowhere else
        AnomalySource().trust.gate().check("cmd torch on", "cmd torch on")


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (ImportError("no module named torches"), "no module named torches"),
        (42, "a YAML text or a path was expected, not int"),
        (Path("/nowhere/library.yaml"), "cannot be read"),
        ("just words", ""),
    ],
)
@pytest.mark.expected_log("was left out")
def test_a_broken_one_is_one_sentence_and_hides_no_other(provide: Provide, value: Any, why: str) -> None:
    provide(broken=value, torches=LIBRARY)
    source = AnomalySource()
    (problem,) = source.problems()
    assert problem.what.startswith("The plug-in broken was left out: ")
    assert why in problem.what
    assert source.find("torch_on") is not None
    assert source.find("wifi_off") is not None


@pytest.mark.expected_log("was left out")
def test_the_command_line_lists_them_and_says_what_is_broken(
    provide: Provide, capsys: pytest.CaptureFixture[str]
) -> None:
    provide(torches=LIBRARY, broken=ImportError("no module named torches"))
    assert main(["anomaly", "list"]) == 0
    printed = capsys.readouterr()
    assert "torch_on" in printed.out
    assert "The plug-in broken was left out: ImportError: no module named torches" in printed.err

"""What PyInstaller is told to build, on each system; it is not run."""

from __future__ import annotations

import sys
import types
from types import SimpleNamespace
from typing import Any

import pytest

from tests.helpers.scripts import ROOT

SPEC = ROOT / "packaging" / "waymark.spec"


def _told(patch: pytest.MonkeyPatch, system: str) -> tuple[list[tuple[str, bool]], dict[str, Any]]:
    """The programs in the folder, each with whether it has a console, and the application of macOS."""
    patch.setattr("sys.platform", system)
    hooks = types.ModuleType("PyInstaller.utils.hooks")
    for name in ("collect_data_files", "collect_submodules", "copy_metadata"):
        setattr(hooks, name, lambda _package: [])
    for name in ("PyInstaller", "PyInstaller.utils"):
        patch.setitem(sys.modules, name, types.ModuleType(name))
    patch.setitem(sys.modules, hooks.__name__, hooks)
    application: dict[str, Any] = {}
    folder: list[tuple[str, bool]] = []

    def collect(*parts: Any, name: str) -> str:
        folder.extend(part for part in parts if part)
        return name

    given = {
        "SPECPATH": str(SPEC.parent),
        "Analysis": lambda *_files, **_how: SimpleNamespace(pure=(), scripts=(), binaries=(), datas=()),
        "PYZ": lambda _modules: (),
        "EXE": lambda *_parts, name, console, **_how: (name, console),
        "COLLECT": collect,
        "BUNDLE": lambda _folder, **how: application.update(how),
    }
    exec(compile(SPEC.read_text("utf-8"), str(SPEC), "exec"), given)
    return folder, application


@pytest.mark.parametrize("system", ["linux", "win32"])
def test_a_folder_with_the_window_and_the_command(monkeypatch: pytest.MonkeyPatch, system: str) -> None:
    assert _told(monkeypatch, system) == ([("waymark-studio", False), ("waymark", True)], {})


def test_an_application_of_macos_is_not_slowed_down_while_it_is_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folder, application = _told(monkeypatch, "darwin")
    assert folder[0] == ("waymark-studio", False), "what the Finder starts"
    assert application["info_plist"]["NSAppSleepDisabled"] is True
    assert application["name"] == "Waymark Studio.app"

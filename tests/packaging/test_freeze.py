"""What PyInstaller is told to build, on each system; it is not run."""

from __future__ import annotations

import subprocess
import sys
import types
from types import SimpleNamespace
from typing import Any

import pytest

from tests.helpers.scripts import ROOT, script

SPEC = ROOT / "packaging" / "waymark.spec"
HOOK = "pyi_rth_pyside6"


def _told(patch: pytest.MonkeyPatch, system: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The names of the specification after it ran, and the application of macOS."""
    patch.setattr("sys.platform", system)
    hooks = types.ModuleType("PyInstaller.utils.hooks")
    for name in ("collect_data_files", "collect_submodules", "copy_metadata"):
        setattr(hooks, name, lambda _package: [])
    building = types.ModuleType("PyInstaller.building")
    building.api = SimpleNamespace(ZlibArchiveWriter=lambda *_archive, **_others: None)  # type: ignore[attr-defined]
    for name in ("PyInstaller", "PyInstaller.utils"):
        patch.setitem(sys.modules, name, types.ModuleType(name))
    for module in (hooks, building):
        patch.setitem(sys.modules, module.__name__, module)
    patch.setitem(
        sys.modules, "start_order", SimpleNamespace(places=dict, ordered=lambda entries, _: entries)
    )
    application: dict[str, Any] = {}
    programs = ["waymark-studio"] if system == "linux" else ["waymark-studio", "waymark"]
    scripts = [(name, "", "PYSOURCE") for name in (HOOK, *programs)]
    given: dict[str, Any] = {
        "SPECPATH": str(SPEC.parent),
        "Analysis": lambda *_files, **_how: SimpleNamespace(pure=(), scripts=scripts, binaries=(), datas=()),
        "PYZ": lambda _modules: (),
        "EXE": lambda _modules, parts, name, console, **_how: (name, console, [part[0] for part in parts]),
        "COLLECT": lambda *parts, name: [part for part in parts if part],
        "BUNDLE": lambda _folder, **how: application.update(how),
    }
    exec(compile(SPEC.read_text("utf-8"), str(SPEC), "exec"), given)
    return given, application


def test_what_a_start_loads_lies_first() -> None:
    start_order = script("packaging", "start_order")
    places = start_order.places()
    names = [(name, "") for name in ("asyncio", "studio.app.main", "collector.cli.main", "studio.app")]
    found = [name for name, _path in start_order.ordered(names, places)]
    assert found == ["collector.cli.main", "studio.app", "studio.app.main", "asyncio"]


def test_a_folder_with_the_window_and_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    told, application = _told(monkeypatch, "win32")
    window = ("waymark-studio", False, [HOOK, "waymark-studio"])
    assert (told["FOLDER"], application) == ([window, ("waymark", True, [HOOK, "waymark"])], {})


def test_on_linux_the_command_is_a_link_to_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    told, _application = _told(monkeypatch, "linux")
    assert told["FOLDER"] == [("waymark-studio", False, ["waymark-studio"])]


def test_an_application_of_macos_is_not_slowed_down_while_it_is_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told, application = _told(monkeypatch, "darwin")
    assert told["FOLDER"][0][:2] == ("waymark-studio", False), "what the Finder starts"
    assert application["info_plist"]["NSAppSleepDisabled"] is True
    assert application["name"] == "Waymark Studio.app"


def test_libraries_of_the_graphics_driver_are_those_of_the_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    is_used = _told(monkeypatch, "linux")[0]["is_used"]
    left_out = ["libstdc++.so.6", "libX11.so.6", "libgtk-3.so.0", "libatk-1.0.so.0", "PySide6/Qt/qml/x.qml"]
    shipped = [
        "libQt6Core.so.6",
        "libxcb-cursor.so.0",
        "libfreetype-2f3b32b6.so.6.16.1",
        "collector/assets/a.yaml",
    ]
    assert [name for name in left_out + shipped if is_used((name, "", ""))] == shipped
    assert _told(monkeypatch, "win32")[0]["is_used"](("libstdc++.so.6", "", ""))


def test_the_guide_is_where_an_installed_package_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    guide = _told(monkeypatch, "linux")[0]["GUIDE"]
    assert (str(ROOT / "docs/guide/recording.md"), "collector/pages/docs/guide") in guide
    assert (str(ROOT / "SECURITY.md"), "collector/pages") in guide


def test_the_file_of_a_project_opens_with_the_window() -> None:
    sources = ROOT / "packaging" / "linux"
    entry = (sources / "waymark-studio.desktop").read_text("utf-8")
    kind = (sources / "waymark-studio.mime.xml").read_text("utf-8")
    facts = (sources / "org.waymark.studio.metainfo.xml").read_text("utf-8")
    for text in (entry, kind, facts):
        assert "application/x-waymark-project" in text
    assert 'pattern="project.yaml"' in kind
    assert "Exec=waymark-studio %U" in entry


def test_a_package_needs_the_newest_libc_of_its_parts(tmp_path: Any) -> None:
    deb_package = script("packaging", "deb_package")
    (tmp_path / "old.so").write_bytes(b"\x7fELF\0GLIBC_2.2.5\0GLIBC_2.28\0")
    (tmp_path / "new.so").write_bytes(b"\x7fELF\0GLIBC_2.34\0")
    (tmp_path / "notes.txt").write_bytes(b"\0GLIBC_2.99\0")
    assert deb_package.oldest_libc(tmp_path) == "2.34"


def test_starts_are_measured_and_a_program_that_fails_is_no_start(tmp_path: Any) -> None:
    start_times = script("packaging", "start_times")
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.write_text("#!/bin/sh\nexit 0\n", "utf-8")
    bad.write_text("#!/bin/sh\nexit 3\n", "utf-8")
    for program in (good, bad):
        program.chmod(0o755)
    times = start_times.of_command("it", [good], good)
    assert 0 < times.least <= times.median
    assert times.line.startswith("it --version: first ")
    with pytest.raises(subprocess.CalledProcessError):
        start_times.of_command("it", [bad])


def test_a_bundle_names_the_packages_of_the_systems_libraries(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    system_licences = script("packaging", "system_licences")
    answers = {"--search": "libone2:amd64: /usr/lib/x/libone.so.2\n", "--show": "libone2 2.1-3"}
    monkeypatch.setattr(
        system_licences.subprocess,
        "run",
        lambda words, **_: subprocess.CompletedProcess(words, 0, answers[words[1]], ""),
    )
    for name in ("libone.so.2", "libpython3.11.so.1.0", "other.so"):
        (tmp_path / name).touch()
    listed = tmp_path / "list.txt"
    listed.write_text("before\n", "utf-8")
    assert system_licences.append(listed, tmp_path) == 1
    text = listed.read_text("utf-8")
    assert text.startswith("before\n")
    assert "libone2 2.1-3" in text

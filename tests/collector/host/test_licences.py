"""What is shipped is listed with its licence, and no text of a licence is missing."""

from __future__ import annotations

import importlib.metadata
from pathlib import Path

import pytest

from collector.cli.main import main
from collector.host import licences
from collector.host.licences import Component, components, compose_text


@pytest.fixture(scope="module")
def parts() -> dict[str, Component]:
    return {part.name.lower().replace("_", "-"): part for part in components()}


def test_everything_that_the_program_needs_is_listed_with_a_licence(parts: dict[str, Component]) -> None:
    needed = {"waymark-studio", "companion-app", "pyside6-essentials", "numpy", "av", "pillow", "adbutils"}
    assert needed <= parts.keys()
    # What only developers install is not shipped.
    assert not {"pytest", "mypy", "ruff"} & parts.keys()
    assert [part.line for part in parts.values() if part.licence.startswith("not named")] == []


def test_every_licence_comes_with_its_text(parts: dict[str, Component]) -> None:
    without = {name for name, part in parts.items() if not any(text.strip() for _file, text in part.texts)}
    assert without <= {"companion-app"}, "its text is that of the program"
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in "".join(
        text for _, text in parts["pyside6-essentials"].texts
    )


def test_libraries_that_a_package_brings_are_named_with_their_own_licence(
    parts: dict[str, Component],
) -> None:
    files = {Path(str(file)).name for file in importlib.metadata.files("av") or ()}
    if not any(name.startswith("libx264") for name in files):
        pytest.skip("this wheel of av brings no x264")
    assert "libx264 GPL-2.0-or-later" in parts["av"].licence
    assert "libavcodec LGPL-3.0-or-later" in parts["av"].licence, "as the library says itself"
    assert parts["av"].licence.endswith("together GPL-3.0-or-later)")
    assert any("GNU GENERAL PUBLIC LICENSE" in text for _file, text in parts["av"].texts)


def test_a_bundle_does_not_list_what_it_leaves_out() -> None:
    (part,) = [part for part in components({"av/libx265", "av/libx264"}) if part.name == "av"]
    assert "libx26" not in part.licence
    assert "libavcodec" in part.licence
    assert "together" not in part.licence


def test_a_text_that_several_have_is_written_once() -> None:
    text = compose_text(
        [Component("a", "1", "MIT", (("L", "words"),)), Component("b", "2", "MIT", (("L", "words"),))]
    )
    assert text.count("words") == 1
    assert "the same text as of a" in text


def test_a_bundle_prints_the_file_that_it_carries(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "licences").mkdir()
    (tmp_path / "licences" / licences.BUNDLED).write_text("all of it\n", "utf-8")
    monkeypatch.setenv("WAYMARK_ASSETS", str(tmp_path))
    assert main(["--licences"]) == 0
    assert capsys.readouterr().out == "all of it\n"

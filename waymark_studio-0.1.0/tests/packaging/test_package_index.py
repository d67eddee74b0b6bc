"""The configured package index is the one that pip and uv use."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.helpers.scripts import script

package_index = script("packaging", "package_index")


@pytest.fixture(autouse=True)
def _nothing_configured(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in [variable for variable in os.environ if variable.startswith(("PIP_", "UV_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(package_index, "_pip_files", lambda: [tmp_path / "pip.conf"])


def test_without_settings_it_is_the_default() -> None:
    assert package_index.configured() == package_index.Index()


def test_the_file_of_pip_counts(tmp_path: Path) -> None:
    (tmp_path / "pip.conf").write_text(
        "[global]\nindex-url = https://mirror.example/simple\n", encoding="utf-8"
    )
    index = package_index.configured()
    assert index.urls == ("https://mirror.example/simple",)
    assert not index.is_default


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pip.conf").write_text(
        "[global]\nindex-url = https://mirror.example/simple\n", encoding="utf-8"
    )
    monkeypatch.setenv("UV_DEFAULT_INDEX", "https://other.example/simple")
    assert package_index.configured().urls == ("https://other.example/simple",)


def test_an_extra_index_comes_after_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_EXTRA_INDEX_URL", "https://extra.example/simple")
    index = package_index.configured()
    assert index.is_default
    assert index.uv_options()[2:] == [
        "--default-index",
        package_index.PYPI,
        "--index",
        "https://extra.example/simple",
    ]


def test_a_file_that_is_no_configuration_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "pip.conf").write_text("index-url without a section", encoding="utf-8")
    assert package_index.configured() == package_index.Index()

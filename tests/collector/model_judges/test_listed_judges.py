"""The judges that a person can choose: those of the studio say what they are in the person's language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.model import i18n
from collector.model.resources import asset
from collector.model_judges.judge_files import JudgeFile, judge_files
from collector.model_judges.listed_judges import listed_judges
from collector.store.project.project import Project


@pytest.fixture
def chinese() -> Iterator[None]:
    assert i18n.use_language("zh_CN", asset("translations"))
    yield
    i18n.use_language(i18n.SOURCE_LANGUAGE, Path())


def test_built_in_judges_are_described_in_the_language_in_use(chinese: None, tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p", "P")
    written = {file.name: file.description for file in judge_files(project)}
    shown = {judge.name: judge.description for judge in listed_judges(project) if not judge.is_method}
    assert shown.keys() == written.keys()
    assert [name for name, text in shown.items() if text.isascii() or text == written[name]] == []
    own = JudgeFile("mine", tmp_path, "windows", written["a3rm"])
    assert own.shown_description == written["a3rm"]  # a person wrote it

"""What ``waymark rules`` refuses: what, why and what to do, in one sentence each."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.cli import main as command
from collector.store.project.project import Project
from tests.helpers.steps import xml


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]):
    def call(*arguments: object) -> str:
        assert command.main(["rules", *map(str, arguments)]) == 1
        output = capsys.readouterr().err
        assert output.count("\n") == 1
        return output

    return call


@pytest.mark.parametrize("data", [b"", b"\x8e\xff\x00 junk", b"a: 1\n"])
def test_a_file_that_is_no_dump_is_told_with_its_reason(refused, tmp_path: Path, data: bytes) -> None:
    dump = tmp_path / "s.xml"
    dump.write_bytes(data)
    output = refused("suggest", "--on", dump, "--point", "3,3")
    _what, reason, to_do = output.partition("is no dump of a screen")
    assert reason
    assert to_do.rstrip().endswith("Name a file as `uiautomator dump` writes it")
    assert len(to_do.split(". ")) > 2


def test_a_point_beyond_the_dump_is_told_with_its_reach(refused, tmp_path: Path) -> None:
    dump = tmp_path / "s.xml"
    dump.write_bytes(xml())
    output = refused("suggest", "--on", dump, "--point", "99999,99999")
    assert "There is no node at 99999,99999: the dump reaches to " in output


def test_a_rule_the_project_lacks_is_told_with_those_it_has(refused, tmp_path: Path) -> None:
    created = Project.create(tmp_path / "p")
    output = refused("backtest", created.folder, "--rule", "nosuch")
    assert "no rule nosuch. Its rules are: none that can be read" in output

"""The frozen program runs what another program asks of Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from collector.host import own_program
from tests.helpers.scripts import ROOT

# The folder of the script comes first, as in the frozen program.
ENTRY = f"import sys; sys.path.insert(0, {str(ROOT / 'packaging' / 'frozen')!r})\n"
ENTRY += "from as_python import run_as_python\nif not run_as_python(): print('verbs', *sys.argv[1:])\n"


def _said(tmp_path: Path, *words: str) -> str:
    entry = tmp_path / "entry.py"
    entry.write_text(ENTRY, encoding="utf-8")
    (tmp_path / "neighbour.py").write_text("SAYS = 'beside it'\n", encoding="utf-8")
    agent = tmp_path / "agent.py"
    agent.write_text("import sys, neighbour\nprint(neighbour.SAYS, *sys.argv[1:])\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(entry), *words], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["device", "list"], "verbs device list"),
        (["--python", "agent.py", "one", "two"], "beside it one two"),
        (["--python", "-P", "-m", "textwrap"], "Hello there.\n  This is indented."),
        (["-c", "print('anything')"], "verbs -c print('anything')"),
    ],
)
def test_words_of_python_and_no_others_run_as_python(tmp_path: Path, words: list[str], said: str) -> None:
    assert _said(tmp_path, *words) == said


def test_a_frozen_program_starts_itself_in_the_place_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    assert own_program.python_command() == [sys.executable]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert own_program.python_command() == [sys.executable, "--python"]

"""The commands and programs of tutorials and of the papers' chapters are run in their order.

``make test`` leaves out the slow ones, ``make tutorials`` runs all. test_guide_commands.py runs the guide.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.cli.main import main
from tests.helpers.scripts import ROOT
from tests.helpers.virtual import AdbServer, adb_server, virtual_process

pytestmark = [pytest.mark.shared_threads("adb", "adbd"), pytest.mark.timeout(300)]

DOCS = ROOT / "docs"
TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))
CHAPTERS = sorted((DOCS / "papers").glob("*.md"))
CHINESE = DOCS / "tutorials" / "zh"
PHONE = "waymark device virtual"
SERVER = "-o base_url=http://127.0.0.1:8000/v1 -o model=Qwen2.5-VL-7B-Instruct -o dialect=qwen2.5-vl"
ELSEWHERE = {
    "waymark studio .": "the window; tests/studio/app",
    f"waymark agent check {SERVER}": "needs a server; tests/collector/cli/test_agent_model_verbs.py",
}
"""Commands that are not run here, and where they are."""
STATUS = {"waymark project health .": 1}
"""Exit statuses that the pages promise, where another than 0 is one."""
SLOW = {
    PHONE,
    "waymark trajectory replay todo-04-lin",
    "waymark run pilot",
    "waymark metrics . --experiment pilot",
    "waymark run first --yes",
    "waymark metrics . --experiment first",
    "waymark task prove code-add-folder",
    "waymark project export llama-factory",
    "waymark judge run . --judge rules",
}
"""How commands begin that need a phone or seconds, or what these leave."""
BLOCK = re.compile(
    r"(?:^(?:Write|写入) `(?P<file>[^`]+)`[:：]\n\n)?^```(?P<language>\w*)\n(?P<text>.*?)^```",
    re.MULTILINE | re.DOTALL,
)


def blocks(page: Path) -> list[tuple[str, str, str]]:
    """The language, the text and, where the page says to write it, the file of each block."""
    text = page.read_text(encoding="utf-8")
    return [(found["language"], found["text"], found["file"] or "") for found in BLOCK.finditer(text)]


class Reader:
    """Somebody who types what a page says, in a folder of their own."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, *, every_line: bool) -> None:
        self.folder = folder
        self.every_line = every_line
        self._patch = patch
        self._names: dict[str, object] = {}

    def follow(self, page: Path) -> None:
        """Type every line, run every program and write every file of a page."""
        for language, text, file in blocks(page):
            if file:
                self.folder.joinpath(file).write_text(text, encoding="utf-8")
            elif language == "python":
                exec(text, self._names)
            elif language == "yaml":
                self.check(text)
            elif not language:
                for line in text.splitlines():
                    self.type(line)

    def check(self, part: str) -> None:
        """Check a part of an experiment in a whole one, so that its keys and options are known."""
        whole = "format: waymark-experiment\nversion: 1\ntasks: all\n" + part
        file = self.folder / "experiments" / "part.yaml"
        file.write_text(whole if "agents:" in part else f"{whole}agents: [monkey]\n", encoding="utf-8")
        assert main(["experiment", "check", "part"]) == 0, part
        file.unlink()

    def type(self, line: str) -> None:
        """Run one line; fail the test when its exit status is not the promised one."""
        if line.startswith("cd "):
            self.folder /= line.removeprefix("cd ")
            self._patch.chdir(self.folder)
        elif line not in ELSEWHERE and not line.startswith(PHONE if self.every_line else tuple(SLOW)):
            assert main(shlex.split(line)[1:]) == STATUS.get(line, 0), line


@pytest.fixture(scope="module")
def adb() -> Iterator[AdbServer]:
    with adb_server() as server:
        yield server


@pytest.fixture
def reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, adb: AdbServer, request: pytest.FixtureRequest
) -> Reader:
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(adb.port))
    monkeypatch.chdir(tmp_path)
    every_line = request.config.getoption("--every-line", default=False)
    return Reader(tmp_path, monkeypatch, every_line=every_line)


@pytest.mark.parametrize("page", [*TUTORIALS, *CHAPTERS], ids=lambda page: page.stem)
def test_what_a_page_says_works(page: Path, reader: Reader, adb: AdbServer) -> None:
    phone = re.search(rf"^{PHONE}(.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    if phone is None or not reader.every_line:
        reader.follow(page)
        return
    with virtual_process(*shlex.split(phone[1])) as (_process, address):
        adb.connect(address)
        reader.follow(page)
        adb.run("disconnect")


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda page: page.stem)
def test_the_chinese_page_says_to_do_the_same(page: Path) -> None:
    chinese = CHINESE / page.name
    assert blocks(chinese) == blocks(page)
    headings = [
        re.findall(r"^#+ ", each.read_text(encoding="utf-8"), re.MULTILINE) for each in (chinese, page)
    ]
    assert headings[0] == headings[1]


def test_every_exception_is_a_command_of_a_page() -> None:
    """So no exception outlives its command."""
    lines = {
        line for page in (*TUTORIALS, *CHAPTERS) for _, text, _ in blocks(page) for line in text.splitlines()
    }
    assert ELSEWHERE.keys() | STATUS.keys() <= lines
    assert {slow for slow in SLOW if not any(line.startswith(slow) for line in lines)} == set()

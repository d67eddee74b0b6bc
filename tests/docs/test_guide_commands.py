"""The commands that README and guide show are run in their order, on a project and a virtual phone."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.anomalies.builtin_library import builtin_library_text
from collector.cli.main import main
from collector.model.task import Task
from tests.helpers.rule_room import make_project
from tests.helpers.scripts import ROOT
from tests.helpers.virtual import AdbServer, adb_server, virtual_process

pytestmark = [pytest.mark.shared_threads("adb", "adbd"), pytest.mark.timeout(300)]

GUIDE = ROOT / "docs" / "guide"
# The page of verbs is generated; tests/docs/test_docs.py compares it with them.
PAGES = [ROOT / "README.md", *sorted(set(GUIDE.glob("*.md")) - {GUIDE / "command-line.md"})]
PIP = "python -m venv waymark && waymark/bin/pip install dist/waymark_studio-1.0.0-py3-none-any.whl"
ELSEWHERE = {
    "git clone <this repository> && cd waymark-studio": "needs a network",
    "make demo": "make wheel shows the main job",
    "make test": "this run",
    "python packaging/bootstrap.py run -- waymark demo": "tests/packaging/test_bootstrap.py",
    "python3 packaging/bootstrap.py run -- waymark --help": "tests/packaging/test_bootstrap.py",
    PIP: "make wheel",
    "waymark/bin/waymark demo": "make wheel",
    "waymark device connect 192.168.1.20:5555": "an address that only the reader has",
    "waymark device check": "the next line does the same, without questions and with a report",
    "waymark device data --json > before.json": "tests/collector/cli/test_target_verbs.py",
    "waymark device data --json > after.json": "tests/collector/cli/test_target_verbs.py",
    **dict.fromkeys(
        ("waymark task prove", "waymark task prove plan-dentist --variation german@calendar"),
        "needs tasks with a target; tests/collector/oracle/test_proving.py",
    ),
    **dict.fromkeys(
        ("waymark task prove --project my-benchmark",
         "waymark task prove maps-save-two --variation german --project my-benchmark"),
        "takes minutes; tests/collector/task_library/test_proofs.py",
    ),
    "waymark task reward plan-dentist before.json after.json --front calendar":
        "tests/collector/cli/test_target_verbs.py",
    **dict.fromkeys(
        ("waymark mcp my-benchmark --task shop-11 --variation dark_theme+german@shop --seed 3",
         "waymark mcp my-benchmark --http 8765 --token-file ~/.waymark-token"),
        "stays until its client ends or Ctrl+C; tests/collector/mcp_server/test_transports.py",
    ),
    "waymark project import openapps OpenApps --project my-benchmark":
        "needs a checkout; tests/collector/exchange/openapps",
    "waymark device virtual --variation openapps_german+openapps_dark_theme+openapps_pop_ups_german":
        "needs the import; tests/collector/exchange/openapps",
    **dict.fromkeys(
        ("waymark agent ask RUN@3 --dry-run", "waymark agent ask RUN@3 --times 5",
         "waymark agent ask RUN@3 -o model=another-model"),
        "needs a run of a model; tests/collector/cli/test_agent_verbs.py",
    ),
    "waymark task rewards pairs.jsonl --json": "tests/collector/cli/test_target_verbs.py",
    "python docs/examples/training/toy_model.py to-train": "tests/docs/test_training_example.py",
    "python docs/examples/browsergym/click_agent.py code-add-folder": "tests/docs/test_browsergym_example.py",
    **dict.fromkeys(
        ("waymark device virtual --emulator --serial Pixel_8", "adb -s emulator-5554 emu avd name"),
        "takes ports that every adb looks at; tests/collector/virtual/console/test_emulator.py",
    ),
    "waymark device fleet start 4 --connect": "stays until Ctrl+C; tests/collector/cli/device/test_fleet.py",
    "waymark device fleet reset phone-2 --seed 9 --locale zh-CN --size 1080x2400 --variation dark_theme":
        "the fleet's; tests/collector/cli/device/test_fleet.py",
    "waymark device fleet stop --all": "the fleet's; tests/collector/cli/device/test_fleet.py",
    **dict.fromkeys(
        ("waymark experiment new off --offline --agent golden", "waymark run off",
         "waymark experiment steps off", "waymark experiment steps off --by agent,action",
         "waymark metrics . --where offline:any --by agent,level --measures step-accuracy,grounding"),
        "needs golden trajectories; tests/collector/run/offline/test_offline_experiments.py",
    ),
    "waymark anomaly fire battery_low_double_en": "waits for a person; test_anomaly_fire.py",
    "waymark anomaly solvable my-benchmark --task shop-11 --anomaly battery_low --answer each --fresh":
        "needs a golden trajectory of this phone; tests/replay",
    **dict.fromkeys(
        ("waymark run pilot --dry-run", "waymark run pilot", "waymark run pilot --devices virtual:4",
         "waymark run pilot --devices emulator-5554,R58M123ABC"),
        "needs an experiment and golden trajectories; tests/collector/cli/test_run.py",
    ),
    **dict.fromkeys(
        ("waymark metrics .", "waymark metrics . --by agent,app --measures sr,rsr,esar",
         'waymark metrics . --where "level:hard agent:careful"',
         "waymark metrics . --experiment quick --no-stale",
         'waymark metrics . --compare "agent:careful" "agent:golden" --by task',
         "waymark metrics . --view dgara --output table.tex", "waymark metrics check ."),
        "needs finished runs; tests/collector/cli/test_metrics_verbs.py",
    ),
    **dict.fromkeys(
        ("waymark review export todo-04-lin RUN --format html",
         "waymark review export todo-04-lin RUN INTERRUPTED --output todo-04.mp4 --timing fixed --pause 2"),
        "needs finished runs; tests/collector/cli/review/test_export.py",
    ),
    **dict.fromkeys(
        ("waymark agent check --experiment pilot --agent mine",
         "waymark agent try --experiment pilot --agent mine --task shop-13"),
        "needs an experiment with a program; tests/collector/cli/test_agent_model_verbs.py",
    ),
    "waymark project import auto path/to/human_annotations --project my-benchmark": "importing.md does",
    **dict.fromkeys(
        ("waymark project export aitk failures --project my-benchmark --kind run --verdict failure",
         "waymark project export aitk divided --project my-benchmark --split 0.8/0.1/0.1 --split-by app "
         "--seed 7"),
        "needs several judged runs; tests/collector/exchange/test_selected_export.py",
    ),
    "waymark project health my-benchmark --run --devices virtual:4":
        "minutes on phones; tests/collector/project_health/test_phone_runs.py",
    "waymark rules check rules.yaml success.yaml --tasks D-GARA-152.json --library library.yaml":
        "D-GARA's files; tests/collector/rules/lint/test_references.py",
}  # fmt: skip
"""Commands that are not run here, and why, or where they are."""
SMALL = ("--size", "360x800", "--density", "160")
STATUS = {"waymark device doctor": (0, 1), "waymark rules check --project .": (0, 1)}
"""Exit statuses that the pages promise, where another than 0 is one."""
RULES = """rules:
  - id: low-battery
    conditions: [{type: current_package_is, value: com.android.launcher}]
    actions: [{type: inject_interference, interference_id: battery_level}]
  - id: wifi_gone
    conditions: [{type: semantic_element_exists, keywords: [Sort], threshold: 1.0}]
    actions: [{type: inject_interference, interference_id: wifi_off}]
"""


def shown(page: Path) -> list[str]:
    """The command lines of a page's blocks: without comments, continued lines joined."""
    text = page.read_text(encoding="utf-8")
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", text, flags=re.DOTALL | re.MULTILINE)
    lines = "".join(block for language, block in blocks if not language).replace("\\\n", " ").splitlines()
    commands = (re.sub(r"\s+# .*", "", line).strip() for line in lines)
    words = ("waymark ", "waymark/", "adb ", "make ", "python", "git ")
    return [re.sub(r"\s+", " ", line) for line in commands if line.startswith(words)]


class Reader:
    """Somebody who types what a page says."""

    def __init__(self, folder: Path, adb: AdbServer, stack: contextlib.ExitStack) -> None:
        self.folder, self._adb, self._stack = folder, adb, stack
        self.address = ""

    def type(self, line: str) -> None:
        """Run one line; fail the test when its exit status is not the promised one."""
        if line.startswith("waymark device virtual"):
            self._start_phone(shlex.split(line)[3:])
        elif line.startswith("adb connect"):
            self._adb.connect(self.address)
        elif line.startswith("adb "):
            self._adb_line(line.replace("127.0.0.1:<port>", self.address))
        else:
            status = main(shlex.split(line.replace("PATH", "screens"))[1:])
            assert status in STATUS.get(line, (0,)), line

    def _start_phone(self, words: list[str]) -> None:
        # A quarter of the pixels, where a page does not name a size.
        small = () if "--size" in words else SMALL
        _process, self.address = self._stack.enter_context(virtual_process(*words, *small))
        self._adb.run("disconnect")
        self._adb.connect(self.address)

    def _adb_line(self, line: str) -> None:
        line = line.replace("logcat -s", "logcat -d -s")  # which would go on for ever
        folder = os.pathsep.join((str(Path(self._adb.binary).parent), os.environ["PATH"]))
        environment = self._adb.environment | {"ANDROID_SERIAL": self.address, "PATH": folder}
        done = subprocess.run(
            line, shell=True, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=60
        )
        assert (done.returncode, "rror" in done.stderr) == (0, False), f"{line}: {done.stdout}{done.stderr}"
        if "state get" in line:
            (self.folder / "state.yaml").write_text(done.stdout, encoding="utf-8")


@pytest.fixture(scope="module")
def adb() -> Iterator[AdbServer]:
    """The adb server of all readers."""
    with adb_server() as server:
        yield server


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, adb: AdbServer) -> Iterator[Reader]:
    """A folder with the project and the files that the pages speak of, and an adb server without phones."""
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(adb.port))
    with contextlib.ExitStack() as stack:
        reader = Reader(tmp_path, adb, stack)
        yield reader
    if reader.address:
        adb.run("disconnect")


def prepare(folder: Path) -> None:
    """The project ``my-benchmark`` and a folder ``screens`` to import."""
    project = make_project(folder / "my-benchmark")
    project.save_tasks([*project.tasks, Task("shop-11", "Buy tea", "Shop", "com.example.shop")])
    (project.folder / "rules" / "injection.yaml").write_text(RULES, encoding="utf-8")
    (project.folder / "anomalies" / "library.yaml").write_text(builtin_library_text(), encoding="utf-8")
    golden = project.folder / "trajectories" / "buy" / "g1"
    golden.with_name("buy-golden").rename(golden)
    (folder / "screens").mkdir()
    for path in (golden / "states").iterdir():
        (folder / "screens" / path.name).write_bytes(path.read_bytes())


@pytest.mark.parametrize("page", [page for page in PAGES if shown(page)], ids=lambda page: page.name)
def test_the_commands_of_a_page_run(page: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line for line in shown(page) if line not in ELSEWHERE]
    if "waymark project new my-benchmark" not in lines:
        prepare(reader.folder)
    inside = page.name == "rules.md"
    monkeypatch.chdir(reader.folder / "my-benchmark" if inside else reader.folder)
    if page.name in ("anomalies.md", "devices.md"):
        reader.type("waymark device virtual")
    for line in lines:
        reader.type(line)


def test_every_exception_is_a_command_of_a_page() -> None:
    assert set(ELSEWHERE) | set(STATUS) <= {line for page in PAGES for line in shown(page)}


def test_the_python_of_the_virtual_phone_starts_a_fleet(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "guide" / "virtual-phone.md").read_text(encoding="utf-8")
    fleet = next(block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "Fleet" in block)
    exec(fleet, {})
    assert re.fullmatch(r"(127\.0\.0\.1:\d+\n){2}", capsys.readouterr().out)

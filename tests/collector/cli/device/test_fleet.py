"""``waymark device fleet``: a script starts phones in the background, resets and stops them by name."""

import json
import signal
import subprocess
import sys

import pytest

from collector.cli.main import main
from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from tests.helpers.lease_owner import LeaseOwner
from tests.helpers.virtual import read_line

pytestmark = pytest.mark.shared_threads("adb")


@pytest.fixture
def started(monkeypatch, tmp_path):
    """Two phones that another program keeps."""
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path))
    AdbServer().ensure()
    words = ("device", "fleet", "start", "2", "--name", "t", "--app", "todo", "--seed", "3", "--connect")
    process = subprocess.Popen(
        [sys.executable, "-m", "collector.cli.main", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    lines = [read_line(process).decode().split() for _ in range(2)]
    assert [line[:2] for line in lines] == [["ready", "t-1"], ["ready", "t-2"]]
    yield process, [line[2] for line in lines]
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
    assert b"Traceback" not in process.communicate(timeout=30)[1]


def test_a_fleet_is_listed_reset_and_stopped_by_name(started, capsys, tmp_path):
    process, (first, second) = started

    def run(*words):
        status = main(("device", "fleet", *words, *(("--json",) if words[0] == "list" else ())))
        printed = capsys.readouterr()
        return status, printed.out + printed.err

    def listed():
        return [(phone["name"], phone["seed"]) for phone in json.loads(run("list")[1])]

    assert listed() == [("t-1", 3), ("t-2", 4)]
    (tmp_path / "todo.yaml").write_text("query: from a file\n", "utf-8")
    changes = ("--seed", "9", "--locale", "zh-CN", "--size", "480x800", "--variation", "large_text")
    status, text = run("reset", "t-2", *changes, "--app-state", f"todo={tmp_path / 'todo.yaml'}")
    assert (status, text) == (0, f"reset t-2 {second}\n")
    assert listed() == [("t-1", 3), ("t-2", 9)]
    phone = AdbDevice(second)
    asked = "getprop ro.waymark.seed; wm size; settings get system font_scale; cmd waymark state get todo"
    answer = phone.shell(asked).text
    assert answer.startswith("9\nPhysical size: 480x800\n1.3\n")
    assert "query: from a file" in answer

    with LeaseOwner(first) as owner:
        status, text = run("reset", "--all")
        assert status == 1
        assert text.startswith(f"reset t-2 {second}\n")
        assert f"t-1, seed 3 is in use by waymark trajectory replay, process {owner.pid}" in text
        assert "--anyway" in text
        assert run("reset", "t-1", "--anyway", "--seed", "1")[0] == 0
    for words, message in (
        (("reset", "t-9"), "No virtual phone t-9 runs"),
        (("reset", "t-1", "--variation", "sepia"), "there is no variation sepia"),
        (("reset",), "name the phones, or say --all"),
        (("reset", "t-1", "--size", "9x9"), "240 to 4096 pixels"),
        (("reset", "t-1", "--app-state", "todo"), "write it as APP=FILE"),
    ):
        status, text = run(*words)
        assert status in (1, 2)
        assert message in text
    assert run("stop", first) == (0, f"stopped t-1 {first}\n")
    process.send_signal(signal.SIGTERM)
    process.wait(30)
    assert listed() == []
    assert run("stop", "--all")[0] == 1

"""A real adb starts every interruption of D-GARA's own library, answers it and reads its log event."""

import re
import shlex
from functools import cache
from pathlib import Path

import pytest
import yaml

from collector.hierarchy.parse import parse_tree
from tests.helpers.virtual import adb_server, virtual_device

LIBRARY = Path(__file__).resolve().parents[5] / "shared" / "data" / "d-gara" / "interference_library.yaml"
PACKAGE = "com.example.adbsmarttest"
VIEWS = {
    "LocationPermissionActivity": (
        ("permission_title", "permission_message"),
        {
            "allow_button": ("param_allow_btn_text", "param_allow_log_event"),
            "deny_button": ("param_deny_btn_text", "param_deny_log_event"),
        },
    ),
    "LowBatteryActivity": (
        ("low_battery_title", "low_battery_message"),
        {"ok_button": ("param_button_text", "param_log_event")},
    ),
}

pytestmark = pytest.mark.shared_threads("adb", "adbd", "phone-ticker")


@pytest.fixture(scope="module")
def adb():
    with virtual_device("shop", "companion") as device, adb_server() as server:
        server.connect(device.address)
        yield server


def shell(adb, line):
    return adb.run("shell", line).stdout.decode()


def front(adb):
    tree = parse_tree(adb.run("exec-out", "uiautomator", "dump", "/dev/tty").stdout)
    return {node.resource_id.partition("/")[2]: node for node in tree.nodes if node.resource_id}, tree


@cache
def library():
    if not LIBRARY.exists():
        return {}
    return {
        anomaly["id"]: anomaly
        for anomaly in yaml.safe_load(LIBRARY.read_text("utf-8"))["interference_library"]
    }


def start(adb, activity, params):
    extras = "".join(f" --es {key} {shlex.quote(value)}" for key, value in params.items())
    return adb.run("shell", f"am start -n {PACKAGE}/.{activity}{extras}")


@pytest.mark.skipif(not LIBRARY.exists(), reason="needs ../shared/data")
@pytest.mark.parametrize("name", library())
def test_each_shows_its_own_words_and_each_button_logs_its_event(adb, name):
    anomaly = library()[name]
    (title, message), buttons = VIEWS[anomaly["target_activity"]]
    params = anomaly["params"]
    for button, (label, event) in buttons.items():
        shell(adb, "logcat -c; am start -n com.waymark.shop/.MainActivity")
        started = start(adb, anomaly["target_activity"], params)
        shown_name = f"{PACKAGE}/.{anomaly['target_activity']}"
        assert started.stdout.decode() == f"Starting: Intent {{ cmp={shown_name} (has extras) }}\n"
        nodes, tree = front(adb)
        assert tree.nodes[0].package == PACKAGE
        assert [nodes[view].text for view in (title, message)] == [
            params["param_title"],
            params["param_message"],
        ]
        assert nodes[button].text == params[label]
        center = nodes[button].bounds.center
        shell(adb, f"input tap {center.x} {center.y}")
        line = shell(adb, "logcat -d -v brief -s ReactBench_Event").splitlines()[-1]
        assert re.fullmatch(rf"I/ReactBench_Event\( *\d+\): {re.escape(params[event])}", line)
        assert front(adb)[1].nodes[0].package == "com.waymark.shop"


@pytest.mark.skipif(not LIBRARY.exists(), reason="needs ../shared/data")
def test_the_library_is_whole():
    assert len(library()) == 21


def test_a_quote_in_a_value_arrives_as_it_is(adb):
    start(adb, "LowBatteryActivity", {"param_title": 'It\'s "50%" $HOME\n行'})
    nodes, _tree = front(adb)
    assert nodes["low_battery_title"].text == 'It\'s "50%" $HOME\n行'
    restarted = start(adb, "LowBatteryActivity", {"param_title": "later"}).stderr.decode()
    assert restarted.endswith(
        "Warning: Activity not started, intent has been delivered to currently running top-most instance.\n"
    )
    shell(adb, "input keyevent 4")


def test_an_activity_that_is_not_exported_is_refused_as_android_refuses_it(adb):
    refused = start(adb, "TargetPageActivity", {})
    assert refused.returncode == 255
    assert refused.stdout.decode() == f"Starting: Intent {{ cmp={PACKAGE}/.TargetPageActivity }}\n"
    error = refused.stderr.decode()
    assert error.startswith(
        "\nException occurred while executing 'start':\n"
        "java.lang.SecurityException: Permission Denial: starting Intent "
        f"{{ flg=0x10000000 cmp={PACKAGE}/.TargetPageActivity }} from null (pid="
    )
    assert re.search(r", uid=2000\) not exported from uid 10\d{3}\n", error)


def test_an_activity_it_does_not_have_is_named(adb):
    missing = start(adb, "OverlayActivity", {})
    output = (missing.stdout + missing.stderr).decode()
    assert f"Error: Activity class {{{PACKAGE}/{PACKAGE}.OverlayActivity}} does not exist." in output


def test_progress_takes_numbers_and_is_over_when_told(adb):
    line = f"am start -n {PACKAGE}/.ProgressActivity --ei 'param_duration_seconds' 15"
    assert shell(adb, line).startswith("Starting: ")
    nodes, _tree = front(adb)
    assert re.fullmatch(r"Working\.\.\. \d+%", nodes["progress_message"].text)
    center = nodes["progress_button"].bounds.center
    shell(adb, f"input tap {center.x} {center.y}")
    assert "EVENT:PROGRESS_CANCELLED" in shell(adb, "logcat -d -s ProgressActivityLogger")

"""mobile-mcp, an MCP server for agents, drives the virtual phone by every tool it has for a phone.

npm packages are not part of the environment. ``WAYMARK_MOBILE_MCP`` names the folder of the installed
package, such as ``node_modules/@mobilenext/mobile-mcp``; without it the test is skipped.
"""

from __future__ import annotations

import base64
import io
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.helpers.apk import apk
from tests.helpers.virtual import AdbServer, adb_binaries, adb_server, virtual_device

PACKAGE = os.environ.get("WAYMARK_MOBILE_MCP", "")
pytestmark = [
    pytest.mark.skipif(
        not PACKAGE or shutil.which("node") is None,
        reason="WAYMARK_MOBILE_MCP names no installed @mobilenext/mobile-mcp, or there is no node",
    ),
    # The tool's server on the phone runs in the background of a shell.
    pytest.mark.shared_threads("adb", "adbd", "shell background", "mobilecli idle", "virtual mobilecli"),
]
NEWER_TOOL = "mobile_clipboard"
WHOLE_RECORDINGS = (0, 0, 62)
DEVICE_KIT = "com.mobilenext.devicekit"
TEXT = "买牛奶 🥛 & $5 'x'"


class McpClient:
    """A client of an MCP server that speaks JSON-RPC on its standard input and output."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._number = 0
        self.ask(
            "initialize",
            protocolVersion="2024-11-05",
            capabilities={},
            clientInfo={"name": "t", "version": "1"},
        )
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.tools = {tool["name"]: tool for tool in self.ask("tools/list")["tools"]}

    def _send(self, message: dict[str, object]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def ask(self, method: str, **parameters: object) -> Any:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": parameters})
        assert self._process.stdout is not None
        for line in self._process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self._number:
                return answer["result"]
        raise EOFError("mobile-mcp ended")

    def call(self, tool: str, **arguments: object) -> str:
        """The text of a tool's answer; pictures are in Base64."""
        result = self.ask("tools/call", name=f"mobile_{tool}", arguments=arguments)
        return "\n".join(part.get("text") or part["data"] for part in result["content"])


@pytest.fixture(scope="module")
def phone():
    with virtual_device("todo", "shop") as device:
        yield device


@pytest.fixture(scope="module")
def adb(phone) -> Iterator[AdbServer]:
    with adb_server() as server:
        server.connect(phone.address)
        yield server


@pytest.fixture(scope="module")
def mcp(phone, adb, tmp_path_factory) -> Iterator[McpClient]:
    home = tmp_path_factory.mktemp("home")
    environment = os.environ | {
        "PATH": f"{Path(adb_binaries()[0]).parent}{os.pathsep}{os.environ['PATH']}",
        "ANDROID_ADB_SERVER_PORT": str(adb.port),
        "HOME": str(home),
        "MOBILEMCP_DISABLE_TELEMETRY": "1",
    }
    environment.pop("ANDROID_HOME", None)
    server = ["node", f"{PACKAGE}/lib/index.js", "--stdio"]
    with subprocess.Popen(
        server, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    ) as process:
        yield McpClient(process)
        process.terminate()
    pid = home / ".mobilecli" / "daemon.pid"
    if pid.exists():
        os.kill(json.loads(pid.read_text())["pid"], 15)


def test_it_finds_the_phone_and_its_apps(mcp: McpClient, phone) -> None:
    assert phone.address in mcp.call("list_available_devices")
    apps = mcp.call("list_apps", device=phone.address)
    for package in ("com.android.settings", "com.waymark.todo", "com.waymark.shop", "com.waymark.browser"):
        assert package in apps
    assert "720x1600" in mcp.call("get_screen_size", device=phone.address)


def test_it_reads_touches_and_types(mcp: McpClient, phone, adb, tmp_path) -> None:
    on = {"device": phone.address}
    mcp.call("launch_app", packageName="com.waymark.todo", **on)
    assert phone.phone.focused.package == "com.waymark.todo"
    assert "Buy milk" in mcp.call("list_elements_on_screen", **on)
    mcp.call("click_on_screen_at_coordinates", x=640, y=1480, **on)
    assert phone.phone.focused.activity.endswith(".EditActivity")
    mcp.call("type_keys", text="Buy milk & $5 'eggs' ", submit=False, **on)
    (tmp_path / "toolkit.apk").write_bytes(apk(DEVICE_KIT))
    assert "Installed" in mcp.call("install_app", path=str(tmp_path / "toolkit.apk"), **on)
    mcp.call("type_keys", text=TEXT, submit=False, **on)
    assert phone.phone.app_state("todo")["draft"]["title"] == f"Buy milk & $5 'eggs' {TEXT}"
    assert "Uninstalled" in mcp.call("uninstall_app", bundle_id=DEVICE_KIT, packageName=DEVICE_KIT, **on)
    if NEWER_TOOL in mcp.tools:
        mcp.call("clipboard", text=TEXT, **on)
        assert mcp.call("clipboard", **on) == TEXT
    mcp.call("press_button", button="BACK", **on)
    mcp.call("press_button", button="BACK", **on)
    assert phone.phone.focused.activity.endswith(".MainActivity")
    mcp.call("double_tap_on_screen", x=700, y=1400, **on)
    mcp.call("long_press_on_screen_at_coordinates", x=700, y=1400, **on)
    mcp.call("terminate_app", packageName="com.waymark.todo", **on)
    assert phone.phone.pid_of("com.waymark.todo") is None


def test_it_looks_and_records(mcp: McpClient, phone, tmp_path) -> None:
    on = {"device": phone.address}
    answer = mcp.call("take_screenshot", **on).splitlines()[-1]
    with Image.open(io.BytesIO(base64.b64decode(answer))) as image:
        assert image.height in (1024, 1600)
    mcp.call("save_screenshot", saveTo=str(tmp_path / "a.png"), **on)
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (720, 1600)
    started = mcp.call("start_screen_recording", output=str(tmp_path / "a.mp4"), **on)
    assert "started" in started
    while not any(process.name == "screenrecord" for process in phone.machine.processes):
        time.sleep(0.01)
    mcp.call("launch_app", packageName="com.waymark.shop", **on)
    mcp.call("swipe_on_screen", direction="up", x=360, y=1200, distance=400, **on)
    mcp.call("stop_screen_recording", **on)
    version = json.loads(Path(PACKAGE, "package.json").read_text(encoding="utf-8"))["version"]
    if tuple(map(int, version.split("."))) >= WHOLE_RECORDINGS:
        # Earlier versions stop adb and not the recording, whose file is then not whole on any phone.
        assert (tmp_path / "a.mp4").read_bytes()[4:8] == b"ftyp"


def test_it_opens_addresses_and_turns_the_screen(mcp: McpClient, phone) -> None:
    on = {"device": phone.address}
    mcp.call("open_url", url="https://example.org/a?b=c&d=e", **on)
    assert phone.phone.focused.package == "com.waymark.browser"
    # mobilecli does not quote the address, so that the phone's shell ends it at the "&".
    assert "example.org/a?b=c" in mcp.call("list_elements_on_screen", **on)
    mcp.call("set_orientation", orientation="landscape", **on)
    assert "landscape" in mcp.call("get_orientation", **on)
    assert phone.phone.rotation == 1
    mcp.call("set_orientation", orientation="portrait", **on)


def test_it_reads_logs_crashes_and_sets_a_location(mcp: McpClient, phone, adb) -> None:
    if NEWER_TOOL not in mcp.tools:
        pytest.skip("this version of mobile-mcp has no such tools")
    on = {"device": phone.address}
    assert "48.1,11.5" in mcp.call("set_location", latitude=48.1, longitude=11.5, **on)
    assert phone.phone.services.radios.mock_location == (48.1, 11.5)
    mcp.call("set_location", **on)
    assert phone.phone.services.radios.mock_location is None
    assert "com.waymark.browser" in mcp.call("get_foreground_app", **on)
    adb.run("shell", "am crash com.waymark.browser")
    (crash,) = json.loads(mcp.call("list_crashes", **on))
    assert crash["processName"] == "com.waymark.browser"
    assert "CrashedByAdbException" in mcp.call("get_crash", id=crash["id"], **on)

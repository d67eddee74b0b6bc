"""mobilecli's server on the phone: started in the background as mobilecli does, asked over its socket."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from PIL import Image

from collector.model.geometry import Point
from collector.model.phone.touch import TouchAction
from collector.virtual.automation.finger_paths import parse_fingers
from collector.virtual.device import VirtualDevice
from tests.helpers.shell import run
from tests.helpers.virtual import profile

DEX = b"dex\n035 of no use"
MAIN = "com.mobilenext.mobilecli.DeviceServer"
START = f"CLASSPATH=/data/local/tmp/m.dex nohup app_process / {MAIN} --idle-timeout-ms=%d >/dev/null 2>&1 &"
STOP = "pkill -f '[D]eviceServer'; appops set com.android.shell android:mock_location default; true"
SOCKET = "localabstract:mobilecli-server"


def until(condition: Callable[[], object]) -> None:
    """Wait for what another thread does; a test that hangs is stopped by the suite's time limit."""
    while not condition():
        pass


@pytest.fixture(scope="module")
def device() -> Iterator[VirtualDevice]:
    device = VirtualDevice(profile("todo"))
    device.machine.files.write("/data/local/tmp/m.dex", DEX)
    run(device.machine, START % 1_800_000)
    until(lambda: device.machine.sockets.is_listening(SOCKET))
    # It starts a moment later, and would count as one that the first test left.
    until(lambda: any(thread.name == "mobilecli idle" for thread in threading.enumerate()))
    yield device
    device.close()


def post(device: VirtualDevice, body: bytes) -> tuple[str, bytes]:
    """The status line and the body of the response."""
    channel = device.machine.sockets.connect(SOCKET)
    channel.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
    data = b""
    while part := channel.read():
        data += part
    head, _, content = data.partition(b"\r\n\r\n")
    return head.decode().partition("\r\n")[0], content


@pytest.fixture
def call(device: VirtualDevice) -> Callable[..., Any]:
    def ask(method: str, **parameters: object) -> Any:
        request = {"jsonrpc": "2.0", "id": "1", "method": method, "params": parameters}
        answer = json.loads(post(device, json.dumps(request).encode())[1])
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", "1")
        return answer.get("result", answer.get("error"))

    return ask


def test_it_answers_as_json_rpc_over_http(device, call) -> None:
    assert post(device, b"{}") == ("HTTP/1.1 204 No Content ", b"")
    assert call("device.version") == {"dexSha256": hashlib.sha256(DEX).hexdigest()}
    assert call("device.nope") == {"code": -32601, "message": "Method not found: device.nope"}
    assert call("device.io.tap", x=1) == {"code": -32602, "message": "params.y must be a number"}
    assert call("device.io.tap", x=1, y=1.5)["message"].startswith("params.y must be a whole number")
    assert json.loads(post(device, b"nothing")[1])["error"]["code"] == -32700
    assert json.loads(post(device, b'{"id": 2}')[1])["error"] == {
        "code": -32600,
        "message": "Invalid Request",
    }
    listed = json.loads(post(device, b'{"jsonrpc": "2.0", "id": 3, "method": "x", "params": []}')[1])
    assert listed["error"] == {"code": -32602, "message": "Invalid params"}


def test_it_reads_the_screen(device, call) -> None:
    run(device.machine, "am start -n com.waymark.todo/.SearchActivity")
    until(lambda: device.phone.input_method.shown)

    def nodes(tree: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [found for node in tree for found in (node, *nodes(node.get("children", [])))]

    shown = nodes(call("device.dump.ui")["hierarchy"])
    (query,) = (node for node in shown if node["resource-id"] == "com.waymark.todo:id/query")
    assert {query[name] for name in ("editable", "focused", "visible", "enabled")} == {True}
    assert query["rect"].keys() == {"x", "y", "width", "height"}
    assert query["rect"]["width"] > 300
    full = nodes(call("device.dump.ui", full=True)["hierarchy"])
    assert len(full) > len(shown), "the keyboard only counts when it is asked for"

    def picture(**parameters: object) -> Image.Image:
        data = base64.b64decode(call("device.screenshot", **parameters)["data"])
        return Image.open(io.BytesIO(data))

    assert (picture().format, picture().size) == ("PNG", (720, 1600))
    small = picture(format="jpeg", maxSize=800, quality=75, scale=1)
    assert (small.format, small.size) == ("JPEG", (360, 800))
    clip = {"x": -10, "y": 20, "width": 110, "height": 30}
    assert picture(clip=clip, screenWidth=360).size == (200, 60)
    assert "outside" in call("device.screenshot", clip=clip | {"y": 999}, screenWidth=360)["message"]


def test_it_types_and_presses_keys(device, call) -> None:
    run(device.machine, "cmd waymark state reset todo; am start -n com.waymark.todo/.SearchActivity")
    assert call("device.io.text", text="hello") == {"ok": True}
    assert call("device.io.keys", keys=[{"keycode": "KEYCODE_A", "modifiers": ["KEYCODE_CTRL_LEFT"]}]) == {
        "ok": True
    }
    assert call("device.io.button", button="KEYCODE_CUT") == {"ok": True}
    assert call("device.clipboard.get") == {"text": "hello"}
    assert device.phone.app_state("todo")["query"] == ""
    assert call("device.clipboard.set", text="买 🥛") == {"ok": True}
    assert call("device.io.button", button="KEYCODE_PASTE") == {"ok": True}
    assert device.phone.app_state("todo")["query"] == "买 🥛"
    assert call("device.io.text", text="买")["code"] == -32602
    assert call("device.io.button", button="KEYCODE_NOPE")["message"] == "unknown keycode KEYCODE_NOPE"
    assert call("device.io.keyboard.hide") == {"dismissed": True}
    assert call("device.io.keyboard.hide") == {"dismissed": False}
    assert call("device.clipboard.clear") == {"ok": True}
    assert device.phone.clipboard == ""


def test_fingers_move_together(device, call, monkeypatch) -> None:
    touches: list[tuple[TouchAction, int, Point]] = []
    monkeypatch.setattr(
        device.phone,
        "touch",
        lambda action, pointer, x, y: touches.append((action, pointer, Point(round(x), round(y)))),
    )
    call("device.io.tap", x=10, y=20)
    assert touches == [(TouchAction.DOWN, 0, Point(10, 20)), (TouchAction.UP, 0, Point(10, 20))]
    touches.clear()
    call("device.io.swipe", x1=0, y1=0, x2=100, y2=0, duration=50)
    assert touches[0] == (TouchAction.DOWN, 0, Point(0, 0))
    assert touches[-2:] == [(TouchAction.MOVE, 0, Point(100, 0)), (TouchAction.UP, 0, Point(100, 0))]
    touches.clear()
    path = [{"type": "press", "x": 5, "y": 5}, {"type": "move", "x": 50, "y": 5, "duration": 0.03}]
    path.append({"type": "release"})
    call("device.io.gesture", actions=[*path, *({**step, "button": 1} for step in path)])
    assert [touch[:2] for touch in touches[:2]] == [(TouchAction.DOWN, 0), (TouchAction.DOWN, 1)]
    assert {touch[1] for touch in touches if touch[0] is TouchAction.UP} == {0, 1}


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([], "actions array cannot be empty"),
        ([{"type": "move"}], "finger 0 must start with 'press', got 'move'"),
        ([{"type": "press"}], "finger 0 must end with 'release'"),
        ([{"type": "press", "x": -1}], "finger 0 has negative coordinates"),
        ([{"type": "press"}, {"type": "press"}], "finger 0 has 'press' after its first action"),
        ([{"type": "press"}, {"type": "fly"}], "finger 0 has unknown action type 'fly'"),
        ([{"type": "press"}, {"type": "release"}, {"type": "move"}], "finger 0 has actions after 'release'"),
    ],
)
def test_a_gesture_that_makes_no_sense_is_refused(actions: list[dict[str, object]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_fingers(actions)


def test_it_lists_apps_and_sets_a_test_location(device, call) -> None:
    apps = {app["packageName"]: app for app in call("device.apps.list")}
    assert apps["com.waymark.todo"]["appName"] == "To-do"
    assert apps["com.waymark.todo"]["versionCode"] > 0
    denied = call("device.location.set", lat=48.1, lon=11.5)
    assert "not allowed to perform MOCK_LOCATION" in denied["message"]
    run(device.machine, "appops set com.android.shell android:mock_location allow")
    assert call("device.location.set", lat=48.1, lon=11.5) == {"ok": True}
    shown = run(device.machine, "dumpsys location")[0]
    assert "last location=Location[gps 48.100000,11.500000 " in shown
    assert call("device.location.clear") == {"ok": True}
    assert "last location=null" in run(device.machine, "dumpsys location")[0]


def test_it_ends_when_it_is_stopped_or_nobody_asks() -> None:
    device = VirtualDevice(profile())
    machine = device.machine
    assert run(machine, f"app_process / {MAIN}")[2] == 134, "without its dex there is no such class"
    machine.files.write("/data/local/tmp/m.dex", DEX)
    run(machine, START % 1_800_000)
    until(lambda: machine.sockets.is_listening(SOCKET))
    assert run(machine, START.replace(" &", "") % 1)[2] == 1, "the socket is taken"
    assert run(machine, "pgrep -f '[c]om.mobilenext.mobilecli.DeviceServer' | wc -l")[0] != "0\n"
    assert run(machine, STOP)[2] == 0
    until(lambda: run(machine, "pgrep -f '[c]om.mobilenext.mobilecli.DeviceServer'")[2])
    assert not machine.sockets.is_listening(SOCKET)
    assert run(machine, START.replace(" &", "") % 20)[2] == 0, "nobody asked for 20 ms"
    run(machine, START % 1_800_000)
    until(lambda: machine.sockets.is_listening(SOCKET))
    run(machine, "reboot")
    until(lambda: not machine.sockets.is_listening(SOCKET))
    device.close()

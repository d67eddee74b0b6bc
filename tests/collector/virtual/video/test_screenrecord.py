"""``screenrecord`` over a real adb: a stream any decoder reads."""

import av
import pytest

from collector.device.connection import AdbConnectionDevice
from collector.device.server import AdbServer
from tests.helpers.virtual import virtual_device

pytestmark = pytest.mark.shared_threads("adb", "adbd")


def test_raw_h264_ends_at_its_limit_and_decodes():
    with virtual_device("todo") as device:
        server = AdbServer()
        server.connect(device.address)
        phone = AdbConnectionDevice(device.address)
        data = phone.exec_out(
            "screenrecord --output-format=h264 --size 360x800 --bit-rate 4M --time-limit 1 -"
        )
        server.disconnect(device.address)
    decoder = av.CodecContext.create("h264", "r")
    pictures = [one for packet in decoder.parse(data) for one in decoder.decode(packet)]
    pictures += decoder.decode(None)
    assert (pictures[0].width, pictures[0].height) == (360, 800)

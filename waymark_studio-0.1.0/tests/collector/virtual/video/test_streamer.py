"""What a stream keeps: nothing of its size once it has ended, whoever still holds the streamer."""

import threading
import weakref

from collector.model.geometry import Size
from collector.virtual.video import streamer
from collector.virtual.video.encoder import Encoded, H264Encoder
from collector.virtual.video.screen import Scaled
from tests.helpers.virtual import virtual_device


class Framing:
    def session(self, size: Size) -> bytes:
        return b""

    def packets(self, encoded: Encoded) -> bytes:
        return encoded.data


def test_the_encoder_and_its_frames_end_with_the_stream(monkeypatch):
    encoders: list[weakref.ref[H264Encoder]] = []
    came = threading.Event()

    def watched(size: Size, bit_rate: int) -> H264Encoder:
        encoder = H264Encoder(size, bit_rate)
        encoders.append(weakref.ref(encoder))
        return encoder

    monkeypatch.setattr(streamer, "H264Encoder", watched)
    with virtual_device("todo", size=Size(240, 320)) as device:
        shape = Scaled()
        video = streamer.VideoStreamer(
            device.phone, Framing(), lambda _data: came.set(), bit_rate=8_000_000, shape=shape
        )
        thread = threading.Thread(target=video.run)
        thread.start()
        assert came.wait(20)
        assert encoders[0]() is not None
        video.stop()
        thread.join(20)
        assert not thread.is_alive()
        assert [encoder() for encoder in encoders] == [None]
        assert shape._last_frame is None

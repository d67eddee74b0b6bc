"""The scrcpy server of the virtual phone over its own sockets, without adb."""

import random
import threading
from dataclasses import dataclass

import av
import pytest

from collector.adb.scrcpy.options import ServerOptions, server_arguments
from collector.adb.scrcpy.stream import ConfigMerger, StreamReader, StreamStart, VideoPacket, VideoSession
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.model.geometry import Size
from collector.virtual.daemon.sockets import DeviceSockets
from collector.virtual.shell.process_table import CancelScope
from collector.virtual.video.encoder import H264Encoder
from collector.virtual.video.scrcpy_server import ScrcpyServer
from collector.virtual.video.screen import Scaled, black, video_size
from tests.helpers.virtual import virtual_device


@pytest.fixture(scope="module")
def phone():
    with virtual_device("todo") as device:
        yield device.phone


@dataclass
class Running:
    sockets: DeviceSockets
    stop: CancelScope
    thread: threading.Thread
    log: list[str]


def start(phone, options: ServerOptions) -> Running:
    sockets, stop, log = DeviceSockets(), CancelScope(), []
    server = ScrcpyServer(phone, sockets, log.append, stop)
    thread = threading.Thread(target=server.run, args=(server_arguments(options),))
    thread.start()
    return Running(sockets, stop, thread, log)


def connect(running: Running, options: ServerOptions):
    while running.thread.is_alive():
        try:
            return running.sockets.connect(f"localabstract:{options.socket_name}")
        except ConnectionRefusedError:
            continue
    raise AssertionError(running.log)


@pytest.mark.parametrize("version", ["1.20", "1.24", "2.0", "2.7", "3.0", "3.3.4", "4.1"])
def test_each_generation_gets_a_picture_its_own_decoder_reads(phone, version):
    release = ScrcpyVersion.parse(version)
    scid = 5 if release.has_audio else None
    options = ServerOptions(release, scid=scid, tunnel_forward=True, audio=False, max_size=800)
    running = start(phone, options)
    video, control = connect(running, options), connect(running, options)
    reader, merger, pictures, packets = StreamReader(release, dummy_byte=True), ConfigMerger(), [], []
    decoder = av.CodecContext.create("h264", "r")
    while not pictures:
        for item in reader.feed(video.read()):
            packets.append(type(item))
            if isinstance(item, VideoPacket) and (data := merger.merge(item)) is not None:
                pictures += decoder.decode(av.Packet(data))
    assert (pictures[0].width, pictures[0].height) == (360, 800)
    assert packets[0] is StreamStart
    assert (VideoSession in packets) is release.has_session_packets
    control.close()
    running.thread.join(10)
    assert not running.thread.is_alive()


@pytest.mark.parametrize("word", ["9.9", "next"])
def test_a_version_nobody_speaks_gets_the_real_sentence(phone, word):
    log: list[str] = []
    status = ScrcpyServer(phone, DeviceSockets(), log.append, CancelScope()).run([word])
    assert status == 1
    assert f"The server version (3.3.4) does not match the client ({word})" in log[-1]


def test_a_shell_that_goes_away_takes_the_server_with_it(phone):
    options = ServerOptions(ScrcpyVersion.parse("3.3.4"), tunnel_forward=True, audio=False)
    running = start(phone, options)
    connect(running, options)
    connect(running, options)
    running.stop.set()
    running.thread.join(10)
    assert not running.thread.is_alive()


@pytest.mark.parametrize(
    ("screen", "limit", "video"),
    [
        (Size(1080, 2400), 0, Size(1080, 2400)),
        (Size(1080, 2340), 0, Size(1080, 2336)),
        (Size(1080, 1920), 1024, Size(576, 1024)),
        (Size(2400, 1080), 800, Size(800, 360)),
    ],
)
def test_video_sizes_are_rounded_as_scrcpy_does(screen, limit, video):
    assert video_size(screen, limit) == video


def test_configuration_comes_once_and_apart():
    encoder = H264Encoder(Size(64, 64), 1_000_000)
    grey = black(Size(64, 64))
    first, second = encoder.encode(grey, 10), encoder.encode(grey, 10)
    assert first.key
    assert first.config[4] & 0x1F == 7
    assert first.data[4] & 0x1F == 5
    assert (second.key, second.config, second.pts_us) == (False, b"", 11)


def test_a_rate_below_the_usual_is_kept():
    size = Size(320, 320)
    noise = [black(size) for _ in range(4)]
    for number, frame in enumerate(noise):
        plane = frame.planes[0]
        plane.update(random.Random(number).randbytes(plane.buffer_size))
    free, limited = (H264Encoder(size, rate) for rate in (8_000_000, 200_000))
    spent = [sum(len(encoder.encode(frame, 0).data) for frame in noise) for encoder in (free, limited)]
    assert spent[1] < spent[0] / 3


def test_only_what_changed_is_converted_and_it_looks_as_if_all_was():
    with virtual_device("settings", size=Size(720, 1600)) as device:
        phone, scaled, patches = device.phone, Scaled(), []
        phone.launch("com.android.settings")

        def compare(picture):
            frame = scaled.frame(picture, phone.size).to_ndarray().astype(int)
            expected = Scaled().frame(picture, phone.size).to_ndarray().astype(int)
            # At the edge of a part its chroma has no neighbour: one step of colour, but none of brightness.
            assert (frame[:1600] == expected[:1600]).all()
            assert abs(frame - expected).max() <= 1
            patches.append((picture.generation, picture.changed))

        assert phone.look(0, 0, compare)
        phone.scroll(360, 800, 0, -1)
        assert phone.look(patches[-1][0], 0, compare)
        assert not phone.look(patches[-1][0], 0, compare)
        phone.set_battery(level=17)
        assert phone.look(patches[-1][0], 0, compare)
        phone.scroll(360, 800, 0, 1)
        phone.capture()
        phone.set_battery(level=18)
        assert phone.look(patches[-1][0], 0, compare)
    assert patches[0][1] is None
    assert patches[2][1].height < 1000  # The battery in the bar, and its row in the list.
    assert patches[3][1].height > 1000

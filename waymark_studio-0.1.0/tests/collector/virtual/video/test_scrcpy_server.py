"""The scrcpy server of the virtual phone over its own sockets, without adb."""

import random
import struct
import threading
from dataclasses import dataclass

import av
import pytest

from collector.adb.scrcpy.control import (
    COLLAPSE_PANELS,
    EXPAND_NOTIFICATIONS,
    EXPAND_SETTINGS,
    ROTATE_DEVICE,
    ControlMessage,
    SetClipboard,
    SetDisplayPower,
    StartApp,
    encode_control,
)
from collector.adb.scrcpy.options import ServerOptions, server_arguments
from collector.adb.scrcpy.stream import ConfigMerger, StreamReader, StreamStart, VideoPacket, VideoSession
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.model.geometry import Size
from collector.virtual.daemon.sockets import DeviceSockets
from collector.virtual.shell.process_table import CancelScope
from collector.virtual.video.encoder import H264Encoder
from collector.virtual.video.scrcpy_server import ScrcpyServer
from collector.virtual.video.screen import Scaled, black
from collector.virtual.video.server_log import ServerLog
from collector.virtual.video.video_size import video_size
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
    server = ScrcpyServer(phone, sockets, ServerLog(log.append, log.append), stop)
    thread = threading.Thread(target=server.run, args=(server_arguments(options),), daemon=True)
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


def answered(running: Running, options: ServerOptions, *messages: ControlMessage):
    """Send messages to a session without video and wait until the server has carried out all of them."""
    control = connect(running, options)
    for message in (*messages, SetClipboard("done", sequence=1)):
        control.write(encode_control(options.version, message))
    data = b""
    while not data.endswith(struct.pack(">BQ", 1, 1)):
        data += control.read()
    return control


def blind(version: str, **asked) -> ServerOptions:
    """Options of a session for input alone."""
    release = ScrcpyVersion.parse(version)
    return ServerOptions(release, tunnel_forward=True, audio=False, video=False, **asked)


@pytest.mark.parametrize("version", ["2.7", "3.3.3", "4.1"])
def test_panels_expand_and_collapse(phone, version):
    options = blind(version)
    for expand in (EXPAND_NOTIFICATIONS, EXPAND_SETTINGS):
        running = start(phone, options)
        control = answered(running, options, expand)
        assert phone.focused_window == "NotificationShade"
        control.write(encode_control(options.version, COLLAPSE_PANELS))
        control.close()
        running.thread.join(10)
        assert phone.focused_window != "NotificationShade"


def test_what_a_session_changes_is_restored_when_its_shell_dies(phone):
    settings, before = phone.settings, phone.settings.values
    options = blind(
        "3.3.3", show_touches=True, stay_awake=True, screen_off_timeout=300, power_off_on_close=True
    )
    running = start(phone, options)
    answered(running, options)
    assert settings.get("system", "show_touches") == "1"
    assert settings.get("global", "stay_on_while_plugged_in") == "7"
    assert settings.get("system", "screen_off_timeout") == "300"
    assert phone.awake
    running.stop.set()
    running.thread.join(10)
    assert settings.values == {**before, ("system", "show_touches"): "0"}
    assert not phone.awake
    # The next session switches the screen on again, and one that may not clean up changes nothing.
    careless = blind("3.3.3", show_touches=True, stay_awake=True, power_off_on_close=True, cleanup=False)
    running = start(phone, careless)
    answered(running, careless).close()
    running.thread.join(10)
    assert phone.awake
    assert settings.values == {**before, ("system", "show_touches"): "0"}


def test_messages_are_logged_as_the_real_server_does(phone):
    options = blind("3.3.3")
    running = start(phone, options)
    messages = (StartApp("?To"), StartApp("?zzz"), StartApp("+com.waymark.todo"), StartApp("none"),
                SetDisplayPower(False), SetDisplayPower(True), ROTATE_DEVICE, ROTATE_DEVICE)  # fmt: skip
    answered(running, options, *messages).close()
    running.thread.join(10)
    assert "".join(running.log[1:]) == (
        "[server] INFO: Processing Android apps... (this may take some time)\n"
        '[server] INFO: Starting app "To-do" [com.waymark.todo] on display 0...\n'
        "[server] INFO: Processing Android apps... (this may take some time)\n"
        '[server] WARN: No app found for name "zzz"\n'
        '[server] INFO: Starting app "To-do" [com.waymark.todo] on display 0...\n'
        '[server] WARN: No app found for package "none"\n'
        "[server] INFO: Device display turned off\n"
        "[server] INFO: Device display turned on\n"
        "[server] INFO: Device rotation requested: landscape\n"
        "[server] INFO: Device rotation requested: portrait\n"
    )


@pytest.mark.parametrize("log_level", ["warn", "info"])
def test_the_log_begins_at_the_level_of_the_client(phone, log_level):
    running = start(phone, options := blind("3.3.3", log_level=log_level))
    answered(running, options, StartApp("none")).close()
    running.thread.join(10)
    assert [line.split()[1] for line in running.log][-1] == "WARN:"
    assert len(running.log) == (1 if log_level == "warn" else 2)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("2.7", "video_encoder=none"), "Video encoder 'none' for h264 not found\nList of video encoders:\n"
         "    --video-codec=h264 --video-encoder='c2.android.avc.encoder'"),
        (("4.1", "video_encoder=none"), "Video encoder 'none' for h264 not found\nList of video encoders:\n"
         "    --video-codec=h264 --video-encoder=c2.android.avc.encoder         (sw)"),
        (("4.1", "video_source=camera", "camera_id=1"),
         "Camera with id 1 not found\nList of cameras:\n    (none)"),
        (("3.3.3", "crop=4000:20:0:0"), "Exception on thread Thread[video,5,main]\n"
         "java.lang.IllegalArgumentException: Crop Rect(0, 0 - 4000, 20) exceeds the input area (720x1600)"),
    ],
)  # fmt: skip
def test_a_video_that_cannot_be_ends_the_session_before_its_header(phone, words, message):
    sockets, log = DeviceSockets(), []
    server = ScrcpyServer(phone, sockets, ServerLog(log.append, log.append), CancelScope())
    listener = sockets.listen("localabstract:scrcpy")
    assert server.run([*words, "audio=false"]) == 0
    assert log[-1] == f"[server] ERROR: {message}\n"
    video, control = listener.accept(5), listener.accept(5)
    received = b""
    while data := video.read():
        received += data
    assert len(received) == 64, "the name of the device, and no codec"
    assert control.closed


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("3.3.3", "crop=1:2:3"), 'Crop must contains 4 values separated by colons: "1:2:3"'),
        (("3.3.3", "crop=0:2:3:4"), "Invalid crop size: 0x2"),
        (("3.3.3", "crop=1:2:3:-4"), "Invalid crop offset: 3:-4"),
        (("3.3.3", "capture_orientation=45"), "Unknown orientation: 45"),
        (("3.3.3", "angle=much"), 'Invalid float value for angle: "much"'),
        (("3.3.3", "video_codec=theora"), "Video codec theora not supported"),
        (("3.3.3", "audio_codec=mp3"), "Audio codec mp3 not supported"),
        (("3.3.3", "video_codec_options=profile:rect=1"),
         "Invalid codec option type (int, long, float, str): rect"),
        (("3.3.3", "max_size=big"), 'For input string: "big"'),
        (("3.3.3", "screen_off_timeout=-2"), "Invalid screen off timeout: -2"),
    ],
)  # fmt: skip
def test_options_that_mean_nothing_are_refused_before_anything_else(phone, words, message):
    log: list[str] = []
    server = ScrcpyServer(phone, DeviceSockets(), ServerLog(log.append, log.append), CancelScope())
    assert server.run(words) == 1
    assert log == [f"[server] ERROR: {message}\njava.lang.IllegalArgumentException: {message}\n"]


def test_sound_is_refused_so_that_the_rest_goes_on_but_not_an_unknown_encoder(phone):
    for encoder, code in (("", 0), ("none", 1)):
        options = ServerOptions(ScrcpyVersion.parse("3.3.3"), tunnel_forward=True, video=False)
        sockets, log, stop = DeviceSockets(), [], CancelScope()
        server = ScrcpyServer(phone, sockets, ServerLog(log.append, log.append), stop)
        words = [*server_arguments(options), f"audio_encoder={encoder}"]
        thread = threading.Thread(target=server.run, args=(words,), daemon=True)
        thread.start()
        running = Running(sockets, stop, thread, log)
        audio, control = connect(running, options), connect(running, options)
        received = b""
        while len(received) < 1 + 64 + 4:
            received += audio.read()
        assert received[65:] == struct.pack(">I", code)
        control.close()
        thread.join(10)


@pytest.mark.parametrize("word", ["9.9", "next"])
def test_a_version_nobody_speaks_gets_the_real_sentence(phone, word):
    log: list[str] = []
    status = ScrcpyServer(phone, DeviceSockets(), ServerLog(log.append, log.append), CancelScope()).run(
        [word]
    )
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
        phone.services.power.hardware(level=17)
        assert phone.look(patches[-1][0], 0, compare)
        phone.scroll(360, 800, 0, 1)
        phone.capture()
        phone.services.power.hardware(level=18)
        assert phone.look(patches[-1][0], 0, compare)
    assert patches[0][1] is None
    assert patches[2][1].height < 1000  # The battery in the bar, and its row in the list.
    assert patches[3][1].height > 1000

"""Control and device messages, byte for byte; these tests are the protocol's documentation."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.adb.scrcpy import control as c
from collector.adb.scrcpy.device_message import (
    Clipboard,
    ClipboardAck,
    DeviceMessageError,
    DeviceMessageReader,
    UhidOutput,
    encode_device_message,
)
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.model.geometry import Point, Position, Size

V120, V124, V125, V20, V27, V30, V330, V334, V41 = (
    ScrcpyVersion.parse(text) for text in ("1.20", "1.24", "1.25", "2.0", "2.7", "3.0", "3.3", "3.3.4", "4.1")
)
ALL = (V120, V124, V125, V20, V27, V30, V330, V334, V41)
AT = Position(Point(260, 1026), Size(1080, 1920))
AT_HEX = "00000104 00000402 0438 0780"


def hexed(text: str) -> bytes:
    return bytes.fromhex(text)


GOLDEN = [
    (V27, c.InjectKey(1, 66, 5, 0x41), "00 01 00000042 00000005 00000041"),
    (V120, c.InjectKey(0, 4), "00 00 00000004 00000000 00000000"),
    (V334, c.InjectText("hello, world!"), "01 0000000d" + b"hello, world!".hex()),
    (V124, c.InjectTouch(0, -1, AT, 1.0, 0, 1), "02 00 ffffffffffffffff" + AT_HEX + "ffff 00000001"),
    (V27, c.InjectTouch(0, 0x1234567887654321, AT, 1.0, 1, 1),
     "02 00 1234567887654321" + AT_HEX + "ffff 00000001 00000001"),
    (V334, c.InjectTouch(2, -2, AT, 0.5), "02 02 fffffffffffffffe" + AT_HEX + "8000 00000000 00000000"),
    (V120, c.InjectScroll(AT, 1, -1), "03" + AT_HEX + "00000001 ffffffff"),
    (V124, c.InjectScroll(AT, 1, -1, 1), "03" + AT_HEX + "00000001 ffffffff 00000001"),
    (V125, c.InjectScroll(AT, 1, -1, 1), "03" + AT_HEX + "7fff 8000 00000001"),
    (V330, c.InjectScroll(AT, 0.5, -0.5), "03" + AT_HEX + "4000 c000 00000000"),
    (V334, c.InjectScroll(AT, 16, -16, 1), "03" + AT_HEX + "7fff 8000 00000001"),
    (V334, c.InjectScroll(AT, 1, -1), "03" + AT_HEX + "0800 f800 00000000"),
    (V27, c.BackOrScreenOn(1), "04 01"),
    (V27, c.EXPAND_NOTIFICATIONS, "05"),
    (V27, c.EXPAND_SETTINGS, "06"),
    (V27, c.COLLAPSE_PANELS, "07"),
    (V120, c.GetClipboard(), "08"),
    (V124, c.GetClipboard(1), "08 01"),
    (V120, c.SetClipboard("hi", True), "09 01 00000002 6869"),
    (V27, c.SetClipboard("hello, world!", True, 0x0102030405060708),
     "09 0102030405060708 01 0000000d" + b"hello, world!".hex()),
    (V334, c.SetClipboard("你", False, 1), "09 0000000000000001 00 00000003 e4bda0"),
    (V27, c.SetDisplayPower(True), "0a 02"),
    (V30, c.SetDisplayPower(True), "0a 01"),
    (V30, c.SetDisplayPower(False), "0a 00"),
    (V27, c.ROTATE_DEVICE, "0b"),
    (V27, c.UhidCreate(42, "ABC", bytes(range(1, 12))), "0c 002a 03 414243 000b 0102030405060708090a0b"),
    (V334, c.UhidCreate(42, "ABC", bytes(range(1, 12)), 0x1234, 0x5678),
     "0c 002a 1234 5678 03 414243 000b 0102030405060708090a0b"),
    (V27, c.UhidInput(42, bytes(range(1, 6))), "0d 002a 0005 0102030405"),
    (V27, c.UhidDestroy(42), "0e 002a"),
    (V27, c.OPEN_HARD_KEYBOARD_SETTINGS, "0f"),
    (V30, c.StartApp("firefox"), "10 07 66697265666f78"),
    (V30, c.RESET_VIDEO, "11"),
    (V41, c.CameraTorch(True), "12 01"),
    (V41, c.CAMERA_ZOOM_IN, "13"),
    (V41, c.CAMERA_ZOOM_OUT, "14"),
    (V41, c.ResizeDisplay(Size(1920, 1080)), "15 0780 0438"),
    (V41, c.ScanFile("/a"), "16 00000002 2f61"),
]  # fmt: skip


@pytest.mark.parametrize(("version", "message", "golden"), GOLDEN, ids=lambda value: str(value)[:40])
def test_each_message_has_exactly_these_bytes_in_both_directions(version, message, golden):
    data = hexed(golden)
    assert c.encode_control(version, message) == data
    assert list(c.ControlReader(version).feed(data)) == [message]


@pytest.mark.parametrize(("version", "length"), [(V120, 28), (V124, 28), (V20, 32), (V41, 32)])
def test_touch_grew_by_its_action_button_in_2_0(version, length):
    assert len(c.encode_control(version, c.InjectTouch(0, -2, AT))) == length


@pytest.mark.parametrize("version", ALL, ids=str)
def test_messages_come_out_the_same_however_the_bytes_are_cut(version):
    sent = [message for other, message, _ in GOLDEN if other == version]
    stream = b"".join(c.encode_control(version, message) for message in sent)
    for cut in range(len(stream) + 1):
        reader = c.ControlReader(version)
        assert [*reader.feed(stream[:cut]), *reader.feed(stream[cut:])] == sent
    drip = c.ControlReader(version)
    assert [message for byte in stream for message in drip.feed(bytes([byte]))] == sent


def test_a_message_a_release_lacks_is_refused_on_both_ends():
    with pytest.raises(c.ControlError):
        c.encode_control(V27, c.RESET_VIDEO)
    with pytest.raises(c.ControlError, match="Unknown event type: 17"):
        list(c.ControlReader(V27).feed(b"\x11"))
    with pytest.raises(c.ControlError, match="Unknown event type: 99"):
        list(c.ControlReader(V41).feed(b"\x63"))


def test_an_impossible_length_is_refused_before_it_is_waited_for():
    with pytest.raises(c.ControlError):
        list(c.ControlReader(V334).feed(b"\x01\xff\xff\xff\xff"))


def test_long_text_is_cut_between_characters():
    data = c.encode_control(V334, c.InjectText("é" * 400))
    (message,) = c.ControlReader(V334).feed(data)
    assert message == c.InjectText("é" * 150)


@given(value=st.floats(-16, 16))
def test_scroll_survives_its_fixed_point(value):
    sent = c.InjectScroll(AT, value, -value)
    (got,) = c.ControlReader(V334).feed(c.encode_control(V334, sent))
    assert isinstance(got, c.InjectScroll)
    assert got.horizontal == pytest.approx(value, abs=16 / 0x7FFF)


@given(data=st.binary(max_size=200))
def test_garbage_is_either_read_or_refused(data):
    with contextlib.suppress(c.ControlError):
        list(c.ControlReader(V41).feed(data))


DEVICE_GOLDEN = [
    (Clipboard("ABC"), "00 00000003 414243"),
    (ClipboardAck(0x0102030405060708), "01 0102030405060708"),
    (UhidOutput(42, bytes(range(1, 6))), "02 002a 0005 0102030405"),
    (Clipboard("你好 🎉"), "00 0000000b e4bda0e5a5bd20f09f8e89"),
]


@pytest.mark.parametrize(("message", "golden"), DEVICE_GOLDEN)
def test_each_device_message_has_exactly_these_bytes(message, golden):
    assert encode_device_message(message) == hexed(golden)


def test_device_messages_come_out_the_same_however_the_bytes_are_cut():
    stream = b"".join(hexed(golden) for _, golden in DEVICE_GOLDEN)
    for cut in range(len(stream) + 1):
        reader = DeviceMessageReader()
        got = [*reader.feed(stream[:cut]), *reader.feed(stream[cut:])]
        assert got == [message for message, _ in DEVICE_GOLDEN]


def test_an_unknown_device_message_ends_the_reading():
    with pytest.raises(DeviceMessageError):
        list(DeviceMessageReader().feed(b"\x07"))

"""What phones print is read, and what is no such print is survived."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.adb import dumpsys, getevent, keys, packages, properties, quoting
from collector.model.geometry import Rect, Size

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "text"

READERS = [
    dumpsys.parse_focus,
    dumpsys.parse_focused_app,
    dumpsys.parse_resumed_activity,
    dumpsys.parse_top_activity,
    dumpsys.parse_rotation,
    dumpsys.parse_display_sizes,
    dumpsys.parse_battery,
    dumpsys.parse_input_method,
    dumpsys.parse_keyboard_frame,
    properties.parse_getprop,
    properties.parse_wm_size,
    properties.parse_wm_density,
    getevent.parse_devices,
    getevent.parse_event,
    dumpsys.parse_secure_windows,
    packages.parse_launcher_activities,
    packages.parse_packages,
    packages.parse_listed_apps,
]
LONG = 20_000
SLOW = [
    "\n", " ", "a", "a ", "1", "[a]: [", "[a]: [b] ", "]\n", "] ", "mCurrentFocus=", "Window{a ",
    "Window #1 ", "Window{a b EXITING", " EXITING", " paused=a", "mCurrentFocus=Window{a EXITING",
    "ACTIVITY a/", "a/", "{a/",
    "ACTIVITY a/b c ", "DisplayViewport{", "mFocusedApp=", "a: ", "a:  x", "mGivenContentInsets=[",
    "touchable region=SkRegion(", "(1,1,1,1)", "frame=[", "fl=", "fl=A|", "add device 1: /dev/input/event1\n",
    "  KEY (0001): ", "ABS (0003): ", "a : value 1, min 1, max ", " * a", " - ", " * a  ", "\n a.b",
    "Activity #1:\n", "nonLocalizedLabel=", "packageName=", "package:", "package:a=", "package:/",
    "[1.1] /dev/input/event1: ", "mInputShown=true", "Physical size: ", "9", "PID\n", "versionName=",
]  # fmt: skip
NUMBERS = "9" * 6000
ABSURD = [
    f"cur={NUMBERS}x1 init=1x{NUMBERS}", f"Physical size: {NUMBERS}x{NUMBERS}", "Physical size: 0x0",
    "Physical size: 1000000000x1000000000", "cur=0x0 init=1x1", f"Physical density: {NUMBERS}",
    "Physical density: 0", f"Window #1 Window{{1 u0 InputMethod}}\nframe=[0,0][{NUMBERS},1]",
    f"ACTIVITY a/b c pid={NUMBERS}", f"Rotation={NUMBERS}", f"level: {NUMBERS}", "level: -5", "level: 400",
    f"[{NUMBERS}.1] /dev/input/event1: 0003 0035 1", f"/dev/input/event1: 0003 0035 {NUMBERS}",
    f"add device 1: /dev/input/event1\n  ABS (0003): 0035 : value 0, min 0, max {NUMBERS}",
    f"PID NAME\n{NUMBERS} a", f"mGivenContentInsets=[{NUMBERS},0][0,0]", f"fl=#{NUMBERS}",
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mCurrentFocus=Window{e74 u0 a.b/a.b.Main}", "a.b/a.b.Main"),
        ("mCurrentFocus=Window{4330b6c0 a.b/a.b.Sub paused=false}", "a.b/a.b.Sub"),
        ("mCurrentFocus=null\nmFocusedApp=ActivityRecord{a u0 a.b/.Main t7}", "a.b/a.b.Main"),
        (
            "mFocusedApp=AppWindowToken{1 token=Token{2 ActivityRecord{3 u0 a.b/.c.Main t1}}}",
            "a.b/a.b.c.Main",
        ),
        ("mCurrentFocus=null\nmCurrentFocus=Window{5 u0 a.b/a.b.Main}}\nmCurrentFocus=null", "a.b/a.b.Main"),
    ],
)
def test_focus_of_every_generation(text, expected):
    assert str(dumpsys.parse_focus(text).component) == expected


def test_a_shade_has_the_focus_and_the_app_is_behind():
    text = "mCurrentFocus=Window{1 u0 NotificationShade}\nmFocusedApp=ActivityRecord{3 u0 a.b/.Main t1}"
    assert dumpsys.parse_focus(text) == dumpsys.WindowFocus("NotificationShade", None)
    assert str(dumpsys.parse_focused_app(text)) == "a.b/a.b.Main"
    assert dumpsys.parse_focus("mCurrentFocus=null\nmFocusedApp=null") is None


@pytest.mark.parametrize(
    ("window", "title"),
    [
        ("Window{b837098 u0 Application Error: com.example.shop}", "Application Error: com.example.shop"),
        ("Window{b837098 u0 Application Not Responding: a.b EXITING}", "Application Not Responding: a.b"),
        ("Window{4330b6c0 a.b/a.b.Sub paused=false}", "a.b/a.b.Sub"),
    ],
)
def test_a_windows_title_is_whole(window, title):
    assert dumpsys.parse_focus(f"  mCurrentFocus={window}\n").title == title


@pytest.mark.parametrize(
    "name", ["mResumedActivity: ", "topResumedActivity=", "  ResumedActivity: ", "mFocusedActivity: "]
)
def test_resumed_activity_of_every_generation(name):
    assert (
        str(dumpsys.parse_resumed_activity(f"x\n{name}ActivityRecord{{1 u0 a.b/.Main t4}}")) == "a.b/a.b.Main"
    )


def test_battery():
    battery = dumpsys.parse_battery(
        "Current:\n  (UPDATES STOPPED -- use 'reset')\n  USB powered: true\n  level: 4\n  status: 2\n"
    )
    assert battery == dumpsys.BatteryStatus(4, True, 2, None, True)


def test_keyboard_frame_is_that_of_the_keyboard():
    text = (
        "  Window #0 Window{1 u0 InputMethod}:\n    Frames: frame=[0,0][0,0]\n"
        "  Window #1 Window{2 u0 Other}:\n    frame=[0,10][720,1600]\n"
    )
    assert dumpsys.parse_keyboard_frame(text) is None
    assert dumpsys.parse_keyboard_frame(text.replace("[0,0][0,0]", "[0,9][7,10]")) == Rect(0, 9, 7, 10)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("mGivenContentInsets=[0,1400][0,0] mGivenVisibleInsets=[0,1400][0,0]", Rect(0, 1484, 1080, 2400)),
        ("touchable region=SkRegion((0,1500,1080,2400))", Rect(0, 1500, 1080, 2400)),
        ("touchable region=SkRegion((0,1500,400,2400)(400,1600,1080,2400))", Rect(0, 1500, 1080, 2400)),
        ("mGivenContentInsets=[0,0][0,0]\n    touchable region=SkRegion()", Rect(0, 84, 1080, 2400)),
        ("mGivenContentInsets=[0,9999][0,0]", None),
    ],
)
def test_a_keyboard_begins_where_its_keys_do_though_its_window_is_the_whole_screen(line, expected):
    text = (
        "  Window #3 Window{1 u0 InputMethod}:\n"
        f"    {line}\n    Frames: parent=[0,84][1080,2400] frame=[0,84][1080,2400]\n"
        "  Window #4 Window{2 u0 Other}:\n    touchable region=SkRegion((0,0,5,5))\n"
    )
    assert dumpsys.parse_keyboard_frame(text) == expected


def test_sizes():
    size = properties.parse_wm_size("Physical size: 1080x2400\r\nOverride size: 720x1600\r\n")
    assert (size.physical, size.current) == (Size(1080, 2400), Size(720, 1600))
    assert properties.parse_wm_density("Physical density: 440").current == 440


def test_properties_with_brackets_and_lines():
    text = "[a.b]: [x]\n[c]: [one\ntwo]\n[d]: [a]b]\n[e]: []\n"
    assert properties.parse_getprop(text) == {"a.b": "x", "c": "one\ntwo", "d": "a]b", "e": ""}


def test_events_plain_timed_and_labelled():
    plain = getevent.parse_event("/dev/input/event4: 0003 0035 00000251")
    timed = getevent.parse_event(
        "[   12.500000] /dev/input/event4: EV_ABS       ABS_MT_POSITION_X    00000251"
    )
    assert plain == getevent.RawEvent("/dev/input/event4", 3, 0x35, 0x251)
    assert timed == getevent.RawEvent("/dev/input/event4", 3, 0x35, 0x251, 12.5)
    assert getevent.parse_event("/dev/input/event4: 0003 0039 ffffffff").value == -1
    assert getevent.parse_event("/dev/input/event4: EV_KEY BTN_TOUCH DOWN").value == 1
    assert getevent.parse_event("add device 1: /dev/input/event4") is None


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
@given(
    text=st.text(max_size=200) | st.text(alphabet="mCurrentFocus=Window{} /.:[]0123456789\n", max_size=200)
)
def test_garbage_is_survived(reader, text):
    reader(text)


@pytest.mark.parametrize("unit", SLOW)
def test_a_print_made_to_be_slow_is_read_in_one_pass(unit):
    """The short form; at the length of ``tests/attack/test_long_texts.py`` a wrong pattern takes hours."""
    for reader in READERS:
        reader(unit * (LONG // len(unit)))


@pytest.mark.parametrize("text", ABSURD, ids=lambda text: text[:24])
def test_numbers_no_phone_has_are_absent(text):
    for reader in READERS:
        reader(text)
    assert properties.parse_wm_size(text).current is None
    assert properties.parse_wm_density(text).current is None
    assert dumpsys.parse_display_sizes(text) is None
    assert dumpsys.parse_battery(text).level is None
    assert dumpsys.parse_keyboard_frame(text) is None
    assert (event := getevent.parse_event(text)) is None or event.time is None


def test_input_devices_have_no_more_keys_than_the_kernel():
    codes = " ".join(f"{code:04x}" for code in range(0x10000))
    (device,) = getevent.parse_devices(f"add device 1: /dev/input/event1\n    KEY (0001): {codes}\n")
    assert len(device.keys) == 0x300


@pytest.mark.skipif(not DATA.is_dir(), reason="the real prints in ../shared/data are not here")
def test_real_prints_are_survived_and_read():
    counts = {"focus": 0, "resumed": 0, "properties": 0, "events": 0}
    for path in DATA.rglob("*.txt"):
        text = path.read_text("utf-8", "replace")
        for reader in READERS:
            reader(text)
        counts["focus"] += dumpsys.parse_focus(text) is not None
        counts["resumed"] += dumpsys.parse_resumed_activity(text) is not None
        counts["properties"] += len(properties.parse_getprop(text))
        counts["events"] += sum(getevent.parse_event(line) is not None for line in text.splitlines())
    assert counts["focus"] >= 11
    assert counts["resumed"] >= 4
    assert counts["properties"] >= 1300
    assert counts["events"] >= 500


@given(st.text(alphabet=st.characters(blacklist_characters="\0", blacklist_categories=["Cs"]), max_size=40))
def test_a_quoted_word_comes_back_whole(word):
    import shlex

    assert shlex.split(quoting.quote(word)) == [word]


def test_quoting_says_no_to_what_cannot_pass():
    with pytest.raises(ValueError, match="NUL"):
        quoting.quote("a\0b")
    assert quoting.join(["am", "start", "-n", "a/.B; rm -rf /", 3]) == "am start -n 'a/.B; rm -rf /' 3"
    assert quoting.input_text("a b") == "a%sb"
    for bad in ("汉", "50%save", "a\nb"):
        with pytest.raises(ValueError, match="input text"):
            quoting.input_text(bad)


def test_keys():
    assert [keys.key_code(name) for name in ("4", "BACK", "KEYCODE_BACK", "keycode_back")] == [4] * 4
    assert keys.CODES["APP_SWITCH"] == 187
    with pytest.raises(ValueError, match="no such key"):
        keys.key_code("NOPE")

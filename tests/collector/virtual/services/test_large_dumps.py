"""``dumpsys window``, ``activity``, ``input_method`` and ``display``: what tools read of them."""

from __future__ import annotations

import re

import pytest

from collector.device.device_info import parse_keyboard_frame
from collector.virtual.device import VirtualDevice
from collector.virtual.system.phone_state.profile import sdk_of
from tests.helpers.shell import run
from tests.helpers.virtual import profile

SHOP, TODO = "com.waymark.shop", "com.waymark.todo"
SECTIONS = {
    "window": ("windows", "displays", "policy", "tokens", "sessions", "animator", "lastanr", "visible-apps"),
    "activity": (
        "activities", "top", "recents", "processes", "oom", "lru", "broadcasts", "services", "providers",
        "intents", "permissions", "settings", "starter", "containers", "lastanr", SHOP, f"package {SHOP}",
    ),
}  # fmt: skip


def phone(android: str) -> VirtualDevice:
    return VirtualDevice(profile("launcher", "shop", "todo", android=android, sdk=sdk_of(android)))


@pytest.mark.parametrize("android", ["5", "9", "11", "13"])
def test_every_android_has_every_section(android):
    device = phone(android)
    try:
        run(device.machine, f"am start -n {SHOP}/.MainActivity")
        for service, sections in SECTIONS.items():
            for section in ("", *sections):
                out, err, status = run(device.machine, f"dumpsys {service} {section}")
                assert (err, status) == ("", 0), section
                assert "Bad " not in out, section
        for service in ("display", "input_method", "SurfaceFlinger --list", "input"):
            assert len(run(device.machine, f"dumpsys {service}")[0].splitlines()) > 2, service
    finally:
        device.close()


@pytest.fixture(scope="module")
def sh():
    """The shell of a phone with the shop's search in front, the keyboard shown, and the to-do list behind."""
    device = phone("16")

    def shell(line: str) -> str:
        out, err, _status = run(device.machine, line)
        return out + err

    shell(f"am start -n {TODO}/.MainActivity; am start -n {SHOP}/.MainActivity; input tap 300 200")
    shell("am broadcast -a com.example.PING --es word hello; am crash com.waymark.nope")
    yield shell
    device.close()


READ = [
    # Each as a tool has it: uiautomator2, adbutils, airtest, appium-adb, DroidBot, AndroidViewClient, Sparsh,
    # SoloX, MATE and scripts that grep.
    ("dumpsys activity top", rf"ACTIVITY {SHOP}/(?P<activity>[^/\s]+) \w+ pid=\d+"),
    ("dumpsys activity activities", r"topResumedActivity=ActivityRecord\{\S+ \S+ com\.waymark\.shop/"),
    ("dumpsys activity activities", r"\* Hist[ ]+#\d+: ActivityRecord\{[^ ]+ [^ ]+ ([^ ]+) t(\d+)"),
    ("dumpsys activity activities", r"mKeyguardShowing=false"),
    (
        "dumpsys activity a . | grep -E mResumedActivity\\|ResumedActivity",
        r"ResumedActivity: ActivityRecord\{",
    ),
    ("dumpsys activity services", r"^.+ServiceRecord\{.+ ([A-Za-z0-9_.]+)/([A-Za-z0-9_.]+)"),
    (
        "dumpsys activity services com.android.inputmethod.latin",
        r"packageName=com\.android\.inputmethod\.latin",
    ),
    ("dumpsys activity processes", rf"packageList=\{{{SHOP}\}}"),
    ("dumpsys activity recents", rf"intent=\{{.*cmp={SHOP}/\.MainActivity\}}"),
    ("dumpsys activity recents | grep 'Recent #0'", rf"A=\d+:{SHOP} "),
    ("dumpsys activity broadcasts", r"act=com\.example\.PING.*\n +extras: Bundle\[\{word=hello\}\]"),
    ("dumpsys activity broadcasts", r"BATTERY_CHANGED.*\n +Bundle\[\{.*level=84, scale=100"),
    (
        f"dumpsys activity {SHOP}",
        r"EditText\{\w+ VFE\S+ \.F\S+ \d+,\d+-\d+,\d+ #7f0a\w{4} app:id/query\}",
    ),
    ("dumpsys window", r"mCurrentFocus=Window\{[^}]*\s+([^\/\s]+)\/([^}\s]+)\}"),
    ("dumpsys window", r"mDreamingLockscreen=false"),
    ("dumpsys window", r"mScreenOnFully=true"),
    ("dumpsys window | grep 'type=ime frame'", r"type=ime frame=\[0,\d{3,4}\]\[720,1600\] visible=true"),
    ("dumpsys window displays", r"(?:mCurrentRotation|mRotation)=(?:ROTATION_)?0"),
    ("dumpsys window displays", r"init=720x1600 320dpi .*cur=720x1600 app=720x1600"),
    ("dumpsys window policy", r"screenState=SCREEN_STATE_ON"),
    ("dumpsys window policy", r"(?:mShowingLockscreen|isStatusBarKeyguard|showing)=false"),
    ("dumpsys window InputMethod", r"touchable region=SkRegion\(\(0,\d+,720,1600\)\)"),
    ("dumpsys input_method", r"mInputShown=true"),
    ("dumpsys input_method", r"mIsInputViewShown=true"),
    ("dumpsys input_method", r"inputType=0x1 imeOptions=0x2000003"),
    ("dumpsys input_method", r"mServedInputConnection=RemoteInputConnectionImpl"),
    ("dumpsys input_method", r"mCurId=com\.android\.inputmethod\.latin/\.LatinIME mHaveConnection=true"),
    (
        "dumpsys display",
        r"DisplayViewport\{.*valid=true, .*orientation=0, .*deviceWidth=720, deviceHeight=1600",
    ),
    ("dumpsys display", r"mOverrideDisplayInfo=DisplayInfo\{.*real 720 x 1600.*rotation 0, .*density 320"),
    ("dumpsys display", r"supportedModes \[\{id=1, width=720, height=1600, fps=60\.0"),
    ("dumpsys SurfaceFlinger --list", r"^RequestedLayerState\{InputMethod#\d+ parentId=\d+\}$"),
    ("am stack list", rf"taskId=\d+: {SHOP}/{SHOP}\.MainActivity .*visible=true"),
]


@pytest.mark.parametrize(("line", "pattern"), READ)
def test_what_tools_search_for_is_there(sh, line, pattern):
    assert re.search(pattern, sh(line), re.MULTILINE), line


def test_activities_of_one_task_have_its_number(sh):
    records = dict(
        re.findall(rf"Hist +#\d+: ActivityRecord{{\w+ u0 {SHOP}/(\S+) (t\d+)", sh("dumpsys activity a"))
    )
    assert len(records) == 2
    assert len(set(records.values())) == 1


def test_frames_are_told_when_windows_are_asked_for(sh):
    """As ``WindowState.dump`` has it: a dump of everything leaves frames and insets out."""
    assert "touchable region" not in sh("dumpsys window")
    assert parse_keyboard_frame(sh("dumpsys window")) is None
    keys = parse_keyboard_frame(sh("dumpsys window -a"))
    assert keys is not None
    assert keys == parse_keyboard_frame(sh("dumpsys window windows"))
    assert f"type=ime frame={keys} visible=true" in sh("dumpsys window displays")


def test_places_of_views_add_up_to_those_of_the_dump(sh):
    """A view's place is relative to the one around it, so that tools add them."""
    lines = sh(f"dumpsys activity {SHOP}").partition("View Hierarchy:\n")[2].splitlines()
    corners: dict[int, tuple[int, int]] = {}
    for line in lines:
        match = re.match(r"( *)[\w.$]+\{\w+ \S+ \S+ (-?\d+),(-?\d+)-(-?\d+),(-?\d+)(.*)\}", line)
        if not match:
            break
        depth, (left, top) = len(match[1]), (int(match[2]), int(match[3]))
        around = max((key for key in corners if key < depth), default=-1)
        x, y = corners.get(around, (0, 0))
        corners = {key: value for key, value in corners.items() if key < depth}
        corners[depth] = (x + left, y + top)
        if match[6].endswith("app:id/query"):
            break
    sh("uiautomator dump /sdcard/w.xml")
    bounds = re.search(
        r'resource-id="com.waymark.shop:id/query".*?bounds="\[(\d+),(\d+)\]', sh("cat /sdcard/w.xml")
    )
    assert bounds
    assert corners[max(corners)] == (int(bounds[1]), int(bounds[2]))


def test_windows_by_name(sh):
    assert sh("dumpsys window StatusBar").count("\n  Window #") == 1
    assert sh("dumpsys window dream") == "Bad window command, or no windows match: dream\nUse -h for help.\n"
    assert "isOnScreen=false" not in sh("dumpsys window visible")
    nope = "Bad activity command, or no activities match: nope\nUse -h for help.\n"
    assert sh("dumpsys activity nope") == nope


def test_the_end_of_a_process_is_kept():
    device = phone("15")
    try:
        pid = run(device.machine, f"am start -n {TODO}/.MainActivity >/dev/null; pidof {TODO}")[0].strip()
        run(device.machine, f"am force-stop {TODO}")
        text = run(device.machine, f"dumpsys activity exit-info {TODO}")[0]
        assert f" pid={pid} " in text
        assert "reason=10 (USER REQUESTED)" in text
    finally:
        device.close()

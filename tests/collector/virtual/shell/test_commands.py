"""The phone's commands, run through a complete shell and phone."""

import io
import re
import struct
import time

import pytest
import yaml
from PIL import Image

from collector.adb import dumpsys, properties
from collector.adb.getevent import parse_devices
from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Size
from collector.virtual.device import VirtualDevice
from collector.virtual.shell.language.interpreter import Shell
from collector.virtual.shell.pipes import BytesReader, Collector, Streams
from collector.virtual.shell.process_table import CancelScope
from tests.helpers.shell import bare_machine
from tests.helpers.shell import run as run_line
from tests.helpers.virtual import profile


@pytest.fixture
def phone():
    device = VirtualDevice(profile("todo", "shop"))
    yield device
    device.close()


@pytest.fixture
def run(phone):
    def run_line(line, stdin=b""):
        out, err = Collector(), Collector()
        shell = Shell(phone.machine, CancelScope(), phone.machine.environment())
        status = shell.run_text(line, Streams(BytesReader(stdin), out, err))
        return bytes(out.data), err.data.decode(), status

    return run_line


@pytest.fixture
def text(run):
    return lambda line: run(line)[0].decode()


def test_properties(text):
    values = properties.parse_getprop(text("getprop"))
    assert values["ro.product.model"] == "Waymark Phone"
    assert values["ro.build.version.sdk"] == "35"
    assert (
        text("getprop ro.build.version.release; getprop nope; getprop nope x; setprop a.b c; getprop a.b")
        == "15\n\nx\nc\n"
    )


def test_size_and_density(text, run):
    assert text("wm size; wm density") == "Physical size: 720x1600\nPhysical density: 320\n"
    assert text("wm size 600x1000; wm size") == "Physical size: 720x1600\nOverride size: 600x1000\n"
    assert text("wm density 240; wm density; wm size reset; wm density reset; wm size").endswith(
        "size: 720x1600\n"
    )
    assert run("wm size 3x3")[2] == 255


def test_rotation_is_told_everywhere(text, phone):
    text("wm user-rotation lock 1")
    assert phone.phone.rotation == 1
    assert dumpsys.parse_rotation(text("dumpsys display")) == 1
    assert dumpsys.parse_rotation(text("dumpsys window displays")) == 1
    assert dumpsys.parse_display_sizes(text("dumpsys window displays")) == (Size(720, 1600), Size(1600, 720))
    assert parse_tree(text("uiautomator dump /dev/tty").encode()).rotation == 1


def test_screenshots(run, phone):
    picture = Image.open(io.BytesIO(run("screencap -p")[0]))
    assert picture.size == (720, 1600)
    raw = run("screencap")[0]
    assert struct.unpack("<4I", raw[:16]) == (720, 1600, 1, 1)
    run("screencap -p /sdcard/s.png; screencap /sdcard/t.png")
    assert (
        phone.machine.files.read("/sdcard/s.png")[:4]
        == phone.machine.files.read("/sdcard/t.png")[:4]
        == b"\x89PNG"
    )
    assert run("screencap -p /nope/x.png")[1].startswith("Error opening file: /nope/x.png")


def test_dumps(text, phone):
    assert text("uiautomator dump /sdcard/u.xml") == "UI hierchary dumped to: /sdcard/u.xml\n"
    assert phone.machine.files.read("/sdcard/u.xml") == phone.phone.hierarchy_xml()
    assert text("uiautomator dump --compressed; ls /sdcard/window_dump.xml").endswith("window_dump.xml\n")


def test_starting_apps(text, run, phone):
    assert (
        text("am start -n com.waymark.todo/.MainActivity")
        == "Starting: Intent { cmp=com.waymark.todo/.MainActivity }\n"
    )
    assert "Warning: Activity not started" in run("am start -n com.waymark.todo/.MainActivity")[1]
    waited = text("am start -W -S -n com.waymark.shop/.MainActivity")
    assert re.search(
        r"Stopping: com\.waymark\.shop\nStarting: .*\nStatus: ok\nLaunchState: COLD\nActivity: ", waited
    )
    assert waited.endswith("Complete\n")
    missing = "Error type 3\nError: Activity class {com.x/com.x.Y} does not exist.\n"
    assert run("am start -n com.x/.Y") == (b"Starting: Intent { cmp=com.x/.Y }\n", missing, 0)
    assert text("am start -W -n com.x/.Y") == f"Starting: Intent {{ cmp=com.x/.Y }}\n{missing}"
    assert run("am startservice -n com.x/.S")[1:] == ("Error: Not found; no service started.\n", 255)
    assert run("am switch-user 10") == (b"Error: Failed to switch to user 10\n", "", 1)
    assert run("am switch-user 0") == (b"", "", 0)
    assert run("am start -n nonsense")[1] == "Error: Bad component name: nonsense\n"
    assert "Events injected: 1\n" in text("monkey -p com.waymark.todo -c android.intent.category.LAUNCHER 1")
    assert phone.phone.focused.package == "com.waymark.todo"
    assert run("monkey -p com.nope 1")[1:] == ("** No activities found to run, monkey aborted.\n", 252)
    text("am force-stop com.waymark.todo")
    assert phone.phone.focused.package != "com.waymark.todo"


def test_who_has_the_focus_in_every_place_tools_look(text):
    text("am start -n com.waymark.todo/.MainActivity")
    expected = dumpsys.ComponentName("com.waymark.todo", "com.waymark.todo.MainActivity")
    assert dumpsys.parse_focus(text("dumpsys window")).component == expected
    assert dumpsys.parse_focus(text("dumpsys window displays")).component == expected
    assert dumpsys.parse_focused_app(text("dumpsys window")) == expected
    assert dumpsys.parse_resumed_activity(text("dumpsys activity activities")) == expected
    top, pid = dumpsys.parse_top_activity(text("dumpsys activity top"))
    assert top == expected
    assert text("pidof com.waymark.todo") == f"{pid}\n"
    assert f" {pid} " in text("ps -A | grep com.waymark.todo")


def test_packages(text, run):
    assert text("pm list packages -3 | sort") == "package:com.waymark.shop\npackage:com.waymark.todo\n"
    assert "package:com.android.settings\n" in text("cmd package list packages -s")
    assert text("pm list packages todo | wc -l") == "1\n"
    assert text("pm path com.waymark.todo").startswith("package:/data/app/")
    assert run("pm path com.nope")[2] == 1
    assert run("pm clear com.nope")[0] == b"Failed\n"
    assert text("cmd package resolve-activity --brief com.waymark.todo").endswith(
        "com.waymark.todo/.MainActivity\n"
    )
    assert "versionName=" in text("dumpsys package com.waymark.todo")


def test_battery(text, phone):
    text("dumpsys battery unplug; dumpsys battery set level 4")
    battery = dumpsys.parse_battery(text("dumpsys battery"))
    assert (battery.level, battery.plugged, battery.frozen) == (4, False, True)
    assert phone.phone.battery.level == 4
    text("dumpsys battery reset")
    assert dumpsys.parse_battery(text("dumpsys battery")).frozen is False


def test_settings(text, run, phone):
    assert text(
        "settings put system x 'a b'; settings get system x; settings delete system x; settings get system x"
    ) == ("a b\nDeleted 1 rows\nnull\n")
    assert run("settings get nope x")[1:] == ("Invalid namespace 'nope'\n", 255)
    assert text("cmd uimode night yes; cmd uimode night") == "Night mode: yes\nNight mode: yes\n"
    assert phone.phone.dark
    assert text("cmd connectivity airplane-mode enable; cmd connectivity airplane-mode") == "enabled\n"
    assert text("svc wifi disable; settings get global wifi_on") == "0\n"


def test_typing_reaches_the_focused_field(text, run, phone):
    text("am start -n com.android.settings/.SearchActivity; sleep 0")
    tree = parse_tree(phone.phone.hierarchy_xml())
    field = next(node for node in tree if node.get("class") == "android.widget.EditText")
    center = field.bounds.center
    text(f"input tap {center.x} {center.y}; input text hello%sworld")
    assert b'text="hello world"' in phone.phone.hierarchy_xml()
    assert dumpsys.parse_input_method(text("dumpsys input_method")).shown
    assert dumpsys.parse_keyboard_frame(text("dumpsys window windows")) is not None
    text("input keyevent KEYCODE_DEL 67")
    assert b'text="hello wor"' in phone.phone.hierarchy_xml()
    text("input keyevent NUMPAD_LEFT_PAREN 145 KEYCODE_NUMPAD_ADD 153 163 161 155")
    assert b'text="hello wor(1+9)=*"' in phone.phone.hierarchy_xml()
    assert "NullPointerException" in run("input text 汉")[1]
    assert run("input keyevent NOPE")[2] == 255
    assert run("input tap a b")[2] == 255


def test_state_of_an_app_reads_and_writes_as_yaml(text, run):
    state = yaml.safe_load(text("cmd waymark state get todo"))
    title = state["tasks"][0]["title"]
    state["tasks"][0]["title"] = "买牛奶 🥛"
    assert run("cmd waymark state set todo", yaml.safe_dump(state).encode())[2] == 0
    assert yaml.safe_load(text("cmd waymark state get todo"))["tasks"][0]["title"] == "买牛奶 🥛"
    assert run("cmd waymark state reset todo")[2] == 0
    assert yaml.safe_load(text("cmd waymark state get todo"))["tasks"][0]["title"] == title
    assert run("cmd waymark state get nope")[2] == 1
    assert run("cmd waymark state set todo", b"- 1")[1].startswith("Error: a state is a mapping")
    assert run("cmd waymark state set todo", b"{a: [")[2] == 1


@pytest.mark.parametrize(
    ("layout", "pattern"),
    [
        ("threadtime", r"\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} +\d+ +\d+ W Tag     : hello"),
        ("brief", r"W/Tag     \( *\d+\): hello"),
        ("time", r"\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} W/Tag     \( *\d+\): hello"),
        ("raw", r"hello"),
        ("tag", r"W/Tag     : hello"),
        ("process", r"W\( *\d+\) hello  \(Tag\)"),
    ],
)
def test_log_layouts(text, layout, pattern):
    lines = text(f"log -p w -t Tag hello; logcat -d -v {layout} -s Tag:V").splitlines()
    assert lines[0] == "--------- beginning of main"
    assert re.fullmatch(pattern, lines[-1])


def test_log_filters(text):
    text("logcat -c; log -p d -t A one; log -p e -t A two; log -p i -t B three")
    assert text("logcat -d -v raw A:W '*:S' | tail -n +2") == "two\n"
    assert text("logcat -d -v raw -t 1 | tail -1") == "three\n"


def test_the_touch_screen_is_described(text):
    screen, _keys = parse_devices(text("getevent -lp"))
    assert screen.is_touchscreen
    assert screen.axes[0x35] == (0, 719)


def test_airplane_mode_takes_wifi_down_and_gives_it_back(text):
    text("cmd connectivity airplane-mode enable")
    assert text("settings get global wifi_on") == "3\n"
    text("cmd connectivity airplane-mode disable")
    assert text("settings get global wifi_on") == "1\n"
    text("svc wifi disable; cmd connectivity airplane-mode enable; cmd connectivity airplane-mode disable")
    assert text("settings get global wifi_on") == "0\n", "off before, off after"


def test_wifi_switched_on_in_airplane_mode_stays_on(text):
    text("cmd connectivity airplane-mode enable; svc wifi enable; cmd connectivity airplane-mode disable")
    assert text("settings get global wifi_on") == "1\n"


def test_dumpsys_power_knows_whether_the_screen_is_on(text):
    assert "mWakefulness=Awake" in text("dumpsys power")
    text("input keyevent SLEEP; dumpsys battery set ac 1; settings put global stay_on_while_plugged_in 3")
    asleep = text("dumpsys power")
    parts = ("mWakefulness=Asleep", "Display Power: state=OFF", "mPlugType=1", "mStayOn=true",
             "mLastSleepReason=power_button", "PowerManagerService.Display: ref count=0")  # fmt: skip
    assert [part for part in parts if part not in asleep] == []


def test_dumpsys_input_names_what_has_the_focus(text):
    text("am start -n com.waymark.shop/.MainActivity")
    said = text(
        "dumpsys input | grep -A1 -e FocusedApplications -e FocusedWindows | grep -o 'com.waymark.*[^,]'"
    )
    assert said.count("com.waymark.shop/") == 2
    listed = text("dumpsys input | grep Path")
    assert [line.split()[1] for line in listed.splitlines()] == [
        "/dev/input/event2",
        "/dev/input/event1",
        "<virtual>",
    ]


def test_a_revoked_permission_stays_revoked_until_it_is_granted(text, run):
    post = "android.permission.POST_NOTIFICATIONS"
    assert f"{post}: granted=true" in text("dumpsys package com.waymark.shop")
    text("am start -n com.waymark.shop/.MainActivity")
    assert text("pidof com.waymark.shop")
    assert run(f"pm revoke com.waymark.shop {post}")[2] == 0
    assert f"{post}: granted=false" in text("dumpsys package com.waymark.shop")
    assert not text("pidof com.waymark.shop"), "Android stops an app whose permission is taken"
    text(f"pm grant com.waymark.shop {post}")
    assert f"{post}: granted=true" in text("dumpsys package com.waymark.shop")
    assert run("pm revoke com.waymark.shop android.permission.CAMERA")[2] == 255


def test_an_app_follows_the_phones_language(text):
    text("am start -n com.waymark.shop/.CartActivity")
    assert "locale: en-US" in text("cmd waymark state get shop")
    assert 'content-desc="Navigate up"' in text("uiautomator dump /dev/tty")
    text("settings put system system_locales zh-CN")
    assert "locale: zh-CN" in text("cmd waymark state get shop")
    assert 'content-desc="转到上一层级"' in text("uiautomator dump /dev/tty")


def test_programs_are_started_with_their_arguments(run, phone):
    phone.machine.programs["org.example.Main"] = lambda process: process.line(" ".join(process.argv)) or 3
    assert run("CLASSPATH=/data/x.jar app_process / org.example.Main 1.0 a=b") == (
        b"org.example.Main 1.0 a=b\n",
        "",
        3,
    )
    assert run("app_process / org.example.None")[2] == 134


def test_kill_ends_what_the_shell_started(text):
    assert text("sleep 100 & sleep 0; kill $(pidof sleep); echo $?") == "0\n"
    assert text("timeout 0.01 sleep 100; echo done") == "done\n"


def test_the_package_manager_knows_what_answers_an_intent(text, run):
    icons = "-a android.intent.action.MAIN -c android.intent.category.LAUNCHER"
    launchers = [
        "com.android.settings/.Settings",
        "com.waymark.todo/.MainActivity",
        "com.waymark.shop/.MainActivity",
        "com.waymark.browser/.MainActivity",
        "com.android.deskclock/.DeskClock",
        "com.android.calculator2/.Calculator",
        "com.android.contacts/.activities.PeopleActivity",
        "com.android.dialer/.main.impl.MainActivity",
        "com.android.camera2/com.android.camera.CameraLauncher",
        "com.android.documentsui/.files.FilesActivity",
        "com.android.gallery3d/.app.GalleryActivity",
    ]
    assert text(f"cmd package query-activities --components {icons}").splitlines() == launchers
    listed = text(f"cmd package query-activities {icons}")
    assert listed.startswith(
        "11 activities found:\n  Activity #0:\n"
        "    priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\n    ActivityInfo:\n"
        "      name=com.android.settings.Settings\n      packageName=com.android.settings\n"
        "      labelRes=0x0 nonLocalizedLabel=Settings icon=0x7f010000 banner=0x0\n"
        "      enabled=true exported=true directBootAware=false\n"
        "      taskAffinity=com.android.settings targetActivity=null persistableMode=PERSIST_ROOT_ONLY\n"
        "      launchMode=1 flags=0x0 privateFlags=0x0 theme=0x7f020000\n      ApplicationInfo:\n"
    )
    assert re.findall(r"^ +packageName=(.*)$", listed, re.MULTILINE)[::2] == [
        line.partition("/")[0] for line in launchers
    ]
    page = "-a android.intent.action.VIEW -d https://example.org/a"
    brief = "priority=0 preferredOrder=0 match=0x208000 specificIndex=-1 isDefault=true\n"
    assert text(f"pm query-activities --brief {page}") == (
        f"1 activities found:\n  Activity #0:\n    {brief}    com.waymark.browser/.MainActivity\n"
    )
    assert (
        text(f"cmd package resolve-activity --brief {page}") == f"{brief}com.waymark.browser/.MainActivity\n"
    )
    assert text(f"cmd package resolve-activity --components {page}") == "com.waymark.browser/.MainActivity\n"
    assert text(f"cmd package resolve-activity --brief {icons}") == (
        "priority=0 preferredOrder=0 match=0x0 specificIndex=-1 isDefault=false\n"
        "android/com.android.internal.app.ResolverActivity\n"
    )
    assert "match=0x0 " in text("cmd package resolve-activity --brief -n com.waymark.shop/.MainActivity")
    assert run("cmd package resolve-activity com.nope") == (b"No activity found\n", "", 0)
    assert run("cmd package query-activities -a android.intent.action.MUSIC_PLAYER") == (
        b"No activities found\n",
        "",
        0,
    )
    assert (
        text("pm query-services -a a.b; pm query-receivers -a a.b")
        == "No services found\nNo receivers found\n"
    )


def test_processes_are_found_by_name_and_by_command_line(run, text, phone):
    text("am start -n com.waymark.shop/.MainActivity")
    shop = phone.phone.pid_of("com.waymark.shop")
    line = "sleep 97 & sleep 98 & until [ $(pgrep -c -f '[s]leep 9') = 2 ]; do :; done; "
    assert text(line + "pgrep -fl '[s]leep 9' | cut -d' ' -f2- | sort; pkill sleep; echo $?") == (
        "sleep 97\nsleep 98\n0\n"
    )
    searches = (
        "pgrep -f com.waymark.shop; pgrep -x com.waymark.sho; pgrep aymark.shop; pidof com.waymark.shop"
    )
    assert text(searches) == f"{shop}\n" * 3, "without -f only the last 15 letters of an app count"
    assert run("pgrep -f '[D]eviceServer'") == (b"", "", 1)
    launcher = phone.phone.pid_of("com.waymark.launcher")
    assert text("pgrep -c -f com.waymark; pgrep -nf com.waymark; pgrep -olf com.waymark").splitlines() == [
        "2",
        f"{shop}",
        f"{launcher} com.waymark.launcher",
    ]
    assert text("pgrep -d , -f com.waymark").endswith(f",{shop},\n")
    assert run("pkill -f com.waymark.shop")[1:] == (f"pkill: TERM->{shop}: Operation not permitted\n", 1)
    assert run("pkill -9 -f nothing; killall -q nothing")[1:] == ("", 1)
    assert run("killall nothing")[1:] == ("killall: nothing: No such process\n", 1)
    assert run("killall com.waymark.shop")[1] == "killall: com.waymark.shop: Operation not permitted\n"
    assert run("pgrep")[1] == 'pgrep: No PATTERN (see "pgrep --help")\n'
    assert run("pgrep '('")[1] == "pgrep: bad regex '('\n"
    assert run(f"kill -0 {shop}")[1] == f"/system/bin/sh: kill: {shop}: Operation not permitted\n"
    assert run(f"kill -NOPE {shop}")[1] == "/system/bin/sh: kill: bad signal: NOPE\n"
    text("run-as com.waymark.shop pkill -9 -f com.waymark.shop")
    assert phone.phone.pid_of("com.waymark.shop") is None


def test_a_swipe_on_a_busy_phone_skips_moves_instead_of_taking_longer(phone, run, monkeypatch):
    touch, moves = phone.phone.touch, []

    def slow(action, pointer, x, y, **options):
        time.sleep(0.03)
        moves.append((action, y))
        touch(action, pointer, x, y, **options)

    monkeypatch.setattr(phone.phone, "touch", slow)
    assert run("input swipe 300 900 300 300 240")[2] == 0
    assert (moves[0][1], moves[-2][1], moves[-1][1]) == (900, 300, 300)
    # At the pace of a phone that is not busy there would be 29.
    assert 3 <= len(moves) <= 11
    assert [y for _action, y in moves] == sorted((y for _action, y in moves), reverse=True)


def test_questions_about_the_tools_themselves_end_at_once(run):
    out, err, status = run("screencap -h")
    assert (out, status) == (b"", 1)
    assert err.startswith("usage: screencap [-ahp] [-d display-id] [FILENAME]")
    assert run("logcat --help")[0].startswith(b"Usage: logcat [options] [filterspecs]")
    run("logcat -c; log -t Waymark 12345; log -t Waymark 678")
    head, _total, now, _span, overhead, *users = run("logcat -S")[0].decode().splitlines()
    assert head.split() == ["size/num", "main", "system", "crash", "Total"]
    assert now.split()[-1] == now.split()[1] == "8/2"
    assert overhead.split() == ["Overhead", "86", "86"]
    assert users[-1].split() == ["2000", "shell", "8"]


def test_operations_of_the_shell_itself_can_be_set(run):
    assert run("appops set com.android.shell READ_CLIPBOARD ignore")[1:] == ("", 0)
    assert run("appops get com.android.shell READ_CLIPBOARD")[0] == b"READ_CLIPBOARD: ignore\n"
    assert run("appops set com.example.none READ_CLIPBOARD ignore")[2] != 0


def test_the_file_of_the_build_has_its_properties(text):
    assert f"\nro.build.version.sdk={text('getprop ro.build.version.sdk')}" in text("cat /system/build.prop")


def test_signals_have_the_names_that_bionic_gives_them():
    table = run_line(bare_machine(), "kill -l")[0].splitlines()
    assert len(table) == 32
    assert table[0] == " 1    HUP Hangup                        33     33 Signal 33"
    assert table[9] == "10   USR1 User signal 1                 42     42 Signal 42"
    assert table[27:29] == [
        "28  WINCH Window size changed           60     60 Signal 60",
        "29     IO I/O possible                  61     61 Signal 61",
    ]

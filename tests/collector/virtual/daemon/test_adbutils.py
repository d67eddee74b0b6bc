"""adbutils, the client that most Android tools use, works with the virtual device unchanged."""

import adbutils
import pytest

from tests.helpers.virtual import adb_server, virtual_device

pytestmark = [
    pytest.mark.shared_threads("adb", "adbd", "phone-ticker"),
    # adbutils leaves the sockets of framebuffer, shell and sync to the garbage collector.
    pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def phone():
    with virtual_device("todo", "messenger") as device:
        yield device


@pytest.fixture(scope="module")
def device(phone):
    with adb_server() as server:
        client = adbutils.AdbClient(port=server.port)
        client.connect(phone.address, timeout=20)
        yield client.device(phone.address)


def test_what_it_is(device):
    assert device.get_state() == "device"
    assert device.prop.model == "Waymark Phone"
    assert device.getprop("ro.build.version.sdk") == "35"
    assert {"shell_v2", "stat_v2"} <= set(device.get_features().split(","))


def test_screen(device):
    assert device.window_size() == (720, 1600)
    assert device.rotation() == 0
    assert device.screenshot(error_ok=False).size == (720, 1600)
    assert device.framebuffer().size == (720, 1600)
    assert device.is_screen_on()


def test_apps(device):
    assert device.list_packages(["-3"]) == ["com.waymark.messenger", "com.waymark.todo"]
    device.app_start("com.waymark.todo")
    assert device.app_current().package == "com.waymark.todo"
    device.app_start("com.waymark.messenger", ".MainActivity")
    current = device.app_current()
    assert (current.package, current.activity) == ("com.waymark.messenger", ".MainActivity")
    assert device.shell("pidof com.waymark.messenger") == str(current.pid)
    device.app_stop("com.waymark.messenger")
    assert device.app_current().package != "com.waymark.messenger"
    info = device.app_info("com.waymark.todo")
    assert info.version_name
    assert info.first_install_time
    assert device.app_info("com.nope") is None


def test_tree(device):
    assert device.dump_hierarchy().startswith(
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy"
    )


def test_shell(device):
    assert device.shell(["echo", "a b", "c'd"]) == "a b c'd"
    done = device.shell2("echo out; echo err >&2; exit 3", v2=True)
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\n", "err\n")
    assert device.shell2("echo out; (exit 3)").returncode == 3
    assert device.shell2("nope").returncode == 127


def test_files(device, tmp_path):
    data = bytes(range(256)) * 1000
    device.sync.push(data, "/sdcard/a b.bin")
    assert device.sync.read_bytes("/sdcard/a b.bin") == data
    assert device.sync.stat("/sdcard/a b.bin").size == len(data)
    assert not device.sync.exists("/sdcard/none")
    assert "a b.bin" in [entry.path for entry in device.sync.iter_directory("/sdcard/")]
    assert device.sync.pull("/sdcard/a b.bin", tmp_path / "back") == len(data)
    assert (tmp_path / "back").read_bytes() == data


def test_input(device):
    device.click(360, 800)
    device.swipe(360, 1200, 360, 600, 0.1)
    device.keyevent("HOME")
    assert device.app_current().package == "com.waymark.launcher"


def test_battery(device):
    assert device.battery().level == 84


def test_forwards(device):
    port = device.forward_port("localabstract:scrcpy")
    assert [(forward.local, forward.remote) for forward in device.forward_list()] == [
        (f"tcp:{port}", "localabstract:scrcpy")
    ]
    device.reverse("tcp:7000", "tcp:7001")
    assert [(forward.remote, forward.local) for forward in device.reverse_list()] == [
        ("tcp:7000", "tcp:7001")
    ]


def test_brightness_and_radio(device):
    device.brightness_value = 100
    assert device.brightness_value == 100
    device.switch_wifi(False)
    assert device.shell("settings get global wifi_on") == "0"
    device.switch_wifi(True)
    assert device.wlan_ip() == "10.0.2.16"

"""The APK of an app can be pulled, read and installed again; APKs of others are installed as they are."""

import io
import re
import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree as ET

import pytest
import skia

from collector.virtual.apk.apk_reader import read_apk
from collector.virtual.apk.apk_writer import WrittenActivity, WrittenApk, apk_bytes
from collector.virtual.apk.resource_table import ResourceTable, text_id
from collector.virtual.device import VirtualDevice
from collector.virtual.ui.app import AppIcon
from collector.virtual.ui.drawing.app_marks import icon_picture, keep_icon
from tests.helpers.shell import run
from tests.helpers.virtual import profile

TODO, OTHER = "com.waymark.todo", "org.example.notes"
ICON = AppIcon("edit", "#224466")


@pytest.fixture
def device() -> Iterator[VirtualDevice]:
    device = VirtualDevice(profile())
    yield device
    device.close()


def other(code: int = 3, min_sdk: int = 21) -> bytes:
    """An APK of an app that the phone does not know."""
    return apk_bytes(
        WrittenApk(
            OTHER, f"1.{code}", code, min_sdk, 34, "14",
            {"": "Notes", "zh": "笔记"},
            {density: icon_picture(ICON, side) for density, side in ((160, 48), (480, 144))},
            ("android.permission.CAMERA", "android.permission.INTERNET"),
            (
                WrittenActivity(f"{OTHER}.Main", ("android.intent.action.MAIN",),
                                categories=("android.intent.category.LAUNCHER",)),
                WrittenActivity(f"{OTHER}.ui.Editor", ("org.example.EDIT",), ("note",)),
                WrittenActivity(f"{OTHER}.Hidden", exported=False),
            ),
        )
    )  # fmt: skip


def pulled(device: VirtualDevice, package: str) -> bytes:
    path = run(device.machine, f"pm path {package}")[0].strip().removeprefix("package:")
    return device.machine.files.read(path)


def install(device: VirtualDevice, data: bytes, switches: str = "") -> str:
    return run(device.machine, f"pm install {switches} -S {len(data)}", data)[0]


def texts(device: VirtualDevice) -> list[str]:
    tree = ET.fromstring(device.phone.hierarchy_xml())
    return [node.get("text", "") for node in tree.iter("node") if node.get("text")]


def test_the_apk_of_each_package_says_what_the_phone_says(device):
    apps = [package for package in device.phone.packages if package.activities]
    for package in apps + [package for package in device.phone.packages if not package.activities][::9]:
        found = read_apk(io.BytesIO(device.machine.files.read(package.apk)))
        assert (found.package, found.version_name, found.version_code) == (
            package.package, package.version, package.version_code,
        )  # fmt: skip
        assert found.permissions == package.permissions
        assert [activity.name for activity in found.activities] == [
            component.activity for component in package.activities
        ]
        assert found.icon.startswith(b"\x89PNG")
    todo = read_apk(io.BytesIO(pulled(device, TODO)))
    assert todo.label == {"": "To-do", "zh": "待办", "de": "Aufgaben"}
    assert [activity.name for activity in todo.activities if activity.launcher] == [f"{TODO}.MainActivity"]
    assert pulled(device, TODO) == pulled(device, TODO)


def test_the_files_of_packages_are_in_their_folders(device):
    assert "SystemUI" in run(device.machine, "ls /system_ext/priv-app")[0].split()
    listed = run(device.machine, "ls -l /system/priv-app/TeleService")[0]
    size = len(device.machine.files.read("/system/priv-app/TeleService/TeleService.apk"))
    assert re.search(rf"-rw-r--r-- 1 root root +{size} .* TeleService\.apk", listed)
    assert run(device.machine, "ls /data/app")[2] == 1
    assert run(device.machine, "rm /system/priv-app/TeleService/TeleService.apk")[2] == 1


def test_files_that_are_not_packed_are_aligned(device):
    data = pulled(device, TODO)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        stored = [info for info in archive.infolist() if info.compress_type == zipfile.ZIP_STORED]
        assert stored[0].filename == "resources.arsc"
        for info in stored:
            content = archive.read(info)
            assert data.index(content) % 4 == 0
        values = ResourceTable(archive.read("resources.arsc")).values(text_id(0))
    assert {(value.language, value.text) for value in values} >= {("", "To-do"), ("zh", "待办")}


def test_an_app_that_was_removed_is_installed_from_its_own_apk(device):
    data, before = pulled(device, TODO), run(device.machine, f"pm path {TODO}")[0]
    device.phone.set_app_state("todo", {**device.phone.app_state("todo")})
    assert run(device.machine, f"pm uninstall {TODO}; pm path {TODO}")[:2] == ("Success\n", "")
    assert not device.phone.launch(TODO)
    assert install(device, data) == "Success\n"
    after = run(device.machine, f"pm path {TODO}")[0]
    assert after != before, "each installation has a folder of its own"
    assert pulled(device, TODO) == data
    assert device.phone.launch(TODO)


def test_an_app_of_others_is_listed_started_and_removed(device):
    data = other()
    assert install(device, data, "-r -i com.example.store") == "Success\n"
    assert pulled(device, OTHER) == data
    listed = run(device.machine, f"pm list packages -3 -i --show-versioncode {OTHER}")[0]
    assert listed == f"package:{OTHER} versionCode:3  installer=com.example.store\n"
    dumped = run(device.machine, f"dumpsys package {OTHER}")[0]
    for line in ("versionName=1.3", "versionCode=3 minSdk=21 targetSdk=34", "android.permission.CAMERA"):
        assert line in dumped
    assert run(device.machine, f"cmd package resolve-activity --brief {OTHER}")[0].endswith(
        f"{OTHER}/.Main\n"
    )
    run(device.machine, f"monkey -p {OTHER} -c android.intent.category.LAUNCHER 1")
    assert str(device.phone.focused) == f"{OTHER}/{OTHER}.Main"
    assert {"Notes", OTHER, "1.3 (3)", "Editor", "Hidden"} <= set(texts(device))
    assert "Permission Denial" in run(device.machine, f"am start -n {OTHER}/.Hidden")[1]
    run(device.machine, "am start -a org.example.EDIT -d note:1")
    assert str(device.phone.focused) == f"{OTHER}/{OTHER}.ui.Editor"
    assert (
        run(device.machine, f"pm uninstall {OTHER}; pm path {OTHER}; pm list packages {OTHER}")[0]
        == "Success\n"
    )
    assert install(device, data) == "Success\n"


def test_its_activities_open_from_its_screen(device):
    install(device, other())
    device.phone.launch(OTHER)
    tree = ET.fromstring(device.phone.hierarchy_xml())
    row = next(node for node in tree.iter("node") if node.get("text") == "Hidden")
    left, top, right, bottom = map(int, re.findall(r"\d+", row.get("bounds", "")))
    run(device.machine, f"input tap {(left + right) // 2} {(top + bottom) // 2}")
    assert str(device.phone.focused) == f"{OTHER}/{OTHER}.Hidden"
    run(device.machine, "settings put system system_locales zh-CN")
    assert "笔记" in texts(device)


@pytest.mark.parametrize(
    ("data", "switches", "failure"),
    [
        (b"PK" + bytes(900), "", "INSTALL_PARSE_FAILED_NOT_APK: Failed to parse base.apk"),
        (b"", "", "INSTALL_PARSE_FAILED_NOT_APK: Failed to parse base.apk"),
        (other(min_sdk=99), "", "INSTALL_FAILED_OLDER_SDK: "),
        (other(2), "", "INSTALL_FAILED_VERSION_DOWNGRADE: Downgrade detected: Update version code 2 "),
        (other(4), "-R", f"INSTALL_FAILED_ALREADY_EXISTS: Attempt to re-install {OTHER} "),
    ],
)
def test_what_is_refused_is_refused_in_the_words_of_android(device, data, switches, failure):
    install(device, other(3))
    assert install(device, data, switches).startswith(f"Failure [{failure}")
    assert "versionCode:3\n" in run(device.machine, f"pm list packages --show-versioncode {OTHER}")[0]


def test_an_icon_that_is_too_large_or_no_picture_is_not_drawn():
    surface = skia.Surface(1025, 8)
    large = bytes(surface.makeImageSnapshot().encodeToData(skia.kPNG, 100))
    assert keep_icon(icon_picture(ICON, 96))
    assert [keep_icon(data) for data in (large, b"no picture", b"")] == ["", "", ""]


def test_an_archive_without_manifest_and_a_package_of_the_system_are_refused(device):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("classes.dex", b"")
    assert install(device, file.getvalue()) == (
        "Failure [INSTALL_PARSE_FAILED_NOT_APK: Failed to parse base.apk: AndroidManifest.xml]\n"
    )
    failure = install(device, pulled(device, "com.android.phone"))
    assert failure.startswith(
        "Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: Existing package com.android.phone "
    )

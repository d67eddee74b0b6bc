"""An app is found by the name people and agents give it, or the reason names the candidates."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.adb.packages import parse_launcher_activities, parse_listed_apps, parse_packages
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.device.apps import installed_apps
from collector.device.apps.app_names import AppNotFound, find_app
from collector.device.apps.installed_app import InstalledApp
from collector.device.apps.installed_apps import read_installed_apps
from collector.device.errors import CallCancelled, DeviceOffline, ScrcpyFailed
from collector.device.transport.shell_result import ShellResult
from collector.device.video.scrcpy_server_jar import ScrcpyServerJar
from tests.helpers.shell_device import shell_device

APPS = tuple(
    InstalledApp(package, label)
    for package, label in {
        "com.google.android.apps.maps": "Maps",
        "com.google.android.apps.mapslite": "Maps Go",
        "com.android.chrome": "Chrome",
        "com.android.settings": "设置",
        "tv.danmaku.bili": "哔哩哔哩",
        "com.example.one.clock": "Clock",
        "com.example.two.clock": "clock",
        "com.google.android.youtube": "",
        "com.google.android.apps.youtube.music": "",
        "com.spot": "Spot",
    }.items()
)


@pytest.mark.parametrize(
    ("name", "package"),
    [
        ("com.android.chrome", "com.android.chrome"),
        ("Maps", "com.google.android.apps.maps"),
        ("  maps ", "com.google.android.apps.maps"),
        ("maps-go", "com.google.android.apps.mapslite"),
        ("ＭＡＰＳ", "com.google.android.apps.maps"),
        ("Clock", "com.example.one.clock"),
        ("clock", "com.example.two.clock"),
        ("chrom", "com.android.chrome"),
        ("the Chrome browser", "com.android.chrome"),
        ("哔哩", "tv.danmaku.bili"),
        ("哔哩哔哩客户端", "tv.danmaku.bili"),
        ("Settings", "com.android.settings"),
        ("YouTube", "com.google.android.youtube"),
        ("YouTube Music", "com.google.android.apps.youtube.music"),
    ],
)
def test_a_name_means_one_app(name: str, package: str) -> None:
    assert find_app(name, APPS).package == package


def test_a_name_of_several_apps_or_of_none_says_which_there_are() -> None:
    with pytest.raises(AppNotFound, match=r"^The name CLOCK means several .*one\.clock\), clock \(com\.exam"):
        find_app("CLOCK", APPS)
    with pytest.raises(AppNotFound, match=r"no app Chrane; the most similar are Chrome \(com\.android"):
        find_app("Chrane", APPS)
    with pytest.raises(AppNotFound, match=r"no app Spotify; the most similar are Spot \(com\.spot\)$"):
        find_app("Spotify", APPS)
    with pytest.raises(AppNotFound, match=r"no app 微信; it has Maps .* and 4 more$"):
        find_app("微信", APPS)
    for nameless in ("", "  "):
        with pytest.raises(AppNotFound, match="has no name"):
            find_app(nameless, APPS)
    with pytest.raises(AppNotFound, match="names none"):
        find_app("Maps", ())


_APP = st.builds(InstalledApp, st.from_regex(r"[a-z]+\.[a-z]+", fullmatch=True), st.text(max_size=12))


@settings(max_examples=40)
@given(st.text(max_size=12), st.lists(_APP, max_size=6, unique_by=lambda app: app.package))
def test_any_name_finds_an_app_or_gives_a_sentence(name: str, apps: list[InstalledApp]) -> None:
    with contextlib.suppress(AppNotFound):
        assert find_app(name, apps) in apps
    by_label = {app.label.strip(): app for app in apps}
    packages = {app.package for app in apps}
    for label, app in by_label.items():
        if label and label not in packages and len(by_label) == len(apps):
            assert find_app(label, apps) is app


ANDROID_15 = """\
2 activities found:
  Activity #0:
    priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true
    ActivityInfo:
      name=com.android.settings.Settings
      packageName=com.android.settings
      labelRes=0x7f1416ed nonLocalizedLabel=null icon=0x7f08032e banner=0x0
      enabled=true exported=true directBootAware=true
      ApplicationInfo:
        name=com.android.settings.SettingsApplication
        packageName=com.android.settings
        labelRes=0x7f1416ed nonLocalizedLabel=null icon=0x7f08032e banner=0x0
  Activity #1:
    priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true
    ActivityInfo:
      name=org.fossify.Main
      packageName=org.fossify
      labelRes=0x0 nonLocalizedLabel=Simple Notes icon=0x0 banner=0x0
"""
LISTED = """\
[server] INFO: Device: [Google] google Pixel (Android 15)
[server] INFO: List of apps:
 * 设置                             com.android.settings
 - A label of more than thirty characters
                                  com.example.long
 - Notes 2 - do                   org.fossify
"""


class Phone:
    """Answers the shell by the command's name."""

    serial = "p1"

    def __init__(self, **answers: str) -> None:
        self.answers, self.ran, self.pushed = answers, [], 0
        self.error: Exception | None = None

    def shell(self, command: str, **_more: object) -> ShellResult:
        self.ran.append(command)
        if "app_process" in command and self.error:
            raise self.error
        answer = next((text for word, text in self.answers.items() if word in command), "cmd: not found\n")
        return ShellResult(answer.encode(), b"", 0)

    def push(self, *_more: object, **_named: object) -> None:
        self.pushed += 1


def _jar(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def find() -> ScrcpyServerJar:
        if not version:
            raise ScrcpyFailed("none", "", "")
        return ScrcpyServerJar(b"jar", ScrcpyVersion.parse(version), "")

    monkeypatch.setattr(installed_apps, "find_server_jar", find)


def test_labels_that_are_resources_are_asked_of_scrcpy(monkeypatch: pytest.MonkeyPatch) -> None:
    phone = Phone(query=ANDROID_15, app_process=LISTED)
    _jar("3.3.4", monkeypatch)
    assert read_installed_apps(phone) == (
        InstalledApp("com.android.settings", "设置"),
        InstalledApp("com.example.long", "A label of more than thirty characters"),
        InstalledApp("org.fossify", "Notes 2 - do"),
    )
    assert "Server 3.3.4 list_apps=true" in phone.ran[-1]
    manifest_only = (InstalledApp("com.android.settings"), InstalledApp("org.fossify", "Simple Notes"))
    for version in ("2.7", ""):
        _jar(version, monkeypatch)
        phone.pushed = 0
        assert read_installed_apps(phone) == manifest_only
        assert not phone.pushed
    _jar("4.1", monkeypatch)
    phone.error = DeviceOffline("p1")
    assert read_installed_apps(phone) == manifest_only
    phone.error = CallCancelled("replay")
    with pytest.raises(CallCancelled):
        read_installed_apps(phone)


def test_an_old_phone_names_its_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    _jar("", monkeypatch)
    phone = Phone(**{"pm list packages": "package:com.android.chrome\npackage:com.android.phone\n"})
    apps = read_installed_apps(phone)
    assert find_app("Chrome", apps).package == "com.android.chrome"
    assert read_installed_apps(Phone()) == ()


@given(st.text())
def test_what_no_phone_prints_is_survived(text: str) -> None:
    for parse in (parse_launcher_activities, parse_listed_apps, parse_packages):
        parse(text)


def test_the_virtual_phone_tells_its_apps() -> None:
    with shell_device("shop", "settings", "companion") as device:
        apps = read_installed_apps(device)
        assert find_app("shop", apps) == InstalledApp("com.waymark.shop", "Shop")
        assert find_app("SETTINGS", apps).package == "com.android.settings"
        assert [app.package for app in apps] == [
            "com.android.settings",
            "com.waymark.shop",
            "com.waymark.browser",
            "com.android.deskclock",
            "com.android.calculator2",
            "com.android.contacts",
            "com.android.dialer",
            "com.android.camera2",
            "com.android.documentsui",
            "com.android.gallery3d",
        ]
        query = "cmd package query-activities --components -a android.intent.action.MAIN"
        assert "com.waymark.shop/.MainActivity" in device.shell(query).text.split()
        assert device.shell(f"{query} com.waymark.shop").text.count("/") == 1
        brief = device.shell(query.replace("components", "brief")).text
        assert "10 activities found:\n  Activity #0:\n    priority=0" in brief
        assert "No activities" in device.shell(query.replace("MAIN", "VIEW")).text

"""Stand-ins: the package and activities of another app, with configured texts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from collector.hierarchy.parse import parse_tree
from collector.virtual.apps import make_apps
from collector.virtual.apps.stand_in import stand_ins
from tests.helpers.shell_device import ShellDevice, shell_device

SPECS = (
    "tv.danmaku.bili/.MainActivityV2",
    "tv.danmaku.bili/com.bilibili.teenagersmode.ui.TeenagersModeActivity",
    "com.android.vending:android.intent.action.VIEW",
)


@pytest.fixture
def device() -> Iterator[ShellDevice]:
    with shell_device(apps=(*make_apps(("companion",)), *stand_ins(SPECS))) as phone:
        yield phone


def front(device: ShellDevice) -> str:
    return str(device.phone.focused)


def texts(device: ShellDevice) -> list[str]:
    return [node.text for node in parse_tree(device.phone.hierarchy_xml()) if node.text]


def test_its_activities_start_as_the_real_ones(device: ShellDevice) -> None:
    device.shell("monkey -p tv.danmaku.bili -c android.intent.category.LAUNCHER 1")
    assert front(device) == "tv.danmaku.bili/tv.danmaku.bili.MainActivityV2"
    device.shell("am start -n tv.danmaku.bili/com.bilibili.teenagersmode.ui.TeenagersModeActivity")
    assert front(device).endswith("TeenagersModeActivity")
    device.shell("am start -a android.intent.action.VIEW -d 'market://details?id=x' -p com.android.vending")
    assert front(device).startswith("com.android.vending/")
    assert "does not exist" in device.shell("am start -n tv.danmaku.bili/.Other").error_text


def test_it_shows_the_lines_it_is_told_to(device: ShellDevice) -> None:
    device.shell("monkey -p tv.danmaku.bili -c android.intent.category.LAUNCHER 1")
    assert "Stands in for tv.danmaku.bili" in texts(device)
    device.shell("echo 'lines: [稻香, \"简介\"]' | cmd waymark state set tv.danmaku.bili")
    assert texts(device)[-2:] == ["稻香", "简介"]
    assert "稻香" in device.shell("cmd waymark state get tv.danmaku.bili").text


def test_packages_are_apart_and_known_to_the_package_manager(device: ShellDevice) -> None:
    listed = device.shell("pm list packages").text
    assert "package:tv.danmaku.bili" in listed
    assert "package:com.android.vending" in listed
    device.shell("am start -n tv.danmaku.bili/.MainActivityV2; am force-stop com.android.vending")
    assert device.phone.pid_of("tv.danmaku.bili") is not None


@pytest.mark.parametrize("spec", ["", "app", "a.b/", "a.b/1x", "a b.c", "a.b:"])
def test_what_is_no_package_is_refused(spec: str) -> None:
    with pytest.raises(ValueError, match="is no PACKAGE"):
        stand_ins([spec])

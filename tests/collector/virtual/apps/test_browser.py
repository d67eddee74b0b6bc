"""The browser answers web addresses, and BACK leaves it for who asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from collector.hierarchy.parse import parse_tree
from collector.model.tree import Node
from collector.virtual.apps.browser.address import parameters, searched, shown, site, to_url
from tests.helpers.shell_device import ShellDevice, shell_device

BROWSER = "com.waymark.browser"
VIEW = "am start -a android.intent.action.VIEW -d"


@pytest.fixture
def device() -> Iterator[ShellDevice]:
    with shell_device("shop") as phone:
        yield phone


def nodes(device: ShellDevice) -> list[Node]:
    return list(parse_tree(device.phone.hierarchy_xml()).nodes)


def texts(device: ShellDevice) -> list[str]:
    return [node.text for node in nodes(device) if node.text]


def address(device: ShellDevice) -> str:
    return next(node.text for node in nodes(device) if node.resource_id == f"{BROWSER}:id/url_bar")


def tap(device: ShellDevice, words: str) -> None:
    for node in nodes(device):
        if words in (node.text, node.content_desc, node.resource_id.rpartition("/")[2]):
            assert node.bounds is not None
            center = node.bounds.center
            device.shell(f"input tap {center.x} {center.y}")
            return
    raise AssertionError(f"{words} is not on the screen: {texts(device)}")


def test_an_address_of_another_app_opens_a_page_and_back_returns(device: ShellDevice) -> None:
    done = device.shell(f"{VIEW} 'https://www.example.org/shop/list?b=c&d=e%20f'")
    assert done.text == (
        "Starting: Intent { act=android.intent.action.VIEW dat=https://www.example.org/... }\n"
    )
    assert str(device.phone.focused) == f"{BROWSER}/{BROWSER}.MainActivity"
    assert address(device) == "example.org/shop/list?b=c&d=e f"
    assert {"example.org", "b: c", "d: e f"} <= set(texts(device))
    page = next(node for node in nodes(device) if node.resource_id == f"{BROWSER}:id/page")
    assert (page.class_name, page.content_desc) == ("android.webkit.WebView", "example.org")
    tap(device, "About")
    assert address(device) == "example.org/about"
    device.shell("input keyevent BACK")
    assert address(device) == "example.org/shop/list?b=c&d=e f"
    device.shell("input keyevent BACK")
    assert device.phone.focused is not None
    assert device.phone.focused.package == "com.waymark.shop"
    device.shell(f"{VIEW} http://second.example; input keyevent BACK")
    assert device.phone.focused.package == "com.waymark.shop", "each call returns to its caller"


def test_addresses_and_searches_are_typed(device: ShellDevice) -> None:
    device.shell(f"monkey -p {BROWSER} 1")
    assert texts(device)[-4:] == ["Encyclopedia", "City news", "Weather", "Railway"]
    tap(device, "url_bar")
    device.shell("input text 'train%stickets'; input keyevent ENTER")
    assert "Results for train tickets" in texts(device)
    tap(device, "train tickets - news.example")
    assert address(device) == "news.example/?q=train tickets"
    tap(device, "url_bar")
    device.shell("input text example.org/a")
    assert device.phone.input_method.shown
    device.shell("input keyevent ENTER")
    assert address(device) == "example.org/a"
    assert not device.phone.input_method.shown
    tap(device, "menu_button")
    tap(device, "Copy link")
    assert device.phone.clipboard == "https://example.org/a"
    device.shell("svc wifi disable; svc data disable")
    assert "ERR_INTERNET_DISCONNECTED" in texts(device)
    device.shell("am start -a android.intent.action.WEB_SEARCH --es query 'two words'; svc data enable")
    assert "Results for two words" in texts(device)


def test_the_home_screen_stays_as_it_was(device: ShellDevice) -> None:
    device.shell("input keyevent HOME")
    icons = [node.content_desc for node in nodes(device) if node.resource_id.endswith(":id/icon")]
    assert icons == ["Settings", "Shop"]
    tap(device, "Search apps")
    listed = [node.text for node in nodes(device) if node.resource_id == "android:id/title"]
    assert listed[:7] == ["Settings", "Shop", "Browser", "Calculator", "Camera", "Clock", "Contacts"]


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("example.org", "https://example.org"),
        ("HTTP://Example.org/a", "HTTP://Example.org/a"),
        ("localhost:8080/x", "https://localhost:8080/x"),
        ("what is a.b", "https://search.example/?q=what+is+a.b"),
        ("hello", "https://search.example/?q=hello"),
        ("价格 100%", "https://search.example/?q=%E4%BB%B7%E6%A0%BC+100%25"),
    ],
)
def test_what_is_typed_is_an_address_or_a_search(typed: str, url: str) -> None:
    assert to_url(typed) == url
    assert searched(url) in ("", typed)


def test_addresses_that_are_none_are_shown_all_the_same() -> None:
    for url in ("https://[::1", "https://", "http:", "https://user:secret@a.example/x/?q"):
        assert "secret" not in shown(url) + site(url)
        assert isinstance(parameters(url), list)

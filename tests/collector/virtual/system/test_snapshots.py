"""Snapshots of the virtual phone: the very screen comes back, with what lies behind it."""

import pytest

from collector.model.geometry import Size
from collector.model.phone.phone_setup import PhoneSetup
from collector.virtual.apps import make_apps
from collector.virtual.system.phone import Phone, PhoneProfile
from collector.virtual.system.phone_state.phone_time import SimulatedTime
from tests.helpers.phone_driver import drag, has, tap

SHOP, TODO = "com.waymark.shop", "com.waymark.todo"
BACK = 4


@pytest.fixture
def phone():
    phone = Phone(PhoneProfile(apps=make_apps(), size=Size(480, 1064), density=213), SimulatedTime())
    yield phone
    phone.close()


def test_the_screen_the_scrolling_the_typed_text_and_what_is_behind_come_back(phone):
    phone.launch(TODO)
    tap(phone, resource_id="add")
    phone.commit_text("milk")
    with_text, windows = phone.hierarchy_xml(), phone.windows()
    phone.snapshots.save("editor")
    phone.launch(SHOP)
    drag(phone, (240, 900), (240, 300))
    phone.pass_time(3)
    scrolled, picture = phone.hierarchy_xml(), phone.capture().rgba.tobytes()
    phone.snapshots.save("shop")

    phone.reset(PhoneSetup(locale="zh-CN"))
    phone.launch(TODO)
    assert not has(phone, text="milk")
    for _time in range(2):
        assert phone.snapshots.load("editor")
        assert (phone.hierarchy_xml(), phone.windows()) == (with_text, windows)
        assert phone.profile.locale == "en-US"
        phone.commit_text(" and bread")
        assert has(phone, text="milk and bread"), "the field has the focus, and the caret is at its end"
    assert phone.snapshots.load("shop")
    assert phone.hierarchy_xml() == scrolled
    assert phone.capture().rgba.tobytes() == picture
    phone.key(BACK)
    assert phone.focused.package != SHOP
    phone.launch(TODO)
    assert phone.hierarchy_xml() == with_text, "the task behind it is as it was left, too"
    assert not phone.snapshots.load("nothing")

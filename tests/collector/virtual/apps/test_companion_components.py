"""The companion app by the shell: receivers, provider, guard, overview, D-GARA's version, and without it."""

import re

import pytest

from collector.hierarchy.parse import parse_tree
from collector.model.companion.contract import ANSWERS_FILE, AUTHORITY
from collector.model.resources import asset
from collector.virtual.apk.apk_writer import WrittenApk, apk_bytes
from collector.virtual.apps import make_apps
from collector.virtual.apps.companion.state import PACKAGE
from collector.virtual.device import VirtualDevice
from collector.virtual.ui.app import Activity, App, AppIcon
from collector.virtual.ui.effects import Change, Component, Intent, StartActivity
from collector.virtual.ui.theme import SETTINGS
from collector.virtual.ui.widgets import Column, Screen
from tests.helpers.shell import run
from tests.helpers.virtual import profile

URI = f"content://{AUTHORITY}"
SHOP = "com.waymark.shop"


@pytest.fixture
def device():
    device = VirtualDevice(profile("shop", "companion"))
    device.phone.launch(SHOP)
    yield device
    device.close()


def shell(device, line, data=b""):
    return run(device.machine, line, data)[0]


def broadcast(device, receiver, extras=""):
    return shell(device, f"am broadcast -n {PACKAGE}/.{receiver} {extras}").splitlines()[-1]


def shown(device):
    return [node.text for node in parse_tree(device.phone.hierarchy_xml()).nodes if node.text]


def test_the_provider_gives_version_open_dialogs_and_answers(device):
    assert shell(device, f"content query --uri {URI}/version") == "Row: 0 contract=1, version=2.0, sdk=35\n"
    shell(device, f"am start -n {PACKAGE}/.RatingActivity --es param_dialog a")
    assert re.match(
        r"Row: 0 dialog=a, activity=RatingActivity, showing=1, shown_at=\d{13}$",
        shell(device, f"content query --uri {URI}/open"),
    )
    assert shell(device, f"content call --uri {URI} --method close --arg a") == "Result: Bundle[{closed=1}]\n"
    answers = shell(device, f"content query --uri {URI}/answers --projection dialog:how")
    assert answers == "Row: 0 dialog=a, how=closed\n"
    assert '"how": "closed"' in shell(device, f"cat {ANSWERS_FILE}")
    shell(device, f"content delete --uri {URI}/answers")
    assert shell(device, f"content query --uri {URI}/answers") == "No result found.\n"
    assert shell(device, f"cat {ANSWERS_FILE}") == ""
    assert "Unknown URI" in "".join(run(device.machine, f"content query --uri {URI}/nothing")[:2])


def test_overlay_and_notification_need_their_permissions(device):
    assert broadcast(device, "OverlayReceiver") == (
        'Broadcast completed: result=1, data="needs android.permission.SYSTEM_ALERT_WINDOW"'
    )
    grants = f"content call --uri {URI} --method grants"
    assert shell(device, grants) == "Result: Bundle[{overlay=false, notifications=true}]\n"
    shell(device, f"appops set {PACKAGE} SYSTEM_ALERT_WINDOW allow")
    shell(device, f"pm revoke {PACKAGE} android.permission.POST_NOTIFICATIONS")
    assert shell(device, grants) == "Result: Bundle[{overlay=true, notifications=false}]\n"
    assert "needs android.permission.POST_NOTIFICATIONS" in broadcast(device, "NotificationReceiver")
    assert broadcast(device, "OverlayReceiver", "--es param_dialog o") == (
        'Broadcast completed: result=-1, data="o"'
    )
    shell(device, f"pm grant {PACKAGE} android.permission.POST_NOTIFICATIONS")
    assert broadcast(device, "NotificationReceiver").endswith('data="1"')


def test_an_overlay_leaves_the_app_in_front_and_has_the_focus(device):
    shell(device, f"appops set {PACKAGE} SYSTEM_ALERT_WINDOW allow")
    broadcast(device, "OverlayReceiver", "--es param_title Hello")
    assert device.phone.focused.package == SHOP
    assert shown(device) == ["Hello", "Something needs your attention", "Cancel", "OK"]
    windows = shell(device, "dumpsys window windows")
    assert "ty=APPLICATION_OVERLAY" in windows
    shell(device, f"am force-stop {PACKAGE}")
    assert "Hello" not in shown(device)
    assert shell(device, f"content query --uri {URI}/open") == "No result found.\n"


def test_a_dialog_that_waits_does_not_come_back_after_a_force_stop(device):
    shell(device, f"am start -n {PACKAGE}/.RatingActivity --ei param_returns 3 --ei param_return_seconds 1")
    device.phone.key(4)
    assert "shown_at=0" in shell(device, f"content query --uri {URI}/open")
    shell(device, f"am force-stop {PACKAGE}")
    assert device.phone.seconds_to_next_timer is None


def test_a_dialog_of_an_id_is_shown_anew_although_the_same_is_on_top(device):
    for title in ("first", "second"):
        extras = f"--es param_dialog a --es param_title {title}"
        shell(device, f"am start -n {PACKAGE}/.LowBatteryActivity {extras}")
    assert "second" in shown(device)
    answers = shell(device, f"content query --uri {URI}/answers --projection dialog:showing:how")
    assert answers == "Row: 0 dialog=a, showing=1, how=closed\n"
    device.phone.key(4)
    assert device.phone.focused.package == SHOP


def test_the_overview_does_not_show_it(device):
    shell(device, f"am start -n {PACKAGE}/.RatingActivity")
    device.phone.key(187)
    assert "AdbSmartTest" not in shown(device)


class Starter(App[int]):
    """An app of others whose only screen starts a dialog of the companion app."""

    name = "starter"
    package = "org.example.starter"
    icon = AppIcon("apps", "#224466")
    theme = SETTINGS
    activities = (Activity(".Main"),)
    state_type = int

    def initial(self, seed, locale):
        return 0

    def view(self, state, context):
        return Screen(Column())

    def update(self, state, event):
        dialog = Intent(component=Component(PACKAGE, f"{PACKAGE}.RatingActivity"))
        return state or Change(1, (StartActivity(dialog),))


def test_another_app_may_not_start_its_dialogs(device):
    device.phone.services.packages.install(Starter())
    shell(device, "am start -n org.example.starter/.Main")
    assert device.phone.focused.package == "org.example.starter"


def an_apk(code, version):
    return apk_bytes(WrittenApk(PACKAGE, version, code, 23, 35, "15", {"": "Companion"}, {}, (), ()))


def install(device, code, version):
    data = an_apk(code, version)
    assert shell(device, f"pm install -S {len(data)}", data) == "Success\n"


def test_it_is_uninstalled_with_its_file_and_its_apk_brings_it_back(device):
    shell(device, f"am start -n {PACKAGE}/.RatingActivity")
    device.phone.key(4)
    assert shell(device, f"pm uninstall {PACKAGE}") == "Success\n"
    assert "No such file" in "".join(run(device.machine, f"cat {ANSWERS_FILE}")[:2])
    assert "Could not find provider" in "".join(run(device.machine, f"content query --uri {URI}/version")[:2])
    assert broadcast(device, "ToastReceiver") == "Broadcast completed: result=0"
    install(device, 20, "2.0")
    assert broadcast(device, "ToastReceiver", "--es param_dialog t").endswith('data="t"')


def test_the_shipped_app_makes_the_phone_behave_as_it_does(device):
    shell(device, f"pm uninstall {PACKAGE}")
    data = asset("companion", "companion.apk").read_bytes()
    assert shell(device, f"pm install -S {len(data)}", data) == "Success\n"
    assert "versionName=2.0" in shell(device, f"dumpsys package {PACKAGE}")
    assert broadcast(device, "ToastReceiver", "--es param_dialog t").endswith('data="t"')
    assert shell(device, f"content query --uri {URI}/version").startswith("Row: 0 contract=1, version=2.0")


def test_d_garas_apk_shows_its_own_dialogs_and_answers_by_its_line_alone(device):
    shell(device, f"pm uninstall {PACKAGE}")
    install(device, 1, "1.0")
    assert "does not exist" in "".join(run(device.machine, f"am start -n {PACKAGE}/.RatingActivity")[:2])
    shell(device, f"am start -n {PACKAGE}/.LowBatteryActivity --es param_position top --ei param_returns 2")
    node = next(node for node in parse_tree(device.phone.hierarchy_xml()).nodes if node.text == "OK")
    assert node.bounds.top > 700
    shell(device, f"input tap {node.bounds.center.x} {node.bounds.center.y}")
    tags = {line.tag: line.text for line in device.phone.logcat.read()}
    assert tags["ReactBench_Event"] == "EVENT:LOW_BATTERY_ACKNOWLEDGED"
    assert "WaymarkCompanion" not in tags
    assert device.phone.seconds_to_next_timer is None
    assert not device.machine.files.exists(ANSWERS_FILE)


def test_a_phone_starts_without_it():
    names = {app.name for app in make_apps(without=["companion"])}
    assert "companion" not in names
    assert "shop" in names
    with pytest.raises(ValueError, match="no phone can be without 'launcher'"):
        make_apps(without=["launcher"])

"""Dialogs recognised from the tree alone, and what a policy taps on them."""

from __future__ import annotations

import pytest

from collector.agents.dialog_policy import DialogPolicy
from collector.agents.screen_dialogs import find_dialog
from collector.hierarchy.parse import parse_tree
from collector.model.errors import UserError
from tests.helpers.dumps import hierarchy, node

COMPANION = "com.example.adbsmarttest"


def tree(*roots):
    return parse_tree(hierarchy(*roots))


def button(text, name="", package=COMPANION, top=500, **given):
    return node(
        text=text, package=package, clickable="true", class_="android.widget.Button",
        resource_id=name and (name if ":" in name else f"{package}:id/{name}"),
        bounds=f"[100,{top}][300,{top + 80}]", **given,
    )  # fmt: skip


def words(text, package=COMPANION, name=""):
    return node(text=text, package=package, resource_id=name, bounds="[100,100][900,200]")


TWO = tree(
    words("Battery almost empty"),
    words("Only 6% of the battery is left. Battery saver keeps the phone running longer."),
    button("Not now", "deny_button", top=700),
    button("Open battery saver", "allow_button", top=500),
)
ONE = tree(words("Storage is full"), button("Free up space", "ok_button"))
NONE = tree(words("You were redirected"))
COOKIES = tree(
    words("Cookies"),
    button("Manage", "manage_settings_button", top=500),
    button("Reject all", "reject_all_button", top=600),
    button("Accept all", "accept_all_button", top=700),
)
CRASH = tree(
    words("Shop has stopped", "android", "android:id/alertTitle"),
    button("App info", "android:id/aerr_app_info", "android", 500),
    button("Close app", "android:id/aerr_close", "android", 600),
)
FROZEN = tree(
    words("Shop isn't responding", "android", "android:id/alertTitle"),
    button("Close app", "android:id/aerr_close", "android", 500),
    button("Wait", "android:id/aerr_wait", "android", 600),
)
PERMISSIONS = "com.android.permissioncontroller"
PERMISSION = tree(
    words("Allow Shop to take pictures?", PERMISSIONS),
    button("While using the app", f"{PERMISSIONS}:id/permission_allow_foreground_only_button", PERMISSIONS),
    button("Don't allow", f"{PERMISSIONS}:id/permission_deny_button", PERMISSIONS, 600),
)
CALL = tree(
    words("Incoming call", "com.android.dialer"),
    button("Decline", "com.android.dialer:id/decline_button", "com.android.dialer"),
    button("Answer", "com.android.dialer:id/answer_button", "com.android.dialer", 600),
)
SAVER = tree(
    words("Turn on Battery Saver?", "com.android.systemui", "com.android.systemui:id/alertTitle"),
    button("No thanks", "android:id/button2", "com.android.systemui", 500),
    button("Turn on", "android:id/button1", "com.android.systemui", 600),
)


def pressed(screen, policy=None):
    """The label that is tapped first, BACK without one."""
    dialog = find_dialog(screen)
    _name, tapped = DialogPolicy(policy or {}, None).choices(dialog, screen)[0]
    return tapped.text if tapped is not None else "BACK"


@pytest.mark.parametrize(
    ("screen", "kind"),
    [
        (TWO, "injected"), (ONE, "injected"), (NONE, "injected"), (CRASH, "crash"), (FROZEN, "frozen"),
        (PERMISSION, "permission"), (CALL, "call"), (SAVER, "system"),
    ],
)  # fmt: skip
def test_the_kind_of_a_dialog_is_seen_in_the_tree(screen, kind):
    assert find_dialog(screen).kind == kind


def test_a_screen_of_an_app_is_no_dialog():
    app = tree(words("Shop", "com.waymark.shop"), button("Cancel", "cancel", "com.waymark.shop"))
    assert find_dialog(app) is None
    assert find_dialog(tree(button("Send", "android:id/button1", "com.waymark.shop"))) is None


@pytest.mark.parametrize(
    ("answer", "tapped"),
    [
        ("dismiss", ("Not now", "BACK", "Reject all")),
        ("deny", ("Not now", "Free up space", "Reject all")),
        ("allow", ("Open battery saver", "Free up space", "Accept all")),
        ("first", ("Open battery saver", "Free up space", "Manage")),
        ("last", ("Not now", "Free up space", "Accept all")),
        ({"button": "Manage"}, ("BACK", "BACK", "Manage")),
        ([{"button": "Manage"}, "deny"], ("Not now", "Free up space", "Manage")),
    ],
)
def test_the_declared_answer_is_pressed(answer, tapped):
    assert tuple(pressed(screen, {"default": answer}) for screen in (TWO, ONE, COOKIES)) == tapped


def test_the_phones_own_dialogs_are_left_so_that_the_task_can_go_on():
    assert [pressed(screen) for screen in (CRASH, FROZEN, PERMISSION, CALL, SAVER)] == [
        "Close app", "Close app", "While using the app", "Decline", "No thanks",
    ]  # fmt: skip
    assert pressed(FROZEN, {"frozen": "dismiss"}) == "Wait"
    assert pressed(PERMISSION, {"permission": "deny"}) == "Don't allow"
    assert pressed(NONE) == "BACK"


def test_a_family_goes_before_the_kind_and_the_kind_before_the_default():
    policy = {"battery_low": "allow", "injected": "last", "default": "first"}
    assert pressed(TWO, policy) == "Open battery saver"
    assert pressed(COOKIES, policy) == "Accept all"
    assert pressed(SAVER, policy) == "No thanks"
    assert pressed(TWO, {"battery_low_double_en": "allow", "battery_low": "deny"}) == "Open battery saver"


def test_the_librarys_expected_answer_is_pressed():
    assert pressed(TWO, {"default": "expected"}) == "Not now"
    assert pressed(COOKIES, {"default": "expected"}) == "Reject all"


def test_what_comes_after_the_declared_answer_is_never_the_same_twice():
    choices = DialogPolicy({}, None).choices(find_dialog(TWO), TWO)
    assert [name for name, _node in choices] == ["dismiss", "dismiss", "Open battery saver"]
    assert len({id(node) for _name, node in choices}) == len(choices)


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        ({"default": "dissmiss"}, "'dissmiss' is no answer of the policy for default. Write dismiss"),
        ({"default": 3}, "Use dismiss, deny"),
        ({"default": [["deny"]]}, "no answer"),
        ({"default": {"label": "OK"}}, "no answer"),
        ({"default": []}, "no answer"),
        ({"batery_low": "deny"}, "names batery_low, .*Write battery_low"),
        ({"zzzz": "deny"}, "Use default, injected"),
    ],
)
def test_a_policy_that_says_nothing_is_refused(policy, said):
    with pytest.raises(UserError, match=said):
        DialogPolicy(policy, None)

"""The button by which a dialog of the phone itself is left."""

from __future__ import annotations

import pytest

from collector.hierarchy.parse import parse_tree
from collector.replay.system_dialogs import leaving_button
from tests.helpers.dumps import hierarchy, node


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        (("android:id/aerr_close", "android:id/aerr_wait"), "aerr_wait"),
        (("android:id/aerr_app_info", "android:id/aerr_close"), "aerr_close"),
        (
            (
                "com.android.permissioncontroller:id/permission_deny_button",
                "com.android.permissioncontroller:id/permission_allow_button",
            ),
            "permission_allow_button",
        ),
        (("com.android.dialer:id/decline_button", "com.android.dialer:id/answer_button"), "decline_button"),
        (("com.example.shop:id/permission_allow_button", "com.example.shop:id/aerr_close"), None),
        (("com.example.shop:id/decline_button",), None),
    ],
)
def test_the_button_is_known_by_its_id_and_whose_it_is(ids, expected):
    button = leaving_button(parse_tree(hierarchy(*(node(resource_id=name) for name in ids))))
    assert (button.short_id if button is not None else None) == expected

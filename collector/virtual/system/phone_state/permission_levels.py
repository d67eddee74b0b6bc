"""Which permissions a person grants while an app runs; the system grants all others when it is installed."""

from __future__ import annotations

_PREFIX = "android.permission."
_RUNTIME = frozenset({
    "ACCEPT_HANDOVER", "ACCESS_BACKGROUND_LOCATION", "ACCESS_COARSE_LOCATION", "ACCESS_FINE_LOCATION",
    "ACCESS_MEDIA_LOCATION", "ACTIVITY_RECOGNITION", "ANSWER_PHONE_CALLS", "BLUETOOTH_ADVERTISE",
    "BLUETOOTH_CONNECT", "BLUETOOTH_SCAN", "BODY_SENSORS", "BODY_SENSORS_BACKGROUND", "CALL_PHONE",
    "CAMERA", "GET_ACCOUNTS", "NEARBY_WIFI_DEVICES", "POST_NOTIFICATIONS", "PROCESS_OUTGOING_CALLS",
    "RANGING", "READ_CALENDAR", "READ_CALL_LOG", "READ_CELL_BROADCASTS", "READ_CONTACTS",
    "READ_EXTERNAL_STORAGE", "READ_MEDIA_AUDIO", "READ_MEDIA_IMAGES", "READ_MEDIA_VIDEO",
    "READ_MEDIA_VISUAL_USER_SELECTED", "READ_PHONE_NUMBERS", "READ_PHONE_STATE", "READ_SMS",
    "RECEIVE_MMS", "RECEIVE_SMS", "RECEIVE_WAP_PUSH", "RECORD_AUDIO", "SEND_SMS", "USE_SIP",
    "UWB_RANGING", "WRITE_CALENDAR", "WRITE_CALL_LOG", "WRITE_CONTACTS", "WRITE_EXTERNAL_STORAGE",
})  # fmt: skip
"""Permissions that AOSP's ``core/res/AndroidManifest.xml`` calls dangerous."""


def is_runtime(permission: str) -> bool:
    """Whether a person grants and revokes it; False for those that an installation grants."""
    return permission.startswith(_PREFIX) and permission.removeprefix(_PREFIX) in _RUNTIME

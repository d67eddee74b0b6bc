"""The contract of the companion app: packages, tags, provider and file, as docs/companion.md tells them.

The app (``assets/companion``), the virtual phone's app and the studio keep to it. D-GARA's AdbSmartTest knows
its own part alone: the activities with ``dgara`` set, and the line that a button logs.
"""

from __future__ import annotations

from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.companion.activities import NOTIFICATIONS, OVERLAY

CONTRACT_VERSION = 1
"""Raised when a computer of before could misread the app; new parameters do not raise it."""
VERSION_NAME, VERSION_CODE = "2.0", 20
"""Of the app; D-GARA's AdbSmartTest says 1.0 and 1."""
MINIMUM_SDK, TARGET_SDK = 23, 35

PERMISSIONS = {
    OVERLAY: "draws OverlayReceiver over other apps; the person or adb allows it",
    NOTIFICATIONS: "shows notifications, and toasts from Android 13 on; the person or adb allows it",
    "android.permission.REQUEST_DELETE_PACKAGES": "lets RemoveActivity ask the person to uninstall the app",
}
"""What the app may do, with the reason. It has no permission for the network."""

EVENT_TAG = "ReactBench_Event"
"""Tag of the log line of a button, whose text is the event alone."""
ANSWER_TAG = "WaymarkCompanion"
"""Tag of the log line of every answer, a JSON object with :data:`ANSWER_COLUMNS`."""

AUTHORITY = f"{COMPANION_PACKAGE}.companion"
GUARD = "android.permission.DUMP"
"""Permission that a caller of our components needs. adb's shell holds it, other apps do not."""
VERSION_PATH, ANSWERS_PATH, OPEN_PATH = "version", "answers", "open"
VERSION_COLUMNS = ("contract", "version", "sdk")
OPEN_COLUMNS = ("dialog", "activity", "showing", "shown_at")
ANSWER_COLUMNS = (
    "dialog", "activity", "showing", "answer", "how", "event", "value", "shown_at", "answered_at",
)  # fmt: skip
"""``dialog`` repeats ``param_dialog``; ``showing`` counts from 1; times are milliseconds since 1970.

``answer`` is the word that rules have for the button, or empty without one; ``event`` is what was logged
under :data:`EVENT_TAG`, or empty; ``value`` is what a person gave: the stars of a rating, or the names of
the fields of a sign-in in which something was typed (never the text).
"""
ANSWERS_FILE = f"/sdcard/Android/data/{COMPANION_PACKAGE}/files/answers.jsonl"
"""Every answer, a JSON object a line, until the provider's answers are deleted."""
KEPT_ANSWERS = 500
"""Older answers leave the provider and the file."""

TOUCH, BACK, OUTSIDE, TIMEOUT, FINISHED, CLOSED, SHOWN, SWIPED = (
    "touch", "back", "outside", "timeout", "finished", "closed", "shown", "swiped",
)  # fmt: skip
HOW = {
    TOUCH: "a button, a mark or a notification was touched",
    BACK: "the back key or gesture",
    OUTSIDE: "a touch beside the dialog",
    TIMEOUT: "param_timeout_seconds were over",
    FINISHED: "a progress reached its end",
    CLOSED: "the provider's method close, or another dialog of the same id took its place",
    SHOWN: "a toast, which nobody can answer",
    SWIPED: "a notification was swiped away",
}
"""How a dialog ended."""
CLOSE_METHOD, GRANTS_METHOD = "close", "grants"
"""``content call --method close [--arg DIALOG]`` closes that dialog, or all.

``grants`` returns a flag for each of :data:`PERMISSION_WORDS`, as ``Bundle[{overlay=true, ...}]``.
"""
PERMISSION_WORDS = {"overlay": OVERLAY, "notifications": NOTIFICATIONS}
"""What a person allows, by the words that the app has for it."""
RECEIVER_SHOWN, RECEIVER_REFUSED = -1, 1
"""Result of ``am broadcast``: shown, with the dialog as data; or not, with ``needs`` and the permission."""
ASK_ACTIVITY, ASK_PARAMETER = "AskPermissionActivity", "param_permission"
"""Tells why the app asks, and opens the system's page; the parameter is ``overlay`` or ``notifications``."""
REMOVE_ACTIVITY = "RemoveActivity"
"""Has Android ask the person whether to uninstall the app."""
TEST_ACTIVITY, TEST_SECURE = "TestScreenActivity", "param_secure"
"""A screen that turns from black to white, or back, as a finger comes down; secure, it forbids pictures."""
CHAIN_ACTIVITY, CHAIN_PARAMETERS = "activity", "parameters"
"""Keys of an object in ``param_chain``. It starts when the dialog before it has ended, but was not closed."""

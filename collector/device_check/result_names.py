"""What measurements, abilities and workspaces of a check are called."""

from __future__ import annotations

from collector.model.i18n import N_, _

_MEASUREMENTS = {
    "adb_server": N_("adb server version"),
    "link": N_("Link"),
    "features": N_("Features of adb"),
    "round_trip": N_("Answer to a command"),
    "send": N_("Speed to the phone"),
    "receive": N_("Speed from the phone"),
    "free": N_("Free storage"),
    "skew": N_("Phone's clock"),
    "screencap": N_("Time of a screenshot"),
    "picture_size": N_("Size of a screenshot"),
    "scrcpy.first_picture": N_("scrcpy: first picture after"),
    "scrcpy.fps": N_("scrcpy: pictures a second"),
    "scrcpy_versions": N_("scrcpy versions tried"),
    "screenrecord.first_picture": N_("screenrecord: first picture after"),
    "screenrecord.fps": N_("screenrecord: pictures a second"),
    "touch_to_picture": N_("From a touch to its picture"),
    "uiautomator.tree": N_("uiautomator dump: time of a tree"),
    "uiautomator.nodes": N_("uiautomator dump: nodes"),
    "uiautomator2": N_("uiautomator2"),
    "uiautomator2.tree": N_("uiautomator2: time of a tree"),
    "uiautomator2.nodes": N_("uiautomator2: nodes"),
    "windows": N_("Windows that tell their flags"),
    "input_way": N_("Way of input"),
    "keyboards": N_("Keyboards"),
    "text_way": N_("Way of typing"),
    "touchscreens": N_("Touchscreens"),
    "pens": N_("Pens"),
    "touch_range": N_("Range of the touchscreen"),
    "touch_protocol": N_("Protocol of the touchscreen"),
    "rotation": N_("Rotation"),
    "last_corner": N_("Its last corner on the screen"),
    "settle": N_("Longest time until the screen rests"),
    "refused": N_("Broadcasts that are refused"),
    "not_for_version": N_("Not for this Android"),
    "injected": N_("Anomalies that work"),
    "screen_off": N_("Time until the screen is off"),
    "screen_on": N_("Time until the screen is on"),
}
_ABILITIES = {
    "connection.speed": N_("Fast enough"),
    "storage.free": N_("Room for helpers"),
    "clock.read": N_("Clock can be read"),
    "clock.right": N_("Clock is right"),
    "pictures.screencap": N_("Screenshots"),
    "pictures.scrcpy": N_("Video by scrcpy"),
    "pictures.screenrecord": N_("Video by screenrecord"),
    "trees.uiautomator": N_("Trees by uiautomator dump"),
    "trees.uiautomator2": N_("Trees by uiautomator2"),
    "secure.known": N_("Protected windows are told"),
    "input.command": N_("Input by the input command"),
    "input.scrcpy": N_("Input by scrcpy"),
    "input.tap": N_("Tap"),
    "input.long_press": N_("Long press"),
    "input.swipe": N_("Swipe"),
    "input.key": N_("Keys"),
    "input.pinch": N_("Pinch with two fingers"),
    "touches.read": N_("Touches on the phone are reported"),
    "settling.rests": N_("The screen comes to rest"),
    "appearance.rotation": N_("Rotation"),
    "appearance.dark": N_("Dark mode"),
    "appearance.font": N_("Size of texts"),
    "appearance.language": N_("Language of one app"),
    "permissions.revoke": N_("Revoke and grant a permission"),
    "permissions.appops": N_("Block the camera of an app"),
    "broadcasts.send": N_("Send a broadcast"),
    "broadcasts.dialogs": N_("Close dialogs by a broadcast"),
    "reset.app": N_("Delete the data of an app"),
    "lock.screen": N_("Screen off and on"),
}
_WORKSPACES = {
    "record": N_("Record"),
    "rules": N_("Rules"),
    "states": N_("States"),
    "run": N_("Run"),
    "review": N_("Review"),
}


_SETTINGS = {
    "frame-source": N_("Frame source"),
    "tree-source": N_("Tree source"),
    "settle-ms": N_("Settle time in ms"),
}


def setting_name(name: str) -> str:
    """What a setting of the studio is called."""
    return _(_SETTINGS.get(name, name))


def measurement_name(name: str) -> str:
    """What a measurement is called; its name where nothing better is known."""
    return _(_MEASUREMENTS[name]) if name in _MEASUREMENTS else name


def ability_name(ability_id: str) -> str:
    """What an ability is called; the last part of its id where nothing better is known."""
    return _(_ABILITIES[ability_id]) if ability_id in _ABILITIES else ability_id.partition(".")[2]


def workspace_name(workspace: str) -> str:
    """The name of a workspace as the window has it."""
    return _(_WORKSPACES.get(workspace, workspace))

"""The APK of a package of the phone, made of what the phone says of it."""

from __future__ import annotations

from typing import Any

from collector.virtual.apk.apk_writer import WrittenActivity, WrittenApk, apk_bytes
from collector.virtual.system.phone_state.phone_values import PackageInfo
from collector.virtual.ui.app import Activity, App, AppIcon
from collector.virtual.ui.drawing.app_marks import icon_picture
from collector.virtual.ui.effects import ACTION_MAIN, CATEGORY_HOME, CATEGORY_LAUNCHER

_LOCALES = {"": "en-US", "zh": "zh-CN", "de": "de-DE"}
_SIDES = {160: 48, 320: 96, 480: 144}
"""Sides of the launcher icon in px by density."""
_SYSTEM_ICON = AppIcon("settings", "#5B6770")
_DEFAULT, _BROWSABLE = "android.intent.category.DEFAULT", "android.intent.category.BROWSABLE"
_MIN_SDK = 24


def package_apk(package: PackageInfo, app: App[Any] | None, sdk: int, release: str) -> bytes:
    """The file of an installed package; one without a screen has no activities."""
    icon = app.icon if app is not None else _SYSTEM_ICON
    label = {"": package.label}
    if app is not None:
        label = {language: app.label(locale) for language, locale in _LOCALES.items()}
    return apk_bytes(
        WrittenApk(
            package.package, package.version, package.version_code,
            sdk if package.system else _MIN_SDK, sdk, release, label,
            {density: icon_picture(icon, side) for density, side in _SIDES.items()},
            package.permissions,
            tuple(_activity(app, activity) for activity in app.activities) if app is not None else (),
            not package.system,
        )
    )  # fmt: skip


def _activity(app: App[Any], activity: Activity) -> WrittenActivity:
    actions = activity.actions
    categories: tuple[str, ...] = (_DEFAULT,) if activity.actions else ()
    if activity.home:
        actions, categories = (ACTION_MAIN,), (CATEGORY_HOME, _DEFAULT)
    elif activity.launcher:
        actions, categories = (ACTION_MAIN, *actions), (CATEGORY_LAUNCHER, *categories)
    if activity.schemes:
        categories = (*categories, _BROWSABLE)
    return WrittenActivity(
        app.component(activity).activity, actions, activity.schemes, categories,
        activity.exported, activity.single_top, activity.types,
    )  # fmt: skip

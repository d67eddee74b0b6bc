"""Write an APK: a manifest, the table of its names and icons, and the pictures. No code, no signature."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass

from collector.virtual.apk import manifest_attributes as a
from collector.virtual.apk.apk_reader import MANIFEST, TABLE
from collector.virtual.apk.binary_xml import (
    BOOLEAN,
    INTEGER,
    REFERENCE,
    STRING,
    XmlElement,
    XmlValue,
    write_xml,
)
from collector.virtual.apk.resource_table import ICON, table_bytes, text_id

_DATE = (2009, 1, 1, 0, 0, 0)
"""Of every file, as in the packages of AOSP's builds."""
_ALIGNMENT = 4
"""Of files that are not compressed: Android 11 and later want the table of resources so."""
_LOCAL_HEADER = 30
_TRUE = 0xFFFFFFFF
_APP_NAME = "app_name"


@dataclass(frozen=True, slots=True)
class WrittenActivity:
    """An activity of the manifest: its full class name, the actions with schemes, and how it is started."""

    name: str
    actions: tuple[str, ...] = ()
    schemes: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    exported: bool = True
    single_top: bool = False
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WrittenApk:
    """What an APK says."""

    package: str
    version_name: str
    version_code: int
    min_sdk: int
    target_sdk: int
    release: str
    """The Android version that it is compiled for."""
    label: Mapping[str, str]
    """By language; empty for all others."""
    icons: Mapping[int, bytes]
    """PNG pictures by density."""
    permissions: tuple[str, ...] = ()
    activities: tuple[WrittenActivity, ...] = ()
    debuggable: bool = False


def apk_bytes(apk: WrittenApk) -> bytes:
    """The file; equal for equal contents."""
    paths = {density: f"res/mipmap-{name}-v4/ic_launcher.png" for density, name in _DENSITIES.items()}
    icons = {density: paths[density] for density in apk.icons}
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        _add(archive, file, MANIFEST, _manifest(apk), compressed=True)
        _add(archive, file, TABLE, table_bytes(apk.package, {_APP_NAME: apk.label}, icons), compressed=False)
        for density, path in sorted(icons.items()):
            _add(archive, file, path, apk.icons[density], compressed=False)
    return file.getvalue()


_DENSITIES = {160: "mdpi", 240: "hdpi", 320: "xhdpi", 480: "xxhdpi", 640: "xxxhdpi"}


def _add(archive: zipfile.ZipFile, file: io.BytesIO, name: str, data: bytes, *, compressed: bool) -> None:
    info = zipfile.ZipInfo(name, _DATE)
    info.create_system = 0
    info.compress_type = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    if not compressed:
        begins = file.tell() + _LOCAL_HEADER + len(name)
        info.extra = bytes(-begins % _ALIGNMENT)
    archive.writestr(info, data)


def _text(text: str) -> XmlValue:
    return XmlValue(STRING, text=text)


def _number(number: int) -> XmlValue:
    return XmlValue(INTEGER, number)


def _yes(on: bool) -> XmlValue:
    return XmlValue(BOOLEAN, _TRUE if on else 0)


def _manifest(apk: WrittenApk) -> bytes:
    root = XmlElement(
        "manifest",
        {
            a.VERSION_CODE: _number(apk.version_code),
            a.VERSION_NAME: _text(apk.version_name),
            a.COMPILE_SDK: _number(apk.target_sdk),
            a.COMPILE_CODENAME: _text(apk.release),
            "package": _text(apk.package),
            "platformBuildVersionCode": _number(apk.target_sdk),
            "platformBuildVersionName": _text(apk.release),
        },
    )
    root.children.append(
        XmlElement("uses-sdk", {a.MIN_SDK: _number(apk.min_sdk), a.TARGET_SDK: _number(apk.target_sdk)})
    )
    root.children += [XmlElement("uses-permission", {a.NAME: _text(name)}) for name in apk.permissions]
    app = XmlElement(
        "application",
        {
            a.LABEL: XmlValue(REFERENCE, text_id(0)),
            a.ICON: XmlValue(REFERENCE, ICON),
            a.HAS_CODE: _yes(False),
            a.ALLOW_BACKUP: _yes(True),
            a.SUPPORTS_RTL: _yes(True),
        },
    )
    if apk.debuggable:
        app.attributes[a.DEBUGGABLE] = _yes(True)
    app.children += [_activity(activity) for activity in apk.activities]
    root.children.append(app)
    return write_xml(root, a.NAMES)


def _activity(activity: WrittenActivity) -> XmlElement:
    element = XmlElement("activity", {a.NAME: _text(activity.name), a.EXPORTED: _yes(activity.exported)})
    if activity.single_top:
        element.attributes[a.LAUNCH_MODE] = _number(1)
    if activity.actions:
        rows = [XmlElement("action", {a.NAME: _text(name)}) for name in activity.actions]
        rows += [XmlElement("category", {a.NAME: _text(name)}) for name in activity.categories]
        rows += [XmlElement("data", {a.SCHEME: _text(name)}) for name in activity.schemes]
        rows += [XmlElement("data", {a.MIME_TYPE: _text(name)}) for name in activity.types]
        element.children.append(XmlElement("intent-filter", children=rows))
    return element

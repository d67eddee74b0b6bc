"""Read an APK: what its manifest says, and the names and icon that its table of resources has for it."""

from __future__ import annotations

import zipfile
import zlib
from dataclasses import dataclass, field
from typing import IO

from collector.virtual.apk import manifest_attributes as a
from collector.virtual.apk.binary_xml import REFERENCE, STRING, XmlElement, XmlValue, read_xml
from collector.virtual.apk.resource_table import ResourceTable

MANIFEST, TABLE = "AndroidManifest.xml", "resources.arsc"
_MAX_MANIFEST, _MAX_TABLE, _MAX_ICON = 4 << 20, 64 << 20, 4 << 20
_PICTURES = (".png", ".webp", ".jpg")
_MAX_DENSITY = 640
_MAIN, _LAUNCHER = "android.intent.action.MAIN", "android.intent.category.LAUNCHER"


@dataclass(frozen=True, slots=True)
class ApkActivity:
    """An activity, or an alias of one. ``name`` is the full class name."""

    name: str
    label: dict[str, str]
    """By language, empty for all others; empty when it is that of the app."""
    actions: tuple[str, ...]
    schemes: tuple[str, ...]
    launcher: bool
    exported: bool
    types: tuple[str, ...] = ()
    """MIME types it takes."""


@dataclass(frozen=True, slots=True)
class ApkManifest:
    """What the manifest says."""

    package: str
    version_name: str = ""
    version_code: int = 0
    split: str = ""
    """The name of this part of an app that comes in several; empty for the base."""
    min_sdk: int = 1
    target_sdk: int = 1
    test_only: bool = False
    permissions: tuple[str, ...] = ()
    activities: tuple[ApkActivity, ...] = ()
    label: dict[str, str] = field(default_factory=dict)
    """By language; empty for all others."""
    icon: bytes = b""
    """The launcher icon, a picture; empty when it is a drawing."""


class MissingManifestError(ValueError):
    """A ZIP archive without a manifest."""


def read_apk(file: IO[bytes]) -> ApkManifest:
    """Read an APK; raise ValueError when the file is not one."""
    try:
        with zipfile.ZipFile(file) as archive:
            root = read_xml(_member(archive, MANIFEST, _MAX_MANIFEST))
            names = archive.namelist()
            table = ResourceTable(_member(archive, TABLE, _MAX_TABLE)) if TABLE in names else None
            return _manifest(root, table, archive)
    except KeyError:
        raise MissingManifestError(MANIFEST) from None
    except (zipfile.BadZipFile, zlib.error, OSError, NotImplementedError, RuntimeError) as error:
        raise ValueError(f"not an APK: {error}") from None


def _member(archive: zipfile.ZipFile, name: str, limit: int) -> bytes:
    if archive.getinfo(name).file_size > limit:
        raise ValueError(f"{name} is too large")
    return archive.read(name)


@dataclass(slots=True)
class _Values:
    """Attributes of elements, with resources looked up."""

    table: ResourceTable | None

    def text(self, element: XmlElement, key: int | str) -> str:
        """One text; of a resource that for all languages, or any."""
        found = self.texts(element, key)
        return found.get("") or next(iter(found.values()), "")

    def texts(self, element: XmlElement, key: int | str) -> dict[str, str]:
        """The texts by language."""
        value = element.attributes.get(key)
        if value is None:
            return {}
        if value.kind != REFERENCE:
            return {"": value.text if value.kind == STRING or value.text else str(value.data)}
        if self.table is None:
            return {}
        found: dict[str, str] = {}
        for one in self.table.values(value.data):
            found.setdefault(one.language, one.text)
        return found

    def number(self, element: XmlElement, key: int, usual: int = 0) -> int:
        value = element.attributes.get(key)
        if value is None:
            return usual
        text = self.text(element, key) if value.kind in (REFERENCE, STRING) else str(value.data)
        return int(text) if text.isdecimal() else usual

    def flag(self, element: XmlElement, key: int) -> bool | None:
        """A yes or no; None when it is not said."""
        value = element.attributes.get(key)
        return None if value is None else value.data != 0 or value.text == "true"


def _manifest(root: XmlElement, table: ResourceTable | None, archive: zipfile.ZipFile | None) -> ApkManifest:
    if root.name != "manifest":
        raise ValueError(f"the first element is {root.name}")
    values = _Values(table)
    package = values.text(root, "package")
    if not package:
        raise ValueError("the manifest names no package")
    sdk = next(root.all("uses-sdk"), XmlElement("uses-sdk"))
    app = next(root.all("application"), XmlElement("application"))
    min_sdk = values.number(sdk, a.MIN_SDK, 1)
    requested = (
        values.text(element, a.NAME) for element in root.all("uses-permission", "uses-permission-sdk-23")
    )
    return ApkManifest(
        package,
        values.text(root, a.VERSION_NAME),
        values.number(root, a.VERSION_CODE),
        values.text(root, "split"),
        min_sdk,
        values.number(sdk, a.TARGET_SDK, min_sdk),
        bool(values.flag(app, a.TEST_ONLY)),
        tuple(dict.fromkeys(name for name in requested if name)),
        tuple(_activity(element, package, values) for element in app.all("activity", "activity-alias")),
        values.texts(app, a.LABEL),
        _icon(app, values, archive),
    )


def _activity(element: XmlElement, package: str, values: _Values) -> ApkActivity:
    filters = list(element.all("intent-filter"))
    actions = [values.text(action, a.NAME) for one in filters for action in one.all("action")]
    data = [element for one in filters for element in one.all("data")]
    schemes, types = ([values.text(one, name) for one in data] for name in (a.SCHEME, a.MIME_TYPE))
    exported = values.flag(element, a.EXPORTED)
    return ApkActivity(
        _full_name(values.text(element, a.NAME), package),
        values.texts(element, a.LABEL),
        tuple(dict.fromkeys(name for name in actions if name and name != _MAIN)),
        tuple(dict.fromkeys(name for name in schemes if name)),
        any(_is_launcher(one, values) for one in filters),
        bool(filters) if exported is None else exported,
        tuple(dict.fromkeys(name for name in types if name)),
    )


def _full_name(name: str, package: str) -> str:
    if name.startswith("."):
        return package + name
    return name if "." in name else f"{package}.{name}"


def _is_launcher(element: XmlElement, values: _Values) -> bool:
    actions = {values.text(action, a.NAME) for action in element.all("action")}
    categories = {values.text(category, a.NAME) for category in element.all("category")}
    return _MAIN in actions and _LAUNCHER in categories


def _icon(app: XmlElement, values: _Values, archive: zipfile.ZipFile | None) -> bytes:
    """The picture of the icon with the highest density; adaptive icons of drawings have none."""
    value = app.attributes.get(a.ICON, XmlValue(0))
    if archive is None or values.table is None or value.kind != REFERENCE:
        return b""
    pictures = [
        one
        for one in values.table.values(value.data)
        if one.text.lower().endswith(_PICTURES) and one.density <= _MAX_DENSITY
    ]
    if not pictures:
        return b""
    best = max(pictures, key=lambda one: one.density)
    try:
        return _member(archive, best.text, _MAX_ICON)
    except (KeyError, ValueError):
        return b""

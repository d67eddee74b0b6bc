"""``dumpsys package``: what the package manager knows, and the path of an app's file."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

from collector.virtual.shell.process import Process
from collector.virtual.shell.services.service import ANDROID_14
from collector.virtual.system.phone_state.package_state import ENABLED_NUMBERS
from collector.virtual.system.phone_state.profile import INSTALL_TIME

if TYPE_CHECKING:
    from collector.virtual.system.phone import PackageInfo

_INSTALLED = "2026-11-01 09:00:00"
FEATURES = (
    "android.hardware.audio.output",
    "android.hardware.bluetooth",
    "android.hardware.camera",
    "android.hardware.faketouch",
    "android.hardware.location",
    "android.hardware.microphone",
    "android.hardware.screen.landscape",
    "android.hardware.screen.portrait",
    "android.hardware.telephony",
    "android.hardware.touchscreen",
    "android.hardware.touchscreen.multitouch",
    "android.hardware.usb.accessory",
    "android.hardware.wifi",
    "android.software.app_widgets",
    "android.software.home_screen",
    "android.software.input_methods",
)
LIBRARIES = ("android.test.base", "android.test.mock", "android.test.runner", "org.apache.http.legacy")
"""What the phone has, for ``dumpsys package`` and ``pm list``."""


def package_named(process: Process, name: str) -> PackageInfo | None:
    """The installed package of this name."""
    return next((package for package in process.machine.phone.packages if package.package == name), None)


def apk_path(package: PackageInfo) -> str:
    """The path where the package's APK would be."""
    if package.system:
        return f"/system/app/{package.name}/{package.name}.apk"
    return f"/data/app/~~{package.uid:x}==/{package.package}-{package.version_code}/base.apk"


def dump_package(process: Process, words: list[str]) -> int:
    """The package manager's data: about one package, or a section about all."""
    names = [word for word in words if not word.startswith("-")]
    everything = process.machine.phone.packages
    if names and names[0] in _SECTIONS:
        _SECTIONS[names[0]](process, everything)
        return 0
    packages = [package for package in everything if not names or package.package in names]
    if not packages:
        process.line(f"Unable to find package: {names[0]}")
        return 0
    _resolver_table(process, packages)
    _packages(process, packages)
    return 0


def _hash(package: PackageInfo) -> str:
    return f"{zlib.crc32(package.package.encode()) & 0xFFFFFFF:07x}"


def _resolver_table(process: Process, packages: list[PackageInfo]) -> None:
    """The activities that the launcher starts."""
    process.line("Activity Resolver Table:\n  Non-Data Actions:\n      android.intent.action.MAIN:")
    for package in packages:
        if package.launcher is not None:
            category = "HOME" if package.is_home else "LAUNCHER"
            process.out(
                f"        {_hash(package)} {package.launcher.short} filter {_hash(package)[::-1]}\n"
                '          Action: "android.intent.action.MAIN"\n'
                f'          Category: "android.intent.category.{category}"\n'
            )
    process.line()


def _packages(process: Process, packages: list[PackageInfo]) -> None:
    process.line("Packages:")
    for package in packages:
        _package(process, package)


def _package(process: Process, package: PackageInfo) -> None:
    sdk = process.machine.phone.profile.sdk
    folder = apk_path(package).rpartition("/")[0]
    flags = "SYSTEM HAS_CODE ALLOW_CLEAR_USER_DATA" if package.system else "HAS_CODE ALLOW_CLEAR_USER_DATA"
    app_id = f"    appId={package.uid}\n" if sdk >= ANDROID_14 else ""
    process.out(
        f"  Package [{package.package}] ({_hash(package)}):\n{app_id}    userId={package.uid}\n"
        f"    pkg=Package{{{_hash(package)} {package.package}}}\n    codePath={folder}\n"
        f"    resourcePath={folder}\n    legacyNativeLibraryDir={folder}/lib\n    extractNativeLibs=true\n"
        "    primaryCpuAbi=null\n    secondaryCpuAbi=null\n    cpuAbiOverride=null\n"
        f"    versionCode={package.version_code} minSdk=24 targetSdk={sdk}\n"
        f"    versionName={package.version}\n    splits=[base]\n    apkSigningVersion=3\n"
        f"    flags=[ {flags} ]\n    privateFlags=[ PRIVATE_FLAG_ACTIVITIES_RESIZE_MODE_RESIZEABLE ]\n"
        f"    forceQueryable=false\n    dataDir=/data/user/0/{package.package}\n"
        "    supportsScreens=[small, medium, large, xlarge, resizeable, anyDensity]\n"
        f"    timeStamp={_INSTALLED}\n    firstInstallTime={_INSTALLED}\n    lastUpdateTime={_INSTALLED}\n"
        "    installerPackageName=null\n"
        f"    signatures=PackageSignatures{{{_hash(package)} version:3, signatures:[{package.uid:08x}], "
        "past signatures:[]}\n"
        f"    installPermissionsFixed=true\n    pkgFlags=[ {flags} ]\n"
    )
    _permissions(process, package)


def _permissions(process: Process, package: PackageInfo) -> None:
    state = process.machine.phone.services.packages.state(package.package)
    if package.permissions:
        process.line("    requested permissions:")
        process.out("".join(f"      {name}\n" for name in package.permissions))
    if permissions := [name for name in package.permissions if name in INSTALL_TIME]:
        process.line("    install permissions:")
        process.out("".join(f"      {name}: granted=true\n" for name in permissions))
    process.out(
        f"    User 0: ceDataInode={package.uid + 4096} installed=true hidden={str(state.hidden).lower()} "
        f"suspended={str(state.suspended).lower()} distractionFlags=0 stopped=false notLaunched=false "
        f"enabled={ENABLED_NUMBERS[state.enabled]} instant=false virtual=false\n"
    )
    if state.enabled != "default":
        process.line("      lastDisabledCaller: shell:2000")
    process.out(f"      installReason=0\n      firstInstallTime={_INSTALLED}\n      uninstallReason=0\n")
    if "android.permission.INTERNET" in package.permissions:
        process.line("      gids=[3003]")
    process.line("      runtime permissions:")
    for name in package.permissions:
        if name not in INSTALL_TIME:
            granted = str(name in package.granted).lower()
            process.line(f"        {name}: granted={granted}{_flags(process, package.package, name)}")


def _list_permissions(process: Process, packages: list[PackageInfo]) -> None:
    process.line("Permissions:")
    for name in sorted({name for package in packages for name in package.permissions}):
        level = "normal|instant" if name in INSTALL_TIME else "dangerous"
        process.out(
            f"  Permission [{name}] ({zlib.crc32(name.encode()) & 0xFFFFFFF:07x}):\n"
            f"    sourcePackage=android\n    uid=1000 gids=[] type=0 prot={level}\n"
        )


def _list_features(process: Process, packages: list[PackageInfo]) -> None:
    del packages
    process.line("Features:")
    for name in FEATURES:
        process.line(f"  {name}")


def _list_libraries(process: Process, packages: list[PackageInfo]) -> None:
    del packages
    process.line("Libraries:")
    for name in LIBRARIES:
        process.line(f"  {name} -> (jar) /system/framework/{name}.jar")


_SECTIONS = {
    "packages": _packages,
    "p": _packages,
    "permissions": _list_permissions,
    "perm": _list_permissions,
    "features": _list_features,
    "f": _list_features,
    "libraries": _list_libraries,
    "l": _list_libraries,
    "resolvers": _resolver_table,
    "r": _resolver_table,
}


def _flags(process: Process, package: str, permission: str) -> str:
    """The flags of a permission as ``, flags=[ USER_SET]``; empty when the person never answered."""
    flags = sorted(process.machine.phone.services.permissions.flags(package, permission), reverse=True)
    return f", flags=[ {'|'.join(flags)}]" if flags else ""

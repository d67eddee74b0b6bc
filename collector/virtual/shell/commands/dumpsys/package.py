"""``dumpsys package``: what the package manager knows, and the path of an app's file."""

from __future__ import annotations

import datetime as dt
import zlib
from typing import TYPE_CHECKING

from collector.virtual.android_versions import ANDROID_8, ANDROID_11, ANDROID_12, ANDROID_14
from collector.virtual.shell.process import Process
from collector.virtual.system.phone_state.package_state import ENABLED_NUMBERS
from collector.virtual.system.phone_state.permission_levels import is_runtime

if TYPE_CHECKING:
    from collector.virtual.system.phone import PackageInfo

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
_GROUPS = {"BLUETOOTH": 3002, "INTERNET": 3003, "WRITE_MEDIA_STORAGE": 1023}
"""The groups of the kernel that go with permissions."""


def package_named(process: Process, name: str) -> PackageInfo | None:
    """The installed package of this name."""
    return next((package for package in process.machine.phone.packages if package.package == name), None)


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
    _key_sets(process, packages)
    _packages(process, packages)
    if names:
        dump_dexopt(process, packages)
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


def _key_sets(process: Process, packages: list[PackageInfo]) -> None:
    process.line("Key Set Manager:")
    for package in packages:
        process.line(
            f"  [{package.package}]\n      Signing KeySets: {1 if package.system else package.uid % 100}"
        )
    process.line()


def dump_dexopt(process: Process, packages: list[PackageInfo]) -> None:
    """How the code of packages is compiled."""
    status = "run-from-apk" if process.machine.phone.profile.sdk < ANDROID_8 else "speed-profile"
    process.line("\nDexopt state:")
    for package in packages:
        compiled = process.machine.compiled.get(package.package, (status, "install"))
        process.out(
            f"  [{package.package}]\n    path: {package.apk}\n"
            f"      arm64: [status={compiled[0]}] [reason={compiled[1]}] [primary-abi]\n"
        )
    process.line("\nCompiler stats:")
    for package in packages:
        process.line(f"  [{package.package}]\n    (No recorded stats)")


def _packages(process: Process, packages: list[PackageInfo]) -> None:
    process.line("Packages:")
    for package in packages:
        _package(process, package)


def _at(moment: dt.datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}"


def _flag_names(package: PackageInfo) -> tuple[str, str]:
    """The names of the package's flags: the public ones, and the private ones."""
    first = "SYSTEM" if package.system else "DEBUGGABLE"
    private = [
        "PRIVATE_FLAG_ACTIVITIES_RESIZE_MODE_RESIZEABLE_VIA_SDK_VERSION",
        "ALLOW_AUDIO_PLAYBACK_CAPTURE",
    ]
    if "/priv-app/" in package.apk:
        private.append("PRIVILEGED")
    partition = package.apk.split("/")[1]
    private += [partition.upper()] if partition in ("product", "system_ext") else []
    private.append("PRIVATE_FLAG_ALLOW_NATIVE_HEAP_POINTER_TAGGING")
    return f"{first} HAS_CODE ALLOW_CLEAR_USER_DATA ALLOW_BACKUP", " ".join(private)


def _package(process: Process, package: PackageInfo) -> None:
    """As ``Settings.dumpPackageLPr`` of AOSP prints it, with what each Android version adds."""
    sdk = process.machine.phone.profile.sdk
    folder, (lowest, target) = package.apk.rpartition("/")[0], package.sdks
    public, private = _flag_names(package)
    native = f"{folder}/lib" if folder.startswith("/data/") else f"{folder}/lib/arm64"
    lines = (
        (0, f"    {'appId' if sdk >= ANDROID_14 else 'userId'}={package.uid}"),
        (0, f"    pkg=Package{{{_hash(package)[::-1]} {package.package}}}"),
        (0, f"    codePath={folder}\n    resourcePath={folder}\n    legacyNativeLibraryDir={native}"),
        (ANDROID_12, "    extractNativeLibs=false"),
        (0, "    primaryCpuAbi=null\n    secondaryCpuAbi=null"),
        (ANDROID_11, "    cpuAbiOverride=null"),
        (0, f"    versionCode={package.version_code} minSdk={lowest} targetSdk={target}"),
        (ANDROID_11, "    minExtensionVersions=[]"),
        (0, f"    versionName={package.version}"),
        (ANDROID_11, "    usesNonSdkApi=false"),
        (0, f"    splits=[base]\n    apkSigningVersion=3\n    flags=[ {public} ]"),
        (0, f"    privateFlags=[ {private} ]"),
        (ANDROID_11, "    forceQueryable=false"),
        (0, f"    dataDir=/data/user/0/{package.package}"),
        (0, "    supportsScreens=[small, medium, large, xlarge, resizeable, anyDensity]"),
        (0, f"    timeStamp={_at(package.updated_at)}"),
    )
    process.line(f"  Package [{package.package}] ({_hash(package)}):")
    process.out("".join(f"{line}\n" for since, line in lines if sdk >= since))
    if sdk < ANDROID_14:
        process.line(f"    firstInstallTime={_at(package.installed_at)}")
    signed = f"{_hash(package)} version:3, signatures:[{package.uid:08x}], past signatures:[]"
    process.out(
        f"    lastUpdateTime={_at(package.updated_at)}\n{_installer(package, sdk)}"
        f"    signatures=PackageSignatures{{{signed}}}\n"
        f"    installPermissionsFixed=true\n    pkgFlags=[ {public} ]\n"
    )
    if sdk >= ANDROID_14:
        process.line(f"    privatePkgFlags=[ {private} ]\n    apexModuleName={_apex(package)}")
    _permissions(process, package)


def _apex(package: PackageInfo) -> str:
    parts = package.apk.split("/")
    return parts[2] if parts[1] == "apex" else "null"


def _installer(package: PackageInfo, sdk: int) -> str:
    """Who installed it; before Android 14 the line is missing where nobody did."""
    name = package.installer or "null"
    if sdk < ANDROID_14:
        return f"    installerPackageName={name}\n" if package.installer else ""
    initiator = "null" if package.system else "com.android.shell"
    return (
        f"    installerPackageName={name}\n    installerPackageUid=-1\n"
        f"    initiatingPackageName={initiator}\n    originatingPackageName=null\n"
        f"    packageSource={0 if package.system else 1}\n    appMetadataFilePath=null\n"
    )


def _permissions(process: Process, package: PackageInfo) -> None:
    state = process.machine.phone.services.packages.state(package.package)
    if package.permissions:
        process.line("    requested permissions:")
        process.out("".join(f"      {name}\n" for name in package.permissions))
    if permissions := [name for name in package.permissions if not is_runtime(name)]:
        process.line("    install permissions:")
        process.out("".join(f"      {name}: granted=true\n" for name in permissions))
    process.out(
        f"    User 0: ceDataInode={package.uid + 4096} installed={str(not state.uninstalled).lower()} "
        f"hidden={str(state.hidden).lower()} "
        f"suspended={str(state.suspended).lower()} distractionFlags=0 stopped=false notLaunched=false "
        f"enabled={ENABLED_NUMBERS[state.enabled]} instant=false virtual=false\n"
    )
    if state.enabled != "default":
        process.line("      lastDisabledCaller: shell:2000")
    first = _at(package.installed_at)
    process.out(f"      installReason=0\n      firstInstallTime={first}\n      uninstallReason=0\n")
    groups = [
        number for name, number in _GROUPS.items() if f"android.permission.{name}" in package.permissions
    ]
    if groups:
        process.line(f"      gids={groups}")
    process.line("      runtime permissions:")
    for name in package.permissions:
        if is_runtime(name):
            granted = str(name in package.granted).lower()
            process.line(f"        {name}: granted={granted}{_flags(process, package.package, name)}")


def _list_permissions(process: Process, packages: list[PackageInfo]) -> None:
    process.line("Permissions:")
    for name in sorted({name for package in packages for name in package.permissions}):
        level = "dangerous" if is_runtime(name) else "normal|instant"
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

"""The system properties of a phone: what its build has, what follows from its profile, and what was set."""

from __future__ import annotations

import datetime as dt
from functools import cache

from collector.virtual.android_versions import ANDROID_11, ANDROID_12
from collector.virtual.shell.machine import Machine
from collector.virtual.system.phone_state.inventory import inventory_lines
from collector.virtual.system.phone_state.profile import PhoneProfile

_BUILDS = {
    21: ("LRX22C", "2014-12-01"), 22: ("LMY47X", "2015-11-01"), 23: ("MRA58K", "2015-10-01"),
    24: ("NRD90M", "2016-08-05"), 25: ("NMF26F", "2016-12-01"), 26: ("OPR6.170623.013", "2017-08-05"),
    27: ("OPM1.171019.011", "2017-12-05"), 28: ("PQ3A.190801.002", "2019-08-01"),
    29: ("QQ3A.200805.001", "2020-08-05"), 30: ("RQ3A.210805.001.A1", "2021-08-05"),
    31: ("SQ1D.220205.003", "2022-02-05"), 32: ("SP2A.220505.002", "2022-05-05"),
    33: ("TQ3A.230901.001", "2023-09-01"), 34: ("UP1A.231005.007", "2023-10-05"),
    35: ("AP4A.261120.001", "2026-11-05"), 36: ("BP2A.250605.031.A2", "2025-06-05"),
}  # fmt: skip
"""Build and level of security patches by SDK: AOSP's tags, but for that of the newest phone by default."""
_BUILT = dt.datetime(2026, 11, 20, 12, 4, tzinfo=dt.UTC)
_PARTITIONS = {
    "bootimage": 24, "odm": 28, "product": 28, "system": 28, "system_dlkm": 33, "system_ext": 30,
    "vendor": 26, "vendor_dlkm": 31,
}  # fmt: skip
"""The partitions that have properties of their own, by the SDK since which they have them."""
_WITHOUT_ID = ("odm",)
"""Partitions that have fewer of them."""
_CODENAMES = (
    (0, "Base,Base11,Cupcake,Donut,Eclair,Eclair01,EclairMr1,Froyo,Gingerbread,GingerbreadMr1,Honeycomb,"
     "HoneycombMr1,HoneycombMr2,IceCreamSandwich,IceCreamSandwichMr1,JellyBean,JellyBeanMr1,JellyBeanMr2,"
     "Kitkat,KitkatWatch,Lollipop,LollipopMr1,M,N,NMr1,O,OMr1,P,Q,R,S"),
    (32, "Sv2"), (33, "Tiramisu"), (34, "UpsideDownCake"), (35, "VanillaIceCream"), (36, "Baklava"),
)  # fmt: skip
_EMULATOR = {
    "ro.boot.hardware": "ranchu",
    "ro.boot.qemu": "1",
    "ro.build.characteristics": "emulator",
    "ro.hardware": "ranchu",
    "ro.hardware.egl": "emulation",
    "ro.hardware.gralloc": "ranchu",
    "ro.hardware.power": "ranchu",
    "ro.hardware.vulkan": "ranchu",
    "ro.kernel.qemu": "1",
    "ro.opengles.version": "196608",
    "ro.product.board": "goldfish_arm64",
    "ro.product.brand": "google",
    "ro.soc.manufacturer": "AOSP",
    "ro.soc.model": "ranchu",
}
"""What an emulator says otherwise, as the image sdk_gphone64_arm64 of the SDK; equal on all of them."""
_EMULATOR_DEVICE = "emu64a"
_OF_QUIRKS = {
    "installs-refused": {"persist.security.adbinstall": "0"},
    "low-memory": {"ro.config.low_ram": "true"},
    "no-touchscreen": {"ro.build.characteristics": "tv"},
    "no-encoder": {"ro.build.characteristics": "nosdcard,watch"},
}
"""What a phone with a quirk says otherwise."""


def properties(machine: Machine) -> dict[str, str]:
    """Every property by name, sorted."""
    profile, locale = machine.phone.profile, machine.phone.locale
    values = dict(_constants(profile.sdk)) | _of_profile(profile, locale)
    values |= _of_partitions(profile)
    if profile.is_emulator:
        values |= _EMULATOR | {
            "ro.boot.qemu.avd_name": profile.serial,
            "qemu.sf.lcd_density": str(profile.density),
        }
        if profile.sdk < ANDROID_12:
            values["ro.kernel.qemu.avd_name"] = profile.serial
    for quirk in sorted(profile.quirks & _OF_QUIRKS.keys()):
        values |= _OF_QUIRKS[quirk]
    return dict(sorted((values | machine.properties).items()))


def product_name(machine: Machine) -> str:
    """``waymark_phone``: the model as one word."""
    return _product(machine.phone.profile)


def device_name(machine: Machine) -> str:
    """Name of the hardware: that of the product, but for an emulator."""
    return _device(machine.phone.profile)


def _product(profile: PhoneProfile) -> str:
    return profile.model.lower().replace(" ", "_")


def _device(profile: PhoneProfile) -> str:
    return _EMULATOR_DEVICE if profile.is_emulator else _product(profile)


@cache
def _constants(sdk: int) -> dict[str, str]:
    """The properties that are equal on every phone of an Android version."""
    listed = (line for since, line in inventory_lines("properties.txt") if int(since) <= sdk)
    return {name: value for name, _, value in (line.partition("=") for line in listed)}


def build_id(profile: PhoneProfile) -> str:
    """The name of the build, as on the page "About phone"."""
    return _BUILDS[profile.sdk][0]


def _fingerprint(profile: PhoneProfile) -> str:
    brand = profile.manufacturer.lower()
    return (
        f"{brand}/{_product(profile)}/{_device(profile)}:{profile.android}/{build_id(profile)}/"
        f"{profile.seed}:user/release-keys"
    )


def _of_profile(profile: PhoneProfile, locale: str) -> dict[str, str]:
    """What follows from the profile of the phone as a whole."""
    name, device = _product(profile), _device(profile)
    build, patch = _BUILDS[profile.sdk]
    language, _, region = locale.partition("-")
    values = {
        "persist.sys.locale": locale,
        "ro.boot.hardware": device,
        "ro.boot.serialno": profile.serial,
        "ro.build.date": f"{_BUILT:%a %b %d %H:%M:%S UTC %Y}",
        "ro.build.date.utc": str(int(_BUILT.timestamp())),
        "ro.build.description": f"{name}-user {profile.android} {build} {profile.seed} release-keys",
        "ro.build.display.id": build,
        "ro.build.fingerprint": _fingerprint(profile),
        "ro.build.flavor": f"{name}-user",
        "ro.build.id": build,
        "ro.build.product": device,
        "ro.build.version.incremental": str(profile.seed),
        "ro.build.version.release": profile.android,
        "ro.build.version.sdk": str(profile.sdk),
        "ro.build.version.security_patch": patch,
        "ro.hardware": device,
        "ro.product.board": device,
        "ro.product.brand": profile.manufacturer,
        "ro.product.device": device,
        "ro.product.first_api_level": str(profile.sdk),
        "ro.product.locale": locale,
        "ro.product.locale.language": language,
        "ro.product.locale.region": region,
        "ro.product.manufacturer": profile.manufacturer,
        "ro.product.model": profile.model,
        "ro.product.name": name,
        "ro.serialno": profile.serial,
        "ro.sf.lcd_density": str(profile.density),
        "ro.waymark.seed": str(profile.seed),
        "ro.waymark.variation": profile.variation.name,
    }
    if profile.sdk >= ANDROID_11:
        values |= {
            "ro.build.version.known_codenames": ",".join(
                n for since, n in _CODENAMES if since <= profile.sdk
            ),
            "ro.build.version.release_or_codename": profile.android,
            "ro.vendor.build.security_patch": patch,
        }
    return values


def _of_partitions(profile: PhoneProfile) -> dict[str, str]:
    """The properties of each partition: the build that it belongs to, and the product."""
    values: dict[str, str] = {}
    build = {
        "date": f"{_BUILT:%a %b %d %H:%M:%S UTC %Y}",
        "date.utc": str(int(_BUILT.timestamp())),
        "fingerprint": _fingerprint(profile),
        "version.incremental": str(profile.seed),
    }
    whole = build | {
        "id": build_id(profile),
        "tags": "release-keys",
        "type": "user",
        "version.release": profile.android,
        "version.release_or_codename": profile.android,
        "version.sdk": str(profile.sdk),
    }
    product = {
        "brand": profile.manufacturer,
        "device": _device(profile),
        "manufacturer": profile.manufacturer,
        "model": profile.model,
        "name": _product(profile),
    }
    for partition, since in _PARTITIONS.items():
        if profile.sdk < since:
            continue
        shown = build if partition in _WITHOUT_ID or profile.sdk < ANDROID_11 else whole
        values |= {f"ro.{partition}.build.{name}": value for name, value in shown.items()}
        if profile.sdk >= ANDROID_11:
            values |= {f"ro.product.{partition}.{name}": value for name, value in product.items()}
    return values

"""``getprop`` and ``setprop``: the phone's system properties."""

from __future__ import annotations

from collector.virtual.shell.machine import Machine
from collector.virtual.shell.options import read_options
from collector.virtual.shell.process import CommandError, Process
from collector.virtual.shell.registry import command

_BUILD = "AP4A.261120.001"
_MAX_VALUE = 91


_FIXED = {
    "dalvik.vm.heapsize": "512m",
    "debug.sf.nobootanimation": "1",
    "dev.bootcomplete": "1",
    "gsm.operator.alpha": "Waymark",
    "gsm.sim.state": "LOADED",
    "init.svc.adbd": "running",
    "init.svc.bootanim": "stopped",
    "init.svc.zygote": "running",
    "net.bt.name": "Android",
    "persist.sys.timezone": "GMT",
    "persist.sys.usb.config": "adb",
    "ro.adb.secure": "0",
    "ro.bootloader": "unknown",
    "ro.build.characteristics": "default",
    "ro.build.date.utc": "1795176240",
    "ro.build.display.id": _BUILD,
    "ro.build.id": _BUILD,
    "ro.build.tags": "release-keys",
    "ro.build.type": "user",
    "ro.build.version.codename": "REL",
    "ro.build.version.security_patch": "2026-11-05",
    "ro.crypto.state": "encrypted",
    "ro.debuggable": "0",
    "ro.kernel.qemu": "0",
    "ro.opengles.version": "196610",
    "ro.product.cpu.abi": "arm64-v8a",
    "ro.product.cpu.abilist": "arm64-v8a",
    "ro.product.cpu.abilist32": "",
    "ro.product.cpu.abilist64": "arm64-v8a",
    "ro.secure": "1",
    "ro.zygote": "zygote64",
    "service.adb.tcp.port": "5555",
    "sys.boot_completed": "1",
    "sys.usb.config": "adb",
    "sys.usb.state": "adb",
    "wifi.interface": "wlan0",
}
"""Properties that are equal on every virtual phone."""


def properties(machine: Machine) -> dict[str, str]:
    """Every property by name, sorted."""
    phone = machine.phone
    profile = phone.profile
    brand, device = profile.manufacturer.lower(), device_name(machine)
    fingerprint = f"{brand}/{device}/{device}:{profile.android}/{_BUILD}/{profile.seed}:user/release-keys"
    language, _, region = phone.locale.partition("-")
    values = {
        "persist.sys.locale": phone.locale,
        "ro.boot.serialno": profile.serial,
        "ro.boot.hardware": device,
        "ro.build.fingerprint": fingerprint,
        "ro.build.version.incremental": str(profile.seed),
        "ro.build.version.release": profile.android,
        "ro.build.version.sdk": str(profile.sdk),
        "ro.hardware": device,
        "ro.product.board": device,
        "ro.product.brand": profile.manufacturer,
        "ro.product.device": device,
        "ro.product.locale": phone.locale,
        "ro.product.locale.language": language,
        "ro.product.locale.region": region,
        "ro.product.manufacturer": profile.manufacturer,
        "ro.product.model": profile.model,
        "ro.product.name": device,
        "ro.serialno": profile.serial,
        "ro.sf.lcd_density": str(profile.density),
        "ro.waymark.seed": str(profile.seed),
        "ro.waymark.variation": profile.variation.name,
    }
    return dict(sorted((_FIXED | values | machine.properties).items()))


def device_name(machine: Machine) -> str:
    """``waymark_phone``: the model as one word."""
    return machine.phone.profile.model.lower().replace(" ", "_")


@command("getprop")
def getprop(process: Process) -> int:
    """Print one property, or all of them."""
    options = read_options("getprop", process.arguments, "TZ")
    values = properties(process.machine)
    if options.operands:
        default = options.operands[1] if len(options.operands) > 1 else ""
        process.line(values.get(options.operands[0]) or default)
        return 0
    for name, value in values.items():
        process.line(f"[{name}]: [{value}]")
    return 0


@command("setprop")
def setprop(process: Process) -> int:
    """Set a property; those that describe the phone cannot be changed."""
    words = process.arguments
    if len(words) != 2:
        raise CommandError('setprop: Need 2 arguments (see "setprop --help")')
    name, value = words
    if name.startswith("ro.") or len(value.encode()) > _MAX_VALUE:
        raise CommandError(f"Failed to set property '{name}' to '{value}'.\nSee dmesg for error reason.")
    process.machine.properties[name] = value
    return 0

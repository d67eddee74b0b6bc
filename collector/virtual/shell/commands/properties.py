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
_ANDROID_12 = 31


def properties(machine: Machine) -> dict[str, str]:
    """Every property by name, sorted."""
    phone = machine.phone
    profile = phone.profile
    brand, name, device = profile.manufacturer.lower(), product_name(machine), device_name(machine)
    fingerprint = f"{brand}/{name}/{device}:{profile.android}/{_BUILD}/{profile.seed}:user/release-keys"
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
        "ro.product.name": name,
        "ro.serialno": profile.serial,
        "ro.sf.lcd_density": str(profile.density),
        "ro.waymark.seed": str(profile.seed),
        "ro.waymark.variation": profile.variation.name,
    }
    if profile.is_emulator:
        values |= _EMULATOR | {
            "ro.boot.qemu.avd_name": profile.serial,
            "qemu.sf.lcd_density": str(profile.density),
        }
        if profile.sdk < _ANDROID_12:
            values["ro.kernel.qemu.avd_name"] = profile.serial
    return dict(sorted((_FIXED | values | machine.properties).items()))


def product_name(machine: Machine) -> str:
    """``waymark_phone``: the model as one word."""
    return machine.phone.profile.model.lower().replace(" ", "_")


def device_name(machine: Machine) -> str:
    """Name of the hardware: that of the product, but for an emulator."""
    return _EMULATOR_DEVICE if machine.phone.profile.is_emulator else product_name(machine)


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

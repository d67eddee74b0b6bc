"""Read everything on a phone that the built-in anomalies can change."""

from __future__ import annotations

from collector.device.protocols import Device


def phone_state(device: Device, app: str) -> str:
    """Settings, power, temperature, storage, radios, notifications, permissions of ``app``, foreground."""
    return device.shell(
        "for space in system secure global; do settings list $space; done; dumpsys battery; "
        "dumpsys thermalservice | grep Status; dumpsys devicestoragemonitor | grep -o mForce.*; "
        f"cmd notification list; appops get {app} CAMERA; cmd uimode night; "
        f"dumpsys package {app} | grep granted; cmd locale get-app-locales {app}; "
        f"cmd connectivity get-package-networking-enabled {app}; cmd connectivity get-chain3-enabled; "
        "cmd waymark emu gsm list; dumpsys display | grep mCurrentOrientation; "
        "dumpsys window | grep mCurrentFocus | sed 's/{[0-9a-f]*/{/'"
    ).text

"""Everything our library of anomalies changes on a phone, as the phone itself tells it."""

from __future__ import annotations

from collector.device.protocols import Device


def phone_state(device: Device, app: str) -> str:
    """Settings, power, heat, storage, radios, notifications, what ``app`` may do, the front last."""
    return device.shell(
        "for space in system secure global; do settings list $space; done; dumpsys battery; "
        "dumpsys thermalservice | grep Status; dumpsys devicestoragemonitor | grep -o mForce.*; "
        f"cmd notification list; appops get {app} CAMERA; cmd uimode night; "
        f"dumpsys package {app} | grep granted; cmd locale get-app-locales {app}; "
        f"cmd connectivity get-package-networking-enabled {app}; cmd connectivity get-chain3-enabled; "
        "cmd waymark emu gsm list; dumpsys display | grep mCurrentOrientation; "
        "dumpsys window | grep mCurrentFocus | sed 's/{[0-9a-f]*/{/'"
    ).text

"""Turn a phone's screen by its settings."""

from __future__ import annotations

from collector.device.protocols import Device

_ROTATE = (
    "r=$(settings get system user_rotation); settings put system accelerometer_rotation 0; "
    'if [ "$r" = 1 ]; then settings put system user_rotation 0; else settings put system user_rotation 1; fi'
)


def turn_screen(device: Device, quarters: int) -> None:
    """Turn the screen by quarter turns, 0 to 3, from its natural way, and switch automatic rotation off.

    An app may keep its own way. Raises DeviceError.
    """
    turned = "settings put system accelerometer_rotation 0; settings put system user_rotation {quarters}"
    device.shell(turned.format(quarters=quarters % 4))


def rotate_screen(device: Device) -> None:
    """Turn the screen to landscape, or back to portrait, and switch automatic rotation off.

    Raises DeviceError.
    """
    device.shell(_ROTATE)

"""What is known of the phones of a coming run, and of the phone of a stored episode, to compare them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from typing import Any

from collector.device.device_info import read_device_info, read_display
from collector.device.protocols import Device

_SIZE = re.compile(r"(\d{1,5})x(\d{1,5})")


@dataclass(frozen=True, slots=True)
class PhoneFacts:
    """What makes two phones the same to an agent; None for what is not known."""

    is_virtual: bool | None = None
    model: str | None = None
    android: str | None = None
    size: tuple[int, int] | None = None
    """Shorter and longer side in pixels: a phone on its side is the same phone."""
    density: int | None = None

    @classmethod
    def of_header(cls, device: Mapping[str, Any]) -> PhoneFacts:
        """Those in the header of a trajectory, which may be damaged."""
        virtual, density = device.get("virtual"), device.get("density")
        return cls(
            virtual if isinstance(virtual, bool) else None,
            str(device["model"]) if device.get("model") else None,
            str(device["android"]) if device.get("android") else None,
            sides(str(device.get("size", ""))),
            density if isinstance(density, int) and density else None,
        )

    def fits(self, other: PhoneFacts) -> bool:
        """Whether nothing that is known of both differs."""
        pairs = zip(astuple(self), astuple(other), strict=True)
        return all(own == of_other or own is None or of_other is None for own, of_other in pairs)


def sides(size: str) -> tuple[int, int] | None:
    """Shorter and longer side of a size as in ``1080x2400``; None for another text."""
    found = _SIZE.fullmatch(size)
    if found is None:
        return None
    width, height = int(found[1]), int(found[2])
    return min(width, height), max(width, height)


def read_phone_facts(device: Device) -> PhoneFacts:
    """Ask a connected phone. Raises DeviceError."""
    display = read_display(device)
    header = {
        **read_device_info(device).as_dict(), "size": str(display.size), "density": display.density,
    }  # fmt: skip
    return PhoneFacts.of_header(header)

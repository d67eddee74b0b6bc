"""What the apps of a new virtual phone keep for the person."""

from __future__ import annotations

from collector.environment.stepped_phone import SteppedPhone
from collector.model.app_data.collections import AppData
from collector.variations.registry import Variations
from collector.virtual.apps import make_apps
from collector.virtual.system.phone import PhoneProfile


def data_of_new_phone(variation: str = "default", seed: int = 1) -> AppData:
    """Their records under a variation."""
    profile = PhoneProfile(seed=seed, variation=Variations().resolve(variation), apps=make_apps())
    phone = SteppedPhone(profile)
    data = phone.app_data()
    phone.close()
    return data

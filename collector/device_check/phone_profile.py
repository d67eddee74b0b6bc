"""The profile of a checked phone: its quirks and the settings that suit it, for all phones of its model."""

from __future__ import annotations

import glob
import re

from collector.device_check.results import DeviceCheckResults
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.phone.quirks import known_quirks
from collector.phone_profiles.profile import (
    DeviceProfile,
    LikePhone,
    PhoneMatch,
    SuitedSettings,
    profile_text,
)
from collector.phone_profiles.reader import read_profile

_LONGEST_NAME = 60


def profile_of(results: DeviceCheckResults) -> DeviceProfile:
    """The profile for the model and the Android version of a report, which may come from anybody.

    Raises UserError when it says no model, or what no profile holds.
    """
    phone = results.phone
    if not phone.model:
        raise UserError(_("The report names no model of a phone"))
    version = phone.android.partition(".")[0]
    match = PhoneMatch(
        (glob.escape(phone.manufacturer),) if phone.manufacturer else (),
        (glob.escape(phone.model),),
        (int(version), int(version)) if version.isdecimal() and len(version) < 4 else None,
    )
    settings = results.settings
    settle = settings.get("settle-ms", "")
    profile = DeviceProfile(
        _name(f"{phone.manufacturer}-{phone.model}-{version}"),
        _("{phone}, as a check found it", phone=phone.name),
        match,
        tuple(quirk.id for quirk in known_quirks(results.quirks)),
        SuitedSettings(
            settings.get("frame-source", ""), settings.get("tree-source", ""),
            int(settle) if settle.isdecimal() else None,
        ),
        LikePhone(phone.manufacturer, phone.model, phone.android, phone.size, phone.density or None),
    )  # fmt: skip
    read = read_profile(profile_text(profile), profile.name)
    for error in read.diagnostics:
        raise UserError(_("The report makes no profile"), error.sentence)
    return read.profile


def _name(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:_LONGEST_NAME].strip("-") or "phone"

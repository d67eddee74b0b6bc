"""``--like``: a virtual phone with the name and the quirks of a phone's profile."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from collector.model.geometry import Size
from collector.model.i18n import _
from collector.phone_profiles.profile import LikePhone
from collector.phone_profiles.registry import profile_called

if TYPE_CHECKING:
    from collector.virtual.system.phone import PhoneProfile

like_option = click.option(
    "--like", "liked", default="", metavar="NAME",
    help="Profile of a phone to be like: its maker, model, Android, screen and quirks.",
)  # fmt: skip


def like(profile: PhoneProfile, name: str, *, is_emulator: bool) -> PhoneProfile:
    """``profile`` with what the profile ``name`` says; options that were given go before it.

    Raises UserError for an unknown profile, and click.BadParameter where an Android version is none.
    """
    if not name:
        return profile
    if is_emulator:
        raise click.UsageError(_("--like and --emulator exclude each other"))
    found = profile_called(name)
    return replace(profile, **_said_by(found.virtual)).with_quirks(found.quirks)


def _said_by(phone: LikePhone) -> dict[str, Any]:
    """The values of a virtual phone's profile that no option was given for."""
    from collector.virtual.system.phone_state.profile import sdk_of

    values: dict[str, Any] = {"manufacturer": phone.manufacturer, "model": phone.model}
    source = click.get_current_context().get_parameter_source
    size = Size.parse(phone.size) if phone.size else None
    said = {"android": phone.android, "size": size, "density": phone.density}
    values |= {key: value for key, value in said.items() if source(key) is not ParameterSource.COMMANDLINE}
    if values.get("android"):
        try:
            values["sdk"] = sdk_of(values["android"])
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--like") from None
    return {key: value for key, value in values.items() if value}

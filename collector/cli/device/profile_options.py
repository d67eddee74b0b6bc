"""Options of ``waymark device virtual`` that say which phone it is: its screen, Android, apps and name."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

import click

from collector.cli.device.like_option import like, like_option
from collector.cli.device.variation_option import read_variation_option
from collector.cli.shared_options import (
    VARIATION_HELP,
    VARIATION_METAVAR,
    asks_permissions_option,
    without_option,
)
from collector.model.geometry import Size
from collector.model.i18n import _
from collector.model.phone.phone_setup import read_locale, read_screen
from collector.model.seeds import DEFAULT_SEED
from collector.model.variation.phone_variation import DEFAULT
from collector.virtual.fleet.phone_options import default_name

if TYPE_CHECKING:
    from collector.virtual.system.phone import PhoneProfile

_SERIAL = re.compile(r"[\w.:-]{1,64}", re.ASCII)
_Input = TypeVar("_Input")
_Value = TypeVar("_Value")


class ScreenSize(click.ParamType[Size]):
    """A size that a virtual phone can have."""

    name = "WxH"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Size:
        if isinstance(value, Size):
            return value
        try:
            return read_screen(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def read_option(option: str, read: Callable[[_Input], _Value], value: _Input) -> _Value:
    """Parse the value of an option; raise BadParameter with the sentence of a ValueError."""
    try:
        return read(value)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=option) from None


@dataclass(frozen=True, slots=True)
class ProfileOptions:
    """What was given of the options, as click has read them."""

    seed: int
    size: Size
    density: int
    locale: str
    variation: str
    apps: tuple[str, ...]
    without: tuple[str, ...]
    android: str
    stand_in: tuple[str, ...]
    serial: str
    asks_permissions: bool
    liked: str

    def profile(self, *, is_emulator: bool) -> PhoneProfile:
        """The profile of the phone. Raises click.BadParameter, and UserError for an unknown ``--like``."""
        # Imported here: the other verbs need not wait for the virtual phone to load.
        from collector.virtual.apps import make_apps
        from collector.virtual.apps.stand_in import stand_ins
        from collector.virtual.system.phone import PhoneProfile
        from collector.virtual.system.phone_state.profile import sdk_of

        read_option("--serial", _check_serial, self.serial)
        read_option("--locale", read_locale, self.locale)
        apps = read_option("--app", lambda names: make_apps(names, self.without), self.apps)
        profile = PhoneProfile(
            serial=self.serial or default_name(self.seed), android=self.android,
            sdk=read_option("--android", sdk_of, self.android), size=self.size, density=self.density,
            locale=self.locale, seed=self.seed,
            variation=read_option("--variation", read_variation_option, self.variation),
            apps=apps + read_option("--stand-in", stand_ins, self.stand_in),
            asks_permissions=self.asks_permissions,
        )  # fmt: skip
        return like(profile, self.liked, is_emulator=is_emulator)


_OPTIONS = (
    click.option("--seed", type=int, default=DEFAULT_SEED, show_default=True,
                 help="Seed of the apps' content."),
    click.option("--size", type=ScreenSize(), default="720x1600", show_default=True,
                 help="Screen in pixels."),
    click.option("--density", type=click.IntRange(72, 1000), default=320, show_default=True,
                 help="Dots per inch."),
    click.option("--locale", default="en-US", show_default=True, help="Language and region, such as zh-CN."),
    click.option("--variation", default=DEFAULT, show_default=True, metavar=VARIATION_METAVAR,
                 help=VARIATION_HELP),
    click.option("--app", "apps", multiple=True, metavar="NAME",
                 help="App to install; all by default; repeatable."),
    without_option,
    click.option("--android", default="15", show_default=True, metavar="VERSION",
                 help="Android version to simulate, 5 to 16."),
    click.option("--stand-in", "stand_in", multiple=True, metavar="PACKAGE[/ACTIVITY][:ACTION]",
                 help="Package of another app, whose screen shows the lines you set; repeatable."),
    click.option("--serial", default="", help="Serial number of the phone."),
    asks_permissions_option,
    like_option,
)  # fmt: skip


def profile_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options, together as ``wanted``."""

    @functools.wraps(command)
    def with_profile(*arguments: Any, **options: Any) -> Any:
        wanted = ProfileOptions(**{field.name: options.pop(field.name) for field in fields(ProfileOptions)})
        return command(*arguments, wanted=wanted, **options)

    decorated: Callable[..., Any] = with_profile
    for option in reversed(_OPTIONS):
        decorated = option(decorated)
    return decorated


def _check_serial(serial: str) -> None:
    """Raises ValueError for a serial number that no phone has; an empty one is chosen later."""
    if not _SERIAL.fullmatch(serial or "none"):
        raise ValueError(_("letters, digits and . : _ - only, 64 at most"))

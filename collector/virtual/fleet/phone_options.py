"""What to start a virtual phone with, as the command line of its process takes it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from collector.model.geometry import Size
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.seeds import DEFAULT_SEED
from collector.model.variation.phone_variation import PhoneVariation


def default_name(seed: int) -> str:
    """The serial number of a phone that got no name."""
    return f"WAYMARK{seed:04d}"


@dataclass(frozen=True, slots=True)
class PhoneOptions:
    """Options of ``waymark device virtual``; the defaults are the defaults there.

    ``name`` is the phone's serial number (``ro.serialno``): with ``seed`` it identifies the phone, whose
    port is another one at each start. Empty means ``WAYMARK<seed>``.
    """

    name: str = ""
    seed: int = DEFAULT_SEED
    size: str = str(Size(720, 1600))
    """``WIDTHxHEIGHT`` in pixels, as a person wrote it: the process checks it."""
    density: int = 320
    locale: str = "en-US"
    """Language and region; empty for that of the recordings that it plays."""
    variation: PhoneVariation = field(default_factory=PhoneVariation)
    apps: tuple[str, ...] = ()
    """Names of the apps to install; empty for all."""
    without: tuple[str, ...] = ()
    """Names of apps that are not installed, such as ``companion``."""
    stand_ins: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    android: str = ""
    emulator: bool = False
    """Whether it is an emulator, at a pair of ports, with a console."""
    asks_permissions: bool = False
    """Whether apps ask for their permissions; else they have them."""
    realistic: bool = False
    quiet_log: bool = False
    """Whether the log has only what happens, and nothing that the system writes by itself."""
    like: str = ""
    """Name of the profile of a phone whose maker, model, Android, screen and quirks it has."""
    recordings: tuple[str, ...] = ()
    """Trajectories to play, by path: the phone then has their apps and their screen."""
    port: int = 0
    """0 takes a free one."""

    def arguments(self) -> list[str]:
        """The words after ``waymark device virtual``."""
        words = ["--port", str(self.port)]
        if not self.recordings:
            words += self._screen()
        words += ["--seed", str(self.seed)]
        words += ["--locale", self.locale] if self.locale else []
        for option, value in (
            ("--serial", self.name),
            ("--android", self.android),
            ("--like", self.like),
            ("--variation", "" if self.recordings else self.variation.argument),
        ):
            words += [option, value] if value else []
        for option, values in (
            ("--app", self.apps),
            ("--without", self.without),
            ("--stand-in", self.stand_ins),
            ("--fault", self.faults),
            ("--from", self.recordings),
        ):
            for value in values:
                words += [option, value]
        flags = {
            "--ask-permissions": self.asks_permissions, "--realistic": self.realistic,
            "--quiet-log": self.quiet_log, "--emulator": self.emulator,
        }  # fmt: skip
        return [*words, *(flag for flag, is_set in flags.items() if is_set)]

    def _screen(self) -> list[str]:
        """The words for the screen; what is as always is left to the profile of the phone to be like."""
        usual = PhoneOptions()
        words = [] if self.like and self.size == usual.size else ["--size", self.size]
        if not self.like or self.density != usual.density:
            words += ["--density", str(self.density)]
        return words

    def with_setup(self, setup: PhoneSetup) -> PhoneOptions:
        """These options with the values that a reset changed, for a later start."""
        return replace(
            self,
            seed=self.seed if setup.seed is None else setup.seed,
            locale=setup.locale or self.locale,
            size=str(setup.size or self.size),
            density=setup.density or self.density,
            variation=setup.variation or self.variation,
        )

"""Battery, battery saver and temperature: real values, test overrides, and the system's messages."""

from __future__ import annotations

from dataclasses import replace

from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.dialogs.prompts import Prompts
from collector.virtual.system.notices import Notices
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.phone_state.supply import Supply, charged
from collector.virtual.system.windows.notice import Notice
from collector.virtual.system.windows.phrases import say
from collector.virtual.system.windows.prompt import Prompt
from collector.virtual.ui.effects import Intent
from collector.virtual.ui.events import Event

LOW_LEVEL = 15
_RECOVERED_LEVEL = LOW_LEVEL + 5
_SYSTEM_UI = "com.android.systemui"
_LOW_TAG, _HOT_TAG = "low_battery", "high_temp"
NO_THROTTLING, EMERGENCY, SHUTDOWN = 0, 5, 6
"""android.os.Temperature: thermal throttling status from 0 to 6."""


def _announced(supply: Supply) -> str:
    flags = {"ac": supply.ac, "usb": supply.usb, "wireless": supply.wireless}
    said = ", ".join(f"{name}:{str(on).lower()}" for name, on in flags.items())
    state = f"level:{supply.level}, status:{supply.status}, health:{supply.health}"
    return f"Sending ACTION_BATTERY_CHANGED: {state}, {said}"


class Power:
    """Battery and thermal services. Every method may be called from any thread."""

    def __init__(
        self, state: SystemState, notices: Notices, prompts: Prompts, manager: ActivityManager
    ) -> None:
        self._state = state
        self._notices = notices
        self._true = state.supply
        self._frozen = False
        self.unrestricted: set[str] = set()
        """Packages that battery saving leaves alone, by ``dumpsys deviceidle whitelist``."""
        self._sequence = 1
        prompts.answers["saver"] = self._answered
        self._prompts = prompts
        manager.system["power"] = self._on_saver_button
        state.followers.append(self._setting_changed)

    # ---- battery -------------------------------------------------------------------------------

    @property
    def supply(self) -> Supply:
        """The values that apps see: real or overridden."""
        with self._state.lock:
            return self._state.supply

    @property
    def frozen(self) -> bool:
        """Whether overrides hide the real values."""
        with self._state.lock:
            return self._frozen

    @property
    def sequence(self) -> int:
        """Number of battery updates so far."""
        with self._state.lock:
            return self._sequence

    def hardware(self, level: int | None = None, charging: bool | None = None, **values: int | bool) -> None:
        """Change the real battery; apps are not notified while it is overridden.

        ``values`` are others of :class:`Supply`; a new level or charger decides the status anew.
        """
        with self._state.lock:
            before = self._true
            if level is not None or charging is not None:
                after = charged(
                    before.level if level is None else level, before.plugged if charging is None else charging
                )
                before = replace(after, present=before.present, health=before.health)
            self._true = replace(before, **values)  # type: ignore[arg-type]
            if not self._frozen:
                self._publish(self._true)

    def override(self, **changes: int | bool) -> None:
        """Override battery values until :meth:`reset`."""
        with self._state.lock:
            self._frozen = True
            self._publish(replace(self._state.supply, **changes))  # type: ignore[arg-type]

    def unplug(self) -> None:
        """Pretend that no charger is connected."""
        self.override(ac=False, usb=False, wireless=False, dock=False)

    def reset(self) -> None:
        """Remove the overrides."""
        with self._state.lock:
            self._frozen = False
            self._publish(self._true)

    def _publish(self, supply: Supply) -> None:
        before, self._state.supply = self._state.supply, supply
        self._sequence += 1
        self._state.write_log("D", "BatteryService", _announced(supply))
        self._state.touch()
        if supply.plugged:
            self._state.settings.put("global", "low_power", "0")
        if supply.plugged or supply.level >= _RECOVERED_LEVEL:
            self._notices.cancel(_SYSTEM_UI, _LOW_TAG)
        elif supply.level <= LOW_LEVEL and (before.plugged or before.level > LOW_LEVEL):
            self._warn(supply.level)

    def _warn(self, level: int) -> None:
        language = self._state.language
        actions: tuple[tuple[str, Event], ...] = ()
        if not self.saver:
            actions = (("Turn on Battery Saver", Event("power.saver")),)
        self._notices.post(
            Notice(
                _SYSTEM_UI,
                say("Battery low", language),
                say("{level}% remaining", language, level=level),
                _LOW_TAG,
                3,
                Intent("android.settings.BATTERY_SAVER_SETTINGS"),
                actions=actions,
                urgent=True,
            )
        )

    @property
    def screen_times_ms(self) -> tuple[int, int]:
        """Milliseconds of uptime at which the screen last went on and off; 0 for never."""
        with self._state.lock:
            on, off = self._state.screen_times_ns
            return on // 1_000_000, off // 1_000_000

    @property
    def low(self) -> bool:
        """Whether the battery is low."""
        supply = self.supply
        return not supply.plugged and supply.level <= LOW_LEVEL

    # ---- battery saver -------------------------------------------------------------------------

    @property
    def saver(self) -> bool:
        return self._state.settings.is_on("global", "low_power")

    def save(self, on: bool) -> bool:
        """Switch the battery saver; False when charging prevents it."""
        with self._state.lock:
            if on and self._state.supply.plugged:
                return False
            self._state.settings.put("global", "low_power", "1" if on else "0")
            return True

    def _setting_changed(self, namespace: str, key: str) -> None:
        if (namespace, key) != ("global", "low_power"):
            return
        if self.saver and self._state.supply.plugged:
            self._state.settings.put("global", "low_power", "0")
        elif self.saver:
            self._notices.cancel(_SYSTEM_UI, _LOW_TAG)

    def _on_saver_button(self, event: Event) -> None:
        """The button of the low-battery warning: ask once for confirmation, as SystemUI does."""
        if event.name == "power.saver":
            self._state.shade_open = False
            self._notices.hide_heads_up()
            if self._state.settings.is_on("secure", "low_power_warning_acknowledged"):
                self.save(True)
            else:
                self._prompts.ask(Prompt("saver", cancelable=True))

    def _answered(self, _prompt: Prompt, answer: str) -> None:
        if answer == "on":
            self._state.settings.put("secure", "low_power_warning_acknowledged", "1")
            self.save(True)

    # ---- heat ----------------------------------------------------------------------------------

    @property
    def thermal(self) -> int:
        """Thermal status, 0 to 6."""
        with self._state.lock:
            return self._state.thermal or NO_THROTTLING

    @property
    def thermal_overridden(self) -> bool:
        with self._state.lock:
            return self._state.thermal is not None

    def override_thermal(self, status: int | None) -> None:
        """Override the thermal status, 0 to 6; None restores the real one, which is 0."""
        with self._state.lock:
            self._state.thermal = status
            language = self._state.language
            if (status or 0) >= EMERGENCY:
                title = say("Phone is getting warm", language)
                text = say("Some features limited while phone cools down", language)
                self._notices.post(Notice(_SYSTEM_UI, title, text, _HOT_TAG, 4, urgent=True, sign="warning"))
            else:
                self._notices.cancel(_SYSTEM_UI, _HOT_TAG)
            self._state.touch()

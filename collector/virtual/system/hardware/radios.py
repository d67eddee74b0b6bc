"""Wi-Fi, mobile data, airplane mode, location, and network access of apps."""

from __future__ import annotations

from collector.virtual.system.phone_state.state import SystemState


class Radios:
    """The actual switches of the radios. Every method may be called from any thread.

    ``airplane_mode_on`` in the settings is only a copy: writing the key alone changes no radio, as on
    Android.
    """

    def __init__(self, state: SystemState) -> None:
        self._state = state

    @property
    def airplane(self) -> bool:
        """Whether airplane mode is on, whatever the settings key says."""
        with self._state.lock:
            return self._state.airplane

    def set_airplane(self, on: bool) -> None:
        """Switch the radios and write the key."""
        with self._state.lock:
            state = self._state
            state.settings.put("global", "airplane_mode_on", "1" if on else "0")
            if on != state.airplane:
                state.airplane = on
                # 3 is Android's "off because of airplane mode"; a radio switched on meanwhile stays on.
                before, after = ("1", "3") if on else ("3", "1")
                if state.settings.get("global", "wifi_on") == before:
                    state.settings.put("global", "wifi_on", after)
            state.touch()

    @property
    def wifi(self) -> bool:
        return self._state.settings.is_on("global", "wifi_on")

    @property
    def connected(self) -> bool:
        """Whether Wi-Fi has an address: 2 is Android's "on in spite of airplane mode"."""
        return self._state.settings.get("global", "wifi_on") in ("1", "2")

    def set_wifi(self, on: bool) -> None:
        """Switch Wi-Fi; switched on in airplane mode it stays on afterwards."""
        self._state.settings.put("global", "wifi_on", "1" if on else "0")

    @property
    def data(self) -> bool:
        """Whether mobile data is available; airplane mode turns it off."""
        return self._state.settings.is_on("global", "mobile_data")

    def set_data(self, on: bool) -> None:
        self._state.settings.put("global", "mobile_data", "1" if on else "0")

    @property
    def location(self) -> bool:
        return self._state.settings.get("secure", "location_mode") not in (None, "0")

    def set_location(self, on: bool) -> None:
        self._state.settings.put("secure", "location_mode", "3" if on else "0")

    # ---- the firewall --------------------------------------------------------------------------

    @property
    def chain3(self) -> bool:
        """Whether the firewall chain that blocks packages is active."""
        with self._state.lock:
            return self._state.chain3

    def set_chain3(self, on: bool) -> None:
        with self._state.lock:
            self._state.chain3 = on
            self._state.touch()

    def cut_off(self, package: str) -> bool:
        """Whether the chain blocks a package, active or not."""
        with self._state.lock:
            return package in self._state.cut_off

    def set_cut_off(self, package: str, cut: bool) -> None:
        with self._state.lock:
            if cut:
                self._state.cut_off.add(package)
            else:
                self._state.cut_off.discard(package)
            self._state.touch()

    def forget_cut_off(self) -> None:
        """Reset the chain and its packages, as a restart does."""
        with self._state.lock:
            self._state.cut_off.clear()
            self.set_chain3(False)

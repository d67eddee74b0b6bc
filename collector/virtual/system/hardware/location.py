"""Where the phone is: fixes of its GPS, and the position of a test provider, which hides them."""

from __future__ import annotations

from dataclasses import dataclass

from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.hardware.radios import Radios
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.ui.app import MOVED
from collector.virtual.ui.events import Event


@dataclass(frozen=True, slots=True)
class GpsFix:
    """Degrees, metres above the ellipsoid, metres a second."""

    latitude: float
    longitude: float
    altitude: float = 0.0
    speed: float = 0.0


class Location:
    """The location service. Every method may be called from any thread."""

    def __init__(self, state: SystemState, manager: ActivityManager, radios: Radios) -> None:
        self._state, self._manager, self._radios = state, manager, radios
        self._gps: GpsFix | None = None
        self._mock: tuple[float, float] | None = None

    @property
    def gps(self) -> GpsFix | None:
        """The last fix of the GPS; None before the first."""
        with self._state.lock:
            return self._gps

    @property
    def mock(self) -> tuple[float, float] | None:
        """Latitude and longitude of a test provider, in degrees; None without one."""
        with self._state.lock:
            return self._mock

    def fix(self, fix: GpsFix) -> None:
        """Take a fix of the GPS; one that comes while location is off is lost, as on a phone."""
        with self._state.lock:
            if self._radios.location:
                self._gps = fix
                if self._mock is None:
                    self._tell(fix.latitude, fix.longitude)

    def set_mock(self, position: tuple[float, float] | None) -> None:
        """Set the position of a test provider, or remove it; the apps keep the last position."""
        with self._state.lock:
            self._mock = position
            if position is not None and self._radios.location:
                self._tell(*position)

    def forget(self) -> None:
        """Forget all positions, as a new phone."""
        with self._state.lock:
            self._gps = self._mock = None

    def _tell(self, latitude: float, longitude: float) -> None:
        for app in self._state.apps.values():
            if app.follows_location:
                self._manager.send_to(app, Event(MOVED, (latitude, longitude)))
        self._state.touch()

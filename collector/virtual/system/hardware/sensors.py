"""The sensors of an emulator, and how the phone is held.

Names and order are those of ``hw-sensors.h`` of the Android emulator, the values at rest those of its
``AmbientEnvironment.h``: 9.81 m/s2, a field of 0, 5.9 and -48.4 microtesla.
"""

from __future__ import annotations

from collector.virtual.system.phone_state.state import SystemState

Vector = tuple[float, ...]
_GRAVITY, _NORTH, _DOWN = 9.81, 5.9, -48.4
_TURNED = 7.0
"""m/s2 along one side from which the phone counts as held that way."""
_ZERO: Vector = (0.0, 0.0, 0.0)
_AT_REST: dict[str, Vector] = {
    "acceleration": (0.0, _GRAVITY, 0.0), "gyroscope": _ZERO, "magnetic-field": (0.0, _NORTH, _DOWN),
    "orientation": _ZERO, "temperature": (0.0,), "proximity": (1.0,), "light": (0.0,), "pressure": (0.0,),
    "humidity": (0.0,), "magnetic-field-uncalibrated": (0.0, _NORTH, _DOWN), "gyroscope-uncalibrated": _ZERO,
    "hinge-angle0": (0.0,), "hinge-angle1": (0.0,), "hinge-angle2": (0.0,), "heart-rate": (0.0,),
    "rgbc-light": (0.0, 0.0, 0.0, 0.0), "wrist-tilt": (0.0,),
    "acceleration-uncalibrated": (0.0, _GRAVITY, 0.0),
}  # fmt: skip
_TURNING = ("acceleration", "acceleration-uncalibrated", "magnetic-field", "magnetic-field-uncalibrated")
"""Measured along the sides of the phone: they change when it is turned."""
_ABSENT = ("hinge-angle0", "hinge-angle1", "hinge-angle2", "heart-rate", "rgbc-light", "wrist-tilt")
"""Sensors of foldable phones and watches."""
SENSORS = {name: name not in _ABSENT for name in _AT_REST}
"""Whether this phone has each sensor."""


class Sensors:
    """Values of the sensors. Every method may be called from any thread."""

    def __init__(self, state: SystemState) -> None:
        self._state = state
        self._set: dict[str, Vector] = {}

    def values(self, name: str) -> Vector:
        """What a sensor measures, or what was set. Raises KeyError for an unknown one."""
        with self._state.lock:
            if name in self._set:
                return self._set[name]
            values = _AT_REST[name]
            if name not in _TURNING:
                return values
            x, y, z = values
            return (*((x, y), (y, -x), (-x, -y), (-y, x))[self._state.device_rotation], z)

    def set(self, name: str, values: Vector) -> None:
        """Let a sensor report these values from now on; gravity along another side turns the phone."""
        with self._state.lock:
            self._set[name] = values
            if name == "acceleration" and (rotation := _held(values)) is not None:
                self._turn(rotation)

    def turn(self, rotation: int) -> None:
        """Hold the phone by quarter turns, 0 to 3 as Android's rotations; a free screen follows."""
        with self._state.lock:
            for name in _TURNING:
                self._set.pop(name, None)
            self._turn(rotation)

    @property
    def rotation(self) -> int:
        """How the phone is held, whatever its screen shows."""
        with self._state.lock:
            return self._state.device_rotation

    def forget(self) -> None:
        """Measure all again."""
        with self._state.lock:
            self._set.clear()

    def _turn(self, rotation: int) -> None:
        self._state.device_rotation = rotation
        self._state.rotate()
        self._state.touch()


def _held(acceleration: Vector) -> int | None:
    """The rotation of a phone with this acceleration in m/s2; None while it lies flat or between two."""
    x, y = acceleration[:2]
    for rotation, along in enumerate((y, x, -y, -x)):
        if along >= _TURNED:
            return rotation
    return None

"""Noise on the screens of an app: elements that are missing, late, doubled, moving, covered or zoomed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

AS_IS, REVERSED, SHUFFLED = "as_is", "reversed", "shuffled"


@dataclass(frozen=True, slots=True)
class Noise:
    """How much noise there is. Shares are of the elements that can be touched; 0 is none."""

    missing: float = 0.0
    """Share of elements that are not there, until the phone got :attr:`missing_inputs` inputs."""
    missing_inputs: int = 3
    late: float = 0.0
    """Share of elements that come after :attr:`late_seconds`."""
    late_seconds: float = 2.0
    twice: float = 0.0
    """Share of elements that are there twice; both work."""
    moving: float = 0.0
    """Share of elements that move when they are first touched, and take that touch for nothing."""
    covered: float = 0.0
    """Share of elements under a cover, which a touch takes away."""
    zoomed: float = 0.0
    zoom: float = 1.5
    """Size of the elements that are zoomed, as a multiple of the usual one."""
    order: str = AS_IS
    """Of the entries of lists whose order means nothing: as_is, reversed or shuffled."""
    only: tuple[str, ...] = ()
    """Ids of the elements concerned; empty for all."""

    @property
    def shows_at_once(self) -> bool:
        """Whether it is on the screen before anybody touches it."""
        return self.order != AS_IS or any((self.missing, self.late, self.twice, self.covered, self.zoomed))

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Noise:
        """Raises TypeError for an unknown key."""
        return cls(**{**values, "only": tuple(values.get("only") or ())})


NO_NOISE = Noise()

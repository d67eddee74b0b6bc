"""The memory of a process over its life."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

_MB = 1024
_LONG_ENOUGH = 120
"""Samples of a life of which growth can be told from warming up."""
_MOST_MB = 600
_GROWTH = 1.15


@dataclass
class Memory:
    """Sizes of the processes of one window, one after the other, in MB."""

    lives: list[list[int]] = field(default_factory=list)

    def begin(self) -> None:
        """The samples that follow are those of a new process."""
        self.lives.append([])

    def sample(self, pid: int) -> None:
        """Note the size of a process that is there."""
        try:
            text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
        except OSError:
            return
        size = next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:"))
        self.lives[-1].append(size // _MB)

    @property
    def longest(self) -> list[int]:
        return max(self.lives, key=len, default=[])

    def sizes(self) -> list[int]:
        """The first, the middle and the last size of the longest life."""
        life = self.longest
        return [life[0], life[len(life) // 2], life[-1]] if life else []


def grown(memory: Memory) -> list[str]:
    """What is wrong with the sizes: one over the limit, or a second half of a long life over the first."""
    life = memory.longest
    wrong = [f"{max(life)} MB"] if life and max(life) > _MOST_MB else []
    if len(life) >= _LONG_ENOUGH:
        middle, end = (
            sorted(part)[len(part) // 2]
            for part in (life[len(life) // 3 : 2 * len(life) // 3], life[-len(life) // 3 :])
        )
        if end > middle * _GROWTH:
            wrong.append(f"it grew from {middle} to {end} MB")
    return wrong

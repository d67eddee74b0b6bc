"""A hand on a virtual phone itself: its glass, its keys and the keys of its keyboard."""

from __future__ import annotations

from typing import Any

from collector.model.geometry import Point, Rect

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


class Hand:
    """Acts through ``cmd waymark``; what it does passes the phone's drivers."""

    def __init__(self, device: Any, density: int = 320) -> None:
        self._device = device
        self._dp = density / 160

    def tap(self, point: Point) -> None:
        self._run(f"finger down {point.x} {point.y}", f"finger up {point.x} {point.y}")

    def hold(self, point: Point, seconds: float) -> None:
        """A long press: how long a finger lies is what makes it one."""
        self._run(f"finger down {point.x} {point.y}", f"sleep {seconds}", f"finger up {point.x} {point.y}")

    def draw(self, start: Point, end: Point, steps: int = 8) -> None:
        across, down = end.x - start.x, end.y - start.y
        way = [
            f"finger move {start.x + across * n // steps} {start.y + down * n // steps}"
            for n in range(1, steps + 1)
        ]
        self._run(f"finger down {start.x} {start.y}", *way, f"finger up {end.x} {end.y}")

    def press(self, button: str) -> None:
        self._run(f"button {button}")

    def types(self, letters: str, keyboard: Rect) -> None:
        """Letters, ``<`` for delete and a line's end for the action key, one tap each."""
        for letter in letters:
            self.tap(self.key(letter, keyboard))

    def key(self, letter: str, keyboard: Rect) -> Point:
        """Where a key lies on the virtual phone's keyboard, which is lower when the phone is turned."""
        low = keyboard.height < 280 * self._dp
        strip, tall = (36 * self._dp, 41.5 * self._dp) if low else (44 * self._dp, 48 * self._dp)
        across, row = self._place(letter)
        return Point(
            keyboard.left + round(keyboard.width * across), keyboard.top + round(strip + tall * (row + 0.5))
        )

    @staticmethod
    def _place(letter: str) -> tuple[float, int]:
        if letter in ("\n", " ", "?"):
            return {"\n": 0.93, " ": 0.5, "?": 0.06}[letter], 3
        if letter == "<":
            return 0.95, 2
        row = next(number for number, letters in enumerate(_ROWS) if letter in letters)
        edge = (0.0, 0.05, 0.15)[row]
        share = (1 - 2 * edge) / len(_ROWS[row])
        return edge + share * (_ROWS[row].index(letter) + 0.5), row

    def _run(self, *commands: str) -> None:
        line = "; ".join(
            command if command.startswith("sleep") else f"cmd waymark {command}" for command in commands
        )
        result = self._device.shell(line)
        assert not result.error_text, result.error_text

"""A training step on a toy model: what an export holds is enough to learn from.

The model is one layer in NumPy. It sees a screenshot of 12 x 26 grey pixels and the words of its prompt, and
chooses a kind of action and, for a touch, a cell of the screen. It learns a small export by heart and is no
agent: what it shows is that samples, answers and places fit together.

    python docs/examples/training/toy_model.py FOLDER

FOLDER is an export as ``llama-factory``.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from collector.agents.translators.coordinates import AgentScreen
from collector.agents.translators.dialect import Dialect
from collector.agents.translators.registry import DIALECTS
from collector.model.geometry import Size

PICTURE, WORDS, CELLS = (12, 26), 256, (6, 13)
WIDTH = PICTURE[0] * PICTURE[1] + WORDS + 1
_WORD = re.compile(r"\w+")
_DIALECT = re.compile(r"in the dialect `([^`]+)`")
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Side:
    """The samples of a side."""

    seen: Floats
    """What is seen, a row a sample."""
    answers: list[str]
    """The kind of action, and the cell that it touches."""


def read_side(folder: Path, side: str, dialect: Dialect) -> Side:
    """Read the lines of a side; one that is not there has no samples."""
    file = folder / f"{side}.jsonl"
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    seen, answers = [], []
    for line in lines:
        sample = json.loads(line)
        with Image.open(folder / sample["images"][-1]) as picture:
            size = Size(*picture.size)
            grey = np.asarray(picture.convert("L").resize(PICTURE), np.float64).ravel() / 255
        *said, answer = (message["content"] for message in sample["messages"])
        seen.append(np.concatenate([grey, bag_of_words(said[-1]), [1.0]]))
        answers.append(choice(answer, size, dialect))
    return Side(np.array(seen).reshape(len(seen), WIDTH), answers)


def bag_of_words(text: str) -> Floats:
    """Which words a text has, by their digests."""
    found = np.zeros(WORDS)
    for word in _WORD.findall(text.lower()):
        found[zlib.crc32(word.encode()) % WORDS] = 1
    return found


def choice(answer: str, size: Size, dialect: Dialect) -> str:
    """What an answer chooses, read as Waymark reads the answer of an agent; places are on its picture."""
    action = dialect.read(answer, AgentScreen(size)).predicted
    assert action is not None
    if action.point is None:
        return action.kind
    column, row = action.point.x * CELLS[0] // size.width, action.point.y * CELLS[1] // size.height
    return f"{action.kind} {column},{row}"


class ToyModel:
    """One layer: what is seen times weights, and of the choices the likeliest."""

    def __init__(self, choices: Sequence[str]) -> None:
        self.choices = sorted(set(choices))
        self._weights = np.zeros((WIDTH, len(self.choices)))

    def step(self, side: Side, rate: float = 0.05) -> float:
        """One step of gradient descent over a side; returns the loss before it."""
        wanted = np.array([self.choices.index(answer) for answer in side.answers])
        likely, rows = self._likely(side.seen), np.arange(len(wanted))
        loss = -np.log(likely[rows, wanted] + 1e-12).mean()
        likely[rows, wanted] -= 1
        self._weights -= rate * side.seen.T @ likely / len(rows)
        return float(loss)

    def right(self, side: Side) -> float:
        """The share of a side that the model answers as it was done."""
        if not side.answers:
            return float("nan")
        best = self._likely(side.seen).argmax(axis=1)
        return float(
            np.mean([self.choices[one] == wanted for one, wanted in zip(best, side.answers, strict=True)])
        )

    def _likely(self, seen: Floats) -> Floats:
        scores = seen @ self._weights
        shares: Floats = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return shares


def train(folder: Path, steps: int) -> tuple[list[float], ToyModel, Side, Side]:
    """Train on a folder; returns the loss before each step, the model, and both sides."""
    named = _DIALECT.search((folder / "README.md").read_text("utf-8"))
    assert named is not None, "the card names the dialect"
    dialect = DIALECTS[named[1]]
    known, kept = (read_side(folder, side, dialect) for side in ("train", "test"))
    model = ToyModel(known.answers)
    return [model.step(known) for _number in range(steps)], model, known, kept


def main(words: Sequence[str] | None = None) -> int:
    """Train, and print what came of it."""
    parser = argparse.ArgumentParser(description="Train a toy model on an export as llama-factory.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--steps", type=int, default=300)
    given = parser.parse_args(words)
    losses, model, known, kept = train(given.folder, given.steps)
    print(f"{len(known.answers)} samples, {len(model.choices)} choices")
    print(
        f"loss before step 1: {losses[0]:.3f}, before step 2: {losses[1]:.3f}, at the end: {losses[-1]:.3f}"
    )
    tested = f", {model.right(kept):.0%} of test" if kept.answers else ""
    print(f"right: {model.right(known):.0%} of train{tested}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

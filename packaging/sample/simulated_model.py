"""A model that is none: answers questions of judges about the sample, with mistakes at known rates.

    python packaging/sample/simulated_model.py    serve the sample's judge ``simulated`` until Ctrl+C

It looks at what it is sent: it finds each picture among the recorded screens, and the answer that ended the
task in the words of the question. What is to be seen on a screen says its recorded tree, by
``tests/helpers/sample_facts.py``. Mistakes come by a seed: the same question has the same answer everywhere.
"""

from __future__ import annotations

import hashlib
import io
import json
import random
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from collector.model.action import Answer  # noqa: E402
from collector.store.project.project import Project  # noqa: E402
from tests.helpers.chat_server import ChatRequest, ChatServer, Exchange, completion  # noqa: E402
from tests.helpers.sample_facts import STATE_FACTS, SampleScreen  # noqa: E402

SAMPLE = ROOT / "assets" / "sample"
PORT = 8917
"""As in ``assets/sample/judges/simulated.yaml``."""
MODEL = "simulated-no-real-model"
OVERLOOKS = 0.1
"""The share of essential states that it sees in no window of a trajectory that shows them."""
IMAGINES = 0.08
"""The share of states that it sees in the first window that does not show them."""
GARBLES = 0.02
"""The share of questions to which its first answer is none of the allowed ones."""
SEED = 43
_SMALLER = 4
_PIXELS_PER_TOKEN, _CHARACTERS_PER_TOKEN = 784, 4
_STATE = re.compile(r"Essential state to check:\s*<data \w+>\s*(.*?)\s*</data", re.DOTALL)
_ANSWER = re.compile(r"Answer that was given[^<]*<data \w+>\s*(.*?)\s*</data", re.DOTALL)
_PLACE = re.compile(r"\(step (\d+) of (\d+)\)")


@dataclass(frozen=True)
class KnownScreen:
    """A recorded screen: what is seen, small and grey, and what its tree says."""

    small: NDArray[np.int16]
    size: tuple[int, int]
    screen: SampleScreen


class SimulatedModel:
    """A play of :class:`ChatServer`. It has looked at all screens of a project before it is asked."""

    def __init__(self, project: Project) -> None:
        self._sentences = {
            state.sentence.strip(): name for name, state in project.states.items() if name in STATE_FACTS
        }
        self._known = list(_screens_of(project))
        self._seen: dict[bytes, SampleScreen] = {}

    def __call__(self, exchange: Exchange) -> None:
        request = exchange.server.requests[-1]
        text = self.answer(request)
        read = sum(picture.width * picture.height for picture in request.images) // _PIXELS_PER_TOKEN
        read += len("".join(request.texts)) // _CHARACTERS_PER_TOKEN
        written = len(text) // _CHARACTERS_PER_TOKEN
        usage = {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}
        exchange.send(200, json.dumps(completion(text, model=MODEL, usage=usage)).encode())

    def answer(self, request: ChatRequest) -> str:
        """The answer to a question about one essential state of the sample."""
        words = "\n".join(request.texts)
        asked = _STATE.search(words)
        state = self._sentences.get(asked[1]) if asked else None
        if asked is None or state is None:
            return (
                _colour(request) if "Which colour" in words else "A simulated model knows the sample alone."
            )
        screens = self._looked_at(request, words)
        shown = [number for number, screen in screens if STATE_FACTS[state].seen(screen)]
        total = _PLACE.findall(words)[-1][1]
        of_trajectory = random.Random(f"{SEED} {state} {total} {request.images[0].width}")
        of_question = random.Random(f"{SEED} {words}")
        mood, sureness = of_trajectory.random(), of_question.random()
        if of_question.random() < GARBLES and "cannot be used" not in words:
            return "I think that it is probably there."
        mistaken = mood < OVERLOOKS if shown else mood > 1 - IMAGINES
        if mistaken:
            shown = [] if shown else [screens[-1][0]]
        reason = f"Screen {shown[0]} shows it: {asked[1]}" if shown else "No screen shows it"
        sure = 0.5 + 0.3 * sureness if mistaken else 0.7 + 0.29 * sureness
        return json.dumps({
            "reason": reason, "reached": "yes" if shown else "no", "screen": shown[0] if shown else None,
            "confidence": round(sure, 2),
        })  # fmt: skip

    def _looked_at(self, request: ChatRequest, words: str) -> list[tuple[int, SampleScreen]]:
        """The screens of a question with their numbers; the last one again with the answer that ended all."""
        found = [(number, self._find(data)) for number, (_type, data) in enumerate(request.pictures, 1)]
        answer, place = _ANSWER.search(words), _PLACE.findall(words)
        if answer is not None and place and place[-1][0] == place[-1][1]:
            number, last = found[-1]
            found.append((number, replace(last, led_here=Answer(answer[1]))))
        return found

    def _find(self, data: bytes) -> SampleScreen:
        """The recorded screen that looks most like a picture."""
        key = hashlib.sha256(data).digest()
        if key not in self._seen:
            picture = Image.open(io.BytesIO(data))
            same = [known for known in self._known if known.size[0] == picture.width]
            small = {size: _small(picture, size) for size in {known.size for known in same}}
            best = min(same, key=lambda known: np.abs(known.small - small[known.size]).mean())
            self._seen[key] = best.screen
        return self._seen[key]


def _colour(request: ChatRequest) -> str:
    """The answer to the check of a judge: the strongest colour in the middle of the picture."""
    (picture,) = request.images
    seen = picture.getpixel((picture.width // 2, picture.height // 2))
    assert isinstance(seen, tuple)
    return json.dumps({"colour": ("red", "green", "blue")[seen.index(max(seen))]})


def _screens_of(project: Project) -> Sequence[KnownScreen]:
    found: dict[tuple[bytes, bytes, str], KnownScreen] = {}
    for stored in project.open_trajectories():
        for step in stored.steps:
            picture, tree = stored.screenshot(step), stored.tree(step)
            if not picture or not tree:
                continue
            key = hashlib.sha256(picture).digest(), hashlib.sha256(tree).digest(), step.state.activity
            if key not in found:
                image = Image.open(io.BytesIO(picture))
                screen = SampleScreen(tree, step.state.package, step.state.activity)
                found[key] = KnownScreen(_small(image, image.size), image.size, screen)
    return list(found.values())


def _small(picture: Image.Image, size: tuple[int, int]) -> NDArray[np.int16]:
    """The screen in a picture, without the band of words below it, small and grey."""
    screen = picture.convert("L").crop((0, 0, *size))
    return np.asarray(screen.reduce(_SMALLER), np.int16)


def main() -> None:
    """Serve it until Ctrl+C."""
    model = SimulatedModel(Project.open(SAMPLE))
    with ChatServer(model, port=PORT) as server:
        print(f"{MODEL} at {server.address}. It is no real model. Ctrl+C ends it.", flush=True)
        try:
            server.ended.wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()

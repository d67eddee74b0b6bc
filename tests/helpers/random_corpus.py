"""A corpus of random trajectories, with essential states that some of them reach."""

from __future__ import annotations

import random

from collector.model.action import Tap, Type
from collector.model.trajectory import Target
from collector.rules.columns.corpus import Corpus
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen

STATES = read_rules(
    """
states:
- {id: first, conditions: [{type: element_exists, selector: "text='Drive'"}]}
- {id: second, after: [first], conditions: [{type: state_reached, state: first},
   {type: element_exists, selector: "class='android.widget.Button'"}]}
"""
).rules


def random_corpus(rng: random.Random, dumps: list[bytes]) -> Corpus:
    """Trajectories of up to six states of ``dumps``: some seen twice, some without package or hash."""
    recordings: list[MemoryTrajectory] = []
    while dumps:
        own, dumps = dumps[:6], dumps[6:]
        screens = [
            RecordedScreen(
                rng.choice((own[0], xml)), rng.choice((None, Tap(1, 2), Type("poster"))),
                rng.choice((None, Target((0,), attributes={"text": "Drive"}))),
                rng.choice(("", "com.example.shop")), rng.choice(("", ".MainActivity", "a.b.C")),
                rng.choice((None, ("com.example.shop",), ("com.example.maps", "com.example.shop"))),
            )
            for xml in own
        ]  # fmt: skip
        recordings.append(MemoryTrajectory(f"t{len(recordings)}", screens, hashed=rng.random() < 0.7))
    return Corpus(recordings, states=STATES)

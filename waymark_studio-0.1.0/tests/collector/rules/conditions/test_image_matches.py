"""A picture is looked for once on every screen, and its threshold tried without looking again."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from collector.model.cancellation import Cancelled
from collector.model.trajectory import State
from collector.rules.backtest.backtest import BackTest
from collector.rules.backtest.threshold_advice import threshold_alternatives
from collector.rules.columns.corpus import Corpus
from collector.rules.columns.verdict_columns import OUTCOMES
from collector.rules.conditions.image_matches import NO_IMAGE, ImageMatches
from collector.rules.evaluation.image_finder import ImageQuery, Sighting
from collector.rules.evaluation.image_matching import ImageFiles
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.model import Group, Rule
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen


class CountingImages(ImageFiles):
    """Counts how often a screenshot is searched."""

    searches = 0

    def sighting(self, query: ImageQuery, view: StateView) -> Sighting | None:
        self.searches += 1
        return super().sighting(query, view)


def screen(*, heart: bool) -> Image.Image:
    image = Image.new("RGB", (120, 200), "white")
    draw = ImageDraw.Draw(image)
    draw.rectangle((10, 10, 60, 30), fill="navy")
    if heart:
        draw.polygon([(60, 100), (90, 100), (75, 130)], fill="crimson")
        draw.ellipse((60, 85, 90, 110), fill="orange")
    return image


def encoded(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def rule(threshold: float = 0.9, image: str = "heart.png") -> Rule:
    condition = ImageMatches(image=image, threshold=threshold)
    return Rule(id="r", kind="success", conditions=Group(conditions=(condition,)))


@pytest.fixture
def images(tmp_path: Path) -> CountingImages:
    screen(heart=True).crop((55, 80, 95, 135)).save(tmp_path / "heart.png")
    return CountingImages(tmp_path)


@pytest.fixture
def corpus() -> Corpus:
    shown = [encoded(screen(heart=heart)) for heart in (False, True, True)]
    recording = MemoryTrajectory("t", [RecordedScreen(b"") for _ in shown], pictures=shown)
    steps = []
    for step, name in zip(recording.steps, ("plain", "heart", "heart"), strict=True):
        state: State = replace(step.state, sha256={step.state.screenshot: name})
        steps.append(replace(step, state=state))
    recording.__dict__["steps"] = tuple(steps)
    return Corpus([recording])


def test_each_screen_is_looked_at_once_whatever_the_threshold(corpus: Corpus, images: CountingImages) -> None:
    test = BackTest(corpus, images=images)
    assert test.run(rule()).rows[0].outcomes[1:] == b"\2\2"
    assert images.searches == 2  # two of the three screens are the same
    assert test.run(rule(threshold=0.0)).fires >= 2
    assert test.run(rule(threshold=1.01)).fires == 0
    assert images.searches == 2
    for position in range(3):
        proof = test.proof(rule(), position)
        assert OUTCOMES[test.run(rule()).rows[0].outcomes[position]] is proof.outcome


def test_another_picture_in_the_file_is_looked_for_again(
    corpus: Corpus, images: CountingImages, tmp_path: Path
) -> None:
    test = BackTest(corpus, images=images)
    test.run(rule())
    noise = np.random.default_rng(1).integers(0, 255, (40, 40, 3), dtype=np.uint8)
    Image.fromarray(noise).save(tmp_path / "heart.png")
    assert test.run(rule()).fires == 0
    assert images.searches == 4


def test_a_picture_that_is_not_there_is_seen_nowhere(corpus: Corpus, images: CountingImages) -> None:
    test = BackTest(corpus, images=images)
    assert test.run(rule(image="none.png")).fires == 0
    assert test.run(rule(image="../outside.png")).fires == 0
    assert BackTest(corpus).run(rule()).fires == 0


def test_looking_can_be_stopped_and_goes_on_where_it_was(corpus: Corpus, images: CountingImages) -> None:
    test = BackTest(corpus, images=images)
    test.prepare()
    with pytest.raises(Cancelled):
        test.run(rule(), cancelled=lambda: images.searches > 0)
    assert images.searches == 1
    assert test.run(rule()).fires == 2
    assert images.searches == 2


def test_a_lower_threshold_for_a_picture_is_proposed(corpus: Corpus, images: CountingImages) -> None:
    test = BackTest(corpus, images=images)
    score = test.proof(rule(), 0).parts[0].score
    assert score is not None
    (lower,) = threshold_alternatives(test, rule(), 0)
    assert (lower.threshold <= score, lower.here, lower.gained, lower.lost) == (True, True, (0,), ())
    assert lower.sentence == f"Threshold {lower.threshold:g} would fire here and nowhere else, which is wrong"
    assert test.run(lower.rule).fires == 3
    searches = images.searches
    (higher,) = threshold_alternatives(test, lower.rule, 0)
    assert (higher.gained, higher.lost[0]) == ((), 0)
    assert images.searches <= searches + 1  # the proof of one state; the columns are there


def test_a_condition_is_proved_with_its_score_and_place(images: CountingImages) -> None:
    condition = rule().conditions.conditions[0]
    proof = prove(condition, StateView(picture=lambda: np.array(screen(heart=True))), images)
    assert proof.holds
    assert proof.score is not None
    assert proof.score > 0.99
    assert proof.area is not None
    assert max(abs(proof.area.left - 55), abs(proof.area.top - 80), abs(proof.area.right - 95)) <= 1
    assert not prove(condition, StateView(picture=lambda: np.array(screen(heart=False))), images).holds


def test_without_a_screenshot_or_an_image_it_does_not_hold(images: CountingImages) -> None:
    missing = prove(
        ImageMatches(image="none.png"), StateView(picture=lambda: np.array(screen(heart=True))), images
    )
    assert (missing.holds, missing.note) == (False, NO_IMAGE)
    blind = prove(ImageMatches(image="heart.png"), StateView(), images)
    assert (blind.holds, blind.score) == (False, None)

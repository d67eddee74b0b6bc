"""``image_matches``: an image is seen on the screenshot."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from collector.model.cancellation import check_cancelled
from collector.model.geometry import Rect
from collector.model.i18n import N_, _
from collector.rules.conditions.condition_type import ConditionType
from collector.rules.evaluation.image_finder import ImageFinder, ImageQuery, Sighting
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.condition_registry import key
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.model import Condition
from collector.rules.grammar.specs import IMAGE, METHOD, REGION, SHARE

if TYPE_CHECKING:
    from collector.rules.columns.state_columns import StateColumns
    from collector.rules.columns.verdict_columns import VerdictColumns

NO_IMAGE = "no-image"
"""A note: the image cannot be read."""
_NEARLY = 0.8
"""Share of the threshold from which a score counts as evidence."""


@dataclass(frozen=True, kw_only=True)
class ImageMatches(Condition):
    """An image is seen on the screenshot."""

    type: ClassVar[str] = "image_matches"
    image: str = field(metadata=key(IMAGE, N_("File of the picture, relative to the project")))
    threshold: float = field(default=0.85, metadata=key(SHARE, N_("Least score that counts as seen")))
    region: Rect | None = field(
        default=None,
        metadata=key(REGION, N_("Where to look: left, top, right, bottom in device pixels")),
    )
    method: str = field(
        default="template",
        metadata=key(METHOD, N_("template, or features for pictures that are turned or cut off")),
    )
    """``template`` (scale-tolerant correlation) or ``features`` (SIFT)."""

    @property
    def query(self) -> ImageQuery:
        """What is looked for, whatever the threshold."""
        return ImageQuery(self.image, self.region, self.method)


class ImageMatchesType(ConditionType[ImageMatches]):
    """Without a finder of images, a screenshot or the image itself nothing is known."""

    condition = ImageMatches
    doc = N_("A picture is seen on the screen")
    example = "{type: image_matches, image: rules/images/heart.png, threshold: 0.9}"

    def starter(self, view: StateView | None) -> ImageMatches:
        return ImageMatches(image="rules/images/picture.png")

    def prove(self, condition: ImageMatches, view: StateView, images: ImageFinder | None) -> Proof:
        if images is None:
            return Proof(condition, False, deficit=1, unseen=True)
        try:
            return _judge(condition, images.sighting(condition.query, view))
        except RuleError:
            return Proof(condition, False, note=NO_IMAGE, deficit=1, unseen=True)

    def columns(self, condition: ImageMatches, states: StateColumns) -> VerdictColumns:
        """An image is looked for once on every screenshot, whatever the threshold."""
        images = states.images
        if images is None:
            return states.unknown()
        query, stamp = condition.query, images.stamp(condition.image)
        proofs = []
        for position in range(len(states)):
            check_cancelled()
            searched = ("sighting", query, stamp, _screenshot_key(states, position))
            if searched not in states.memo:
                try:
                    states.memo[searched] = images.sighting(query, states.corpus.view(position))
                except RuleError:
                    return states.unknown()
            proofs.append(_judge(condition, states.memo[searched]))
        return states.verdicts_of_proofs(proofs)

    def stamp(self, condition: ImageMatches, images: ImageFinder | None) -> str:
        return images.stamp(condition.image) if images is not None else ""

    def sentence(self, condition: ImageMatches) -> str:
        return _("The screen shows the image {name}", name=condition.image)

    def explain(self, proof: Proof, condition: ImageMatches, view: StateView) -> str:
        if proof.note == NO_IMAGE:
            return _("The picture it names cannot be read")
        if proof.score is None:
            return _("There is no screenshot to look at")
        score, least = f"{proof.score:.2f}", f"{condition.threshold:g}"
        return _("Best match {score}, needs {threshold}", score=score, threshold=least)

    def other_thresholds(
        self, condition: ImageMatches, proof: Proof | None
    ) -> Iterator[tuple[float, ImageMatches]]:
        """The one that just changes the verdict on the state that was asked about."""
        score = proof.score if proof is not None else None
        if score is not None:
            seen = score >= condition.threshold
            threshold = round(math.floor(score * 100) / 100 + 0.01 * seen, 2)
            yield threshold, replace(condition, threshold=threshold, raw=None)


def _judge(condition: ImageMatches, sighting: Sighting | None) -> Proof:
    """The verdict on an image that was looked for; None = there was no screenshot."""
    if sighting is None:
        return Proof(condition, False, deficit=1, unseen=True)
    holds = sighting.area is not None and sighting.score >= condition.threshold
    nearly = sighting.score >= condition.threshold * _NEARLY
    return Proof(
        condition, holds, score=sighting.score, area=sighting.area,
        deficit=not holds, evidence=holds or nearly,
    )  # fmt: skip


def _screenshot_key(states: StateColumns, position: int) -> Hashable:
    """What a screenshot is known by: its recorded content hash, else its position."""
    state = states.corpus.step(position).state
    return state.sha256.get(state.screenshot) or position

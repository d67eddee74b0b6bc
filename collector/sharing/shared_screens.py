"""The screens of shared trajectories: their pictures and trees without what is private, read on request."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence

import numpy as np
from PIL import Image

from collector.comparison.alignment.reading import read_tree
from collector.comparison.state_difference.state_difference import RecordedScreen
from collector.hierarchy.password_fields import shown_passwords
from collector.model.errors import UserError
from collector.model.geometry import Rect, Size
from collector.model.trajectory import Step
from collector.model.tree import Tree
from collector.pictures.decoding import at_most, decode, exactly
from collector.pictures.formats import read_picture_file
from collector.pictures.limits import LARGE
from collector.sharing.private_content import private_regions, without_secrets
from collector.store.checks.typed_passwords import typed_password
from collector.store.redaction.screens import blacked_out
from collector.store.redaction.secret_text import SecretTexts
from collector.store.trajectory.reader import StoredTrajectory

_REDUCTION = at_most(LARGE)


class SharedScreens:
    """The screens of some trajectories. Equal files are read once; a damaged one counts as missing."""

    def __init__(self, stored: Sequence[StoredTrajectory]) -> None:
        self._stored = tuple(stored)
        self._trees: dict[str, Tree | None] = {}
        """By digest of a dump."""
        self._safe: dict[str, Tree | None] = {}
        self._regions: dict[str, tuple[Rect, ...]] = {}
        self._digests: dict[tuple[int, str], str] = {}
        """By trajectory and name of a file."""
        self._problems: dict[tuple[int, str], str] = {}
        """By trajectory and name of a picture."""
        self.secrets = SecretTexts()
        """Texts of password fields of all trajectories."""
        for side, trajectory in enumerate(self._stored):
            for step in trajectory.steps:
                self.secrets.add_typed(typed_password(step, self.raw_tree(side, step)))
        for tree in filter(None, self._trees.values()):
            self.secrets.add(*shown_passwords(tree), whole=True)

    def raw_tree(self, side: int, step: Step) -> Tree | None:
        """The tree as recorded; it is for looking at, and never shared."""
        key = self.tree_key(side, step)
        if key and key not in self._trees:
            self._trees[key] = read_tree(self._stored[side], step)
        return self._trees.get(key)

    def tree_key(self, side: int, step: Step) -> str:
        """Equal for equal dumps; empty for a step without one."""
        return self._digest(side, step.state.tree)

    def picture_key(self, side: int, step: Step) -> str:
        """Equal for pictures that are shared alike; empty for a step without one that can be shown."""
        if self.picture_problem(side, step):
            return ""
        digest = self._digest(side, step.state.screenshot)
        if not digest:
            return ""
        regions = self.private_regions(side, step)
        return f"{digest} {' '.join(map(str, regions))}" if regions else digest

    def tree(self, side: int, step: Step) -> Tree | None:
        """The tree of a step without secrets; None when there is none."""
        key = self.tree_key(side, step)
        if key and key not in self._safe:
            raw = self.raw_tree(side, step)
            self._safe[key] = without_secrets(raw, self.secrets) if raw is not None else None
        return self._safe.get(key)

    def private_regions(self, side: int, step: Step) -> tuple[Rect, ...]:
        """What of a step's screen is black when it is shared, in device pixels."""
        key = self.tree_key(side, step)
        if key not in self._regions:
            self._regions[key] = private_regions(self.raw_tree(side, step), self.secrets)
        return self._regions[key]

    def picture_problem(self, side: int, step: Step) -> str:
        """Why the picture of a step cannot be shown, in sentences; empty when it can, and without one."""
        name = step.state.screenshot
        if name and (side, name) not in self._problems:
            self._problems[side, name] = _picture_problem(self._stored[side], step)
        return self._problems.get((side, name), "")

    def picture(self, side: int, step: Step) -> Image.Image | None:
        """The RGB picture of a step with private regions black; None when there is none that can be read.

        A large one is reduced: no format shows it whole.
        """
        regions = self.private_regions(side, step)
        try:
            data = self._stored[side].screenshot(step)
            # What is private becomes black before it can be averaged with what is not.
            image = decode(data, exactly(1) if regions else _REDUCTION) if data else None
        except UserError:
            return None
        if image is None or not regions:
            return image.convert("RGB") if image is not None else None
        own = Size(image.width, image.height)
        pixels = np.asarray(image.convert("RGB"))
        black = Image.fromarray(
            blacked_out(pixels, regions, own if step.state.size.is_empty else step.state.size)
        )
        return black.reduce(_REDUCTION(own))

    def screen(self, side: int, step: Step) -> RecordedScreen:
        """The state of a step without what is private, to compare it with another."""
        picture, data = self.picture(side, step), io.BytesIO()
        if picture is not None:
            picture.save(data, "BMP")  # the fastest that every decoder reads
        state = step.state
        return RecordedScreen(
            state.package, state.activity, self.tree(side, step), data.getvalue() or None, state.size
        )

    def _digest(self, side: int, name: str) -> str:
        """The digest of the bytes that are there; what the file of steps says of them may be wrong."""
        if not name:
            return ""
        if (side, name) not in self._digests:
            try:
                data = self._stored[side].blob(name)
            except UserError:
                data = None
            self._digests[side, name] = hashlib.sha256(data).hexdigest() if data else ""
        return self._digests[side, name]


def _picture_problem(stored: StoredTrajectory, step: Step) -> str:
    try:
        data = stored.screenshot(step)
        if data:
            read_picture_file(data)
    except UserError as error:
        return str(error)
    return ""

"""The screens of shared trajectories: their pictures and trees without what is private, read on request."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence

import numpy as np
from PIL import Image

from collector.hierarchy.password_fields import shown_passwords
from collector.model.errors import UserError
from collector.model.geometry import Rect, Size
from collector.model.trajectory import Step
from collector.model.tree import Tree
from collector.replay.alignment.reading import read_screen
from collector.replay.state_difference.state_difference import RecordedScreen
from collector.sharing.private_content import private_regions, without_secrets
from collector.store.reader import StoredTrajectory
from collector.store.redaction import blacked_out
from collector.store.secret_text import SecretTexts
from collector.store.typed_passwords import typed_password

_MOST_PIXELS = 64_000_000


class SharedScreens:
    """The screens of some trajectories. Equal files are read once; a damaged one counts as missing."""

    def __init__(self, stored: Sequence[StoredTrajectory]) -> None:
        self._stored = tuple(stored)
        self._trees: dict[str, Tree | None] = {}
        """By digest of a dump."""
        self._safe: dict[str, Tree | None] = {}
        self._digests: dict[tuple[int, str], str] = {}
        """By trajectory and name of a file."""
        self.secrets = SecretTexts()
        """Texts of password fields of all trajectories."""
        for side, trajectory in enumerate(self._stored):
            for step in trajectory.steps:
                tree = self.raw_tree(side, step)
                self.secrets.add_typed(typed_password(step, tree))
                self.secrets.add(*(shown_passwords(tree) if tree is not None else ()), whole=True)

    def raw_tree(self, side: int, step: Step) -> Tree | None:
        """The tree as recorded; it is for looking at, and never shared."""
        key = self.tree_key(side, step)
        if key and key not in self._trees:
            self._trees[key] = read_screen(self._stored[side], step).tree
        return self._trees.get(key)

    def tree_key(self, side: int, step: Step) -> str:
        """Equal for equal dumps; empty for a step without one."""
        return self._digest(side, step.state.tree)

    def picture_key(self, side: int, step: Step) -> str:
        """Equal for pictures that are shared alike; empty for a step without one."""
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
        return private_regions(self.raw_tree(side, step), self.secrets)

    def picture(self, side: int, step: Step) -> Image.Image | None:
        """The RGB picture of a step with private regions black; None when there is none that can be read."""
        try:
            data = self._stored[side].screenshot(step)
            if not data:
                return None
            with Image.open(io.BytesIO(data)) as image:
                if image.width * image.height > _MOST_PIXELS:
                    return None
                picture = image.convert("RGB")
        except (UserError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
            return None
        regions = self.private_regions(side, step)
        if not regions:
            return picture
        screen = step.state.size
        scale = Size(picture.width, picture.height) if screen.is_empty else screen
        return Image.fromarray(blacked_out(np.asarray(picture), regions, scale))

    def screen(self, side: int, step: Step) -> RecordedScreen:
        """The state of a step without what is private, to compare it with another."""
        picture, data = self.picture(side, step), io.BytesIO()
        if picture is not None:
            picture.save(data, "BMP")  # the fastest that every decoder reads
        return RecordedScreen(
            step.state.package, step.state.activity, self.tree(side, step), data.getvalue() or None
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

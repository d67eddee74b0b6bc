"""Save parts of recorded screens as image files that conditions can name."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage

from collector.model.errors import UserError
from collector.model.geometry import Rect
from collector.model.i18n import _
from collector.rules.conditions.image_matches import ImageMatches
from collector.rules.grammar.model import Condition
from collector.rules.suggest.suggestions import Suggestion
from collector.store.files.layout import RULE_IMAGES
from studio.bridge import JobRunner
from studio.bridge.jobs import Job, JobQueue
from studio.bridge.shown_state import ShownState


def save_region_image(runner: JobRunner, folder: Path | None, image: QImage, region: Rect) -> str:
    """Cut ``region`` out of ``image``, write it off the GUI thread, and return its path for rules.

    The name is a digest of the pixels, so that the same part is stored once. Raises UserError.
    """
    if folder is None:
        raise UserError(_("No project is open"), _("A picture is saved in a project"), _("Open one first"))
    part = image.copy(QRect(region.left, region.top, region.width, region.height))
    part = part.convertToFormat(QImage.Format.Format_RGB888)
    digest = hashlib.sha256(bytes(part.constBits())).hexdigest()[:10]
    name = Path(RULE_IMAGES, f"{digest}.png")

    def work(_job: Job) -> None:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not part.save(str(path)):
            raise UserError(_("The picture could not be written"), str(path), _("Check the disk"))

    runner.run(work, queue=JobQueue.STORE)
    return name.as_posix()


def ready_condition(
    suggestion: Suggestion, runner: JobRunner, folder: Path | None, recorded: ShownState | None
) -> Condition:
    """The condition of a suggestion; the image that it names is cut from the recorded screen and saved.

    Raises UserError when there is no recorded screen to cut it from.
    """
    condition = suggestion.condition
    if not isinstance(condition, ImageMatches):
        return condition
    if suggestion.region is None or recorded is None:
        raise UserError(_("An image can only be cut from a recorded state; show one first"))
    return replace(condition, image=save_region_image(runner, folder, recorded.image, suggestion.region))

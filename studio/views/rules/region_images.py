"""Save parts of recorded screens as image files that rules can name."""

from __future__ import annotations

import hashlib
from pathlib import Path

from PySide6.QtCore import QRect
from PySide6.QtGui import QImage

from collector.model.errors import UserError
from collector.model.geometry import Rect
from collector.model.i18n import _
from collector.store.layout import RULE_IMAGES
from studio.bridge import JobRunner
from studio.bridge.jobs import Job, JobQueue


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

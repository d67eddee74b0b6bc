"""Write the variations of a source into a project, beside those that are there."""

from __future__ import annotations

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.source.model import SourceVariation
from collector.model.i18n import _
from collector.model.variation.phone_variation import VARIATIONS
from collector.store.files.disk import Disk
from collector.store.project.project import Project


def import_variation(project: Project, source: SourceVariation, log: ExchangeLog) -> str:
    """Write ``source``. Returns its name in the project; empty when the project has one of that name."""
    log.where = f"{source.name}.yaml"
    target = project.folder / VARIATIONS / f"{source.name}.yaml"
    data = source.text.encode("utf-8", "replace")
    if target.is_symlink() or target.exists():
        if target.is_file() and target.read_bytes() == data:
            log.add("variation-there", _("The project has this variation already"), severity=NOTE)
        else:
            what = _("The project keeps its own variation of this name; this one was left out")
            log.add("variation-kept", what)
        return ""
    disk = Disk()
    disk.make_folder(target.parent)
    disk.write(target, data)
    return project.paths.relative(target)

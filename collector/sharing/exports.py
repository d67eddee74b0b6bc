"""Export a review in one of the formats, whole or not at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from collector.comparison.alignment.aligned import REFERENCE, AlignedTrajectories
from collector.model.errors import UserError
from collector.model.i18n import N_, _
from collector.redaction_rules.unredacted import require_redacted
from collector.sharing.contact_sheet import ContactSheet
from collector.sharing.export_options import ExportOptions
from collector.sharing.export_progress import ExportProgress
from collector.sharing.frames import ReviewFrames
from collector.sharing.gif import gif_of
from collector.sharing.markdown_report import MarkdownReport
from collector.sharing.page import page_of
from collector.sharing.shared_review import SharedReview
from collector.sharing.video import video_of
from collector.store.files.disk import Disk
from collector.store.files.names import folder_name

Write = Callable[[SharedReview, Path, ExportOptions, ExportProgress], None]


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """One format. ``write`` raises ExportCancelled and UserError; the file is whole or as it was."""

    name: str
    """Also the ending of its files."""
    title: str
    """A message of the catalogues."""
    write: Write
    is_moving: bool = False
    """Whether timing and speed matter to it."""
    has_theme: bool = True
    """Whether it is drawn in one theme; a page follows its reader's."""


def export_page(
    review: SharedReview, path: Path, options: ExportOptions, progress: ExportProgress
) -> None:  # fmt: skip
    """Write one HTML file that opens anywhere."""
    del options  # the reader chooses how it looks
    Disk().write(path, page_of(review, progress))


def export_video(
    review: SharedReview, path: Path, options: ExportOptions, progress: ExportProgress
) -> None:  # fmt: skip
    """Write a video."""
    Disk().write(path, video_of(ReviewFrames(review, options), review.instruction, progress))


def export_gif(
    review: SharedReview, path: Path, options: ExportOptions, progress: ExportProgress
) -> None:  # fmt: skip
    """Write an animation."""
    Disk().write(path, gif_of(ReviewFrames(review, options), progress))


def export_sheet(
    review: SharedReview, path: Path, options: ExportOptions, progress: ExportProgress
) -> None:  # fmt: skip
    """Write a contact sheet."""
    Disk().write(path, ContactSheet(review, options).png(progress))


def export_report(
    review: SharedReview, path: Path, options: ExportOptions, progress: ExportProgress
) -> None:  # fmt: skip
    """Write a Markdown report; its pictures go into a folder beside it, named as the file."""
    folder = path.with_name(f"{path.stem}_pictures")
    report = MarkdownReport(review, folder.name if options.with_pictures else "")
    text, disk = report.text(), Disk()
    pictures = report.pictures(progress)
    if pictures:
        disk.make_folder(folder)
        disk.write_all({folder / name: data for name, data in pictures.items()})
    disk.write(path, text.encode("utf-8", "replace"))


FORMATS = {
    each.name: each
    for each in (
        ExportFormat("html", N_("One HTML page"), export_page, has_theme=False),
        ExportFormat("mp4", N_("Video (MP4)"), export_video, is_moving=True),
        ExportFormat("gif", N_("Animation (GIF)"), export_gif, is_moving=True),
        ExportFormat("png", N_("Contact sheet (PNG)"), export_sheet),
        ExportFormat("md", N_("Report (Markdown)"), export_report, has_theme=False),
    )
}


def export_review(
    review: SharedReview, name: str, path: Path, options: ExportOptions | None = None,
    progress: ExportProgress | None = None,
) -> None:  # fmt: skip
    """Write a review to ``path`` in the format ``name``.

    Raises ExportCancelled, StoreError when the file cannot be written, and UserError for trajectories without
    steps and a format that cannot be encoded here.
    """
    if not review.aligned.slots:
        raise UserError(
            _("The trajectories have no steps"),
            _("There is nothing to share"),
            _("Choose another trajectory"),
        )
    for stored in review.aligned.stored:
        if stored.archive is None:
            require_redacted(stored.folder)
    FORMATS[name].write(review, path, options or ExportOptions(), progress or ExportProgress())


def suggested_name(aligned: AlignedTrajectories, name: str) -> str:
    """A name for the file: the id of the trajectory, or that of the task when there are several."""
    header = aligned.stored[REFERENCE].header
    stem = header.task_id if len(aligned.stored) > 1 else header.id
    name_of_any = _("review")
    return f"{folder_name(stem or name_of_any)}.{name}"

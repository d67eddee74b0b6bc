"""Search files for what the rules of redaction hide, and say where it is. No picture is read by OCR."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.model.cancellation import check_cancelled
from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.model.trajectory import Step
from collector.pictures.decoding import rgb_pixels
from collector.pictures.errors import PictureError
from collector.redaction_rules.covering import is_covered
from collector.redaction_rules.file_texts import LARGEST, FileSearch, FoundText
from collector.redaction_rules.pattern_spans import pattern_spans
from collector.redaction_rules.private_record import PrivateRecord
from collector.redaction_rules.project_redaction import ProjectRedaction
from collector.redaction_rules.redaction_rule import FILL
from collector.redaction_rules.stored_redaction import StoredRedaction
from collector.redaction_rules.trajectory_redaction import TrajectoryRedaction, kept_regions
from collector.store.files import layout
from collector.store.project.project import Project
from collector.store.redaction.secret_text import SecretTexts
from collector.store.trajectory.reader import open_trajectory, read_header

OPEN_SCREEN, OPEN_WORDS, OPEN_PICTURE, HIDDEN_WORD, OLD_FILE = (
    "open-screen", "open-words", "open-picture", "hidden-word", "old-file",
)  # fmt: skip
"""Codes of what an audit finds."""
_NAMES = re.compile(r"[A-Za-z_][\w$]*(?:\.[\w$]+){2,}(?:[:/][\w/]*)?")
"""A package, a class or a resource id: no text of a person."""
_MOST_OF_A_FILE = 20
_GIT = ".git"
_NOT_WRITTEN_BY_PEOPLE = frozenset(
    (_GIT, layout.CACHE, layout.TRAJECTORIES, layout.TRASH, layout.REDACTION_FILE, layout.REDACTION_REPORTS)
)
"""What a redaction changes itself, and rules that may say an example of what they hide."""
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """Something that is hidden, and is there. It never says the word."""

    code: str
    where: str
    """The file, relative to the project where it is inside, with the file in it behind a ``!``."""
    place: str
    """A line, a key, or a step, from 1."""
    what: str
    to_do: str = ""
    """What takes it away, in a sentence."""

    def as_dict(self) -> dict[str, str]:
        """As JSON holds it."""
        return {
            "code": self.code, "where": self.where, "place": self.place, "what": self.what,
            "to_do": self.to_do,
        }  # fmt: skip


@dataclass(slots=True)
class AuditResult:
    """What an audit found, and what it did not look at."""

    findings: list[AuditFinding] = field(default_factory=list)
    unread: list[tuple[str, str]] = field(default_factory=list)
    """Files that could not be searched, and why."""
    in_rules: list[str] = field(default_factory=list)
    """Places in the rules themselves that name what they hide; they have to, and are no findings."""
    files: int = 0
    knows_words: bool = False
    """Whether this computer knows the words that were hidden, or a list was given."""

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


class RedactionAudit:
    """Searches a project, or given files, for what its rules hide."""

    def __init__(self, project: Project, words: Iterable[str] = ()) -> None:
        """``words`` must not be there either. Raises UserError for rules or records that cannot be read."""
        self._project = project
        self._redaction = ProjectRedaction(project)
        self._record = PrivateRecord.open(project.folder)
        self._words = SecretTexts(words)
        self.result = AuditResult(knows_words=bool(self._words) or not self._record.is_empty)

    def project(self, progress: Progress | None = None) -> AuditResult:
        """Search everything in the project's folder, and evaluate the rules on its screens again."""
        for folder in self._redaction.folders() if self._redaction.rules else ():
            self._look_at_trajectory(folder)
        self.search([self._project.folder], progress)
        if (self._project.folder / _GIT).exists() or _is_in_git(self._project.folder):
            why = _("files as they were before are in git's history: it has to be rewritten, or deleted")
            self.result.unread.append((_GIT, why))
        return self.result

    def own_files(self) -> AuditResult:
        """Search what people wrote beside the trajectories, as tasks and rules: no redaction changes it."""
        folder = self._project.folder
        kept = [path for path in sorted(folder.iterdir()) if path.name not in _NOT_WRITTEN_BY_PEOPLE]
        return self.search(kept)

    def search(self, paths: Iterable[Path], progress: Progress | None = None) -> AuditResult:
        """Search files, and all files in folders, for words and files that were hidden."""
        for path in _files_in(paths):
            check_cancelled()
            if progress is not None:
                progress(path.name)
            self._search_file(path)
        return self.result

    # -- screens -------------------------------------------------------------
    def _look_at_trajectory(self, folder: Path) -> None:
        check_cancelled()
        try:
            redaction = TrajectoryRedaction(self._project.folder, read_header(folder).task_id)
            plan = StoredRedaction(folder, redaction).work_out() if redaction else None
            stored = open_trajectory(folder)
        except UserError as error:
            self.result.unread.append((self._name(folder), str(error)))
            return
        name, known = self._name(folder), set()
        for changed in plan.changed if plan is not None else ():
            rules = ", ".join(changed.rules)
            place = _("step {number}", number=changed.index + 1)
            if changed.regions or changed.masks_tree:
                what = _("the screen shows what is hidden by: {rules}", rules=rules or _("a hidden word"))
                self._add(OPEN_SCREEN, name, place, what)
                known.add(changed.index)
            if changed.masks_words:
                self._add(OPEN_WORDS, name, place, _("what is typed, said or written has a hidden word"))
        if plan is not None and plan.elsewhere:
            what = _("an event, the header, a judgement, a note or app data has a hidden word")
            self._add(OPEN_WORDS, name, "", what)
        if plan is not None and plan.leftovers:
            what = ngettext(
                "{count} file of an undone or deleted step shows what is hidden, or may",
                "{count} files of undone or deleted steps show what is hidden, or may", len(plan.leftovers),
            )  # fmt: skip
            self._add(OPEN_SCREEN, name, "", what)
        for step in stored.steps:
            if step.index not in known:
                self._look_at_kept_regions(name, stored.files, step)

    def _look_at_kept_regions(self, name: str, files: Any, step: Step) -> None:
        """Look whether the places are still covered that were when the step was written."""
        regions = [region for region in kept_regions(step) if region.style == FILL]
        if not regions or not step.state.screenshot:
            return
        try:
            rgb = rgb_pixels((files / step.state.screenshot).read_bytes())
        except (OSError, PictureError):
            return
        if not all(is_covered(rgb, region.bounds, step.state.size) for region in regions):
            place = _("step {number}", number=step.index + 1)
            self._add(OPEN_PICTURE, name, place, _("a place that was covered is not covered any more"))

    # -- files ---------------------------------------------------------------
    def _search_file(self, path: Path) -> None:
        name = self._name(path)
        try:
            if path.stat().st_size > LARGEST:
                self.result.unread.append((name, _("it is too large")))
                return
            data = path.read_bytes()
        except OSError as error:
            self.result.unread.append((name, error.strerror or str(error)))
            return
        self.result.files += 1
        search, found = FileSearch(), 0
        for text in search.texts(name, data):
            if found < _MOST_OF_A_FILE:
                found += self._look_at_text(text, path, name)
            while search.files:  # pictures would fill the memory
                self._compare(*search.files.pop())
        while search.files:
            self._compare(*search.files.pop())
        self.result.unread += search.unread

    def _look_at_text(self, found: FoundText, path: Path, name: str) -> bool:
        """Whether a text shows what is hidden. The rules have to name it: that is noted, and no finding."""
        rule = "" if path.name == layout.REDACTION_FILE else self._matching_rule(found.text)
        by_rule = _("it matches the pattern of {rule}", rule=rule) if rule else ""
        what = self._hidden_word(found.text) or by_rule
        if what and name == layout.REDACTION_FILE:
            self.result.in_rules.append(found.place)
            return False
        if what:
            self._add(HIDDEN_WORD, found.where, found.place, what, is_by_rule=bool(rule))
        return bool(what)

    def _compare(self, where: str, data: bytes) -> None:
        if self._record.has_file(data):
            self._add(OLD_FILE, where, "", _("the file is as it was before something was hidden in it"))

    def _hidden_word(self, text: str) -> str:
        """What of a text was hidden, or is in the list; empty when nothing is."""
        if any(not _is_name(text, *span) for span in self._record.find(text)):
            return _("a hidden word")
        if self._words and self._words.finds(text):
            return _("a word of the list")
        return ""

    def _matching_rule(self, text: str) -> str:
        """The name of the first rule for all screens and tasks whose pattern a text matches; empty for none.

        The rules themselves are not asked: one may say an example of what it hides.
        """
        for rule in self._redaction.rules:
            counts = rule.holds_everywhere and not rule.tasks and rule.learns_words
            if rule.pattern and counts and pattern_spans(rule.pattern, text):
                return rule.name
        return ""

    def _to_do(self, code: str, where: str, *, is_by_rule: bool) -> str:
        """What takes away what was found in a file, ``is_by_rule`` when a rule finds it there."""
        if code in (OPEN_SCREEN, OPEN_WORDS):
            return _("Run `waymark project redact`")
        if code == OPEN_PICTURE:
            return _("Hide it again with `waymark trajectory redact`")
        if code == OLD_FILE:
            return _("Delete the file, or make anew what it is in")
        place = Path(where.partition("!")[0])
        if place.is_absolute():
            return _("Make the file anew, or delete it")
        if place.parts[0] == self._project.paths.trajectories.name:
            if is_by_rule:
                return _("Run `waymark project redact`")
            return _(
                "The word was hidden in another trajectory, and no rule finds it here: give the project a "
                "rule with a pattern for it, or hide it there with `waymark trajectory redact`"
            )
        if place.parts[0] == self._project.paths.redaction_reports.name:
            return _("Give the rule a name that does not say what it hides, and delete this report")
        return _("No command changes what people wrote: word it without what is hidden, and search again")

    def _name(self, path: Path) -> str:
        try:
            return path.resolve().relative_to(self._project.folder.resolve()).as_posix()
        except ValueError:
            return str(path)

    def _add(self, code: str, where: str, place: str, what: str, *, is_by_rule: bool = False) -> None:
        finding = AuditFinding(code, where, place, what, self._to_do(code, where, is_by_rule=is_by_rule))
        if finding not in self.result.findings[-_MOST_OF_A_FILE:]:
            self.result.findings.append(finding)


def _is_name(text: str, start: int, stop: int) -> bool:
    """Whether a match lies in the name of a package, a class or a resource."""
    first = start
    while first and not text[first - 1].isspace() and text[first - 1] not in "\"'<>=(,;":
        first -= 1
    name = _NAMES.match(text, first)
    return name is not None and name.end() >= stop


def _files_in(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            for inside in sorted(path.rglob("*")):
                if (
                    _GIT not in inside.relative_to(path).parts
                    and inside.is_file()
                    and not inside.is_symlink()
                ):
                    yield inside
        else:
            yield path


def _is_in_git(folder: Path) -> bool:
    return any((parent / _GIT).exists() for parent in folder.resolve().parents)

"""Judges as files: those of the studio in ``assets/judges``, and a project's own in ``judges/``.

A file names a method and its options. A project's file of the same name counts instead of the studio's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.endpoint.written_secrets import secret_in
from collector.judge.kinds import ENDPOINT, Judge, JudgeKind
from collector.judge.registry import RULES_JUDGE, create_judge, find_judge_kind, judge_kind, judge_kinds
from collector.located_yaml.nearest_word import nearest
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.resources import asset
from collector.model.verdicts.voted_subject import PEOPLE
from collector.model_judges.combined_judge import CombinedJudge
from collector.model_judges.model_judge import ModelJudge
from collector.plugins.options import option_problems
from collector.store.files import yaml_files
from collector.store.files.disk import Disk
from collector.store.files.errors import StoreError
from collector.store.files.format_versions import FileFormat
from collector.store.files.names import folder_name
from collector.store.project.project import Project

JUDGE = FileFormat("waymark-judge", 1)
_creating: ContextVar[tuple[str, ...]] = ContextVar("judges that are being created", default=())
_OWN_KEYS = ("format", "version", "description", "method")


@dataclass(frozen=True, slots=True)
class JudgeFile:
    """A judge that a file describes."""

    name: str
    path: Path
    method: str = ""
    """Id of a kind of judge."""
    description: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    is_built_in: bool = False
    problem: str = ""
    """Why the file cannot be used, in a sentence; empty when it can."""

    @property
    def shown_description(self) -> str:
        """The description for people: of a built-in judge in their language."""
        return _(self.description) if self.is_built_in and self.description else self.description


def judge_files(project: Project | None) -> list[JudgeFile]:
    """All judges that have a file, in order of name; one that cannot be read says why."""
    paths = {path.stem: (path, True) for path in asset("judges").glob("*.yaml")}
    if project is not None:
        paths |= {path.stem: (path, False) for path in project.paths.judges()}
    return [_listed(name, path, is_built_in=built_in) for name, (path, built_in) in sorted(paths.items())]


def read_judge_file(name: str, project: Project | None) -> JudgeFile | None:
    """The judge of that name; None when no file has it. Raises UserError for one that cannot be used."""
    if not name or name == RULES_JUDGE:
        return None
    own = project.paths.judge(name) if project is not None else None
    if own is not None and own.is_file():
        return _read(name, own, is_built_in=False)
    path = asset("judges", f"{folder_name(name)}.yaml")
    return _read(name, path, is_built_in=True) if path.is_file() else None


def named_judge(
    name: str, project: Project, options: Mapping[str, Any] | None = None, *, sends: bool = True
) -> Judge:
    """The judge of that name: a file's, or a kind by itself; ``options`` go before those of the file.

    Without ``sends`` it is created to say what it would ask. Raises UserError when there is none, for wrong
    options, and for a host that nobody has allowed.
    """
    file = read_judge_file(name, project)
    if file is None:
        require_known(name, project)
        return create_judge(name, project, options, sends=sends)
    outer = _creating.get()
    if name in outer:
        raise UserError(
            _("The judge {name} cannot be used", name=name),
            _("it asks itself: {path}", path=" > ".join((*outer, name))), _("Correct `judges` of its file"),
        )  # fmt: skip
    token = _creating.set((*outer, name))
    try:
        merged = {**file.options, **(options or {})}
        judge = create_judge(file.method, project, merged, name=name, sends=sends)
    finally:
        _creating.reset(token)
    return judge.named(name) if isinstance(judge, ModelJudge | CombinedJudge) else judge


def named_model_judge(
    name: str, project: Project, options: Mapping[str, Any] | None = None, *, sends: bool = True
) -> ModelJudge | CombinedJudge:
    """As :func:`named_judge`. Raises UserError for a judge that asks no model, too."""
    judge = named_judge(name, project, options, sends=sends)
    if not isinstance(judge, ModelJudge | CombinedJudge):
        raise UserError(_("{name} asks no model, and costs nothing", name=name))
    return judge


def create_parts(names: Sequence[str], project: Project | None, what: str) -> tuple[Judge, ...]:
    """The judges of those names. Raises UserError for one that is not there or names itself in the end."""
    if project is None:
        raise UserError(what, _("it judges trajectories of a project"))
    if not names or not all(isinstance(name, str) for name in names):
        raise UserError(what, _("it names no judges"), _("List them, as in `judges: [rules, a3rm]`"))
    return tuple(named_judge(name, project) for name in names)


def problem_of(file: JudgeFile, project: Project) -> str:
    """Why a judge cannot be created from its file, whatever host is allowed; empty when it can."""
    try:
        named_judge(file.name, project, sends=False)
    except UserError as error:
        return str(error)
    return ""


def options_of(name: str, project: Project | None) -> JudgeKind | None:
    """The kind whose options a judge of that name takes; None without such a judge. Raises UserError."""
    file = read_judge_file(name, project)
    return judge_kind(file.method) if file is not None else find_judge_kind(name)


def require_known(name: str, project: Project | None) -> None:
    """Raise UserError, with the nearest name, when neither a file nor a kind has the name."""
    if find_judge_kind(name) is not None or read_judge_file(name, project) is not None:
        return
    known = sorted({*judge_kinds().kinds, *(file.name for file in judge_files(project))})
    near = nearest(name, known)
    raise UserError(
        _("There is no judge {name}", name=name), "",
        _("Write {word}", word=near) if near else _("Use one of: {known}", known=", ".join(known)),
    )  # fmt: skip


def write_judge_file(project: Project, file: JudgeFile, *, replace: bool = False) -> Path:
    """Write a judge into the project, without the options that are not given. Raises UserError.

    A file that is there stays unless ``replace`` is set.
    """
    path = project.paths.judge(file.name)
    if path.stem != file.name:
        raise UserError(
            _("The judge {name} cannot be used", name=file.name), _("no file can have this name"),
            _("Use letters, digits, hyphens and underscores, and a shorter name if it is long"),
        )  # fmt: skip
    if path.exists() and not replace:
        raise UserError(
            _("{name} is there already", name=project.paths.relative(path)), "",
            _("Choose another name, or replace it with --force"),
        )  # fmt: skip
    _check(file)
    project.require_writable()
    disk = Disk()
    disk.make_folder(path.parent)
    values = {"description": file.description, "method": file.method, **file.options}
    document = JUDGE.stamp({name: value for name, value in values.items() if value not in (None, "")})
    if path.exists():
        yaml_files.write(path, document, disk)
    else:
        disk.write(path, yaml_files.new(document, path.name))
    return path


def _listed(name: str, path: Path, *, is_built_in: bool) -> JudgeFile:
    try:
        return _read(name, path, is_built_in=is_built_in)
    except UserError as error:
        return JudgeFile(name, path, is_built_in=is_built_in, problem=str(error))


def _read(name: str, path: Path, *, is_built_in: bool) -> JudgeFile:
    try:
        document = JUDGE.upgrade(yaml_files.load(path), path.name)
    except StoreError as error:
        raise UserError(_("The judge {name} cannot be used", name=name), str(error)) from None
    options = {key: value for key, value in document.items() if key not in _OWN_KEYS}
    method, description = document.get("method"), document.get("description") or ""
    file = JudgeFile(name, path, str(method or ""), str(description), options, is_built_in)
    _check(file)
    return file


def _belongs_to_another(file: JudgeFile) -> bool:
    """Whether the name is that of people as a whole, or of a kind of judge that asks no model."""
    kind = find_judge_kind(file.name)
    is_kind = kind is not None and ENDPOINT not in kind.needs and kind.id != file.method
    return is_kind or file.name in (PEOPLE, RULES_JUDGE)


def _check(file: JudgeFile) -> None:
    what = _("The judge {name} cannot be used", name=file.name)
    if not file.method:
        raise UserError(what, _("it names no method"), _("Write a line such as `method: windows`"))
    if _belongs_to_another(file):
        raise UserError(what, _("verdicts of others stand under this name"), _("Choose another name"))
    if file.method == RULES_JUDGE:
        raise UserError(what, _("`rules` needs no file"))
    try:
        kind = judge_kind(file.method)
    except UserError as error:
        raise UserError(what, str(error)) from None
    for problem in option_problems(kind, file.options):
        raise UserError(what, problem.problem, problem.to_do)
    if name := secret_in(file.options):
        raise UserError(
            what, _("{key} looks like a key or a password", key=name),
            _("Keep it in the keyring or in an environment variable, and remove it here"),
        )  # fmt: skip

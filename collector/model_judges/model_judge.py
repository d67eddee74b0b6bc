"""What all judges by models share: their options, and how one is asked about a trajectory."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, ClassVar, Protocol

from collector.consent.transfer import Transfer
from collector.endpoint.endpoint_options import ENDPOINT_OPTIONS, check_ranges, read_endpoint
from collector.endpoint.prompt_template import Prompt
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.kinds import ENDPOINT, PER_TRAJECTORY, PICTURE, Judge, JudgeKind
from collector.judge.progress.process_information import process_information
from collector.model.errors import UserError
from collector.model.i18n import N_, _
from collector.model.task import Task
from collector.model.tree import Tree
from collector.model.usage import Usage
from collector.model.verdicts.judgement import MODEL, Judgement, Subject
from collector.model_judges.answer_store import AnswerStore
from collector.model_judges.asked_model import AskedModel
from collector.model_judges.asking import ModelAsker, judged_by
from collector.model_judges.default_prompts import prompt_name
from collector.model_judges.frames import LAYOUTS, SEPARATE, JudgedScreens, PictureForm, ScreensInCommon
from collector.model_judges.prompt_values import JUDGE_PROMPTS, asks_for_tags, fenced
from collector.model_judges.questions import Asking, ModelReply
from collector.plugins.options import PluginOption
from collector.store.project.project import Project

WORKERS = 8
WORKERS_OPTION = PluginOption("workers", int, WORKERS, N_("Questions that are on their way at once"))
LAYOUT_OPTION = PluginOption(
    "layout", str, SEPARATE, N_("Each screen a picture, or all in one"), choices=LAYOUTS
)


def claim_option(default: bool) -> PluginOption:
    """Whether a run must say that it is done."""
    return PluginOption("needs_claim", bool, default, N_("A run that never says it is done is uncompleted"))


MODEL_OPTIONS = (
    *ENDPOINT_OPTIONS,
    PluginOption("temperature", float, 0.0, N_("Temperature; below 0 sends none")),
    PluginOption("max_tokens", int, 1024, N_("The most tokens of an answer; 0 sends no limit"),
                 other_names=("max_new_tokens", "max_output_tokens", "max_completion_tokens")),
    PluginOption("seed", int, None, N_("Seed that is sent with each request")),
    PluginOption("structured", bool, False, N_("Send the JSON schema of the answer (response_format)")),
    WORKERS_OPTION,
    PluginOption("prompt", str, None, N_("A built-in prompt of judges or a file of the project")),
    PluginOption("marks", bool, True, N_("Draw the action that was taken on each screen")),
    PluginOption("image_max_pixels", int, 0, N_("The most pixels of a picture; 0 for all of the screen's")),
    PluginOption("quality", int, 85, N_("Quality of JPEG, 1 to 100; 0 sends PNG")),
)  # fmt: skip
"""The options of every method that asks a model."""
_RANGES = {"workers": (1.0, 64.0), "image_max_pixels": (0.0, 100_000_000.0), "quality": (0.0, 100.0)}
_NOT_OF_THE_VERDICT = (
    "key", "key_env", "key_header", "timeout_s", "retries", "price_input", "price_output", "workers",
    "requests_per_minute", "tokens_per_minute", "query",
)  # fmt: skip
"""Options that change how a model is asked, and not what it is asked."""


@dataclass(frozen=True, slots=True)
class Known:
    """What other judges have decided of a trajectory already: states that need not be asked."""

    reached: Mapping[str, int] = field(default_factory=dict)
    """Id -> step, counted from 0."""
    missed: frozenset[str] = frozenset()


NOTHING_KNOWN = Known()


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelJudge:
    """Base of the judges that ask a model; a method is a subclass."""

    name: str
    version: str
    model: AskedModel
    prompt: Prompt
    form: PictureForm = field(default_factory=PictureForm)
    workers: int = WORKERS
    project: Project | None = None
    shared: ScreensInCommon | None = None
    """Screens that this judge has in common with others, on one thread."""
    kind: ClassVar[str] = MODEL
    decides_states: ClassVar[bool] = True
    """Whether it says anything of essential states."""

    def asking(self, trajectory: JudgedTrajectory, known: Known = NOTHING_KNOWN) -> Asking:
        """The method at work on a trajectory."""
        raise NotImplementedError

    def judge(self, trajectory: JudgedTrajectory) -> Iterator[Judgement]:
        """Ask about one trajectory. Raises UserError when the endpoint gives no answer."""
        yield from judge_one(self, trajectory)

    def named(self, name: str) -> ModelJudge:
        """This judge under the name of its file."""
        return replace(self, name=name, model=replace(self.model, judge=name))

    def screens(self, trajectory: JudgedTrajectory) -> JudgedScreens:
        """The screens of a trajectory as this judge shows them."""
        words = action_words_of(trajectory)
        if self.shared is not None:
            return self.shared.of(trajectory, self.form, words)
        return JudgedScreens(trajectory, self.form, words)

    def judgement(
        self, subject: Subject, verdict: str, reason: str = "", reply: ModelReply | None = None,
        confidence: float | None = None, **proof: Any,
    ) -> Judgement:  # fmt: skip
        """A verdict of this judge, with the answer that it comes from."""
        given = {name: value for name, value in proof.items() if value not in (None, "", [], ())}
        raw, usage = "", Usage()
        if reply is not None:
            raw, usage = reply.raw, reply.usage
            given |= _traces(reply)
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return Judgement(
            self.name, self.kind, self.version, subject, verdict, confidence, reason, given, raw, usage, now
        )


class AsksModels(Protocol):
    """A judge that asks models, itself or by others."""

    @property
    def name(self) -> str: ...

    @property
    def project(self) -> Project | None: ...

    @property
    def version(self) -> str: ...

    @property
    def workers(self) -> int: ...

    def asking(self, trajectory: JudgedTrajectory, known: Known = NOTHING_KNOWN) -> Asking: ...


def judge_one(judge: AsksModels, trajectory: JudgedTrajectory) -> list[Judgement]:
    """Ask about one trajectory, and keep the answers in the project of the judge."""
    if judge.project is None:
        raise UserError(_("{name} judges trajectories of a project", name=judge.name))
    with AnswerStore(judge.project.paths.answer_cache) as store:
        asker = ModelAsker(store, workers=judge.workers)
        try:
            return judged_by(judge.asking(trajectory), asker)
        finally:
            asker.close()


def common_values(kind_id: str, options: Mapping[str, Any], project: Project | None) -> dict[str, Any]:
    """The fields of :class:`ModelJudge` that options say. Raises UserError."""
    check_ranges(options, _RANGES)
    chosen = JUDGE_PROMPTS.read(prompt_name(kind_id, options), project)
    form = PictureForm(
        options.get("layout") or SEPARATE, options["marks"], options["image_max_pixels"], options["quality"]
    )
    return {
        "name": kind_id, "version": version_of(kind_id, options, [chosen]),
        "model": AskedModel.of(kind_id, options, tagged=asks_for_tags(chosen)),
        "prompt": chosen, "form": form, "workers": options["workers"], "project": project,
    }  # fmt: skip


def version_of(kind_id: str, options: Mapping[str, Any], prompts: Sequence[Prompt]) -> str:
    """The model, and a digest of all that an answer depends on beside the trajectory and its task."""
    asked = {name: value for name, value in options.items() if name not in _NOT_OF_THE_VERDICT}
    texts = [[prompt.system, prompt.user, dict(prompt.head)] for prompt in prompts]
    written = json.dumps([kind_id, asked, texts], sort_keys=True, default=str)
    digest = hashlib.sha256(written.encode()).hexdigest()[:12]
    return f"{options.get('model') or ''} {digest}".strip()


def transfers_of(options: Mapping[str, Any]) -> tuple[Transfer, ...]:
    """What a person allows before the model is asked."""
    given = {name: value for name, value in options.items() if value}
    return (read_endpoint({"model": "any", **given}).transfer,)


def action_words_of(trajectory: JudgedTrajectory) -> Callable[[int], str]:
    """A function that says the action at an index in words, from its tree (ProBench, Algorithm 1)."""

    def tree_at(index: int) -> Tree | None:
        data = trajectory.corpus.xml(index)
        try:
            return parse_tree(data) if data else None
        except HierarchyError:
            return None

    @functools.cache
    def words(index: int) -> str:
        described = process_information([trajectory.steps[index]], lambda _step: tree_at(index))
        return "; ".join(map(str, described))

    return words


def model_kind(
    kind_id: str, title: str, description: str, create: Callable[[Mapping[str, Any], Project | None], Judge],
    options: tuple[PluginOption, ...], *, transfers: bool = True,
) -> JudgeKind:  # fmt: skip
    """A kind of judges by models. Those that ask others send nothing themselves: ``transfers`` is False."""
    return JudgeKind(
        kind_id, title, create, description, options, PER_TRAJECTORY, (PICTURE, ENDPOINT),
        transfers_of if transfers else lambda _options: (),
    )  # fmt: skip


def task_values(trajectory: JudgedTrajectory) -> dict[str, object]:
    """What every prompt can say of a task."""
    task = trajectory.task
    instruction = task.instruction if task is not None else trajectory.header.instruction
    return {
        "task": fenced(instruction), "app": fenced(task.app or task.package) if task is not None else "",
        "language": fenced(task.language) if task is not None else "",
        "answer": fenced(trajectory.answer or ""), "total": len(trajectory.steps),
    }  # fmt: skip


def require_task(trajectory: JudgedTrajectory) -> Task:
    """The task of a trajectory. Raises UserError when the project does not have it."""
    if trajectory.task is None:
        raise UserError(_("The project has no task {id}", id=trajectory.header.task_id))
    return trajectory.task


def _traces(reply: ModelReply) -> dict[str, Any]:
    """What lets an answer be found and checked later."""
    traces = {
        "answers": list(reply.keys), "model": reply.model, "fault": reply.fault,
        "first_answer": reply.first_raw, "words": reply.words,
    }  # fmt: skip
    return {name: value for name, value in traces.items() if value}

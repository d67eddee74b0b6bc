"""Where each file of a project and of a trajectory lies. No other module writes these names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from collector.model.variation.phone_variation import VARIATIONS
from collector.store.files.names import folder_name

# A project's folder. Names of files are relative to it, with forward slashes.
PROJECT_FILE = "project.yaml"
TASKS_FILE = "tasks.yaml"
RULES_FOLDER = "rules"
RULE_FILES = {
    "injection": f"{RULES_FOLDER}/injection.yaml",
    "success": f"{RULES_FOLDER}/success.yaml",
    "state": f"{RULES_FOLDER}/states.yaml",
    "safety": f"{RULES_FOLDER}/safety.yaml",
}
"""By kind of rule, the file that new rules of it go to; a project may have others beside these."""
RULE_IMAGES = f"{RULES_FOLDER}/images"
"""Pictures that rules look for on the screen."""
LIBRARY_FILE = "anomalies/library.yaml"
REDACTION_FILE = "redact.yaml"
"""The rules of what is hidden on every screen."""
PROPOSALS = "proposals"
"""Proposals of essential states: a folder a task, a file an operator."""
DEFINITIONS = "definitions"
"""Sessions that define the essential states of a task: a file a task."""
AUDITS = "audits"
"""Audits of essential states: a folder a task, a file an auditor."""
JUDGES = "judges"
"""Judges by models: a file each, named after the judge, and the prompts of their own."""
RUBRICS = f"{JUDGES}/rubrics"
"""Rubrics that judges grade by: a file a task."""
EXPERIMENTS = "experiments"
"""Experiments: a file each, named after the experiment."""
REVIEW_QUEUES = "queues"
"""Queues of trajectories to review: a file each, named after the queue."""
TRAJECTORIES = "trajectories"
TRASH = ".trash"
"""Deleted trajectories, each in the folder of its task."""
CACHE = ".cache"
CATALOGUE_FILE = f"{CACHE}/catalogue.db"
CATALOGUE_LOCK_NAME = "catalogue.lock"
"""Beside the catalogue; locked while a program makes its tables; empty."""
DUMP_CACHE_FILE = f"{CACHE}/rules.db"
ANSWER_CACHE_FILE = f"{CACHE}/answers.db"
OUTLINE_CACHE_FILE = f"{CACHE}/states.json"
TASK_LOCK_FILE = f"{CACHE}/tasks.lock"
"""Locked while a program reads, merges and writes the tasks; empty."""
STATE_WORK_LOCK_FILE = f"{CACHE}/states.lock"
"""Locked while a program reads, changes and writes a proposal, a definition or an audit; empty."""
REVIEW_LOCK_FILE = f"{CACHE}/reviews.lock"
"""Locked while a program reads, changes and writes what a person says of a trajectory, or a queue; empty."""
RUN_LOCK_FILE = f"{CACHE}/runs.lock"
"""Locked while a program gives a run its id; empty."""
MOVE_LOCK_FILE = f"{CACHE}/moves.lock"
"""Locked while a program moves several trajectories as one change; empty."""
RUNNER_FOLDER = f"{CACHE}/runner"
"""What the runner of each experiment tells other processes: a folder an experiment."""
RUNNER_FILE = "runner.json"
"""How to reach the runner of an experiment; locked while it runs."""
RUNNER_OUTPUT = "output.log"
"""What a runner printed that no terminal shows."""
RUN_LOG = "log.jsonl"
"""The events of the runs of an experiment, without pictures."""
IMPORT_FOLDER = f"{CACHE}/importing"
EXPORT_FOLDER = f"{CACHE}/exporting"
PREVIEW_FOLDER = f"{CACHE}/previews"
IMPORT_REPORTS = "imports"
"""Reports of imports, a JSON file each."""
EXPORT_REPORTS = "exports"
"""Reports of exports, a JSON file each."""
REDACTION_REPORTS = "redactions"
"""Reports of what rules hid in what was recorded before, a JSON file each."""
REDACTION_LOCK_FILE = f"{CACHE}/redaction.lock"
"""Locked while a program hides what was recorded before; empty."""
REDACTION_MARK_FILE = f"{CACHE}/redaction.begun"
"""There while caches may still hold what was hidden: from the beginning of that work to its end."""

# A trajectory's folder.
HEADER = "trajectory.json"
STEPS = "steps.jsonl"
EVENTS = "events.jsonl"
EDITS = "edits.jsonl"
STATES = "states"
ANNOTATIONS = "annotations"
JUDGEMENTS = "judgements"
LOST = "lost+found"
ORIGINALS = "originals"
"""Files of an import whose trees were converted, unchanged; the first redaction deletes them."""
APP_DATA = "app_data.json"
"""What the apps kept for the person when they were read first."""
VIDEO = "video"
"""The name of a video beside the steps: ``video.mkv``, then ``video-2.mkv`` and so on."""
LINE_FILES = (STEPS, EVENTS, EDITS)
TRAJECTORY_ENTRIES = (HEADER, *LINE_FILES, APP_DATA, STATES, ANNOTATIONS, JUDGEMENTS, LOST, ORIGINALS)
"""Every file and folder of a trajectory that a program reads or writes by its name."""


def is_project(folder: Path) -> bool:
    """Whether ``folder`` is a project's."""
    return (folder / PROJECT_FILE).is_file()


def is_trajectory(folder: Path) -> bool:
    """Whether ``folder`` is a trajectory's."""
    return (folder / HEADER).is_file()


def project_around(path: Path) -> Path | None:
    """The folder of the innermost project that ``path`` lies in; None outside any project."""
    return next((folder for folder in path.resolve().parents if is_project(folder)), None)


def kind_of_rule_file(name: str) -> str:
    """The kind of the rules in a file of a project, ``name`` relative to it; empty when its text decides."""
    return next((kind for kind, known in RULE_FILES.items() if known == name), "")


@dataclass(frozen=True, slots=True)
class ProjectPaths:
    """The files of the project in ``folder``; none of them need exist."""

    folder: Path
    cache_elsewhere: Path | None = None
    """The folder of the cache of a project that is read-only."""

    @property
    def settings(self) -> Path:
        return self.folder / PROJECT_FILE

    @property
    def tasks(self) -> Path:
        return self.folder / TASKS_FILE

    def rule_file(self, kind: str) -> Path:
        """The file that new rules of a kind (injection, success, state, safety) go to."""
        return self.folder / RULE_FILES[kind]

    def rule_files(self) -> list[Path]:
        """The rule files that exist, in order of name."""
        return sorted((self.folder / RULES_FOLDER).glob("*.yaml"))

    def editable_rule_files(self) -> list[tuple[Path, str]]:
        """The rule files an editor opens, each with its kind.

        First the file that new rules of each kind go to, which need not exist; then all others, whose kind
        their text decides: the kind is empty.
        """
        usual = {self.rule_file(kind): kind for kind in RULE_FILES}
        others = [path for path in self.rule_files() if path not in usual]
        return [*usual.items(), *((path, "") for path in others)]

    @property
    def library(self) -> Path:
        """The project's library of anomalies."""
        return self.folder / LIBRARY_FILE

    @property
    def redaction(self) -> Path:
        """The rules of what is hidden on every screen."""
        return self.folder / REDACTION_FILE

    def proposals_of(self, task_id: str) -> Path:
        """The folder that holds the proposals of essential states for a task."""
        return self.folder / PROPOSALS / folder_name(task_id)

    def has_proposals(self, task_folder: str) -> bool:
        """Whether operators propose states for the task whose folders have this name."""
        return (self.folder / PROPOSALS / task_folder).is_dir()

    def proposal(self, task_id: str, who: str) -> Path:
        """The file of an operator's proposal."""
        return self.proposals_of(task_id) / f"{folder_name(who)}.yaml"

    def definition(self, task_id: str) -> Path:
        """The file of the session that defines the essential states of a task."""
        return self.folder / DEFINITIONS / f"{folder_name(task_id)}.yaml"

    def audits_of(self, task_id: str) -> Path:
        """The folder that holds the audits of a task's essential states."""
        return self.folder / AUDITS / folder_name(task_id)

    def audit(self, task_id: str, who: str) -> Path:
        """The file of an auditor's review."""
        return self.audits_of(task_id) / f"{folder_name(who)}.yaml"

    def state_work_files(self) -> list[Path]:
        """The files of all proposals, definitions and audits that exist, in order of name."""
        patterns = (f"{PROPOSALS}/*/*.yaml", f"{DEFINITIONS}/*.yaml", f"{AUDITS}/*/*.yaml")
        return sorted(path for pattern in patterns for path in self.folder.glob(pattern))

    def experiment(self, name: str) -> Path:
        """The file of an experiment."""
        return self.folder / EXPERIMENTS / f"{folder_name(name)}.yaml"

    def experiments(self) -> list[Path]:
        """The files of the experiments that exist, in order of name."""
        return sorted((self.folder / EXPERIMENTS).glob("*.yaml"))

    def judge(self, name: str) -> Path:
        """The file of a judge by a model."""
        return self.folder / JUDGES / f"{folder_name(name)}.yaml"

    def judges(self) -> list[Path]:
        """The files of the judges that exist, in order of name."""
        return sorted((self.folder / JUDGES).glob("*.yaml"))

    def variations(self) -> list[Path]:
        """The files of the variations that exist, in order of name."""
        return sorted((self.folder / VARIATIONS).glob("*.yaml"))

    def rubrics(self) -> list[Path]:
        """The files of the rubrics that exist, in order of name."""
        return sorted((self.folder / RUBRICS).glob("*.yaml"))

    def rubric(self, task_id: str) -> Path:
        """The file of the rubric of a task."""
        return self.folder / RUBRICS / f"{folder_name(task_id)}.yaml"

    def review_queue(self, name: str) -> Path:
        """The file of a queue of reviews."""
        return self.folder / REVIEW_QUEUES / f"{folder_name(name)}.yaml"

    def review_queues(self) -> list[Path]:
        """The files of the queues of reviews that exist, in order of name."""
        return sorted((self.folder / REVIEW_QUEUES).glob("*.yaml"))

    def runner_of(self, experiment: str) -> Path:
        """The folder in which the runner of an experiment says how to reach it."""
        return self.cache / Path(RUNNER_FOLDER).name / folder_name(experiment)

    def runner_file(self, experiment: str) -> Path:
        """The file that the runner of an experiment holds locked."""
        return self.runner_of(experiment) / RUNNER_FILE

    def runner_files(self) -> list[Path]:
        """The files of all runners, of those that ended too, in order of name."""
        return sorted((self.cache / Path(RUNNER_FOLDER).name).glob(f"*/{RUNNER_FILE}"))

    def runner_output(self, experiment: str) -> Path:
        """What the runner that a window started last for an experiment printed."""
        return self.runner_of(experiment) / RUNNER_OUTPUT

    def run_log(self, experiment: str) -> Path:
        """The events of the runs of an experiment."""
        return self.runner_of(experiment) / RUN_LOG

    @property
    def trajectories(self) -> Path:
        return self.folder / TRAJECTORIES

    def trajectories_of(self, task_id: str) -> Path:
        """The folder that holds the trajectories of a task."""
        return self.trajectories / folder_name(task_id)

    @property
    def trash(self) -> Path:
        return self.folder / TRASH

    def trash_of(self, task_folder: str) -> Path:
        """The folder that holds the deleted trajectories of a task, whose folder has the same name."""
        return self.trash / task_folder

    @property
    def cache(self) -> Path:
        """Files that can be deleted at any time and are made again."""
        return self.cache_elsewhere or self.folder / CACHE

    @property
    def catalogue(self) -> Path:
        return self.cache / Path(CATALOGUE_FILE).name

    @property
    def dump_cache(self) -> Path:
        """Parsed dumps of recorded screens, for back-tests."""
        return self.cache / Path(DUMP_CACHE_FILE).name

    @property
    def answer_cache(self) -> Path:
        """What models answered to judges, so that nothing is paid for twice."""
        return self.cache / Path(ANSWER_CACHE_FILE).name

    @property
    def task_summary_cache(self) -> Path:
        """What the rules say of the essential states of each task."""
        return self.cache / Path(OUTLINE_CACHE_FILE).name

    @property
    def task_lock(self) -> Path:
        """The lock file of the tasks."""
        return self.cache / Path(TASK_LOCK_FILE).name

    @property
    def state_work_lock(self) -> Path:
        """The lock file of proposals, definitions and audits."""
        return self.cache / Path(STATE_WORK_LOCK_FILE).name

    @property
    def review_lock(self) -> Path:
        """The lock file of reviews and their queues."""
        return self.cache / Path(REVIEW_LOCK_FILE).name

    @property
    def run_lock(self) -> Path:
        """The lock file of new runs."""
        return self.cache / Path(RUN_LOCK_FILE).name

    @property
    def move_lock(self) -> Path:
        """The lock file of moves of several trajectories."""
        return self.cache / Path(MOVE_LOCK_FILE).name

    @property
    def import_folder(self) -> Path:
        """Where an import builds a trajectory before it moves it into place whole."""
        return self.folder / IMPORT_FOLDER

    @property
    def export_folder(self) -> Path:
        """Names of the hidden folders in which exports are built."""
        return self.cache / Path(EXPORT_FOLDER).name

    @property
    def preview_folder(self) -> Path:
        """Where the beginning of an export is written, to look at it before the export."""
        return self.cache / Path(PREVIEW_FOLDER).name

    @property
    def import_reports(self) -> Path:
        """The folder of the reports of imports."""
        return self.folder / IMPORT_REPORTS

    @property
    def export_reports(self) -> Path:
        """The folder of the reports of exports."""
        return self.folder / EXPORT_REPORTS

    @property
    def redaction_reports(self) -> Path:
        """The folder of the reports of what rules hid."""
        return self.folder / REDACTION_REPORTS

    @property
    def redaction_lock(self) -> Path:
        """The lock file of the redaction of the whole project."""
        return self.cache / Path(REDACTION_LOCK_FILE).name

    @property
    def redaction_mark(self) -> Path:
        """The file that says that a redaction of the whole project is not done."""
        return self.cache / Path(REDACTION_MARK_FILE).name

    def entries(self) -> Iterator[Path]:
        """Every file and folder a program reads or writes here, parents first; of trajectories the root."""
        yield from (self.settings, self.tasks, self.trajectories, self.library.parent, self.library)
        yield self.redaction
        yield self.folder / RULES_FOLDER
        yield self.folder / RULE_IMAGES
        yield from self.rule_files()
        yield from (
            self.folder / name
            for name in (
                PROPOSALS, DEFINITIONS, AUDITS, EXPERIMENTS, JUDGES, RUBRICS, REVIEW_QUEUES, VARIATIONS,
            )
        )  # fmt: skip
        yield from self.variations()
        yield self.cache
        yield from self.cache.glob("*")

    def relative(self, path: Path) -> str:
        """A path inside the project as files and people name it: relative, with forward slashes."""
        return path.relative_to(self.folder).as_posix()

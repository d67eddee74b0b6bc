"""Turn a recorded trajectory into a script: locators for its touches, waits, and states as checks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.scripts.facts import facts_of
from collector.exchange.scripts.locators import Locator, locator_of, locators_of
from collector.exchange.scripts.script import PhoneScript, ScriptStep, StateCheck
from collector.hierarchy.captions import caption
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.selectors import quote
from collector.judge.evaluation.task_evaluation import TaskEvaluation
from collector.judge.evaluation.task_rules import TaskRules
from collector.model.action import COMPLETION_SIGNALS, Action, AskUser, Type
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.task import Task
from collector.model.trajectory import Step
from collector.model.tree import Node, Tree
from collector.rules.columns.corpus import Corpus
from collector.rules.evaluation.proof import Proof
from collector.store.trajectory.reader import StoredTrajectory

_LONGEST_LANDMARK = 40


def compile_script(
    stored: StoredTrajectory, task: Task | None, rules: TaskRules, name: str, log: ExchangeLog
) -> PhoneScript:
    """The script of a trajectory. What it cannot say goes into ``log``."""
    trees = [_tree(stored, step) for step in stored.steps]
    checks = _checks(stored, rules, log)
    parts: list[ScriptStep | StateCheck] = []
    for index, step in enumerate(stored.steps):
        parts += checks.get(index, [])
        if step.action is not None and not isinstance(step.action, (AskUser, *COMPLETION_SIGNALS)):
            before = trees[index - 1] if index else None
            parts.append(_step(step, step.action, trees[index], before))
    header = stored.header
    return PhoneScript(
        name,
        header.task_id,
        task.instruction if task is not None else header.instruction,
        task.language if task is not None else "",
        task.package if task is not None else "",
        tuple(parts),
    )


def _step(step: Step, action: Action, tree: Tree | None, before: Tree | None) -> ScriptStep:
    number = step.index + 1
    node = tree.at_path(step.target.path) if tree is not None and step.target is not None else None
    target: tuple[Locator, ...] = ()
    if node is not None and tree is not None and step.target is not None:
        target = tuple(locators_of(tree, node, step.target.selectors))
    secret = f"TEXT_{number}" if isinstance(action, Type) and action.redacted else ""
    words = " ".join((step.description or caption(action)).split())
    label = _label(node) if node is not None else ""
    return ScriptStep(number, words, action, step.state.size, target, label, _landmark(tree, before), secret)


def _label(node: Node) -> str:
    """The words by which a person or a model finds a node; the dots of a password are none."""
    return next(filter(None, map(_words, (node, *node.descendants()))), "")


def _words(node: Node) -> str:
    if node.password:
        return node.content_desc or node.short_id.replace("_", " ")
    return node.label


def _tree(stored: StoredTrajectory, step: Step) -> Tree | None:
    try:
        data = stored.tree(step)
        return parse_tree(data) if data is not None else None
    except (HierarchyError, UserError):
        return None


def _landmark(tree: Tree | None, before: Tree | None) -> Locator | None:
    """An element by which a screen is told from the one before; None when nothing lasting differs."""
    if tree is None or before is None:
        return None
    ids = {node.resource_id for node in before.nodes}
    for node in tree.nodes:
        if node.resource_id and node.resource_id not in ids:
            return locator_of(f"resource-id={quote(node.resource_id)}")
    texts = {(node.resource_id, node.text) for node in before.nodes}
    for node in tree.nodes:
        if _has_lasting_text(node) and (node.resource_id, node.text) not in texts:
            return locator_of(f"resource-id={quote(node.resource_id)} and text={quote(node.text)}")
    return None


def _has_lasting_text(node: Node) -> bool:
    """Whether a text is short and holds no number, as times and counters do."""
    text = node.text
    return bool(node.resource_id and 0 < len(text) <= _LONGEST_LANDMARK) and not any(map(str.isdigit, text))


def _checks(
    stored: StoredTrajectory, rules: TaskRules, log: ExchangeLog
) -> Mapping[int, list[ScriptStep | StateCheck]]:
    """By the index of its first screen, each essential state that rules see reached, and the success."""
    evaluation = TaskEvaluation(rules)
    corpus = Corpus([stored])
    evaluation.see_recorded((corpus.view(index) for index in range(len(stored.steps))), stored.steps)
    last = len(stored.steps) - 1
    checks: dict[int, list[ScriptStep | StateCheck]] = defaultdict(list)
    for sentence, number, proof in _proofs(evaluation, rules, log):
        check = StateCheck(sentence, tuple(facts_of(proof, lambda part: _leave_out(part.type, log))))
        if check.facts:
            checks[min(number - 1, last)].append(check)
    return checks


def _proofs(
    evaluation: TaskEvaluation, rules: TaskRules, log: ExchangeLog
) -> Iterator[tuple[str, int, Proof]]:
    """Sentence, number of the screen from 1, and proof of each state reached, and of the success rule."""
    for state in rules.states:
        sentence = state.description or state.id
        if state.id in evaluation.reached:
            yield (sentence, *evaluation.reached[state.id])
        elif state.id not in rules.judged:
            text = _("No rule says when this state is reached, so it is not checked: {state}", state=sentence)
            log.add("state-left-out", text)
    if rules.success is not None and evaluation.succeeded is not None:
        yield (rules.success.description or rules.success.id, *evaluation.succeeded)


def _leave_out(kind: str, log: ExchangeLog) -> None:
    text = _("A condition of the kind {kind} is not checked by the script", kind=kind or "all | any | not")
    log.add("condition-left-out", text)

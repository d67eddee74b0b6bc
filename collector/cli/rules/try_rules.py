"""``waymark rules test``, ``backtest``, ``compare`` and ``suggest``: rules on screens that were recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import yaml

from collector.cli.output import json_option, print_json, print_table, say
from collector.cli.rules.files import FILE, corpus_on, rule_of, semantics_option, visible_corpus
from collector.cli.rules.proof_text import proof_as_dict, proof_lines
from collector.cli.shared_options import as_person, in_project, project_argument, where_option
from collector.cli.step_numbers import FROM_1
from collector.cli.trajectory.reference import find_to_read
from collector.cli.verb_groups import rules
from collector.hierarchy.spatial_index import SpatialIndex
from collector.model.geometry import Point
from collector.model.i18n import _, ngettext
from collector.model.text.one_line import one_line
from collector.model.tree import Tree
from collector.project_rules.project_rules import ProjectRules
from collector.rules.backtest.backtest import BackTest, BackTestResult
from collector.rules.backtest.backtest_rows import BackTestRow
from collector.rules.columns.corpus import Corpus, TrajectoryRef
from collector.rules.evaluation.explanation import OUTCOMES
from collector.rules.evaluation.image_matching import ImageFiles
from collector.rules.evaluation.proof import ProofOutcome
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.model import DGARA, WAYMARK, Rule
from collector.rules.grammar.plain import plain_condition
from collector.store.files.layout import is_project

_CELLS = {ProofOutcome.FIRES: "#", ProofOutcome.NEAR: "+", ProofOutcome.SILENT: "."}


@rules.command()
@click.argument("file", type=FILE)
@click.option("--rule", "rule_id", required=True, metavar="ID", help="The rule of the file to try.")
@click.option(
    "--on", default="", metavar="STATE.xml|TRAJECTORY", help="A dump, or a trajectory by its id or its path."
)
@where_option
@click.option("--explain", is_flag=True, help="Say for each condition why it holds or what it lacks.")
@semantics_option
@as_person
@in_project
@json_option
def test(
    file: Path, rule_id: str, on: str, query: str, explain: bool, semantics: str | None, who: str,
    folder: Path, as_json: bool,
) -> int:  # fmt: skip
    """Try one rule of FILE on a dump, on every state of a trajectory, or on those of several.

    Name the screens with `--on`, or find trajectories of the project with `--where`; it is that of FILE when
    `--project` is none. The exit status is 1 when the rule never holds.
    """
    if bool(on) == bool(query):
        raise click.UsageError(_("Say what to try the rule on: with --on, or with --where"))
    rule = rule_of(file, rule_id)
    own = ProjectRules.around(file)
    chosen = semantics or (own.project.semantics if own is not None else WAYMARK)
    if own is not None and not is_project(folder):
        folder = own.project.folder
    place = Path(on)
    if query:
        corpus = visible_corpus(ProjectRules.open(folder), None, query, who)
    else:
        place = place if place.is_file() else find_to_read(on, folder, who)
        corpus = corpus_on(place, who)
    tried = BackTest(corpus, chosen, ImageFiles(file.parent))
    result = tried.run(rule)
    if as_json:
        print_json(
            {
                **FROM_1,
                "rule": rule.id,
                "semantics": tried.semantics,
                "states": list(_tried(tried, rule, explain)),
            }
        )
        return int(not result.fires)
    for position, state in enumerate(tried.corpus):
        proof = tried.proof(rule, position)
        where = place.name if place.is_file() else _("step {step}", step=state.index + 1)
        where = f"{_named(state.trajectory)} {where}" if query else where
        say(f"{where}: {_outcome(proof.outcome)}")
        if explain:
            say("\n".join(proof_lines(proof, state.view(), 1)))
    if not place.is_file():
        say(_summary(result))
    return int(not result.fires)


def _tried(tried: BackTest, rule: Rule, explain: bool) -> Iterator[dict[str, Any]]:
    for position, state in enumerate(tried.corpus):
        proof = tried.proof(rule, position)
        row = {"trajectory": state.trajectory.id, "step": state.index + 1, "outcome": str(proof.outcome)}
        yield {**row, "proof": proof_as_dict(proof, state.view())} if explain else row


def _outcome(outcome: ProofOutcome) -> str:
    return f"{_CELLS[outcome]} {_(OUTCOMES[outcome])}"


def _summary(result: BackTestResult) -> str:
    return _(
        "fires on {fires} of {states}, near miss on {near}",
        fires=result.fires, states=result.states, near=result.near,
    )  # fmt: skip


@rules.command()
@project_argument
@click.option("--rule", "rule_id", metavar="ID", help="One rule, with its matrix; all rules by default.")
@semantics_option
@where_option
@as_person
@json_option
def backtest(
    folder: Path, rule_id: str | None, semantics: str | None, query: str, who: str, as_json: bool
) -> int:  # fmt: skip
    """Try the rules of PROJECT on its recordings; exit status 1 when one misfires.

    Replays are left out, and in a project of more than 200 runs all runs, unless `--where` asks for
    some. So are golden trajectories that you may not see yet.
    """
    own = ProjectRules.open(folder)
    known = own.rules()
    chosen = [rule for rule in known if rule_id in (None, rule.id)]
    if rule_id is not None and not chosen:
        ids = ", ".join(rule.id for rule in known[:10] if rule.id) or _("none that can be read")
        raise RuleError(
            _("The project has no rule {id}", id=rule_id), "", _("Its rules are: {known}", known=ids)
        )
    corpus = visible_corpus(own, known, query, who)
    results = own.back_test(semantics or own.project.semantics, corpus).run_all(chosen)
    if as_json:
        rows = list(map(_result_as_dict, results))
        print_json({**FROM_1, "project": own.project.name, "rules": rows})
    elif rule_id is not None:
        for result in results:
            _print_matrix(result)
    else:
        _print_results(results)
    return int(any(result.wrong or result.missed for result in results))


def _result_as_dict(result: BackTestResult) -> dict[str, Any]:
    return {
        "rule": result.rule.id, "kind": result.rule.kind, "semantics": result.semantics,
        "states": result.states, "fires": result.fires, "near": result.near,
        "wrong": result.wrong, "missed": result.missed,
        "trajectories": [
            {
                **_ref_as_dict(row.trajectory),
                "cells": [str(row.outcome(index)) for index in range(len(row.outcomes))],
                "first_fire": row.first_fire + 1 if row.first_fire is not None else None,
                "wrong": {str(index + 1): why for index, why in row.wrong.items()},
                "missed": {str(index + 1): why for index, why in row.missed.items()},
            }
            for row in result.rows
        ],
    }  # fmt: skip


def _ref_as_dict(ref: TrajectoryRef) -> dict[str, str]:
    return {"trajectory": ref.id, "task": ref.task_id, "kind": ref.kind, "title": ref.title}


def _named(ref: TrajectoryRef) -> str:
    return f"{ref.task_id}/{ref.title}" if ref.task_id else ref.title


def _print_matrix(result: BackTestResult) -> None:
    say(f"{result.rule.id}: {_summary(result)}")
    rows = [(_named(row.trajectory), "".join(_cell(row, at) for at in range(len(row.outcomes))))
            for row in result.rows]  # fmt: skip
    width = max((len(name) for name, _cells in rows), default=0)
    for name, cells in rows:
        say(f"{name:{width}}  {cells}")
    for row in result.rows:
        for index, why in sorted({**row.wrong, **row.missed}.items()):
            say(
                _(
                    "{trajectory} step {step}: {why}",
                    trajectory=_named(row.trajectory),
                    step=index + 1,
                    why=why,
                )
            )
    say(_("# fires, + near miss, . silent, ! should not fire, ? should fire"))


def _cell(row: BackTestRow, index: int) -> str:
    if index in row.wrong:
        return "!"
    return "?" if index in row.missed else _CELLS[row.outcome(index)]


def _print_results(results: Sequence[BackTestResult]) -> None:
    if not results:
        say(_("The project has no rules yet"))
        return
    print_table(
        ("RULE", "KIND", "FIRES", "NEAR", "SHOULD NOT", "SHOULD"),
        [
            (
                result.rule.id,
                result.rule.kind,
                result.fires,
                result.near,
                result.wrong or "",
                result.missed or "",
            )
            for result in results
        ],
    )
    say(ngettext("{count} recorded state", "{count} recorded states", results[0].states))


@rules.command()
@project_argument
@where_option
@as_person
@json_option
def compare(folder: Path, query: str, who: str, as_json: bool) -> None:
    """Show where `semantics: dgara` and `semantics: waymark` judge PROJECT's recordings differently."""
    own = ProjectRules.open(folder)
    known = own.rules()
    strict = own.back_test(WAYMARK, visible_corpus(own, known, query, who))
    original = own.back_test(DGARA, strict.corpus)
    differing = [(rule, _differing(strict, original, rule)) for rule in known]
    differing = [(rule, places) for rule, places in differing if places]
    if as_json:
        rows = [{"rule": rule.id, "kind": rule.kind, "differences": places} for rule, places in differing]
        print_json({**FROM_1, "project": own.project.name, "states": len(strict.corpus), "rules": rows})
        return
    if not differing:
        say(_("Both semantics judge everything recorded alike"))
    for rule, places in differing:
        say(rule.id + ": " + ngettext("{count} state judged differently",
                                             "{count} states judged differently", len(places)))  # fmt: skip
        say("  " + _("first at {title}, step {step}: waymark {waymark}, dgara {dgara}", **places[0]))


def _differing(strict: BackTest, original: BackTest, rule: Rule) -> list[dict[str, Any]]:
    """States on which the rule holds under one semantics only."""
    differs = strict.run(rule).verdicts.holds != original.run(rule).verdicts.holds
    places = []
    for position in (int(index) for index in differs.nonzero()[0]):
        state = strict.corpus.state(position)
        places.append({
            "trajectory": state.trajectory.id, "title": _named(state.trajectory), "step": state.index + 1,
            "waymark": str(strict.proof(rule, position).outcome),
            "dgara": str(original.proof(rule, position).outcome),
        })  # fmt: skip
    return places


class _PointType(click.ParamType[Point]):
    """``X,Y`` in device pixels."""

    name = "X,Y"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Point:
        if isinstance(value, Point):
            return value
        parts = str(value).split(",")
        if len(parts) != 2 or not all(part.strip().isdecimal() and len(part) < 7 for part in parts):
            self.fail(_("{value!r} is not X,Y in pixels", value=value), param, ctx)
        return Point(int(parts[0]), int(parts[1]))


@rules.command()
@click.option("--on", required=True, metavar="STATE.xml", type=FILE, help="Dump of the screen.")
@click.option("--point", required=True, type=_PointType(), help="A point of the node, in device pixels.")
@click.option(
    "--project",
    type=click.Path(path_type=Path),
    help="Rank conditions by how they hold on the recordings of this project.",
)
@where_option
@as_person
@json_option
def suggest(on: Path, point: Point, project: Path | None, query: str, who: str, as_json: bool) -> None:
    """Propose conditions for the node at a point of a screen, best first, each with its reason."""
    if query and project is None:
        raise click.UsageError(_("--where needs the project they are in: give --project"))
    from collector.rules.suggest.samples import Samples, samples_of
    from collector.rules.suggest.suggestions import suggest_for_node

    view = corpus_on(on, who).view(0)
    node = SpatialIndex(view.tree).at(point) if view.tree is not None else None
    if node is None:
        raise RuleError(
            _("There is no node at {x},{y}", x=point.x, y=point.y),
            _("the dump reaches to {x},{y}", **_end(view.tree)),
            _("Name a point on what it shows"),
        )
    own = ProjectRules.open(project) if project is not None else None
    corpus = visible_corpus(own, None, query, who) if own is not None else Corpus(())
    suggestions = suggest_for_node(node, Samples(view, samples_of(corpus)))
    if as_json:
        rows = [
            {
                "condition": plain_condition(suggestion.condition),
                "score": suggestion.score,
                "title": suggestion.title,
                "reason": suggestion.reason,
            }
            for suggestion in suggestions
        ]
        print_json({"node": repr(node), "suggestions": rows})
        return
    for suggestion in suggestions:
        say(f"{suggestion.score:3}  {_flow(plain_condition(suggestion.condition))}")
        say(f"     {one_line(suggestion.reason, 200)}")
    if not suggestions:
        say(_("Nothing on this node makes a good condition"))


def _end(tree: Tree | None) -> dict[str, int]:
    """The last point any node of a dump covers, at most 0,0 when it covers none."""
    boxes = [node.bounds for node in tree or () if node.bounds and not node.bounds.is_empty]
    return {
        "x": max((box.right for box in boxes), default=1) - 1,
        "y": max((box.bottom for box in boxes), default=1) - 1,
    }


def _flow(plain: dict[str, Any]) -> str:
    text = yaml.safe_dump(plain, default_flow_style=True, allow_unicode=True, sort_keys=False, width=10_000)
    return str(text).strip()

"""What each verb prints with ``--json``, for ``--help`` and the guide."""

from __future__ import annotations

KEYS = {
    "agent ask": (
        "`trajectory`, `step`, `messages`, `before`, `answers` (thought, answer, action, model, "
        "time_ms, input_tokens, output_tokens, cost); `--dry-run`: `step`, `request`"
    ),
    "agent check": (
        "`model`, `time_ms`, `attempts`, `input_tokens`, `output_tokens`, `cost`, `image`, `thought`, "
        "`answer`, `action`, `hit`, `log`"
    ),
    "agent host allow": "`host`, `keys` (`$NAME` is a variable)",
    "agent host forget": "`host`",
    "agent host list": "`hosts` (`host`, `keys`)",
    "agent key list": "`keys` (`name`, `where`)",
    "agent key set, agent key remove": "`name`",
    "agent list": "`agents` as `agent show`, `problems`",
    "agent new": "`path`, `entry`: the line for the agents of an experiment",
    "agent show": (
        "`id`, `title`, `description`, `built_in`, `modalities`, `options` (name, title, type, default, "
        "choices, required, description), `step_cost`"
    ),
    "agent try": (
        "`agent`, `task`, `modality`, `steps` (step, package, activity, thought, action, problem, "
        "time_ms, input_tokens, output_tokens, cost, log)"
    ),
    "anomaly check": "`findings`, `counts` as `rules check`",
    "anomaly fire": (
        "`injection`, `anomaly`, `stage`, `answer`, `event`, `how`, `command`, `already`, `events`, `pending`"
    ),
    "anomaly list": "`anomalies` as `anomaly show`",
    "anomaly new, anomaly copy": (
        "`anomaly` (id), `path` of the library, `findings` about it as `rules check` has them"
    ),
    "anomaly rehearse": (
        "`project`, `semantics`, `seed`, `dry_run`, `rules` (step, rule, shown, anomaly, reason, "
        "probability, draw, forced, injection), `events`"
    ),
    "anomaly show": (
        "`id`, `kind`, `family`, `category`, `language`, `description`, `activity`, `answer`, "
        "`risk`, `unsafe` (answers), `android`, `line`, `parameters`, `answers` (answer, button, event, "
        "follow_ups), `commands` "
        "(android, remember, apply, verify, undo), `undo`"
    ),
    "anomaly solvable": (
        "`solvable`, `counts` by result, `trials` (task, trajectory, anomaly, answer, result, met_at, "
        "stops_at, why, ways, problems, seconds, run)"
    ),
    "anomaly undo": "`pending`, or `undone` (injection, anomaly, native, since, undo, kept, problem)",
    "device check": (
        "`kind`, `format`, `phone`, `steps` (`step`, `outcome`: `passed`, `failed`, `skipped`, "
        "`reason`, `seconds`, `measurements`, `abilities`, `quirks`), `verdicts` (`workspace`, `works`, "
        "`limits`), `settings`, `unrestored`, `changed_meanwhile`, `end`, `seconds`, `version`, "
        "`quirks`"
    ),
    "device companion remove": "`removed`",
    "device companion status, device companion allow, device companion install": (
        "`installed`, `version`, `contract`, `current`, `allowed`"
    ),
    "device connect": "`connected` (the address)",
    "device data": "records of each collection",
    "device doctor": (
        "a list: `code`, `severity` (`ok`, `notice`, `problem`), `serial`, `what`, `why`, `to_do`"
    ),
    "device emulator list": "`emulator`, `avd_home`, `avds` (`avd`, `target`, `folder`, `running`)",
    "device emulator reset": "`reset`: per emulator `serial`, `avd`",
    "device emulator start": "per emulator: `name`, `serial`, `pid`",
    "device emulator stop": "`stopped`: per emulator `serial`, `avd`",
    "device fleet list": (
        "a list: `name`, `seed`, `address`, `size`, `density`, `locale`, `variation`, `pid`, `since`"
    ),
    "device fleet reset": "`reset`, a list of `name` and `address`",
    "device fleet start": "a list: `name`, `seed`, `address`, `pid`",
    "device fleet stop": "`stopped`, a list of `name` and `address`",
    "device install": "`installed`, the files",
    "device list": "a list: `serial`, `state`, `words`, `in_use_by`",
    "device practice": (
        "`screen`, `on_path`, `off_path`, `screens` (`shown`, `of`), `transitions` (`taken`, `of`), "
        "`recordings` (`trajectory`, `followed`, `of`)"
    ),
    "device profile": "`profile`: its name, `file`, `quirks`: their ids",
    "device push": "`pushed`, the places on the phone",
    "device reset": (
        "`reset` (`kind`; `package`, `snapshot`, `commands`, or `seed`, `locale`, `size`, `density`, "
        "`variation`, `states`; `at`)"
    ),
    "device virtual": (
        "with `--coverage`: `recordings`, `states`, `screens` (`screen`, `package`, `activity`, `size`, "
        "`states`), `transitions` (`from`, `to`, `action`, `recorded`, `area`, `recorded_in`), `ends`"
    ),
    "experiment answer": "`experiment`, `worker`, `question`, `answer`",
    "experiment attach": "a document for each event",
    "experiment check": "`checked`, `findings`, `counts`",
    "experiment compare": (
        "`compared`, `same`, `only_first`, `only_second`, `differences` (cell, what, number, first, second)"
    ),
    "experiment copy": "`experiment` (name), `path`",
    "experiment delete": "`deleted`: the file",
    "experiment list": (
        "`experiments` (`name`, `path`, `description`, `tasks`, `agents`, `conditions`, `episodes`, "
        "`run`, `counts`)"
    ),
    "experiment new": "`experiment`, `path`, `findings`",
    "experiment pause": "`experiment`, `request` (`pause`)",
    "experiment recompute": (
        "`episodes` (`trajectory`, `task`, `equal`, `compared`, `rules_changed`, `problem`, "
        "`differences`: what, number, live, recomputed); with `--rejudge` `rejudged` (trajectory, task, "
        "before, "
        "now)"
    ),
    "experiment resume": "`experiment`, `request` (`resume`)",
    "experiment show": (
        "`experiment`, `estimate` (episodes, steps, seconds or null, start_s, cost, phones, agents), "
        "`cells`, "
        "`findings`"
    ),
    "experiment status": (
        "`runs` (`experiment`, `state`, `finished`, `total`, `workers`, `seconds_left`, `process`, `pid`)"
    ),
    "experiment steps": (
        "`experiment`, `by`, `groups` (each of `by`; `steps`, `right`, `step_accuracy`, `interval`, "
        "`exact`, `exact_match`, `same_type`, `type_match`, `touches`, `right_touches`, `grounding`, "
        "`hidden`), `episodes`, `tokens`, `cost`, `currency`, `problems`"
    ),
    "experiment stop": "`experiment`, `request` (`stop`)",
    "judge agreement": (
        "`agreement` (judges, kind, of, agreement: subjects, percent, kappa; judged_by_some, same_step, "
        "with_steps), `disagreements` (trajectory, task, kind, state, votes, steps, people, settled, "
        "settled_step, folder)"
    ),
    "judge check": "`checks` (judge, asked, model, raw, sees, problem, usage, attempts)",
    "judge cost": (
        "`judge`, `trajectories`, `problems`, `calls`, `kept`, `pictures`, `input_tokens`, "
        "`output_tokens`, `usd` or null, `answers_before`"
    ),
    "judge levels": "`levels` (task, declared, measured, lengths, differs)",
    "judge list": (
        "`files` (name, method, description, built_in, options, problem), `judges` (`id`, `title`, "
        "`description`, `built_in`, `cost`, `needs`, `options`), `problems`"
    ),
    "judge new": "`path`, `method`, `options`",
    "judge process": "`trajectory`, `process` (index, primitive, description)",
    "judge quality": (
        "`against`, `quality` (judge, on, subjects, true_positives, false_positives, false_negatives, "
        "true_negatives, precision, recall, f1, accuracy), `split`"
    ),
    "judge rubric": "`path`, `parts` (id, text, kind, concerns, state)",
    "judge run": (
        "`judge`, `trajectories` (trajectory, task, folder, problem, judgements), `asked`, `kept`, "
        "`usd`, `stopped`"
    ),
    "judge samples": (
        "`folder`, `left_out`, `train` and `test` (positive, negative, mined, tasks, trajectories), `apps`, "
        "`split_people`"
    ),
    "judge show": (
        "`name`, `method`, `path`, `built_in`, `options`, `description`, `prompt`; `--trajectory`: "
        "`judge`, `judgements`"
    ),
    "judge study quality, judge study bias": (
        "`tables` as `metrics show`, rows with `subjects` (trajectory, folder, task, state, verdicts, window)"
    ),
    "judge study windows": "as `judge study quality`; with `--cost` the rows have no `subjects`",
    "metrics check": (
        "`episodes`, `faults`, `agrees`, `numbers` (agent, condition, measure, from_files, "
        "from_catalogue, agrees), `damaged`"
    ),
    "metrics list": "`dimensions` (id, title), `measures` (id, title, unit, how, source)",
    "metrics show": (
        "`tables` (`id`, `title`, `labels`, `columns`: id, title, group, unit, counting, how; `rows`: "
        "labels, cells with value, count, hits, low, high, note; `notes`); null where nothing was "
        "counted"
    ),
    "project check": (
        "`project`, `errors`, `unchanged`, `problems` (`code`, `severity`, `where`, `step`, `text`, "
        "`why`, `to_do`)"
    ),
    "project duplicate-task": "`task` as in `tasks.yaml`",
    "project empty-trash": "`deleted`, the number of trajectories",
    "project export": "as `project import`, with `path`",
    "project exports": (
        "`exports` (`id`, `at`, `source`, `title`, `losses`); with `--show` as `project import`"
    ),
    "project formats": (
        "`formats` (`id`, `title`, `use`, `way`, `holds`, `files`, `ending`, `options`, `licence`, "
        "`package`, `extra`, `missing`), `problems`"
    ),
    "project health": (
        "`project`, `goldens`, `runs`, `errors`, `counts`, `left_out`, `hidden`, `findings` (as "
        "`project check`, with `name`, `task`, `fix`: `kind`, `target`), `unmeasured` (`name`, `text`, "
        "`why`, `fix`)"
    ),
    "project import": (
        "`format`, `trajectories` (10,000 at most), `more_trajectories`, `tasks`, `rules`, "
        "`variations`, `findings` (`code`, `severity`, `where`, `text`, `steps`), `report`; with "
        "`--dry-run` `format`, `trajectories`, `tasks`, `size`, `findings`"
    ),
    "project imports": (
        "`imports` (`id`, `at`, `source`, `title`, `losses`); with `--show` as `project import`"
    ),
    "project index": "`project`, `trajectories` (how many), `by_status`",
    "project merge": (
        "with a copy `trajectories`, `files`, `merged`, `kept`; `--driver`: `path`, `conflicts`; "
        "`--install`: `repository`"
    ),
    "project new": "`project` (folder), `name`, `semantics`",
    "project reasons": "`reasons` (id, name, description, label)",
    "project recover": (
        "`project`, `recovered` (`trajectory`, `steps`, `mended`, `problem`), `cleared`, `swept`, `moved`"
    ),
    "project redact": (
        "`at`, `rules`, `looked_at`, `held`, `dropped`, `git`, `trajectories` (`trajectory`, `words`, "
        "`elsewhere`, `deleted`, `doubted`, `cut`, `videos`, `problem`, `steps`), `left`; with "
        "`--check` `clean`, `files`, `knows_words`, `findings` (code, where, place, what, `to_do`), "
        "`unread`, `in_rules`"
    ),
    "project trust": (
        "`project`, `trusted`, `commands` (anomaly, or experiment and agent, command, trusted, "
        "packages, settings, pages, services, danger), `hosts` (host, keys, sends, allowed)"
    ),
    "record, trajectory rerecord": (
        "`recordings` (`trajectory`, `task`, `folder`, `status`, `steps`, `verdict`)"
    ),
    "review export": "`file`, `format`, `bytes`, `trajectories`, `slots`",
    "review next": (
        "as `review submit`, with `queue`, `counts`, `score`, `reasons`; `trajectory` null when nothing "
        "is left"
    ),
    "review queue delete": "`queue` (name), `path`",
    "review queue list": (
        "`queues` (name, title, query, work, reviewers, who, judges, preset, created, created_by, "
        "counts), `problems`"
    ),
    "review queue new": "`path`, `queue`",
    "review queue show": (
        "`queue`, `order`, `trajectories` (`trajectory`, `task`, `folder`, `score`, `reasons`, `hidden`)"
    ),
    "review status": (
        "`who`, `statuses`, `disagreements`, `queues` (name, title, todo, held, done, total), `own` "
        "(total, today, last_hour, median_seconds), `problems`; `--trajectory`: as `review submit`"
    ),
    "review steps": "`project`, `steps` (trajectory, task, folder, step, action, first_error, judgement)",
    (
        "review submit, review skip, review step, review approve, review reject, review adjudicate, "
        "review undo"
    ): (
        "`trajectory`, `task`, `folder`, `who`, `status`, `reviews` (who, status, verdict, "
        "achieved_states, missed_states, comments, submitted, tags, work, approval), "
        "`automatic`, `adjudicated`, `disagreements` (subject, on, votes, steps, "
        "reasons, settled), `hidden`, `history` (time, who, act, sentence), `problems`; `review undo` "
        "with `undone`"
    ),
    "rules backtest": (
        "`project`, `rules` (rule, kind, semantics, trajectories, states, fires, near, wrong, missed, cells)"
    ),
    "rules check": (
        "`findings` (path, line, column, start, end, code, name, severity, rule, what, why, to_do, "
        "fixes), `counts`; or SARIF 2.1.0"
    ),
    "rules compare": "`project`, `states`, `rules` that differ, with places",
    "rules follow": (
        "`project`, `semantics`, `seed`, `trajectories` (trajectory, task, title, steps: step, rule, "
        "fate, anomaly, why, draw)"
    ),
    "rules suggest": "`node`, `suggestions` (condition, score, title, reason)",
    "rules test": "`rule`, `semantics`, `states` (trajectory, step, outcome, proof)",
    "run": (
        "one document per line: `plan` (experiment, episodes, finished, missing, `stale`, `unknown`, "
        "phones, seconds or null, cost, steps), each event, `summary` with `counts`"
    ),
    "states audit show": (
        "`audit`, `states` (`id`, `sentence`, `facts`: goldens, needed_by, together_with, "
        "judged_by_rules; `sentences`), `uncovered`, `sentences`"
    ),
    (
        "states audit start, states audit review, states audit sufficiency, states audit sign, states "
        "audit withdraw"
    ): ("`did`, `who`, `audit`, `states`"),
    "states check": "`findings`, `counts`, `missed` (`trajectory`, `task`, `state`, `reason`)",
    "states define show": (
        "`task`, `operators`, `finished`, `realign`, `pairs` (`pair`, `a`, `b`, `score`, `differences`, "
        "`difference`, `choice`, `state`, `agreed`, `who`, `time`)"
    ),
    (
        "states define start, states define decide, states define open, states define settle, states "
        "define pair, states define realign, states define finish, states define reopen"
    ): ("`did`, `who`, `definition`, `states`"),
    "states history": "`task`, `history` (`time`, `who`, `sentence`, `stage`, `state`)",
    "states import": "`states`, `named`, `findings`",
    "states list": (
        "`states` (`id`, `sentence`, `status`, `tasks`, `after`, `optional`, `alternatives`, "
        "`conditions`, `judged_by_rules`)"
    ),
    "states propose show": "`proposal` as in its file",
    (
        "states propose start, states propose golden, states propose add, states propose edit, states "
        "propose move, states propose remove, states propose sign, states propose withdraw, states "
        "propose discard"
    ): ("`did`, `who`, `proposal` or null, `states`"),
    "states status": (
        "`tasks` (`task`, `stage`, `sentence`, `people`, `definition_started`, `definition_started_by`, "
        "`definition_finished`, `definition_finished_by`, `states`, `warnings`)"
    ),
    "states suggest": (
        "`task`, `goldens` (id, who, title), `suggestions` (id, sentence, conditions, after, steps, "
        "source, score, reason), `missing`, `left_out`, `added`"
    ),
    "states undo": "`undone`, `who`, `states`",
    "task check": "`project`, `problems` as `project check` has them",
    "task copy": "`tasks` as in `tasks.yaml`; `kept` (ids)",
    "task expand": (
        "`task`, `expanded` (`seed`, `values`, `instruction`, `rewordings`, `expected_answer`, "
        "`target`, `replies`)"
    ),
    "task generate": "as `task copy`; with `--dry-run` `tasks` alone",
    "task library": "`tasks` as in `tasks.yaml`",
    "task list": (
        "`project`, `tasks` (as in `tasks.yaml`, with `golden`, `golden_wanted`, `states`: by_rules, "
        "by_people, status, golden, verified, unjudged, is_verified, reached, missed)"
    ),
    "task new, task edit": "`task` as in `tasks.yaml`, `problems` of it as `project check` has them",
    "task prove": (
        "`proofs` (`task`, `variation`, `seed`, `proved`, `length`, `at_least`, `states`, `seconds`, "
        "`problem`, `actions`)"
    ),
    "task reward": "`task`, `reward`, `share`, `parts` (text, holds), `side_effects`, `problem`, `tolerance`",
    "task rewards": "per line: `line`, `task`, `reward`, `why`, or `line`, `error`",
    "trajectory align": (
        "`trajectories` (id, folder, steps), `slots` (steps, likeness), `comparisons` (trajectory, "
        "reference, first_divergence, differences: kind, first, last, reason; recoveries: anomaly, "
        "injected, back, steps, reason); with a query `matching`, the numbers of slots"
    ),
    "trajectory comment": "`trajectory`, `who`, `comments` as in the person's annotations",
    "trajectory delete": "`deleted`, the folders",
    "trajectory diff": (
        "`trajectories`, `first_divergence`, `differences`, `states` (slot, steps, place, tree: added, "
        "removed, moved, changed; texts; pixels: share, shift, brightness, regions; picture_problem)"
    ),
    "trajectory duplicate": "`trajectory`, the folder of the copy",
    "trajectory history": (
        "`edits` (`title`, `who`, `time`, `undone`), `undo`, `redo`; of one edit `title`, `before`, "
        "`after`, `notes`"
    ),
    "trajectory list": "`project`, `trajectories` (one per row)",
    "trajectory redact": "`step`; `others` (indexes of steps redacted with it)",
    "trajectory rename": "`trajectory`, its folder now",
    "trajectory replay": (
        "`status` (done, diverged, refused, fault, lost, cancelled, failed), `stopped_at`, `verdict` "
        "(holds, by, rule, share, said), `steps` (index, status, selector, moved, point, reason, "
        "expected, found, nearest, why, waited_ms), `left_out`, `run`, `problems`; `--dry-run`: `app`, "
        "`steps` (index, action, after_ms, selector, problem), `left_out`"
    ),
    "trajectory restore": "`restored`; without an argument `trash`",
    "trajectory show": (
        "`folder`, `header`, `steps`, `anomalies` (anomaly, injected_ms, answer, button, gone_ms, "
        "steps, follow_ups ...), `app_changes` (step, text), `risks`, `judgements`, `hidden`, `problems`; "
        "`--log`: `agent_log`; `--follow`: a line for `header`, `step`, `event`, `problem`, "
        "`rewritten`, `end`"
    ),
    (
        "trajectory split, trajectory join, trajectory trim, trajectory drop, trajectory insert, "
        "trajectory replace-state"
    ): (
        "`title`, `before`, `after` (`id`, `task`, `steps`: `step`, `caption`, `fate`: `stays`, `goes`, "
        "`comes`), `notes`, `made` (folders, or null)"
    ),
    "trajectory undo, trajectory redo": "`title`, `trajectories`",
    "trajectory verify": "`folder`, `problems` as in `project check`",
    "trajectory video": (
        "`trajectory`, `parts` (as `video`, with `path`, `pictures`, `bytes`, `chapters`: `start_ms`, "
        "`title`)"
    ),
    "updates": "`installed`, `newest`, `newer`, `address`",
    "variations check": "`checked`, `diagnostics`, `counts`; `--distinct`: `versions`, `screens`, `same`",
    "variations list": (
        "a list: `name`, `description`, `extends`, `factors`, `apps`, `built_in`, `path`, `problems`"
    ),
    "variations render": "`output`, `screens`, `variations` (SHA-256 by name and screen)",
    "variations show": "`name`, `appearance`, `content`, `pop_ups`, `digest`",
}
"""Verbs, with commas between them -> the keys of their document; in parentheses those of each entry."""


def keys_of(verb: str) -> str:
    """The keys of the document that a verb prints; empty where it says none."""
    return next((keys for verbs, keys in KEYS.items() if verb in verbs.split(", ")), "")

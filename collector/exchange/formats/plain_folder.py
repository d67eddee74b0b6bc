"""A folder of screenshots and dumps, paired by name, else number; also two folders, or dumps alone."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Container, Iterator
from pathlib import Path

from collector.exchange.exchange_log import NOTE, ExchangeLog
from collector.exchange.format import OF_PHONES, TRAJECTORIES, Format
from collector.exchange.source import files as source_files
from collector.exchange.source.model import SourceItem, SourceStep, SourceTrajectory
from collector.hierarchy.encoding import decode
from collector.model.i18n import N_, _
from collector.model.task import Task

_KINDS = (
    "screenshot", "screen", "shot", "image", "img", "picture", "png",
    "window_dump", "ui_dump", "uidump", "dump", "hierarchy", "layout", "view", "tree", "uix", "ui", "xml",
)  # fmt: skip
_GENERIC = frozenset(
    (
        "data",
        "dumps",
        "images",
        "output",
        "screens",
        "screenshots",
        "states",
        "all_states",
        "trajectory",
        "views",
        "xml",
    )
)
_DUMP = re.compile(r"""\bbounds\s*=\s*["']\[""")
_LOOKED_AT = 50
"""Files of a folder without screenshots that are opened to find a dump among them."""
_START = 65_536
_WORDS = re.compile(rf"(?i)[-_. ]*({'|'.join(_KINDS)})[-_. ]*")


def detect(path: Path) -> float:
    """Guess from a screenshot and a dump; every other format is surer."""
    files = list(source_files.files(path))
    if path.is_file():
        return 0.2 if _is_dump(path, (*source_files.TREES, ".txt")) else 0.0
    endings = {file.suffix.lower() for file in files}
    if endings & set(source_files.PICTURES):
        return 0.3 if endings & set(source_files.TREES) else 0.1
    trees = [file for file in files if file.suffix.lower() in source_files.TREES]
    return 0.05 if any(_is_dump(file) for file in trees[:_LOOKED_AT]) else 0.0


def _is_dump(path: Path, endings: Container[str] = source_files.TREES) -> bool:
    """Whether a file with one of these ``endings`` has places of elements near its start."""
    is_tree = path.suffix.lower() in endings
    return is_tree and bool(_DUMP.search(decode(source_files.read_start(path, _START))[0]))


def read(path: Path, log: ExchangeLog) -> Iterator[SourceItem]:
    """One trajectory for each folder of states."""
    for folder, (shots, trees) in _groups(path).items():
        name = _name(folder, path)
        log.where = name
        steps = pair(shots, trees, log)
        log.add("no-actions", _("Plain folders have no actions: the steps have states alone"))
        _report_gaps(steps, log)
        yield SourceTrajectory(name, Task(name, name), steps)


def _name(folder: Path, root: Path) -> str:
    """The folder's name, or that of the first above it that says more than what kind of files it holds."""
    for place in (folder, *folder.parents):
        if place.name.casefold() not in _GENERIC or place == root:
            return place.name
    return folder.name


def _groups(root: Path) -> dict[Path, tuple[list[Path], list[Path]]]:
    """Folder -> its screenshots and dumps, where sister folders of one kind each count as their parent's."""
    if root.is_file():
        return {root: ([], [root])}
    groups: dict[Path, tuple[list[Path], list[Path]]] = {}
    for folder in source_files.folders(root):
        files = [path for path in folder.iterdir() if path.is_file()]
        shots = [file for file in files if file.suffix.lower() in source_files.PICTURES]
        trees = [file for file in files if file.suffix.lower() in source_files.TREES]
        if shots or trees:
            groups[folder] = (shots, trees)
    by_parent: dict[Path, list[Path]] = defaultdict(list)
    for folder in groups:
        by_parent[folder.parent].append(folder)
    for parent, below in by_parent.items():
        only_shots = [folder for folder in below if not groups[folder][1]]
        only_trees = [folder for folder in below if not groups[folder][0]]
        if len(only_shots) == len(only_trees) == 1 and parent.is_relative_to(root) and parent not in groups:
            groups[parent] = (groups.pop(only_shots[0])[0], groups.pop(only_trees[0])[1])
    return groups


def pair(shots: list[Path], trees: list[Path], log: ExchangeLog) -> list[SourceStep]:
    """States from screenshots and dumps: same name first, then same bare name, then same last number."""
    left_shots = sorted(shots, key=lambda path: source_files.natural(path.name))
    left_trees = sorted(trees, key=lambda path: source_files.natural(path.name))
    pairs: list[tuple[Path | None, Path | None]] = []
    for key in (_stem, _bare, _number):
        shots_by_key, trees_by_key = _unambiguous(left_shots, key), _unambiguous(left_trees, key)
        for name in shots_by_key.keys() & trees_by_key.keys():
            pairs.append((shots_by_key[name], trees_by_key[name]))
            left_shots.remove(shots_by_key[name])
            left_trees.remove(trees_by_key[name])
    if len(left_shots) == len(left_trees) == 1 and not pairs:
        pairs.append((left_shots.pop(), left_trees.pop()))
        log.add(
            "paired-alone",
            _("A screenshot and a tree were paired because there is only one of each"),
            severity=NOTE,
        )
    pairs += [(shot, None) for shot in left_shots] + [(None, tree) for tree in left_trees]
    pairs.sort(key=lambda pair: _order(pair[0] or pair[1]))
    places = [shot or tree for shot, tree in pairs]
    numbers = [_number(place) if place else "" for place in places]
    names = (
        numbers
        if all(numbers) and len(set(numbers)) == len(numbers)
        else [place.stem for place in places if place]
    )
    return [SourceStep(name, shot, tree) for name, (shot, tree) in zip(names, pairs, strict=True)]


def _stem(path: Path) -> str:
    return path.stem.casefold()


def _bare(path: Path) -> str:
    """The name without the words that only say what kind of file it is."""
    return re.sub(r"[-_. ]+", "_", _WORDS.sub("_", path.stem)).strip("_").casefold()


def _number(path: Path) -> str:
    numbers = re.findall(r"\d+", path.stem)
    return str(int(numbers[-1])) if numbers else ""


def _unambiguous(paths: list[Path], key: Callable[[Path], str]) -> dict[str, Path]:
    """Paths by key, without those whose key says nothing or is shared."""
    names: dict[str, list[Path]] = defaultdict(list)
    for path in paths:
        names[key(path)].append(path)
    return {name: paths[0] for name, paths in names.items() if name and len(paths) == 1}


def _order(path: Path | None) -> tuple[tuple[int, int, str], ...]:
    return source_files.natural(_bare(path) or path.stem) if path else ()


def _report_gaps(steps: list[SourceStep], log: ExchangeLog) -> None:
    numbers = [int(step.name) for step in steps if step.name.isdecimal()]
    if len(numbers) != len(steps) or len(set(numbers)) != len(numbers) or len(numbers) < 2:
        return
    for missing in source_files.missing(numbers, min(numbers)):
        log.add("gap", _("A number is missing in the source"), step=missing, severity=NOTE)


FORMAT = Format(
    id="plain",
    title=N_("Plain folder of screenshots and dumps"),
    use=OF_PHONES,
    holds=(TRAJECTORIES,),
    files=N_("Screenshots and dumps with any names, paired by name or number; dumps alone"),
    detect=detect,
    read=read,
)

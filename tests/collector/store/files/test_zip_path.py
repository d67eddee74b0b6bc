"""A trajectory in a zip file is read as its folder is; hostile and damaged archives are refused."""

from __future__ import annotations

import shutil
import stat
import zipfile
from pathlib import Path

import pytest

from collector.comparison.alignment.aligned import align_stored
from collector.store.files.errors import Damaged, NotFound, StoreError, UnsafePath
from collector.store.files.layout import ANNOTATIONS, HEADER, STEPS
from collector.store.trajectory.reader import open_trajectory, read_header

RUN = next(
    (Path(__file__).resolve().parents[4] / "assets/sample/trajectories/todo-04").glob(
        "quick__careful__todo-04__battery-low__*"
    )
)
GOLDEN = RUN.parent / "todo-04-lin"


def packed(path: Path, entries: dict[str, bytes], mode: int = 0) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as created:
        for name, data in entries.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = mode << 16
            created.writestr(entry, data)
    return path


def files_of(folder: Path, inside: str = "") -> dict[str, bytes]:
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {f"{inside}{path.relative_to(folder).as_posix()}": path.read_bytes() for path in files}


@pytest.mark.parametrize("inside", ["", "a run/", "deep/er/"])
def test_a_zipped_trajectory_reads_as_its_folder(tmp_path: Path, inside: str) -> None:
    packing = packed(tmp_path / "run.zip", {**files_of(RUN, inside), "__MACOSX/._trajectory.json": b"?"})
    folder, zipped = open_trajectory(RUN), open_trajectory(packing)
    assert zipped.trajectory == folder.trajectory
    assert not zipped.problems
    assert zipped.events() == folder.events()
    assert zipped.interruptions() == folder.interruptions()
    assert zipped.judgements() == folder.judgements()
    assert zipped.judgements().judgements
    assert read_header(packing) == folder.header
    for step in folder.steps:
        assert zipped.screenshot(step) == folder.screenshot(step)
        assert zipped.tree(step) == folder.tree(step)
    assert align_stored([folder, zipped]).first_divergence is None
    assert [path.name for path in tmp_path.iterdir()] == ["run.zip"], "nothing is unpacked"


def test_the_annotations_of_a_zipped_trajectory_are_read(tmp_path: Path) -> None:
    annotated = tmp_path / "golden"
    shutil.copytree(GOLDEN, annotated)
    (annotated / ANNOTATIONS).mkdir(exist_ok=True)
    (annotated / ANNOTATIONS / "jo.json").write_text(
        '{"format":"waymark-annotations","version":1,"who":"jo"}'
    )
    zipped = open_trajectory(packed(tmp_path / "g.zip", files_of(annotated)))
    assert zipped.annotations() == open_trajectory(annotated).annotations()
    assert "jo" in zipped.annotations()


@pytest.mark.parametrize(
    ("entries", "mode", "error", "match"),
    [
        ({"../evil": b""}, 0, UnsafePath, "leads outside"),
        ({"/etc/evil": b""}, 0, UnsafePath, "leads outside"),
        ({"C:\\evil": b""}, 0, UnsafePath, "leads outside"),
        ({"a\\..\\..\\evil": b""}, 0, UnsafePath, "leads outside"),
        ({"x": b"/etc/passwd"}, stat.S_IFLNK | 0o777, UnsafePath, "link or a device"),
        ({"x": bytes(20_000_000)}, 0, UnsafePath, "times its size"),
        ({f"A/{HEADER}": b"", f"a/{HEADER}": b""}, 0, UnsafePath, "two of its entries"),
        ({f"a/{HEADER}": b"{}", f"b/{HEADER}": b"{}"}, 0, NotFound, "2 trajectories"),
        ({"readme": b""}, 0, NotFound, "no trajectory"),
        ({HEADER: b"{"}, 0, Damaged, HEADER),
    ],
)
def test_archives_that_are_unsafe_or_hold_no_trajectory_are_refused(
    tmp_path: Path, entries: dict[str, bytes], mode: int, error: type[StoreError], match: str
) -> None:
    with pytest.raises(error, match=match):
        open_trajectory(packed(tmp_path / "a.zip", entries, mode))


def test_names_in_steps_do_not_leave_a_zipped_trajectory(tmp_path: Path) -> None:
    files = files_of(RUN, "run/")
    name = open_trajectory(RUN).steps[0].state.screenshot.encode()
    files[f"run/{STEPS}"] = files[f"run/{STEPS}"].replace(name, b"../secret.png")
    stored = open_trajectory(packed(tmp_path / "a.zip", {**files, "secret.png": b"secret"}))
    with pytest.raises(UnsafePath):
        stored.screenshot(stored.steps[0])


def test_what_is_damaged_in_an_archive_is_named(tmp_path: Path) -> None:
    whole = packed(tmp_path / "a.zip", files_of(GOLDEN))
    step = open_trajectory(whole).steps[0]
    with zipfile.ZipFile(whole) as archive:
        info = archive.getinfo(step.state.tree)
    data = bytearray(whole.read_bytes())
    at = info.header_offset + 30 + len(info.filename) + info.compress_size // 2
    data[at] ^= 0xFF
    (tmp_path / "b.zip").write_bytes(data)
    stored = open_trajectory(tmp_path / "b.zip")
    with pytest.raises(Damaged, match=step.state.tree):
        stored.tree(step)
    assert stored.screenshot(step)
    missing = {name: data for name, data in files_of(GOLDEN).items() if name != step.state.screenshot}
    with pytest.raises(Damaged, match=step.state.screenshot):
        open_trajectory(packed(tmp_path / "c.zip", missing)).screenshot(step)
    for number, torn in enumerate((b"", b"PK\x03\x04 no", bytes(data[:-30]))):
        bad = tmp_path / f"bad{number}.zip"
        bad.write_bytes(torn)
        with pytest.raises(Damaged, match=bad.name):
            open_trajectory(bad)

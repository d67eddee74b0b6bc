"""Pictures that records name are found inside the source alone, and other folders are given up."""

from __future__ import annotations

import base64
import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.exchange.source.extracted import picture_of_url, png_of_pixels, write_picture
from collector.exchange.source.recognition import marked_files, recognised_by
from collector.exchange.source.records import named_file, size_of
from collector.model.geometry import Size
from collector.pictures.formats import read_picture_file
from tests.helpers.steps import png


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("b.png", "a/b.png"),
        ("/data/set/a/b.png", "a/b.png"),
        ("C:\\data\\a\\b.png", "a/b.png"),
        ("x/y/b.png", "a/b.png"),
        ("../../b.png", "a/b.png"),
        ("../secret.png", None),
        ("/etc/passwd", None),
        ("a", None),
        ("", None),
        ("..", None),
        ("\0", None),
        (None, None),
        (["b.png"], None),
        ("n" * 5000, None),
    ],
)
def test_a_file_is_found_by_the_end_of_its_path_inside_the_folders(
    tmp_path: Path, name: object, found: str | None
) -> None:
    (tmp_path / "secret.png").write_bytes(b"x")
    root = tmp_path / "root"
    (root / "a").mkdir(parents=True)
    (root / "a" / "b.png").write_bytes(b"x")
    expected = root / found if found else None
    assert named_file(name, [root, root / "a"]) == expected


def test_a_picture_is_found_in_another_form_and_with_another_case(tmp_path: Path) -> None:
    for name in ("a.jpg", "b.PNG", "c.json"):
        (tmp_path / name).write_bytes(b"x")
    assert named_file("x/a.png", [tmp_path]) == tmp_path / "a.jpg"
    assert named_file("b.jpeg", [tmp_path]) == tmp_path / "b.PNG"
    assert (named_file("c.xml", [tmp_path]), named_file("c.png", [tmp_path])) == (None, None)


@pytest.mark.parametrize("side", [1080, 1080.0, "1080", " 1080.0 "])
def test_a_side_of_a_screen_may_be_any_number_or_its_text(side: object) -> None:
    assert size_of(side, "2400") == Size(1080, 2400)
    assert [size_of(side, other) for other in (0, 1.5, "x", None, True, 10**6, float("nan"))] == [None] * 7


def test_a_folder_of_thousands_of_other_files_is_given_up(tmp_path: Path) -> None:
    for number in range(3001):
        (tmp_path / f"{number:04}.json").write_bytes(b"{}")
    (tmp_path / "9999.json").write_bytes(b'{"mark": 1}')
    assert list(marked_files(tmp_path, "*.json", b'"mark"')) == []
    (tmp_path / "0000.json").write_bytes(b'{"mark": 1}')
    assert len(list(marked_files(tmp_path, "*.json", b'"mark"'))) == 2


def test_a_format_is_recognised_by_its_files_also_packed(tmp_path: Path) -> None:
    def packed(root: Path) -> Iterator[Path]:
        return marked_files(root, "*.gz", b"mark", packed=True)

    (tmp_path / "plain.gz").write_bytes(b"mark")
    assert recognised_by(packed)(tmp_path) == 0.0
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"a mark"))
    assert (recognised_by(packed)(tmp_path), recognised_by(packed, 0.6)(tmp_path / "b.gz")) == (0.95, 0.6)


def test_a_picture_is_named_by_its_kind(tmp_path: Path) -> None:
    assert write_picture(tmp_path, "0", png(4, 8)).name == "0.png"
    assert write_picture(tmp_path, "1", b"\xff\xd8\xff").name == "1.jpg"


def test_a_picture_in_a_message_comes_back_as_it_was() -> None:
    data = png(4, 8)
    written = base64.b64encode(data).decode()
    assert picture_of_url(f"data:image/png;base64,{written}") == data
    assert picture_of_url(written) == data


@pytest.mark.parametrize("url", [None, 3, "", "https://a/b.png", "data:image/png;base64,***", "aGVsbG8="])
def test_an_address_of_no_picture_is_none(url: object) -> None:
    assert picture_of_url(url) is None


def test_pixels_become_a_picture_of_their_size() -> None:
    assert read_picture_file(png_of_pixels(bytes(36), 4, 3, 3)).size.height == 3
    for pixels, width, height, channels in ((bytes(35), 4, 3, 3), (b"", 0, 0, 3), (bytes(24), 4, 3, 2)):
        with pytest.raises(ValueError, match="bytes for"):
            png_of_pixels(pixels, width, height, channels)

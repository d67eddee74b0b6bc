"""The HTML page without a browser: what is in it, what is not, and how large it is."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from collector.sharing.export_progress import ExportCancelled, ExportProgress
from collector.sharing.page import page_of
from collector.sharing.page_json import LONGEST, json_for_script
from collector.sharing.page_pictures import PagePicture, encoded_picture
from collector.sharing.page_texts import page_texts
from collector.sharing.review_of_files import review_of_files
from collector.sharing.shared_review import SharedReview
from tests.helpers.shared_trajectories import HOSTILE, SECRET, shared

SAMPLE = Path(__file__).resolve().parents[3] / "assets" / "sample"
PAGE_ASSETS = Path(__file__).resolve().parents[3] / "assets" / "review_page"
DATA = re.compile(r'<script type="application/json" id="review-data">(.*?)</script>', re.DOTALL)


def data_of(page: bytes) -> dict[str, Any]:
    (block,) = DATA.findall(page.decode())
    return dict(json.loads(block))


@pytest.fixture(scope="module")
def page(review: SharedReview) -> bytes:
    return page_of(review)


def test_no_text_can_leave_the_block_of_data(page: bytes) -> None:
    text = page.decode()
    assert text.count("</script>") == 2
    assert text.count("<script") == 2
    assert "<!--" not in text
    assert "<img" not in text
    assert "\u2028" not in text
    assert re.search("<title>Buy &lt;b&gt;it&lt;/b&gt; &lt;/script&gt;", text)
    assert json.loads(json_for_script({"text": "".join(HOSTILE)})) == {"text": "".join(HOSTILE)}
    assert not set("<>&\u2028\u2029") & set(json_for_script(list(HOSTILE)))


def test_what_is_shown_is_in_the_data(page: bytes) -> None:
    data = data_of(page)
    golden, run = data["sides"]
    assert [len(golden["steps"]), len(run["steps"])] == [4, len(HOSTILE) + 3]
    assert run["steps"][1]["caption"] == HOSTILE[0]
    assert run["steps"][1]["raw"].startswith("<answer>I type ")
    assert run["steps"][1]["asked"].splitlines()[-1] == "(the screen of step 2)"
    assert run["comments"][0] == {
        "who": "sara", "text": HOSTILE[0], "step": 1, "node": HOSTILE[0], "bounds": [0, 0, 60, 20],
    }  # fmt: skip
    assert {each["judge"]: each["text"] for each in run["verdicts"]} == {
        "rules": "failure",
        "sara": "success",
    }
    assert [state["reached"] for state in run["states"]] == [True, False]
    assert run["anomalies"][0]["parts"] == [["inject", "low_battery"], ["answer", HOSTILE[0]]]
    assert run["hits"] == [
        {
            "step": 1, "kinds": ["fired", "near"], "text": "on_results",
            "tip": "on_results: fires · low_battery\non_cart: near miss",
        },
    ]  # fmt: skip
    assert [(mark["step"], mark["kinds"]) for mark in run["events"]] == [
        (2, ["pause"]),
        (len(run["steps"]) - 1, ["phone_lost"]),
    ]
    assert (golden["hits"], golden["events"]) == ([], [])
    assert golden["steps"][2]["path"] == [[30, 100], [32, 60], [30, 20]]
    assert data["first"] == 1
    assert {each["kind"] for each in data["differences"]} >= {"anomaly"}
    assert all(len(step["caption"]) <= LONGEST for step in run["steps"])
    tree = unpacked(data["trees"][golden["steps"][0]["tree"]])
    assert [row[0] for row in tree] == [-1, 0]
    assert tree[1][3]["text"] == "Shop"


def unpacked(packed: str) -> Any:
    return json.loads(zlib.decompress(base64.b64decode(packed), -15))


def test_no_secret_is_in_it(page: bytes) -> None:
    data = data_of(page)
    assert SECRET not in page.decode()
    assert set(unpacked(data["screens"])) == {"10.1"}
    assert SECRET not in json.dumps(unpacked(data["screens"]))
    assert not [packed for packed in data["trees"] if SECRET in json.dumps(unpacked(packed))]


def test_equal_screens_are_in_it_once(folders: dict[str, Path]) -> None:
    one, twice = (
        data_of(page_of(shared(*sides))) for sides in ([folders["golden"]], [folders["golden"]] * 2)
    )
    assert len(twice["pictures"]) == len(one["pictures"]) == 4
    assert len(twice["trees"]) == len(one["trees"]) == 4
    assert twice["differences"] == []


def test_three_trajectories_of_the_sample_are_far_below_four_megabytes() -> None:
    folders = [
        SAMPLE / "trajectories/shop-14" / name for name in ("shop-14-lin", "shop-14-sara", "shop-14-lin")
    ]
    size = len(page_of(review_of_files(folders, SAMPLE)))
    assert 100_000 < size < 4_000_000 / 2


def test_a_picture_that_hardly_compresses_is_made_small_enough() -> None:
    noise = Image.effect_noise((500, 500), 90).convert("RGB")
    small, used = encoded_picture(noise, 20_000)
    assert len(small.data) <= 20_000
    assert used > 0
    assert encoded_picture(noise, 20_000, used) == (small, used)


def test_pictures_that_compress_alike_are_encoded_once_each(
    review: SharedReview, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def encoded(picture: Image.Image, budget: int, first: int = 0) -> tuple[PagePicture, int]:
        tried.append(first)
        return PagePicture(1, 1, bytes(budget - 1)), 2

    monkeypatch.setattr("collector.sharing.page_pictures.encoded_picture", encoded)
    page_of(review)
    assert tried == [0] + [2] * (len(tried) - 1)  # where less is left than the better try takes
    assert len(tried) > 1


def test_an_export_can_be_cancelled(review: SharedReview) -> None:
    with pytest.raises(ExportCancelled):
        page_of(review, ExportProgress(is_cancelled=lambda: True))
    shares: list[float] = []
    page_of(review, ExportProgress(lambda done, total: shares.append(done / max(1, total))))
    assert shares == sorted(shares)
    assert shares[-1] == 1


def test_the_script_uses_every_word_and_knows_no_other() -> None:
    script = "\n".join(path.read_text(encoding="utf-8") for path in PAGE_ASSETS.glob("*.js"))
    used = set(re.findall(r"words\.(\w+)", script))
    by_name = {"thought", "reply", "intention", "note", "problem", "added", "removed", "changed"}
    assert used | by_name == set(page_texts())


def test_the_script_never_writes_markup() -> None:
    for path in PAGE_ASSETS.glob("*.js"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|new Function", text
        ), path
        assert len(text.splitlines()) < 500

"""A project works in a folder of any name, in any script."""

from __future__ import annotations

import json
import shutil

import pytest

from collector.cli.main import main
from collector.model.resources import asset

FOLDER = "数据 ü 😀 'quoted' & spaced"


@pytest.mark.fault("F36")
def test_a_project_is_made_checked_exported_and_imported_in_a_folder_of_any_name(tmp_path, capsys):
    project, other = tmp_path / FOLDER / "项目", tmp_path / FOLDER / "другой"
    for folder in (project, other):
        assert main(["project", "new", str(folder)]) == 0
    sample = asset("sample")
    for name in ("tasks.yaml", "rules"):
        place = shutil.copytree if (sample / name).is_dir() else shutil.copy
        place(sample / name, project / name, **({"dirs_exist_ok": True} if name == "rules" else {}))
    shutil.copytree(sample / "trajectories" / "home-01", project / "trajectories" / "home-01")
    assert main(["project", "check", str(project), "--json"]) == 0
    exported = tmp_path / FOLDER / "экспорт"
    assert main(["project", "export", "aitk", str(exported), "--project", str(project)]) == 0
    assert main(["project", "import", str(exported), "--project", str(other)]) == 0
    capsys.readouterr()
    listed = []
    for folder in (project, other):
        assert main(["trajectory", "list", "--project", str(folder), "--json"]) == 0
        rows = json.loads(capsys.readouterr().out)["trajectories"]
        listed.append(sorted(row["steps"] for row in rows))
    assert listed[0] == listed[1] == [4, 5]

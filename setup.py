"""Ship ``assets/`` as the data of the package ``collector.assets``; pyproject.toml has everything else.

The source distribution and the wheel also carry scrcpy's server (packaging/scrcpy_server.py), and the wheel
the pages of the guide (packaging/guide_files.py).
"""

import sys
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "packaging"))
import guide_files  # noqa: E402
import scrcpy_server  # noqa: E402


def put_server(folder: Path) -> None:
    """Put scrcpy's server into a folder, or end the build with one sentence."""
    try:
        scrcpy_server.put(folder)
    except scrcpy_server.FetchError as error:
        sys.exit(f"error: {error}")


class BuildWithServer(build_py):
    """Put the server and the guide into the wheel, and not into a checkout that is installed as it stands."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            put_server(Path(self.build_lib, "collector", "assets", "scrcpy"))
            guide_files.copy(ROOT, Path(self.build_lib, "collector", "pages"))


class SourceWithServer(sdist):
    """Put the server into the source distribution, so that a wheel is built from it without a network."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        put_server(Path(base_dir, "assets", "scrcpy"))


setup(
    packages=[*find_packages(include=["studio*", "rule_editor*", "collector*"]), "collector.assets"],
    package_dir={"collector.assets": "assets"},
    package_data={"collector.assets": ["**/*"]},
    cmdclass={"build_py": BuildWithServer, "sdist": SourceWithServer},
)

"""Ship ``assets/`` as the data of the package ``collector.assets``; pyproject.toml has everything else."""

from setuptools import find_packages, setup

setup(
    packages=[*find_packages(include=["studio*", "rule_editor*", "collector*"]), "collector.assets"],
    package_dir={"collector.assets": "assets"},
    package_data={"collector.assets": ["**/*"]},
)

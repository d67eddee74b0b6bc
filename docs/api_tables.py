"""The parts of the library that the examples of docs/extending.md import, with their docstrings."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGES = ("extending.md", "guide/training-environments.md")
"""The pages whose examples say what is public."""
_FENCE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
_ROLE = re.compile(r":\w+:`~?([^`]+)`")
Named = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def public_parts() -> str:
    """A section for each module, with what is imported from it."""
    return "\n\n".join(
        f"## {module}\n\n{summary(module)}\n\n" + "\n\n".join(part(module, name) for name in sorted(names))
        for module, names in sorted(imported().items())
    )


def imported() -> dict[str, set[str]]:
    """The names that the examples import from the product, by module."""
    found: dict[str, set[str]] = {}
    for page in PAGES:
        for example in _FENCE.findall((ROOT / "docs" / page).read_text(encoding="utf-8")):
            for node in ast.walk(ast.parse(example)):
                module = node.module if isinstance(node, ast.ImportFrom) else None
                if (
                    isinstance(node, ast.ImportFrom)
                    and module
                    and module.startswith(("collector.", "studio."))
                ):
                    for alias in node.names:
                        whole = f"{module}.{alias.name}"
                        if is_module(whole):
                            found.setdefault(whole, set())
                        else:
                            found.setdefault(module, set()).add(alias.name)
    return found


def file_of(module: str) -> Path:
    """The source of a module."""
    folder = ROOT.joinpath(*module.split("."))
    return folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")


def is_module(name: str) -> bool:
    """Whether a dotted name is a module of the product."""
    return file_of(name).is_file()


@cache
def source(module: str) -> ast.Module:
    """The parsed source of a module."""
    return ast.parse(file_of(module).read_text(encoding="utf-8"))


def summary(module: str) -> str:
    """What the docstring of a module says."""
    return prose(ast.get_docstring(source(module)))


def prose(docstring: str | None) -> str:
    """A docstring as Markdown."""
    text = _ROLE.sub(r"`\1`", inspect.cleandoc(docstring or "")).replace("``", "`")
    return re.sub(r"(?<!\n)\n(?!\n|[-*] )", " ", text)


def part(module: str, name: str) -> str:
    """The section of one name."""
    body = source(module).body
    for node in body:
        if isinstance(node, Named) and node.name == name:
            return described(node)
    for node, doc in assignments(body):
        if target(node) == name:
            return f"### {name}\n\n`{ast.unparse(node)}`" + (f"\n\n{doc}" if doc else "")
    for node in body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            names = [ast.unparse(each) for each in node.targets[0].elts]
            if name in names and isinstance(node.value, ast.Tuple):
                return f"### {name}\n\n`{name} = {ast.unparse(node.value.elts[names.index(name)])}`"
    raise LookupError(f"{module} has no {name}")


def described(node: Named) -> str:
    """A class with its fields and methods, or a function."""
    lines = [f"### {node.name}", code(signature(node)), prose(ast.get_docstring(node))]
    if isinstance(node, ast.ClassDef):
        rows = [*fields(node), *methods(node)]
        lines.append("\n".join(rows))
    return "\n\n".join(line for line in lines if line)


def signature(node: Named) -> str:
    """The first line of a class or function."""
    if isinstance(node, ast.ClassDef):
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        made = [f"{node.name}({parameters(each)})" for each in node.body if is_called(each, "__init__")]
        return "\n".join([f"class {node.name}({bases})" if bases else f"class {node.name}", *made])
    answer = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    if any(ast.unparse(each) in ("property", "cached_property") for each in node.decorator_list):
        return f"{node.name}{answer.replace(' ->', ':')}"
    return f"{node.name}({parameters(node)}){answer}"


def is_called(node: ast.stmt, name: str) -> bool:
    """Whether a statement defines a function of this name."""
    return isinstance(node, ast.FunctionDef) and node.name == name


def parameters(node: ast.stmt) -> str:
    """What a function takes, without the object it belongs to."""
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return re.sub(r"^(self|cls)(, |$)", "", ast.unparse(node.args))


def fields(owner: ast.ClassDef) -> Iterator[str]:
    """The public attributes of a class, each with its default and what is said of it."""
    for node, doc in assignments(owner.body):
        if not target(node).startswith("_"):
            yield f"- `{ast.unparse(node)}`" + (f": {doc}" if doc else "")


def methods(owner: ast.ClassDef) -> Iterator[str]:
    """The public methods of a class."""
    for node in owner.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and not node.name.startswith("_"):
            doc = prose(ast.get_docstring(node)).replace("\n\n", " ")
            yield f"- `{signature(node)}`" + (f": {doc}" if doc else "")


def assignments(body: list[ast.stmt]) -> Iterator[tuple[ast.Assign | ast.AnnAssign, str]]:
    """Assignments to a name, each with the string that follows it."""
    for node, after in zip(body, [*body[1:], None], strict=True):
        if isinstance(node, ast.Assign | ast.AnnAssign) and target(node):
            is_doc = isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)
            text = after.value.value if is_doc else ""  # type: ignore[union-attr]
            yield node, prose(text).replace("\n\n", " ") if isinstance(text, str) else ""


def target(node: ast.Assign | ast.AnnAssign) -> str:
    """The name that is assigned to, if it is one name."""
    place = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
    return place.id if isinstance(place, ast.Name) else ""


def code(text: str) -> str:
    """A block of Python."""
    return f"```python\n{text}\n```"

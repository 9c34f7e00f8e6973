"""All perturbation rules: which there are, which are on, and the hash of each rule's code."""

from __future__ import annotations

import ast
import hashlib
import importlib
from collections.abc import Collection
from functools import cache
from pathlib import Path

from embsyntax.jobs import InputError
from embsyntax.perturbation.engine import DIMENSIONS, RULES, Rule

FAMILIES = sorted(
    path.stem
    for path in Path(__file__).parent.glob("*.py")
    if path.stem not in {"__init__", "engine", "catalogue"}
)
"""Modules of this package; importing one registers its rules."""

for family in FAMILIES:
    importlib.import_module(f"embsyntax.perturbation.{family}")


def list_rules(dimension: str | None = None) -> list[Rule]:
    """Return the rules, by dimension and name.

    Args:
        dimension: one of `DIMENSIONS`, or None for all.
    """
    found = [rule for rule in RULES.values() if dimension in (None, rule.dimension)]
    return sorted(found, key=lambda rule: (DIMENSIONS.index(rule.dimension), rule.name))


def choose_rules(
    dimensions: Collection[str], enable: Collection[str], disable: Collection[str]
) -> list[Rule]:
    """Return the rules that are on.

    Args:
        dimensions: whose rules are wanted.
        enable: rules that are on though they are off by default.
        disable: rules that are off though they are on by default.

    Returns:
        The rules by dimension and name.

    Raises:
        InputError: a name is unknown.
    """
    for name in [*enable, *disable]:
        if name not in RULES:
            raise InputError(
                f"config: unknown perturbation rule {name!r}; known: {', '.join(sorted(RULES))}"
            )
    return [
        rule
        for rule in list_rules()
        if rule.dimension in dimensions
        and rule.name not in disable
        and (rule.is_default or rule.name in enable)
    ]


@cache
def _definitions() -> dict[str, dict[str, ast.stmt]]:
    """Top-level definitions of each module of this package, without docstrings."""
    modules = {}
    for path in sorted(Path(__file__).parent.glob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        _strip_docstrings(tree)
        names: dict[str, ast.stmt] = {}
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                names[node.name] = node
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    for name in ast.walk(target):
                        if isinstance(name, ast.Name):
                            names[name.id] = node
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    names[alias.asname or alias.name] = node
        modules[path.stem] = names
    return modules


def _strip_docstrings(tree: ast.AST) -> None:
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [
                item
                for item in body
                if not (
                    isinstance(item, ast.Expr)
                    and isinstance(item.value, ast.Constant)
                    and isinstance(item.value.value, str)
                )
            ]


def _words_only(rule_node: ast.stmt) -> ast.stmt:
    """Leave out of a rule's decorator what cannot change its output: name, score, reasons."""
    if isinstance(rule_node, ast.FunctionDef):
        copy = ast.parse(ast.unparse(rule_node)).body[0]
        copy.decorator_list = []
        return copy
    return rule_node


def rule_code_hash(rule: Rule) -> str:
    """Hash of everything in this package that a rule's output depends on.

    The function of the rule and, transitively, the functions, classes and constants of this
    package that it names are hashed as syntax trees: comments, docstrings, layout and the words of
    its registration do not count.

    Args:
        rule: a registered rule.

    Returns:
        12 hexadecimal digits.
    """
    modules = _definitions()
    seen: set[tuple[str, str]] = set()
    waiting = [(rule.family, rule.function.__name__)]
    dumps = []
    while waiting:
        module, name = waiting.pop()
        if (module, name) in seen:
            continue
        seen.add((module, name))
        node = modules.get(module, {}).get(name)
        if node is None:
            continue
        if isinstance(node, ast.ImportFrom):
            source = (node.module or "").rpartition(".")
            if source[0] == "embsyntax.perturbation":
                original = next(a.name for a in node.names if (a.asname or a.name) == name)
                waiting.append((source[2], original))
            continue
        node = _words_only(node)
        dumps.append(f"{module}.{name} {ast.dump(node)}")
        waiting += [(module, item.id) for item in ast.walk(node) if isinstance(item, ast.Name)]
    return hashlib.sha256("\n".join(sorted(dumps)).encode()).hexdigest()[:12]

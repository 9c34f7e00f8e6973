"""The workflow as text: lint, format, naming, and what every rule must carry."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

VERBS = {
    "sample",
    "download",
    "extract",
    "build",
    "generate",
    "annotate",
    "filter",
    "split",
    "perturb",
    "train",
    "embed",
    "score",
    "tabulate",
    "plot",
    "compare",
    "audit",
    "balance",
}

AGGREGATES = {"all", "tables", "figures", "checkpoints", "triples"}

RULE_FILES = sorted((Path(__file__).resolve().parents[2] / "workflow/rules").glob("*.smk"))


def list_rules() -> list[tuple[Path, str, str]]:
    """(file, rule name, body) of every rule, read as text."""
    rules = []
    for path in RULE_FILES:
        parts = re.split(r"^(?:rule|checkpoint) (\w+):\n", path.read_text(), flags=re.MULTILINE)
        rules += [(path, *pair) for pair in zip(parts[1::2], parts[2::2], strict=True)]
    return rules


SCRIPT_RULES = [rule for rule in list_rules() if rule[1] not in AGGREGATES]


def run_tool(repository: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=repository,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    "command",
    [
        ("ruff", "check", "."),
        ("ruff", "format", "--check", "."),
        ("snakefmt", "--check", "Snakefile", "workflow"),
        ("snakemake", "--lint"),
    ],
    ids=["ruff", "ruff-format", "snakefmt", "lint"],
)
def test_tools_find_nothing(repository, command):
    result = run_tool(repository, *command)
    assert result.returncode == 0, result.stdout + result.stderr


def test_no_script_has_a_future_import(repository):
    """Snakemake puts its preamble first: a __future__ import would be a syntax error."""
    for path in (repository / "scripts").glob("*.py"):
        assert "from __future__" not in path.read_text(), path


def test_there_are_rules():
    assert len(SCRIPT_RULES) >= 10


@pytest.mark.parametrize(("path", "name", "body"), SCRIPT_RULES, ids=[r[1] for r in SCRIPT_RULES])
def test_every_rule_keeps_the_pattern(repository, path, name, body):
    assert name.split("_")[0] in VERBS, f"{name}: the first word is none of {VERBS}"
    assert body.lstrip().startswith('"""'), f"{name} has no docstring"
    for directive in ("output", "log", "benchmark", "conda", "threads", "resources", "params"):
        assert re.search(rf"^    {directive}:", body, re.MULTILINE), f"{name} has no {directive}:"
    assert f'"results/logs/{name}' in body, f"the log of {name} is not named after it"
    assert f'"results/benchmarks/{name}' in body, f"the benchmark of {name} is not named after it"
    assert f'"../../scripts/{name}.py"' in body, f"the script of {name} is not named after it"
    assert "code=code_version(" in body, f"{name} does not depend on its library code"
    for resource in ("mem_mb", "runtime"):
        assert re.search(rf"\b{resource}=", body), f"{name} has no {resource}"
    assert "lambda" not in body
    assert "    run:" not in body
    env = re.search(r'conda:\s+"\.\./\.\./(envs/\w+\.yaml)"', body)
    assert env, f"{name} names no env file"
    assert (repository / env[1]).is_file()
    assert (repository / "scripts" / f"{name}.py").is_file()


def test_every_script_has_a_rule(repository):
    names = {name for _, name, _ in SCRIPT_RULES}
    scripts = {path.stem for path in (repository / "scripts").glob("*.py")}
    assert scripts == names


def test_scripts_are_thin(repository):
    for path in (repository / "scripts").glob("*.py"):
        lines = len(path.read_text().splitlines())
        assert lines <= 60, f"{path.name} has {lines} lines; move logic to scripts/embsyntax"


def test_library_never_prints_or_hides_errors(repository):
    for path in (repository / "scripts").rglob("*.py"):
        text = path.read_text()
        assert not re.search(r"^\s*print\(", text, re.MULTILINE), path
        assert "trust_remote_code=True" not in text, path
        assert (
            not re.search(r"\bpickle\b", text.replace("no pickle", "")) or "weights" in path.stem
        ), path


def test_the_package_init_imports_nothing(repository):
    text = (repository / "scripts/embsyntax/__init__.py").read_text()
    assert re.fullmatch(r'""".*"""\n', text, re.DOTALL)


@pytest.mark.parametrize(
    "module", ["figures", "stats", "tables", "audit", "claims", "registry", "pairs"]
)
def test_light_modules_never_import_torch(repository, module):
    code = f"import sys; import embsyntax.{module}; sys.exit('torch' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=repository / "scripts",
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr


def test_every_output_is_explained_in_an_index(repository):
    index = (repository / "results/README.md").read_text() + (
        repository / "figures/README.md"
    ).read_text()
    for _, name, body in SCRIPT_RULES:
        outputs = re.search(r"^    output:\n(.*?)^    \w", body, re.MULTILINE | re.DOTALL)
        for file in re.findall(r'"((?:results|figures)/[^"]+)"', outputs[1]):
            assert f"`{file}`" in index, f"{file} ({name}) stands in no README index"

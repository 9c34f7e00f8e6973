"""The conda env files, held against what the scripts import: they are not isolated at run time.

Snakemake puts the controller's packages on the path of every job, so that a package that is missing
from an env file goes unnoticed on the controller's machine and fails elsewhere.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
SCRIPTS = REPOSITORY / "scripts"
LIBRARY = SCRIPTS / "embsyntax"
ENVS = {path.stem: path for path in sorted((REPOSITORY / "envs").glob("*.yaml"))}

PACKAGE_OF_IMPORT = {
    "huggingface_hub": "huggingface_hub",
    "sentence_transformers": "sentence-transformers",
    "sklearn": "scikit-learn",
    "torch": "pytorch",
    "yaml": "pyyaml",
    "snakemake": "snakemake-minimal",
}
"""Import names that differ from the conda name (all others are equal)."""

PIP_NAME = {"pytorch": "torch", "snakemake-minimal": "snakemake"}
"""Conda names that differ from the name in requirements.txt, but for case, `-` and `_`."""

NEEDED_WITHOUT_IMPORT = {
    "controller": {"pygments"},
    "generate": {"accelerate", "gguf"},
    "embed": {"accelerate", "safetensors", "sentencepiece"},
    "train": {"accelerate", "safetensors", "sentencepiece"},
}
"""Packages that others import for us: pygments for reports, the rest for weights and tokenizers."""

RULE = re.compile(r"^rule (\w+):\n((?:(?:    .*)?\n)+)", re.MULTILINE)


def list_rules() -> dict[str, tuple[str, Path]]:
    """Env family and script of each rule that has a script."""
    found = {}
    for path in sorted((REPOSITORY / "workflow/rules").glob("*.smk")):
        for name, body in RULE.findall(path.read_text(encoding="utf-8")):
            script = re.search(r'script:\s+"\.\./\.\./(scripts/\w+\.py)"', body)
            env = re.search(r'conda:\s+"\.\./\.\./envs/(\w+)\.yaml"', body)
            if script and env:
                found[name] = (env[1], REPOSITORY / script[1])
    return found


def imports_of(source: str) -> set[str]:
    """Modules that a source imports anywhere in it; those of the library with their full name."""
    modules = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            if node.module == "embsyntax":
                modules |= {f"embsyntax.{alias.name}" for alias in node.names}
            else:
                modules.add(node.module)
    return modules


def files_of(module: str) -> list[Path]:
    """Source of a library module; of one in a package all of them, as they register themselves."""
    path = LIBRARY.joinpath(*module.split(".")[1:]).with_suffix(".py")
    return [path] if path.parent == LIBRARY else sorted(path.parent.glob("*.py"))


def reachable_code(sources: list[str]) -> list[str]:
    """The sources and those of all library modules that they reach."""
    reached, queue, seen = [], list(sources), set()
    while queue:
        source = queue.pop()
        reached.append(source)
        for module in imports_of(source):
            if module.startswith("embsyntax.") and module not in seen:
                seen.add(module)
                queue += [path.read_text(encoding="utf-8") for path in files_of(module)]
    return reached


def packages_needed(sources: list[str]) -> set[str]:
    """Conda names of the packages that sources need, the library modules they reach included."""
    code = reachable_code(sources)
    names = {module.split(".")[0] for source in code for module in imports_of(source)}
    names -= {"embsyntax", "__future__", *sys.stdlib_module_names}
    packages = {PACKAGE_OF_IMPORT.get(name, name) for name in names}
    if any(re.search(r"\b(read|to)_parquet\(", source) for source in code):
        packages.add("pyarrow")
    return packages


def read_env(family: str) -> dict:
    return yaml.safe_load(ENVS[family].read_text(encoding="utf-8"))


def pins_of(family: str) -> dict[str, str]:
    """Conda name to version, `python` left out."""
    pins = {}
    for entry in read_env(family)["dependencies"]:
        match = re.fullmatch(r"([a-z0-9_.-]+) =([0-9][0-9A-Za-z.]*)", entry)
        assert match, f"envs/{family}.yaml: {entry!r} is no exact pin of the form `name =version`"
        pins[match[1]] = match[2]
    return {name: version for name, version in pins.items() if name != "python"}


def requirement_pins() -> dict[str, str]:
    """Normalised pip name to version, from requirements.txt."""
    lines = (REPOSITORY / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {normalise(name): version for name, version in pairs}


def normalise(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


RULES = list_rules()


def controller_sources() -> list[str]:
    """Code that runs in the controller: the Snakefile, the rules' Python, the recovery command."""
    common = (REPOSITORY / "workflow/rules/common.smk").read_text(encoding="utf-8")
    imports = re.findall(r"^(?:from|import) [^(\n]+(?:\([^)]*\))?$", common, re.MULTILINE)
    recovery = (LIBRARY / "recovery.py").read_text(encoding="utf-8")
    return ["\n".join(imports), recovery]


def test_every_rule_has_a_known_env():
    assert RULES
    assert {env for env, _ in RULES.values()} | {"controller"} == set(ENVS)


@pytest.mark.parametrize("rule", RULES)
def test_env_holds_every_import_of_the_script(rule):
    family, script = RULES[rule]
    needed = packages_needed([script.read_text(encoding="utf-8")])
    missing = sorted(needed - set(pins_of(family)))
    assert not missing, f"rule {rule}: add {', '.join(missing)} to envs/{family}.yaml"


def test_controller_env_holds_what_the_snakefile_imports():
    needed = packages_needed(controller_sources()) | {"snakemake-minimal"}
    assert needed <= set(pins_of("controller"))


@pytest.mark.parametrize("family", ENVS)
def test_env_is_as_small_as_possible(family):
    sources = [s.read_text(encoding="utf-8") for env, s in RULES.values() if env == family]
    if family == "controller":
        sources = controller_sources()
    needed = packages_needed(sources) | NEEDED_WITHOUT_IMPORT.get(family, set())
    needed |= {"snakemake-minimal"} if family == "controller" else set()
    unused = sorted(set(pins_of(family)) - needed)
    assert not unused, f"no rule of the family uses {', '.join(unused)}: drop it"


@pytest.mark.parametrize("family", ENVS)
def test_pins_equal_those_of_the_requirements(family):
    required = requirement_pins()
    for name, version in pins_of(family).items():
        pip_name = normalise(PIP_NAME.get(name, name))
        assert required.get(pip_name) == version, (
            f"envs/{family}.yaml pins {name} {version}; requirements.txt has "
            f"{pip_name} {required.get(pip_name)}"
        )


@pytest.mark.parametrize("family", ENVS)
def test_python_and_channels(family):
    env = read_env(family)
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    minor = project["requires-python"].removeprefix(">=")
    assert env["dependencies"][0] == f"python ={minor}"
    extra = ["bioconda"] if family == "controller" else []
    assert env["channels"] == ["conda-forge", *extra, "nodefaults"]
    names = [entry.split(" ")[0] for entry in env["dependencies"][1:]]
    assert names == sorted(names)


def test_imports_inside_functions_and_of_modules_count():
    source = "from embsyntax import jobs\ndef f():\n    import torch.nn\n    from . import other\n"
    assert imports_of(source) == {"embsyntax.jobs", "torch.nn"}
    assert "pytorch" in packages_needed([source])
    assert packages_needed(["import pandas\npandas.read_parquet('x')"]) == {"pandas", "pyarrow"}

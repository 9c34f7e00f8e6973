"""Validated config and catalogues, wildcard constraints, and the few input functions of the rules."""

import re
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

sys.path.append(str(Path(workflow.basedir) / "scripts"))

from embsyntax.external_index import list_external_models
from embsyntax.jobs import InputError
from embsyntax.registry import (
    code_version,
    own_pairs_sources,
    read_corpora,
    read_model_files,
    read_models,
    select,
)
from embsyntax.settings import convert_texts, read_schema, validate_config

try:
    schema_path = Path(workflow.basedir) / "workflow/schemas/config.schema.yaml"
    config.update(convert_texts(config, read_schema(schema_path)))
    validate_config(config, schema_path)
    SOURCES = {
        (source.source, source.file): source
        for source in (
            *read_corpora(config["corpora"]),
            *own_pairs_sources(config["own_pairs"]),
        )
    }
    MODELS = read_models(config["models_table"])
    MODEL_FILES = read_model_files(config["model_files"])
    EXTERNAL_FOLDERS = list_external_models(config["external_results"])
    SUITES = sorted({source.suite for source in SOURCES.values()})
    SCORED_SUITES = [
        *select(config["suites"], SUITES, "suite"),
        *sorted(config["own_pairs"]),
    ]
    SELECTED_MODELS = [
        model
        for model in select(config["models"], sorted(MODELS), "model")
        if model not in EXTERNAL_FOLDERS
    ]
    BASELINES = select(
        config["baselines"],
        sorted(m for m in MODELS if MODELS[m].backend == "baseline"),
        "baseline",
    )
    select([config["speed"]["model"]], sorted(MODELS), "model")
except InputError as error:
    raise WorkflowError(str(error)) from None

BOARD_MODELS = [*dict.fromkeys([*SELECTED_MODELS, *sorted(EXTERNAL_FOLDERS), *BASELINES])]
PROBING_MODELS = [model for model in SELECTED_MODELS if MODELS[model].backend != "baseline"]


def pattern(names):
    """A wildcard pattern for just these names; one that never matches when there are none."""
    return "|".join(re.escape(name) for name in sorted(names)) or "(?!)"


def models_of_backend(backend):
    """The catalogue's models of one backend, but for those whose results come from elsewhere."""
    return [
        name
        for name, model in MODELS.items()
        if model.backend == backend and name not in EXTERNAL_FOLDERS
    ]


LOCAL_MODELS_PATTERN = pattern(models_of_backend("sentence_transformers"))
ENDPOINT_MODELS_PATTERN = pattern(models_of_backend("endpoint"))
BASELINES_PATTERN = pattern(models_of_backend("baseline"))
EXTERNAL_MODELS_PATTERN = pattern(EXTERNAL_FOLDERS)


wildcard_constraints:
    source=pattern(source for source, file in SOURCES),
    file=pattern(file for source, file in SOURCES),
    suite=pattern(SUITES),
    model=pattern([*MODELS, *EXTERNAL_FOLDERS]),


SOURCE_COLUMNS = (
    "suite corpus format sentence1_column pairs score_max origin revision sha256"
).split()
MODEL_COLUMNS = (
    "source revision weights_revision pypi pooling prompt_policy similarity_prompt dtype max_tokens"
).split()


def columns_of(row, columns):
    """The cells of a catalogue row that can change a number, as sorted `column=value` strings."""
    return sorted(f"{column}={getattr(row, column)}" for column in columns)


def source_row(wildcards):
    """The catalogue row of one raw file."""
    return columns_of(SOURCES[wildcards.source, wildcards.file], SOURCE_COLUMNS)


def model_row(wildcards):
    """The catalogue row of one model and the checksums of its files."""
    files = MODEL_FILES.get(wildcards.model, [])
    return columns_of(MODELS[wildcards.model], MODEL_COLUMNS) + sorted(
        f"{file.file}={file.sha256}" for file in files
    )


def local_origin(wildcards):
    """The file that a `folder:` origin names, so that an edit of it is noticed."""
    source = SOURCES[wildcards.source, wildcards.file]
    return [source.origin_location] if source.origin_kind == "folder" else []


def local_model_files(wildcards):
    """The files of a model that lies in a local folder, so that an edit of them is noticed."""
    model = MODELS[wildcards.model]
    if model.source_kind != "folder":
        return []
    return sorted(str(path) for path in Path(model.location).rglob("*") if path.is_file())


def sources_of_suite(wildcards):
    """The catalogue rows of one suite, in their order."""
    return [source for source in SOURCES.values() if source.suite == wildcards.suite]


def suite_rows(wildcards):
    """The catalogue rows of one suite as strings."""
    return [
        cell
        for source in sources_of_suite(wildcards)
        for cell in (source.file, *columns_of(source, SOURCE_COLUMNS))
    ]


def raw_files_of_suite(wildcards):
    """The raw files of one suite, in the order of the catalogue."""
    return [
        f"results/corpora/{source.source}/raw/{source.file}"
        for source in sources_of_suite(wildcards)
    ]


def probing_similarities(wildcards):
    """The similarities of figure 1's sentences, a file for each selected embedding model."""
    return [
        f"results/similarities/probing_example/{model}/similarities.parquet"
        for model in PROBING_MODELS
    ]

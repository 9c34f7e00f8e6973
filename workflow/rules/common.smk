"""Validated config and catalogues, wildcard constraints, and the few input functions of the rules."""

import re
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

sys.path.append(str(Path(workflow.basedir) / "scripts"))

from embsyntax.external_index import list_external_models
from embsyntax.jobs import InputError
from embsyntax.own_triples import (
    choose_balance_baselines,
    PASSAGES_SUITE,
    read_own_triples,
    refuse_taken_triple_names,
    TRIPLES_SUITE,
)
from embsyntax.registry import (
    choose_sentence_files,
    code_version,
    REGENERATED_PREFIX,
    own_pairs_sources,
    read_corpora,
    read_language_models,
    read_model_files,
    read_models,
    refuse_missing_files,
    refuse_taken_names,
    refuse_unknown_models,
    select,
)
from embsyntax.settings import convert_texts, read_schema, validate_config

try:
    schema_path = Path(workflow.basedir) / "workflow/schemas/config.schema.yaml"
    config.update(convert_texts(config, read_schema(schema_path)))
    validate_config(config, schema_path)
    CORPORA = read_corpora(config["corpora"])
    refuse_taken_names(config["own_pairs"], CORPORA)
    OWN_PAIRS = own_pairs_sources(config["own_pairs"])
    refuse_missing_files([*CORPORA, *OWN_PAIRS])
    SOURCES = {(source.source, source.file): source for source in [*CORPORA, *OWN_PAIRS]}
    MODELS = read_models(config["models_table"])
    LANGUAGE_MODELS = read_language_models(config["language_models_table"])
    MODEL_FILES = read_model_files(config["model_files"])
    refuse_unknown_models(MODEL_FILES, {*MODELS, *LANGUAGE_MODELS}, config["model_files"])
    EXTERNAL_FOLDERS = list_external_models(config["external_results"])
    SUITES = sorted({source.suite for source in SOURCES.values() if source.pairs})
    SCORED_SUITES = [
        *select(config["suites"], SUITES, "suite"),
        *sorted(config["own_pairs"]),
    ]
    CHOSEN_MODELS = select(config["models"], sorted(MODELS), "model")
    BASELINES = select(
        config["baselines"],
        sorted(m for m in MODELS if MODELS[m].backend == "baseline"),
        "baseline",
    )
    OWN_TRIPLES = read_own_triples(config["own_triples"])
    refuse_taken_triple_names(
        OWN_TRIPLES, {source.suite for source in CORPORA}, config["own_pairs"]
    )
    BALANCE_BASELINES = choose_balance_baselines(config["triples"]["balance"]["baselines"], MODELS)
    select([config["speed"]["model"]], sorted(MODELS), "model")
    SENTENCE_FILES = choose_sentence_files(
        config["sentences"]["corpora"], SOURCES.values(), config["sr"]["corpora"]
    )
    SEED_FILES = choose_sentence_files(
        {"triples.seeds": config["triples"]["seeds"]}, SOURCES.values(), []
    )["triples.seeds"]
    SR_CORPORA = select(config["sr"]["corpora"], sorted(SENTENCE_FILES), "corpus of sr.corpora")
    RULES_CORPORA = select(
        [*SR_CORPORA, *config["sr"]["yield_corpora"]],
        sorted(SENTENCE_FILES),
        "corpus of sr.yield_corpora",
    )
    select(
        [config["parser"]],
        sorted(m for m in LANGUAGE_MODELS if LANGUAGE_MODELS[m].kind == "parser"),
        "parser",
    )
    GENERATORS = select(
        config["sr"]["generators"], ["rules", *sorted(config["generators"])], "generator"
    )
    ANNOTATORS = select(config["sr"]["annotators"], sorted(config["annotators"]), "annotator")
    select(config["validation"]["corpora"], SR_CORPORA, "corpus of validation.corpora")
except InputError as error:
    raise WorkflowError(str(error)) from None

EXTERNAL_MODELS = [model for model in sorted(EXTERNAL_FOLDERS) if model not in BASELINES]
BOARD_MODELS = [*dict.fromkeys([*CHOSEN_MODELS, *EXTERNAL_MODELS, *BASELINES])]
SELECTED_MODELS = [model for model in CHOSEN_MODELS if model not in EXTERNAL_FOLDERS]
REGENERATED_SUITES = [f"{REGENERATED_PREFIX}{generator}" for generator in GENERATORS]
BOARD_SUITES = [*SCORED_SUITES, *REGENERATED_SUITES]
TRIPLE_SUITES = [TRIPLES_SUITE, *OWN_TRIPLES]
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
SCORED_PAIRS_PATTERN = pattern([*SUITES, *REGENERATED_SUITES])
TRIPLE_BOARDS_PATTERN = pattern([*TRIPLE_SUITES, PASSAGES_SUITE])


wildcard_constraints:
    source=pattern(source for source, file in SOURCES),
    file=pattern(file for source, file in SOURCES),
    suite=pattern([*SUITES, *REGENERATED_SUITES, *TRIPLE_SUITES, PASSAGES_SUITE]),
    corpus=pattern(SENTENCE_FILES),
    language_model=pattern(LANGUAGE_MODELS),
    model=pattern([*MODELS, *EXTERNAL_FOLDERS]),


SOURCE_COLUMNS = (
    "suite corpus format sentence1_column pairs score_max origin revision sha256"
).split()
SENTENCE_COLUMNS = "format sentence_columns split licence origin revision sha256".split()
LANGUAGE_MODEL_COLUMNS = "kind source revision sha256 pypi files".split()
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
    return columns_of(MODELS[wildcards.model], MODEL_COLUMNS) + pinned_files(wildcards.model)


def language_model_row(wildcards):
    """The catalogue row of one language model and the checksums of its files."""
    name = wildcards.language_model
    return columns_of(LANGUAGE_MODELS[name], LANGUAGE_MODEL_COLUMNS) + pinned_files(name)


def pinned_files(name):
    """The checksums of a model's files, as sorted `file=sha256` strings."""
    return sorted(f"{file.file}={file.sha256}" for file in MODEL_FILES.get(name, []))


def local_origin(wildcards):
    """The file that a `folder:` origin names, so that an edit of it is noticed."""
    source = SOURCES[wildcards.source, wildcards.file]
    return [source.origin_location] if source.origin_kind == "folder" else []


def local_model_files(wildcards):
    """The files of a model that lies in a local folder, so that an edit of them is noticed."""
    return files_of_folder(MODELS[wildcards.model])


def local_language_model_files(wildcards):
    """The same for a language model."""
    return files_of_folder(LANGUAGE_MODELS[wildcards.language_model])


def files_of_folder(model):
    """The files of a model whose source is a local folder; none for any other source."""
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


def raw_files(sources):
    """The paths of raw files."""
    return [f"results/corpora/{source.source}/raw/{source.file}" for source in sources]


def kind_of_suite(wildcards):
    """How a suite is scored: a key of `embsyntax.scoring.SCORINGS`."""
    if wildcards.suite == PASSAGES_SUITE:
        return "passages"
    return "triples" if wildcards.suite in TRIPLE_SUITES else "pairs"


def raw_files_of_suite(wildcards):
    """The raw files of one suite, in the order of the catalogue."""
    return raw_files(sources_of_suite(wildcards))


def own_triples_file(wildcards):
    """The user's own file of triples."""
    return OWN_TRIPLES[wildcards.suite].path


def own_triples_columns(wildcards):
    """What the config says of it, as sorted `key=value` strings."""
    return columns_of(OWN_TRIPLES[wildcards.suite], "format anchor paraphrase trap type".split())


def probing_similarities(wildcards):
    """The similarities of figure 1's sentences, a file for each selected embedding model."""
    return [
        f"results/similarities/probing_example/{model}/similarities.parquet"
        for model in PROBING_MODELS
    ]


def sentence_files_of_corpus(wildcards):
    """The raw files that give a corpus its sentences, in the order of the config."""
    return raw_files(SENTENCE_FILES[wildcards.corpus].files)


def excluded_files_of_corpus(wildcards):
    """The raw files whose texts a corpus must not hold, in the order of the config."""
    return raw_files(SENTENCE_FILES[wildcards.corpus].without)


def sentence_rows_of_corpus(wildcards):
    """The catalogue rows of the raw files of a corpus as strings."""
    chosen = SENTENCE_FILES[wildcards.corpus]
    return [
        cell
        for source in (*chosen.files, *chosen.without)
        for cell in (source.path, *columns_of(source, SENTENCE_COLUMNS))
    ]


def score_annotator(wildcards):
    """Whose scores count for the pairs of a generator."""
    return config["sr"]["score_by"].get(wildcards.generator, "rules")


def annotators_of_generator(wildcards):
    """The annotators of a generator's pairs: those of the config, and whose scores count."""
    names = [*config["sr"]["annotators"], score_annotator(wildcards)]
    return [name for name in dict.fromkeys(names) if name != "rules"]


def annotation_files(wildcards):
    """The annotations of a generator's candidates on one corpus."""
    return [
        f"results/sr/annotations/{wildcards.generator}/{annotator}/{wildcards.corpus}.parquet"
        for annotator in annotators_of_generator(wildcards)
    ]


def validation_sheets(wildcards):
    """The filled sheets of a generator's sample; none until people have filled them."""
    return config["validation"]["sheets"].get(wildcards.generator, [])


def bracketed_trees(wildcards):
    """The file of constituency trees of a corpus, if the config names one."""
    path = config["tree_kernel"]["bracketed"].get(wildcards.corpus)
    return [path] if path else []


def seed_files(wildcards):
    """The raw files that give seeds, in the order of the config."""
    return raw_files(SEED_FILES.files)


def given_seed_files(wildcards):
    """The raw files whose texts no seed may equal, in the order of the config."""
    return raw_files(SEED_FILES.without)


def seed_rows(wildcards):
    """The catalogue rows of both as strings."""
    return [
        cell
        for source in (*SEED_FILES.files, *SEED_FILES.without)
        for cell in (source.path, *columns_of(source, SENTENCE_COLUMNS))
    ]


def filtered_by_second_generator(wildcards):
    """The filtered candidates of the second generator of triples; refused where there is none."""
    generator = config["triples"]["second_generator"]
    if generator is None:
        raise WorkflowError(
            "config key triples.second_generator: null, so there is no xgen_test; allowed: a name "
            "of `generators`. Name one, or leave this target out."
        )
    return f"results/triples/filtered/{generator}.parquet"


def dataset_generators(wildcards):
    """What the card says of each generator of triples that is a language model."""
    shown = ("backend", "model", "revision", "temperature", "top_p", "max_tokens")
    return {
        name: {key: getattr(CHAT_GENERATORS[name], key) for key in shown}
        for name in TRIPLE_GENERATORS
        if name in CHAT_GENERATORS
    }


def dataset_description(wildcards):
    """What the card says of the run as a whole."""
    is_example = config["triples"]["people"]["is_example"]
    return {
        "has_votes": bool(config["triples"]["people"]["votes"]) and not is_example,
        "is_example": is_example,
        "repository": config["triples"]["dataset"]["repository"],
        "title": config["triples"]["dataset"]["title"],
        "track_note": config["track_note"],
    }


def judge_files(wildcards):
    """Folder and manifest of a judge: what was trained here, or the files of the model."""
    judge = JUDGES[wildcards.judge]
    if judge.base:
        folder = f"results/judges/{judge.name}"
        return {"model": f"{folder}/model", "manifest": f"{folder}/manifest.json"}
    folder = f"results/language_models/{judge.model}"
    return {"model": f"{folder}/snapshot", "manifest": f"{folder}/manifest.json"}


def base_files(wildcards):
    """Folder and manifest of the encoder that a judge is trained from."""
    folder = f"results/models/{JUDGES[wildcards.judge].base}"
    return {"snapshot": f"{folder}/snapshot", "base_manifest": f"{folder}/manifest.json"}


def labelled_files(wildcards):
    """Raw files of labelled pairs that a judge learns from."""
    return raw_files(JUDGES[wildcards.judge].files)


def labelled_names(wildcards):
    """The same as the config names them."""
    return [source.path for source in JUDGES[wildcards.judge].files]


def labelled_rows(wildcards):
    """Their catalogue rows and that of the dev file as strings."""
    judge = JUDGES[wildcards.judge]
    rows = (*judge.files, judge.dev_file)
    return [cell for row in rows for cell in (row.path, *columns_of(row, SENTENCE_COLUMNS))]


def dev_file(wildcards):
    """Raw file of the pairs that choose the epoch."""
    return raw_files([JUDGES[wildcards.judge].dev_file])[0]


def rule_candidates(wildcards):
    """What the rules made of the sentences that pairs are made of."""
    return expand(
        "results/sr/candidates/rules/{corpus}.parquet",
        corpus=JUDGES[wildcards.judge].train["rule_corpora"],
    )


def rule_limits(wildcards):
    """How many pairs are made of them."""
    train = JUDGES[wildcards.judge].train
    return {**train["rule_pairs"], "seed": train["seed"]}


def train_settings(wildcards):
    """Settings of a training."""
    return JUDGES[wildcards.judge].train

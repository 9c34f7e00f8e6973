"""Language models of the config that write and judge: their settings, files and resources."""

from embsyntax.chat_settings import PERTURBATIONS, check_sr_settings, read_chat_models

try:
    check_sr_settings(config, SR_CORPORA)
    CHAT_GENERATORS = read_chat_models(config, "generators", LANGUAGE_MODELS)
    CHAT_ANNOTATORS = read_chat_models(config, "annotators", LANGUAGE_MODELS)
    MEASURED_ANNOTATORS = select(
        config["agreement"]["annotators"], list(CHAT_ANNOTATORS), "annotator of agreement"
    )
    DRAFT_GENERATORS = select(
        config["sr"]["draft_generators"], list(CHAT_GENERATORS), "generator of sr.draft_generators"
    )
    select([config["fluency"]["language_model"]], sorted(LANGUAGE_MODELS), "language model")
except InputError as error:
    raise WorkflowError(str(error)) from None

ANSWERING = (
    "answers",
    "chat_backends",
    "chat_endpoint",
    "chat_settings",
    "json_scanner",
    "language_models",
    "prompts",
    "replies",
)


wildcard_constraints:
    annotator=pattern(config["annotators"]),
    generator=pattern(["rules", *config["generators"]]),
    perturbation=pattern(PERTURBATIONS),
    shard=r"\d+",


def language_model_files(settings):
    """Folder and manifest of a language model that runs here; nothing for a server."""
    if settings is None or not settings.is_local:
        return []
    folder = f"results/language_models/{settings.model}"
    return [f"{folder}/snapshot", f"{folder}/manifest.json"]


def generator_files(wildcards):
    """Files of a generator's language model."""
    return language_model_files(CHAT_GENERATORS[wildcards.generator])


def generator_gpus(wildcards):
    """GPUs that a generator can use."""
    return int(CHAT_GENERATORS[wildcards.generator].is_local)


def generator_settings(wildcards):
    """Settings of a generator that can change its answers."""
    return CHAT_GENERATORS[wildcards.generator].result_settings()


def generator_shards(wildcards):
    """Number of jobs that share the work of a generator."""
    return CHAT_GENERATORS[wildcards.generator].shards


def generator_answers(wildcards):
    """Files of all perturbations and shards of a generator on one corpus."""
    return expand(
        "results/sr/answers/{generator}/{corpus}/{perturbation}/{shard}.parquet",
        generator=wildcards.generator,
        corpus=wildcards.corpus,
        perturbation=PERTURBATIONS,
        shard=range(generator_shards(wildcards)),
    )


def prompt_file(wildcards):
    """Prompt of a perturbation."""
    return config["prompts"][wildcards.perturbation]


def annotator_files(wildcards):
    """Files of an annotator's language model."""
    return language_model_files(CHAT_ANNOTATORS.get(wildcards.annotator))


def annotator_gpus(wildcards):
    """GPUs that an annotator can use."""
    settings = CHAT_ANNOTATORS.get(wildcards.annotator)
    return int(settings is not None and settings.is_local)


def annotator_settings(wildcards):
    """Settings of an annotator that can change its scores."""
    settings = CHAT_ANNOTATORS.get(wildcards.annotator)
    return settings.result_settings() if settings else ["backend=rules"]


def is_second_generator(wildcards):
    """Whether a generator gets the seeds of the test split alone."""
    return wildcards.generator == config["triples"]["second_generator"]


def triple_answers(wildcards):
    """Files of all shards of a generator's answers."""
    return expand(
        "results/triples/answers/{generator}/{shard}.parquet",
        generator=wildcards.generator,
        shard=range(generator_shards(wildcards)),
    )

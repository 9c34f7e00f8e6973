rule download_corpus:
    """Get one raw file from a mirror or its origin; its sha256 decides."""
    input:
        local_origin,
    output:
        raw="results/corpora/{source}/raw/{file}",
    log:
        "results/logs/download_corpus/{source}/{file}.log",
    benchmark:
        "results/benchmarks/download_corpus/{source}/{file}.tsv"
    conda:
        "../../envs/data.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=30,
    params:
        code=code_version("sources"),
        row=source_row,
    script:
        "../../scripts/download_corpus.py"


rule extract_sentences:
    """Take the distinct sentences of a corpus out of its raw files; count what is not taken."""
    input:
        excluded=excluded_files_of_corpus,
        files=sentence_files_of_corpus,
    output:
        sentences="results/corpora/{corpus}/sentences.parquet",
        drops="results/corpora/{corpus}/drops.tsv",
    log:
        "results/logs/extract_sentences/{corpus}.log",
    benchmark:
        "results/benchmarks/extract_sentences/{corpus}.tsv"
    conda:
        "../../envs/data.yaml"
    threads: 1
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        code=code_version("corpora", "pairs"),
        max_words=config["sentences"]["max_words"],
        min_words=config["sentences"]["min_words"],
        source_rows=sentence_rows_of_corpus,
    script:
        "../../scripts/extract_sentences.py"


rule extract_parses:
    """Parse the sentences of a corpus; a parse is kept by its text, so that a rerun parses only new ones."""
    input:
        sentences="results/corpora/{corpus}/sentences.parquet",
        snapshot=f"results/language_models/{config['parser']}/snapshot",
        manifest=f"results/language_models/{config['parser']}/manifest.json",
    output:
        parses="results/corpora/{corpus}/parses.spacy",
    log:
        "results/logs/extract_parses/{corpus}.log",
    benchmark:
        "results/benchmarks/extract_parses/{corpus}.tsv"
    conda:
        "../../envs/language.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=60,
    params:
        code=code_version("parses"),
    script:
        "../../scripts/extract_parses.py"

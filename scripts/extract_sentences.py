"""Take the distinct sentences of a corpus out of its raw files, and count what is not taken."""

from pathlib import Path

from embsyntax.corpora import SentenceLimits, extract_sentences
from embsyntax.jobs import open_job_log, write_atomic, write_tsv
from embsyntax.registry import read_corpora

with open_job_log(snakemake) as log:
    corpus = snakemake.wildcards.corpus
    sources = {source.path: source for source in read_corpora(snakemake.config["corpora"])}
    chosen = snakemake.config["sentences"]["corpora"][corpus]
    sentences, drops = extract_sentences(
        corpus,
        files=zip(map(Path, snakemake.input.files), map(sources.get, chosen["files"]), strict=True),
        excluded=zip(
            map(Path, snakemake.input.excluded), map(sources.get, chosen["without"]), strict=True
        ),
        limits=SentenceLimits(snakemake.params.min_words, snakemake.params.max_words),
    )
    with write_atomic(snakemake.output.sentences) as partial:
        sentences.to_parquet(partial, index=False)
    write_tsv(drops, snakemake.output.drops)
    dropped = ", ".join(f"{n} {reason}" for reason, n in zip(drops.reason, drops.n, strict=True))
    log.info("%d sentences of corpus %s; not taken: %s", len(sentences), corpus, dropped)

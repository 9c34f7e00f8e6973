"""Made-up tables of a run of the triples, small, with the texts that break cards."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from embsyntax.dataset_card import RunFacts, render_card
from embsyntax.dataset_folder import Part, RunTables, collect_parts, list_checksums, write_part
from embsyntax.registry import read_corpora, read_language_models, read_models
from embsyntax.trap_types import read_trap_types

REPOSITORY = Path(__file__).resolve().parents[1]

NASTY = 'a "b": |c| <script>d</script>\n*e* `f` [g](h) _i_ \\ yes'

OUTCOMES = ("request_failed", "skipped", "unparsed", "edit_check_failed", "paraphrase_rejected")
OUTCOMES += ("trap_rejected", "low_overlap", "too_many_new_words", "kept")


def make_seeds(n: int = 8) -> pd.DataFrame:
    """Seeds of two sources: even numbers stand in a passage, odd ones alone."""
    rows = []
    for number in range(n):
        text = f"The young lawyer thanked the old judge {number} times."
        context = f"It rained. {text} They left." if number % 2 == 0 else text
        start = context.index(text)
        file = "xquad/xquad.en.json" if number % 2 == 0 else "sick/SICK_test_annotated.txt"
        rows.append(
            {
                "seed_id": f"s{number}",
                "text": text,
                "source": file.split("/")[0],
                "has_number": True,
                "context": context,
                "start": start,
                "end": start + len(text),
                "context_sentences": 3 if number % 2 == 0 else 1,
                "file": file,
                "split": "test",
                "licence": "CC-BY-SA-4.0" if number % 2 == 0 else "CC-BY-NC-SA-3.0",
            }
        )
    return pd.DataFrame(rows)


def make_filtered(seeds: pd.DataFrame, generator: str, judge: str = "made_judge") -> pd.DataFrame:
    """One generation per seed and type; every third is rejected and one has no judgement."""
    rows = []
    for number, seed in enumerate(seeds.itertuples()):
        for place, trap_type in enumerate(("role_swap", "negation")):
            is_kept = (number + place) % 3 > 0
            is_made = (number + place) % 3 < 2 or is_kept
            trap = seed.text.replace("thanked", "did not thank")
            rows.append(
                {
                    "candidate_id": f"{generator}:{seed.seed_id}:{trap_type}",
                    "generator": generator,
                    "judge": judge,
                    "seed_id": seed.seed_id,
                    "type": trap_type,
                    "anchor": seed.text,
                    "paraphrase": seed.text.replace("thanked", "gave thanks to"),
                    "trap": trap if is_made else None,
                    "status": "made",
                    "nli_para_forward": 0.9 if is_kept else None,
                    "nli_para_backward": 0.8 if is_kept else None,
                    "nli_para": 0.8 if is_kept else None,
                    "nli_trap_forward": 0.1 if is_kept else None,
                    "nli_trap_backward": 0.2 if is_kept else None,
                    "nli_trap": 0.1 if is_kept else None,
                    "overlap": 0.9,
                    "new_words": 2 if is_kept else None,
                    "kept": is_kept,
                    "reason": "kept" if is_kept else NASTY,
                    "edit_reason": "",
                    "detail": "",
                    "n_attempts": 1,
                }
            )
    return pd.DataFrame(rows)


def make_triples(filtered: pd.DataFrame, seeds: pd.DataFrame) -> pd.DataFrame:
    """The kept rows, with their split: seeds 0-3 train, 4-5 dev, 6-7 test."""
    kept = filtered[filtered["kept"]].rename(columns={"candidate_id": "id"})
    kept = kept.merge(seeds[["seed_id", "source", "licence"]], on="seed_id")
    number = kept["seed_id"].str[1:].astype(int)
    split = number.map(lambda n: "train" if n < 4 else "dev" if n < 6 else "test")
    kept = kept.assign(split=split, is_filtered=kept["type"] != "role_swap")
    columns = "id type anchor paraphrase trap split seed_id source licence generator judge"
    return kept[[*columns.split(), "is_filtered"]].reset_index(drop=True)


def make_tables(with_all: bool = True) -> RunTables:
    """Tables of a whole run; without `with_all` a run that kept nothing."""
    seeds = make_seeds()
    filtered = make_filtered(seeds, "rules")
    triples = make_triples(filtered, seeds)
    second = make_filtered(seeds.iloc[6:], "smollm2")
    xgen = make_triples(second, seeds).drop(columns="split")
    passages = pd.DataFrame(
        [
            (
                row.id,
                row.type,
                row.seed_id,
                row.paraphrase,
                "It rained. X.",
                "It rained. Y.",
                11,
                13,
            )
            for row in triples[triples["split"] == "test"].itertuples()
            if row.source == "xquad"
        ],
        columns=["id", "type", "seed_id", "query", "original", "twin", "start", "end"],
    )
    human = pd.DataFrame(
        {
            "id": ["h1", "h2"],
            "type": ["negation", "role_swap"],
            "anchor": [seeds["text"][0], "A sentence of a person."],
            "paraphrase": ["One person's sentence.", NASTY],
            "trap": ["No sentence of a person.", "A person of a sentence."],
            "author": ["p1", "yes"],
            "yes": [2, 1],
            "no": [0, 1],
        }
    )
    balance = pd.concat(
        [
            triples.loc[triples["split"] != "train", ["id", "split"]].rename(
                columns={"split": "set"}
            ),
            xgen[["id"]].assign(set="xgen_test"),
        ],
        ignore_index=True,
    )
    balance["is_balanced"] = [n % 2 == 0 for n in range(len(balance))]
    pairs = pd.DataFrame(
        {
            "pair_id": [f"p{n}" for n in range(6)],
            "generator": "rules",
            "corpus": ["stsb", "sickr"] * 3,
            "dimension": ["structure", "relation", "lexical"] * 2,
            "perturbation": "voice",
            "rule": ["passive", "swap", None] * 2,
            "sentence_id": ["stsb:1", "sickr:1"] * 3,
            "sentence1": "The dog bit the man.",
            "sentence2": [f"The man was bitten by the dog {n}." for n in range(6)],
            "score": pd.array([5, 1, 3, 4, 0, 2], dtype="Int64"),
            "score_rules": 5,
            "is_validated": False,
        }
    )
    sentences = pd.DataFrame(
        {
            "sentence_id": ["stsb:1", "sickr:1"],
            "text": "The dog bit the man.",
            "source": ["stsbenchmark/sts-test.csv", "sick/SICK_test_annotated.txt"],
            "split": "test",
            "licence": [
                "CC-BY-SA-4.0 (terms per source in LICENSE.txt of the release)",
                "CC-BY-NC-SA-3.0",
            ],
        }
    )
    splits = pd.DataFrame(
        {
            "seed_id": seeds["seed_id"],
            "split": ["train"] * 4 + ["dev"] * 2 + ["test"] * 2,
            "reason": "hash of the text",
        }
    )
    if with_all:
        return RunTables(
            triples, seeds, splits, [filtered, second], passages, human, xgen, balance,
            {"rules": pairs}, sentences,
        )  # fmt: skip
    none = [frame.iloc[:0] for frame in (passages, human, xgen, balance)]
    return RunTables(
        triples.iloc[:0], seeds, splits, [filtered.assign(kept=False)], *none,
        {"rules": pairs.iloc[:0]}, sentences,
    )  # fmt: skip


def make_statistics(tables: RunTables) -> pd.DataFrame:
    """Statistics that add up: everything that was not kept counts as a rejected trap."""
    rows = []
    for filtered in tables.filtered:
        generator = filtered["generator"].iloc[0]
        groups = {**dict(list(filtered.groupby("type"))), "all": filtered}
        for trap_type, part in groups.items():
            counts = dict.fromkeys(OUTCOMES, 0)
            counts["kept"] = int(part["kept"].sum())
            counts["trap_rejected"] = len(part) - counts["kept"]
            rate = counts["kept"] / len(part)
            is_filtered = trap_type != "role_swap"
            start = (generator, "made_judge", trap_type, len(part))
            rows.append((*start, *counts.values(), rate, is_filtered))
    columns = ["generator", "judge", "trap_type", "generated", *OUTCOMES, "keep_rate"]
    columns.append("is_filtered")
    return pd.DataFrame(rows, columns=columns)


def make_facts(tables: RunTables, **changes: object) -> RunFacts:
    """Facts of a run whose main generator are the rules and whose second one is a model."""
    has_rows = len(tables.triples) > 0
    values = {
        "title": f"Triples {NASTY}",
        "repository": "https://example.org/a (b)",
        "track_note": NASTY,
        "triples": {
            "generator": "rules",
            "second_generator": "smollm2",
            "judge": "made_judge",
            "judges": {
                "made_judge": {
                    "base": "all-MiniLM-L6-v2",
                    "train": {
                        "files": ["sick/SICK_train.txt"],
                        "dev_file": "sick/SICK_trial.txt",
                        "rule_corpora": ["stsb"],
                        "epochs": 4,
                    },
                }
            },
            "seeds": {"limits": {"min_words": 8, "max_words": 30}},
            "split": {
                "train": 0.8,
                "dev": 0.1,
                "test": 0.1,
                "train_only": ["stsbenchmark/sts-train.csv"],
            },
            "generate": {"n_candidates": 4},
            "filter": {
                "min_paraphrase": 0.7,
                "max_trap": 0.5,
                "min_overlap": 0.7,
                "max_new_words": 4,
                "max_false_accept": 0.3,
            },
            "balance": {"limit": 0.05},
        },
        "generators": {
            "smollm2": {
                "backend": "transformers",
                "model": "smollm2-135m-instruct",
                "revision": "",
                "temperature": 0.7,
                "top_p": 0.95,
                "max_tokens": 200,
            }
        },
        "trap_types": read_trap_types(REPOSITORY / "config/trap_types.tsv"),
        "sources": read_corpora(REPOSITORY / "config/corpora.tsv"),
        "models": read_models(REPOSITORY / "config/models.tsv"),
        "language_models": read_language_models(REPOSITORY / "config/language_models.tsv"),
        "prompt": "Trap type: {name}\n```\n{% block %}\n",
        "statistics": make_statistics(tables),
        "judges": pd.DataFrame(
            {
                "judge": "made_judge",
                "metric": ["sick_test_accuracy", "false_accept_rate"],
                "trap_type": ["", "role_swap"],
                "value": [0.867, None],
                "ci_low": [0.85, None],
                "ci_high": [0.88, None],
                "n": [4906, 0],
                "reason": ["", NASTY],
            }
        ),
        "leakage": pd.DataFrame(
            {
                "check": ["same source", "same passage"],
                "split": "test",
                "other": "train",
                "n": [2, 1],
                "n_leaked": [0, 1],
                "is_forbidden": [True, False],
            }
        ),
        "baselines": pd.DataFrame(
            {
                "group": ["negation", "all"],
                "baseline": "word_overlap",
                "n": [2, 2],
                "accuracy": [0.1, 0.1],
                "n_balanced": [0, 0],
                "accuracy_balanced": [None, None],
            }
        ).iloc[: None if has_rows else 0],
        "passage_drops": pd.DataFrame(
            {"reason": ["no passage around the sentence", "trap with a line break"], "n": [3, 0]}
        ),
        "regenerated": ["rules"],
        "has_votes": False,
        "is_example": False,
    }
    return RunFacts(**{**values, **changes})


def write_dataset(folder: Path, tables: RunTables, facts: RunFacts) -> list[Part]:
    """Write a dataset folder as the rule does."""
    template = (REPOSITORY / "workflow/report/dataset_card.md.jinja").read_text(encoding="utf-8")
    parts = collect_parts(tables)
    sizes = {part.path: write_part(part, folder / part.path) for part in parts}
    card = render_card(template, parts, sizes, facts)
    (folder / "README.md").write_text(card, encoding="utf-8")
    (folder / "SHA256SUMS").write_text(list_checksums(folder, ["README.md", *sizes]))
    return parts

"""The dataset folder as tasks of MTEB, so that `mteb` runs any of its models on it, offline.

Regenerated SR pairs are semantic similarity tasks, one per generator and dimension with a subset
per corpus. MTEB has no task for triples: `TripleTask` is one, with a subset per trap type; passages
are triples of a query, its passage and the flipped twin. The mean that MTEB takes over the subsets
is the unweighted mean of our tables. All texts are encoded alike, whether query or passage, and
cosines are rounded before they are compared, so that scores are those of this repository.

Needs the packages of `envs/mteb.txt`; no rule of the workflow imports this module.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from datasets import Dataset, DatasetDict, get_dataset_config_names, load_dataset
from mteb.abstasks.abstask import AbsTask
from mteb.abstasks.sts import AbsTaskSTS
from mteb.abstasks.task_metadata import TaskMetadata
from sklearn.metrics import roc_auc_score
from torch.utils.data import DataLoader

from embsyntax.jobs import InputError
from embsyntax.registry import REGENERATED_PREFIX
from embsyntax.similarities import pair_cosines, round_similarities

COSINE_DECIMALS = 6
"""Decimals that cosines are rounded to before they are compared: `scores.cosine_decimals`."""

MINIMUM_PAIRS = 3
"""Fewest pairs that a correlation is defined for, as in `embsyntax.stats`."""

LANGUAGE = "eng-Latn"
WHOLE = "all"
"""Subset of a task that has but one."""

TRIPLE_SETS = (
    ("default", "dev"),
    ("default", "test"),
    ("xgen_test", "test"),
    ("human_test", "test"),
)
"""Configs and splits of triples that are scored; train is for training."""

PASSAGE_SET = ("passage_test", "test")

TRIPLE_ACCURACY, PASSAGE_ACCURACY, SPEARMAN = (
    "triple_accuracy",
    "passage_accuracy",
    "cosine_spearman",
)


class FolderTask(AbsTask):
    """What the tasks share: their rows come from one split of the folder, group by group.

    Attributes:
        folder: the dataset folder.
        config: config of the folder.
        split: split of the config.
        wanted: column -> value that rows must have.
        group: column whose values are the subsets; `""` for one subset.
    """

    folder: str
    config: str
    split: str
    wanted: Mapping[str, Any]
    group: str

    def load_data(self, num_proc: int | None = None, **kwargs: Any) -> None:
        """Read the rows of the folder; nothing is downloaded.

        Args:
            num_proc: left alone; the files are small.
            **kwargs: likewise.
        """
        if self.data_loaded:
            return
        rows = load_rows(self.folder, self.config, self.split, self.wanted)
        self.dataset = {
            subset: DatasetDict({self.split: part})
            for subset, part in group_rows(rows, self.group).items()
        }
        self.data_loaded = True

    def _calculate_descriptive_statistics_from_split(
        self, split: str, *, hf_subset: str | None = None, **kwargs: Any
    ) -> dict[str, int]:
        subsets = [hf_subset] if hf_subset else list(self.dataset)
        return {"num_samples": sum(len(self.dataset[name][split]) for name in subsets)}

    def _push_dataset_to_hub(self, repo_name: str, **kwargs: Any) -> None:
        raise NotImplementedError("upload the folder as it is; see its card")


class RegeneratedPairsTask(FolderTask, AbsTaskSTS):
    """Spearman correlation of cosine and score (0-5), corpus by corpus."""

    min_score = 0
    max_score = 5

    def _calculate_scores(
        self, scores: Mapping[str, Any], normalized_scores: list[float]
    ) -> dict[str, float]:
        """Correlate as MTEB does, on rounded cosines; undefined where a column is constant."""
        rounded = {
            name: None if values is None else round_similarities(values, COSINE_DECIMALS)
            for name, values in scores.items()
        }
        columns = [normalized_scores, *(v for v in rounded.values() if v is not None)]
        if len(normalized_scores) < MINIMUM_PAIRS or any(np.ptp(c) == 0 for c in columns):
            kinds = ("", "cosine_", "manhattan_", "euclidean_")
            return {f"{kind}{name}": np.nan for kind in kinds for name in ("pearson", "spearman")}
        return super()._calculate_scores(rounded, normalized_scores)


class TripleTask(FolderTask):
    """Share of the triples whose paraphrase is nearer to the anchor than the trap.

    Scores: `triple_accuracy` (a tie counts one half), `tie_share`, `margin` (mean of the
    paraphrase's cosine less the trap's), `auc` (of one threshold that tells both apart).

    Attributes:
        columns: anchor, paraphrase and trap.
        accuracy_name: what the accuracy is called.
    """

    abstask_prompt = "Retrieve semantically similar text."
    columns: tuple[str, str, str] = ("anchor", "paraphrase", "trap")
    accuracy_name: str = TRIPLE_ACCURACY

    def _evaluate_subset(
        self,
        model: Any,
        data_split: Dataset,
        *,
        hf_split: str,
        hf_subset: str,
        encode_kwargs: Mapping[str, Any],
        **kwargs: Any,
    ) -> dict[str, float]:
        """Encode each text once, without a prompt type, and compare the two cosines."""
        texts = [list(data_split[column]) for column in self.columns]
        distinct = list(dict.fromkeys(text for column in texts for text in column))
        vectors = model.encode(
            DataLoader(
                Dataset.from_dict({"text": distinct}), batch_size=encode_kwargs["batch_size"]
            ),
            task_metadata=self.metadata,
            hf_split=hf_split,
            hf_subset=hf_subset,
            prompt_type=None,
            **encode_kwargs,
        )
        place = {text: row for row, text in enumerate(distinct)}
        anchor, paraphrase, trap = (np.array([place[t] for t in column]) for column in texts)
        near = round_similarities(pair_cosines(vectors, anchor, paraphrase), COSINE_DECIMALS)
        far = round_similarities(pair_cosines(vectors, anchor, trap), COSINE_DECIMALS)
        labels = np.repeat([1, 0], len(near))
        return {
            self.accuracy_name: float(np.mean((np.sign(near - far) + 1) / 2)),
            "tie_share": float(np.mean(near == far)),
            "margin": float(np.mean(near - far)),
            "auc": float(roc_auc_score(labels, np.concatenate([near, far]))),
        }


class PassageTask(TripleTask):
    """Share of the queries that are nearer to their passage than to its flipped twin."""

    columns = ("query", "original", "twin")
    accuracy_name = PASSAGE_ACCURACY


def load_rows(folder: str | Path, config: str, split: str, wanted: Mapping[str, Any]) -> Dataset:
    """Load the rows of a split that have the wanted values.

    Args:
        folder: the dataset folder.
        config: name of the config.
        split: name of the split.
        wanted: column -> value.
    """
    rows = load_dataset(str(folder), config, split=split)
    columns = {name: list(rows[name]) for name in wanted}
    chosen = [
        number
        for number in range(len(rows))
        if all(values[number] == wanted[name] for name, values in columns.items())
    ]
    return rows.select(chosen)


def group_rows(rows: Dataset, group: str) -> dict[str, Dataset]:
    """Part rows by the values of a column, in order of first appearance.

    Args:
        rows: at least one.
        group: the column; `""` for one group called `WHOLE`.
    """
    if not group:
        return {WHOLE: rows}
    values = list(rows[group])
    return {
        str(name): rows.select([number for number, value in enumerate(values) if value == name])
        for name in dict.fromkeys(values)
    }


def list_tasks(folder: str | Path) -> list[FolderTask]:
    """Return the tasks of a dataset folder, for `mteb.evaluate`.

    Args:
        folder: the dataset folder.

    Returns:
        Triples (`FlipAware.test`, `.test_balanced`, ...), passages and regenerated pairs
        (`SR.<generator>.<dimension>`), as far as the folder has rows for them.

    Raises:
        InputError: there is no such folder, or nothing in it can be scored.
    """
    if not (Path(folder) / "README.md").is_file():
        raise InputError(
            f"{str(folder)!r} is no dataset folder: it has no README.md; make it with the target "
            "results/dataset/README.md"
        )
    tasks = list(_iterate_tasks(str(folder)))
    if not tasks:
        raise InputError(
            f"{str(folder)!r} holds nothing to score: neither triples of dev or test, nor "
            "passages, nor regenerated pairs; its card says why"
        )
    return tasks


def _iterate_tasks(folder: str) -> Iterator[FolderTask]:
    revisions = _read_checksums(folder)
    splits = {config: load_dataset(folder, config) for config in get_dataset_config_names(folder)}
    for config, split in TRIPLE_SETS:
        rows = splits.get(config, {}).get(split)
        if rows is None:
            continue
        name = split if config == "default" else config
        options = [(name, {})]
        if "is_balanced" in rows.column_names and True in list(rows["is_balanced"]):
            options.append((f"{name}_balanced", {"is_balanced": True}))
        for title, wanted in options:
            yield _make_task(
                TripleTask, f"FlipAware.{title}", folder, config, split, wanted, "type", revisions
            )
    config, split = PASSAGE_SET
    if split in splits.get(config, {}):
        yield _make_task(
            PassageTask, f"FlipAware.{config}", folder, config, split, {}, "", revisions
        )
    for config, parts in splits.items():
        if not config.startswith(REGENERATED_PREFIX):
            continue
        generator = config.removeprefix(REGENERATED_PREFIX)
        for dimension in dict.fromkeys(parts["test"]["dimension"]):
            yield _make_task(
                RegeneratedPairsTask,
                f"SR.{generator}.{dimension}",
                folder,
                config,
                "test",
                {"dimension": dimension},
                "corpus",
                revisions,
            )


def _read_checksums(folder: str) -> dict[str, str]:
    """Return path -> SHA-256 of the files of a folder, which stand for its revision."""
    lines = (Path(folder) / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    return {path: digest for digest, path in (line.split("  ", 1) for line in lines)}


def _make_task(
    base: type[FolderTask],
    name: str,
    folder: str,
    config: str,
    split: str,
    wanted: Mapping[str, Any],
    group: str,
    revisions: Mapping[str, str],
) -> FolderTask:
    """Make a class of its own for a task, as MTEB keeps the metadata there, and an instance."""
    subsets: Sequence[str] = list(group_rows(load_rows(folder, config, split, wanted), group))
    is_pairs = issubclass(base, RegeneratedPairsTask)
    metadata = TaskMetadata(
        dataset={"path": folder, "revision": revisions[f"data/{config}/{split}.parquet"]},
        name=name,
        description=" ".join(base.__doc__.split("\n\n")[0].split()),
        # The nearest of MTEB's closed list; no entry of it means triples.
        type="STS" if is_pairs else "PairClassification",
        category="t2t",
        eval_splits=[split],
        eval_langs={subset: [LANGUAGE] for subset in subsets},
        main_score=SPEARMAN if is_pairs else base.accuracy_name,
    )
    made = type(
        name.replace(".", "_"),
        (base,),
        {
            "__doc__": base.__doc__,
            "metadata": metadata,
            "folder": folder,
            "config": config,
            "split": split,
            "wanted": dict(wanted),
            "group": group,
        },
    )
    return made()

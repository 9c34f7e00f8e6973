"""The demo, whole, as a user runs it; the second run; dry runs of every target; refusals."""

from __future__ import annotations

import csv

import pytest

from conftest import copy_workflow, run_snakemake
from dataset_loading import check_dataset_folder

DEMO = ("--configfile", "config/demo.yaml", "--resources", "gpu=0", "--")

NOT_PART_OF_ALL = [
    "results/sr/candidates/qwen3_4b/stsb.parquet",
    "results/sr/rule_review/sheet.tsv",
    "results/scores/sr_released/all-MiniLM-L6-v2/contrast.tsv",
    "results/corpora/sick/raw/SICK_train.txt",
]

TARGETS = [
    *NOT_PART_OF_ALL,
    "results/tables/table4_sr_released.tsv",
    "results/tables/table4_sr_released.md",
    "results/tables/table4_sr_released.tex",
    "results/tables/audit_sr_released.tsv",
    "results/tables/claims.tsv",
    "results/tables/claims.md",
    "results/tables/embedding_speed.tsv",
    "results/tables/sr_released/board.tsv",
    "results/tables/stsb_test/board.md",
    "results/scores/sr_released/all-MiniLM-L6-v2/scores.tsv",
    "figures/figure1_probing_example.pdf",
    "figures/figure1_probing_example.png",
    "figures/figure2_construction.pdf",
    "results/tables/table4_sr_regenerated.md",
    "results/tables/track_comparison.md",
    "results/tables/table5_tree_kernel.md",
    "results/tables/table6_lexical.md",
    "results/tables/table7_perturbations.md",
    "results/tables/rules_yield.tsv",
    "results/tables/rule_quality.md",
    "results/tables/validation/rules/tables1_to_3.md",
    "results/sr/validation/rules/sheet.csv",
    "results/sr/regenerated/rules/stsb.csv",
    "results/tables/leaderboard.md",
    "results/tables/filter_statistics.md",
    "results/tables/filter_statistics_published.md",
    "results/tables/filter_votes.md",
    "results/tables/triples_balance.md",
    "results/tables/triples_leakage.tsv",
    "results/dataset/README.md",
    "tables",
    "figures",
    "all",
]


@pytest.mark.parametrize("target", TARGETS)
def test_dry_run_of_every_target(repository, target):
    result = run_snakemake(repository, "-n", "-q", "--nolock", "--", target, timeout=60)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize("overlay", ["laptop", "demo"])
def test_dry_run_of_the_overlays(repository, overlay):
    result = run_snakemake(
        repository, "-n", "-q", "--nolock", "--configfile", f"config/{overlay}.yaml", timeout=60
    )
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--config", "models=[all-MiniLM-L6-v3]"), "all-MiniLM-L6-v2"),
        (("--config", "device=gpu"), 'device = "gpu"; allowed: one of auto, cpu, cuda'),
        (("--config", "devise=cpu"), "did you mean 'device'?"),
        (("--config", "suites=[sr]"), "sr_released"),
    ],
)
def test_bad_settings_are_refused_before_anything_runs(repository, arguments, expected):
    result = run_snakemake(repository, "-n", "--nolock", *arguments, timeout=60)
    assert result.returncode != 0
    assert expected in result.stdout
    assert "Traceback" not in result.stdout


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """A folder in which the demo has run once."""
    folder = copy_workflow(tmp_path_factory.mktemp("demo"))
    result = run_snakemake(folder, *DEMO, "all")
    assert result.returncode == 0, result.stdout[-4000:]
    return folder


def read_rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.mark.slow
def test_a_second_run_schedules_nothing(demo):
    result = run_snakemake(demo, "-n", *DEMO, "all")
    assert result.returncode == 0
    assert "Nothing to be done" in result.stdout


@pytest.mark.slow
def test_demo_makes_every_table_and_figure(demo):
    for target in TARGETS:
        if "." in target and target not in NOT_PART_OF_ALL:
            assert (demo / target).stat().st_size > 0, target
    assert not list((demo / "results").rglob("*.partial*"))


@pytest.mark.slow
def test_demo_numbers_are_marked_as_demo(demo):
    assert "bundled demo sentences" in (demo / "results/tables/table4_sr_released.md").read_text()
    claims = read_rows(demo / "results/tables/claims.tsv")
    assert claims
    assert not [row for row in claims if row["verdict"] == "matches" and row["item"] == "table4"]


@pytest.mark.slow
def test_demo_scores_are_tidy_and_in_range(demo):
    rows = read_rows(demo / "results/scores/sr_released/all-MiniLM-L6-v2/scores.tsv")
    assert {row["dimension"] for row in rows} == {"structure", "relation"}
    assert {row["corpus"] for row in rows} >= {"stsb", "sickr", "cqadupstack", "average"}
    for row in rows:
        assert row["value"] or row["reason"]
        if row["value"]:
            assert -1 <= float(row["value"]) <= 1


@pytest.mark.slow
def test_editing_one_setting_reruns_only_what_depends_on_it(demo):
    result = run_snakemake(
        demo, "-n", "--config", "claims={tolerance: 0.5, is_released_data: false}", *DEMO, "all"
    )
    assert result.returncode == 0
    jobs = {
        line.split()[0]
        for line in result.stdout.splitlines()
        if line.startswith(tuple("abcdefghijklmnopqrstuvwxyz"))
    }
    assert "tabulate_claims" in jobs
    assert "embed_texts" not in jobs
    assert "score_model" not in jobs


@pytest.mark.slow
def test_demo_lays_the_triples_out_as_a_dataset(demo, tmp_path):
    loaded = check_dataset_folder(demo / "results/dataset", tmp_path)
    assert {"default", "candidates", "seeds", "sr_regenerated_rules"} <= set(loaded)
    assert "human_test" not in loaded


@pytest.mark.slow
def test_demo_triples_add_up_and_nothing_leaks(demo):
    outcomes = ("request_failed", "skipped", "unparsed", "edit_check_failed", "kept")
    outcomes += ("paraphrase_rejected", "trap_rejected", "low_overlap", "too_many_new_words")
    rows = read_rows(demo / "results/tables/filter_statistics.tsv")
    assert sum(int(row["kept"]) for row in rows) > 0
    for row in rows:
        assert sum(int(row[outcome]) for outcome in outcomes) == int(row["generated"]), row
    leaks = read_rows(demo / "results/tables/triples_leakage.tsv")
    assert [row for row in leaks if row["is_forbidden"] == "True"]
    assert all(int(row["n_leaked"]) == 0 for row in leaks if row["is_forbidden"] == "True")


@pytest.mark.slow
def test_example_sheets_count_for_nothing(demo):
    assert "example sheet" in (demo / "results/tables/filter_votes.md").read_text()

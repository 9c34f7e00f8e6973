"""Language models that write triples, under the real snakemake: seeds, shards, store, refusals."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from chat_server import MODEL, ChatServer, answer_with, chat_body
from conftest import run_snakemake

KEY = "sk-planted-0123456789abcdef"

OVERLAY = """
generators:
  remote: {{backend: openai, base_url: "{url}", model: {model}, family: tiny, shards: 2}}
  cousin: {{backend: openai, base_url: "{url}", model: {model}, family: tiny}}
triples: {{second_generator: {second}, generate: {{n_candidates: 3, per_type: 2, seed: 1}}}}
"""

DEMO = ("--configfile", "config/demo.yaml", "overlay.yaml", "--resources", "gpu=0")

CANDIDATES = "results/triples/candidates/remote.parquet"
ATTEMPTS = "results/triples/attempts/remote.parquet"


def behave(number: int, request: dict) -> tuple:
    """Negate what is stated with `is` or `are`, skip or babble otherwise."""
    task = request["messages"][-1]["content"].partition("Now the real task.\nSource: ")[2]
    anchor = task.partition("\n")[0]
    for verb in (" is ", " are "):
        if verb in anchor:
            pair = {
                "paraphrase": f"It is so that {anchor}",
                "trap": anchor.replace(verb, f"{verb}not ", 1),
            }
            return answer_with(chat_body(f"```json\n{json.dumps(pair)}\n```"))
    reply = '{"skip": true}' if len(anchor) % 2 else "no idea"
    return answer_with(chat_body(reply))


@pytest.fixture
def server() -> Iterator[ChatServer]:
    running = ChatServer(behave)
    yield running
    running.close()


def write_overlay(folder: Path, url: str, second: str = "remote") -> None:
    text = OVERLAY.format(url=url, model=MODEL, second=second)
    (folder / "overlay.yaml").write_text(text, encoding="utf-8")


@pytest.mark.slow
def test_a_server_writes_triples_of_test_seeds_and_is_asked_nothing_twice(server, workflow_folder):
    folder = workflow_folder
    write_overlay(folder, server.base_url)
    result = run_snakemake(folder, *DEMO, "--", CANDIDATES, OPENAI_API_KEY=KEY)
    assert result.returncode == 0, result.stdout[-4000:]
    candidates = pd.read_parquet(folder / CANDIDATES)
    attempts = pd.read_parquet(folder / ATTEMPTS)
    assert candidates["type"].value_counts().to_dict() == dict.fromkeys(candidates["type"], 2)
    assert len(candidates) == 16
    assert len(attempts) == len(server.requests) == 48
    splits = pd.read_parquet(folder / "results/triples/splits.parquet")
    reserved = set(pd.read_parquet(folder / "results/triples/reserved.parquet")["seed_id"])
    seeds = pd.read_parquet(folder / "results/triples/seeds.parquet")
    in_test = set(splits.loc[splits["split"] == "test", "seed_id"])
    assert reserved
    assert set(candidates["seed_id"]) <= in_test - reserved
    numbered = set(seeds.loc[seeds["has_number"], "seed_id"])
    assert set(candidates.loc[candidates["type"] == "numbers", "seed_id"]) <= numbered
    kept = set(candidates["status"])
    assert kept <= {"made", "edit_check_failed", "skipped", "unparsed"}
    made = candidates[candidates["status"] == "made"]
    assert set(made["type"]) <= {"negation"}
    asked = [json.dumps([request["messages"], request["seed"]]) for request in server.requests]
    assert len(set(asked)) == 48
    # Gone outputs are made anew from the stored answers, byte by byte.
    before = {name: (folder / name).read_bytes() for name in (CANDIDATES, ATTEMPTS)}
    for path in [folder / name for name in before]:
        path.unlink()
    for path in (folder / "results/triples/answers").rglob("*.parquet"):
        path.unlink()
    server.requests.clear()
    result = run_snakemake(folder, *DEMO, "--", CANDIDATES, OPENAI_API_KEY=KEY)
    assert result.returncode == 0, result.stdout[-4000:]
    assert server.requests == []
    assert {name: (folder / name).read_bytes() for name in before} == before
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ("{generator: remote, second_generator: cousin}", "are both of the family 'tiny'"),
        ("{second_generator: rules}", "are both of the family 'rules'"),
        ("{generator: nobody}", "triples/generator: unknown 'nobody'"),
    ],
)
def test_generators_that_do_not_fit_are_refused_before_anything_runs(
    workflow_folder, config, message
):
    write_overlay(workflow_folder, "http://127.0.0.1:9")
    result = run_snakemake(
        workflow_folder, "-n", *DEMO, "--config", f"triples={config}", "--", CANDIDATES
    )
    assert result.returncode != 0
    assert message in result.stdout

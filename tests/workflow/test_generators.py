"""The rules of language-model generators under the real snakemake, by server and by local model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
import pytest

from chat_server import MODEL, ChatServer, answer_with, chat_body
from conftest import run_snakemake
from smollm import MODEL as LOCAL_MODEL
from smollm import find_smollm

KEY = "sk-planted-0123456789abcdef"

OVERLAY = """
generators:
  remote: {{backend: openai, base_url: "{url}", model: {model}, max_sentences: 3}}
  local: {{backend: transformers, model: {local}, max_sentences: 2, max_tokens: 40, shards: 2}}
annotators:
  rules: {{backend: rules}}
  judge: {{backend: openai, base_url: "{url}", model: {model}}}
agreement: {{annotators: [judge], n_pairs: 10, seed: 1, retest_seed: 2}}
sr: {{annotators: [judge]}}
"""

DEMO = ("--configfile", "config/demo.yaml", "overlay.yaml", "--resources", "gpu=0")

CANDIDATES = "results/sr/candidates/remote/stsb.parquet"
ANNOTATIONS = "results/sr/annotations/remote/{annotator}/stsb.parquet"
AGREEMENT = "results/tables/annotator_agreement.tsv"


def behave(number: int, request: dict) -> tuple:
    """Score pairs by length; put sentences into capitals, but for some that fail."""
    text = request["messages"][-1]["content"]
    if "Sentence 2:" in text:
        return answer_with(chat_body(json.dumps({"score": len(text) % 6})))
    if number % 5 == 0:
        return answer_with(chat_body("no idea"))
    sentence = text.removeprefix("Sentence: ").upper()
    return answer_with(chat_body(json.dumps({"sentence": sentence})))


@pytest.fixture
def server() -> Iterator[ChatServer]:
    running = ChatServer(behave)
    yield running
    running.close()


def write_overlay(folder: Path, url: str) -> None:
    text = OVERLAY.format(url=url, model=MODEL, local=LOCAL_MODEL)
    (folder / "overlay.yaml").write_text(text, encoding="utf-8")


@pytest.mark.slow
def test_a_server_writes_and_judges_and_is_asked_nothing_twice(server, workflow_folder):
    folder = workflow_folder
    write_overlay(folder, server.base_url)
    targets = (
        CANDIDATES,
        ANNOTATIONS.format(annotator="judge"),
        ANNOTATIONS.format(annotator="rules"),
        AGREEMENT,
    )
    result = run_snakemake(folder, *DEMO, "--", *targets, OPENAI_API_KEY=KEY)
    assert result.returncode == 0, result.stdout[-4000:]
    candidates = pd.read_parquet(folder / CANDIDATES)
    assert len(candidates) == 12
    made = candidates[candidates["status"] == "made"]
    assert (made["sentence2"] == made["sentence1"].str.upper()).all()
    failed = candidates[candidates["status"] == "failed"]
    assert set(failed["reason"]) == {"no_json"}
    assert len(made) + len(failed) == 12
    judged = pd.read_parquet(folder / ANNOTATIONS.format(annotator="judge"))
    assert judged["pair_id"].tolist() == made["candidate_id"].tolist()
    assert judged["score"].between(0, 5).all()
    declared = pd.read_parquet(folder / ANNOTATIONS.format(annotator="rules"))
    assert declared["score"].isna().all()
    agreement = pd.read_csv(folder / AGREEMENT, sep="\t")
    assert agreement["n_asked"].tolist() == [10] * 6
    texts = [json.dumps(request["messages"] + [request["seed"]]) for request in server.requests]
    assert len(texts) == len(set(texts)) == 12 + made.drop_duplicates("sentence1").shape[0] + 20
    # Gone outputs are made anew from the stored answers, byte by byte.
    before = {name: (folder / name).read_bytes() for name in targets}
    for name in targets:
        (folder / name).unlink()
    for path in (folder / "results/sr/answers").rglob("*.parquet"):
        path.unlink()
    server.requests.clear()
    result = run_snakemake(folder, *DEMO, "--", *targets, OPENAI_API_KEY=KEY)
    assert result.returncode == 0, result.stdout[-4000:]
    assert server.requests == []
    assert {name: (folder / name).read_bytes() for name in targets} == before
    assert KEY not in result.stdout
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert not [path for path in files if KEY.encode() in path.read_bytes()]


@pytest.mark.slow
def test_a_local_model_writes_in_two_shards(request, workflow_folder):
    folder = workflow_folder
    snapshot = find_smollm(request.config.cache.mkdir("smollm2"))
    write_overlay(folder, "http://127.0.0.1:9")
    mirror = folder / "mirror" / "models"
    mirror.mkdir(parents=True)
    (mirror / LOCAL_MODEL).symlink_to(snapshot.resolve())
    shards = [f"results/sr/answers/local/stsb/voice/{shard}.parquet" for shard in (0, 1)]
    variables = {"EMBSYNTAX_MIRROR": str(folder / "mirror")}
    result = run_snakemake(folder, *DEMO, "--", *shards, **variables)
    assert result.returncode == 0, result.stdout[-4000:]
    answers = pd.concat([pd.read_parquet(folder / shard) for shard in shards])
    assert len(answers) == answers["sentence_id"].nunique() == 2
    assert (answers["prompt_tokens"] > 100).all()
    assert set(answers["served_model"]) == {LOCAL_MODEL}
    assert answers["raw_text"].str.len().gt(0).all()
    manifest = json.loads((folder / shards[0].replace(".parquet", ".json")).read_text())
    assert manifest["device"] == "cpu"
    assert manifest["models"][LOCAL_MODEL]["dtype"] == "float32"
    dry = run_snakemake(folder, "-n", *DEMO, "--", *shards, **variables)
    assert "Nothing to be done" in dry.stdout


def test_a_generator_that_is_not_usable_is_refused_before_anything_runs(workflow_folder):
    write_overlay(workflow_folder, "http://127.0.0.1:9")
    path = workflow_folder / "overlay.yaml"
    path.write_text(path.read_text().replace(LOCAL_MODEL, "smollm9"))
    result = run_snakemake(workflow_folder, "-n", *DEMO, "--", CANDIDATES)
    assert result.returncode != 0
    assert "generators/local/model: got 'smollm9'" in result.stdout
    assert "Traceback" not in result.stdout

"""Local language models: seeds per question, left padding, end tokens, limits; a tiny model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from chat_doubles import make_question
from embsyntax.answers import Parameters
from embsyntax.devices import use_threads
from embsyntax.jobs import InputError
from embsyntax.language_models import (
    ENGINE_VERSION,
    CausalModel,
    LocalChat,
    RowNoise,
    find_gguf,
    generate,
    halve_on_overflow,
    load_language_model,
    render_chat,
)
from tiny_language_model import CHAT_TEMPLATE, NO_SYSTEM, write_tiny_model

SAMPLED = Parameters(temperature=1.0, top_p=0.9, max_tokens=12, seed=3)
GREEDY = Parameters(temperature=0.0, top_p=1.0, max_tokens=12, seed=3)

QUESTIONS = [make_question(text) for text in ("a", "b c d", "e f g h i j", "k", "l m n a b", "c")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_tiny_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def model(folder, tmp_path_factory) -> CausalModel:
    use_threads(1)
    return load_language_model(
        folder, "tiny", "key", "cpu", "float32", tmp_path_factory.mktemp("scratch")
    )


def answer(model, parameters, questions=QUESTIONS, batch_size=3):
    chat = LocalChat("writer", model, parameters, batch_size, {"revision": "1"})
    replies = {}
    for batch, given in chat.answer_batches(chat.cut_batches(questions)):
        replies |= {q.content_key: reply for q, reply in zip(batch, given, strict=True)}
    return [replies[question.content_key] for question in questions]


def test_only_the_end_tokens_of_the_models_own_settings_count(model):
    assert model.end_tokens == (1, 19)
    assert model.max_tokens == 64
    assert not model.network.generation_config.do_sample
    assert model.network.generation_config.repetition_penalty in (None, 1.0)
    assert {reply.completion_tokens for reply in answer(model, SAMPLED)} - {1, 2}


@pytest.mark.parametrize("parameters", [GREEDY, SAMPLED])
def test_an_answer_does_not_depend_on_its_batch(model, parameters):
    together = answer(model, parameters, batch_size=6)
    assert together == answer(model, parameters, batch_size=1)
    assert together == answer(model, parameters, QUESTIONS[::-1], batch_size=4)[::-1]


def test_an_answer_depends_on_its_seed(model):
    again = answer(model, SAMPLED)
    assert again == answer(model, SAMPLED)
    assert again != answer(model, replace(SAMPLED, seed=4))
    chat = LocalChat("writer", model, SAMPLED, 3, {}).with_seed(4)
    assert chat.parameters == replace(SAMPLED, seed=4)
    other = make_question("a", sample=1)
    assert answer(model, SAMPLED, [other]) != answer(model, SAMPLED, QUESTIONS[:1])


def test_greedy_text_is_the_likeliest_and_ends_where_the_model_ends_it(model):
    question = QUESTIONS[1]
    (reply,) = answer(model, GREEDY, [question])
    text = render_chat(model.tokenizer, question.messages)
    ids = model.tokenizer(text, add_special_tokens=False)["input_ids"]
    n_prompt, written = len(ids), []
    for _ in range(GREEDY.max_tokens):
        with torch.inference_mode():
            logits = model.network(torch.tensor([ids])).logits[0, -1]
        token = int(logits.argmax())
        ids.append(token)
        if token in model.end_tokens:
            break
        written.append(token)
    is_cut = ids[-1] not in model.end_tokens
    assert reply.text == model.tokenizer.decode(written, skip_special_tokens=True)
    assert reply.finish_reason == ("length" if is_cut else "stop")
    assert (reply.prompt_tokens, reply.completion_tokens) == (n_prompt, len(ids) - n_prompt)


def test_finish_reasons_of_a_batch(model):
    replies = answer(model, replace(SAMPLED, max_tokens=6), [*QUESTIONS, make_question("d")])
    assert {reply.finish_reason for reply in replies} == {"stop", "length"}
    for reply in replies:
        assert (reply.finish_reason == "length") == (
            len(reply.text.split()) == 6 or reply.completion_tokens == 6
        )


def test_noise_draws_each_token_with_its_probability():
    probabilities = torch.tensor([0.5, 0.3, 0.2])
    noise = RowNoise(list(range(4000)), "cpu")
    scores = probabilities.log().expand(4000, 3)
    drawn = noise(torch.zeros(4000, 1), scores).argmax(dim=1)
    shares = torch.bincount(drawn, minlength=3) / 4000
    assert shares.numpy() == pytest.approx(probabilities.numpy(), abs=0.03)


def test_a_question_that_does_not_fit_fails_alone(model):
    questions = [QUESTIONS[0], make_question("a " * 60), QUESTIONS[1]]
    replies = answer(model, GREEDY, questions)
    assert "the question has 64 tokens; with 12 for the answer, the model takes 52" in (
        replies[1].error
    )
    assert [replies[0], replies[2]] == answer(model, GREEDY, QUESTIONS[:2])


def test_questions_of_similar_length_are_answered_together(model):
    chat = LocalChat("writer", model, GREEDY, 4, {"revision": "1"})
    sizes = [[question.n_bytes for question in batch] for batch in chat.cut_batches(QUESTIONS)]
    assert [len(batch) for batch in sizes] == [4, 2]
    assert sorted(sum(sizes, [])) == sum(sizes, [])
    assert chat.identity == {
        "backend": "transformers",
        "model": "tiny",
        "dtype": "float32",
        "engine_version": ENGINE_VERSION,
        "revision": "1",
    }


def test_a_template_without_system_role_gets_it_with_the_first_question(tmp_path, model):
    folder = write_tiny_model(tmp_path, NO_SYSTEM + CHAT_TEMPLATE)
    other = load_language_model(folder, "tiny", "key", "cpu", "float32", tmp_path)
    messages = (("system", "a"), ("user", "b"), ("assistant", "c"), ("user", "d"))
    text = render_chat(other.tokenizer, messages)
    assert text == "<|user|> a\n\nb <|assistant|> c <|user|> d <|assistant|>"
    assert render_chat(model.tokenizer, messages).startswith("<|system|> a <|user|> b")


def test_a_model_without_chat_template_is_refused(tmp_path):
    folder = write_tiny_model(tmp_path, chat_template=None)
    bare = load_language_model(folder, "tiny", "key", "cpu", "float32", tmp_path)
    with pytest.raises(InputError, match="'tiny' has no chat template"):
        LocalChat("writer", bare, GREEDY, 4, {})


def test_a_folder_of_another_form_is_refused(tmp_path):
    with pytest.raises(InputError, match="no config.json and 0 GGUF files"):
        find_gguf(tmp_path, "tiny")
    for name in ("a.gguf", "b.gguf"):
        (tmp_path / name).write_bytes(b"")
    with pytest.raises(InputError, match="2 GGUF files"):
        find_gguf(tmp_path, "tiny")
    (tmp_path / "b.gguf").unlink()
    assert find_gguf(tmp_path, "tiny") == tmp_path / "a.gguf"
    (tmp_path / "config.json").write_text("{}")
    assert find_gguf(tmp_path, "tiny") is None


def test_an_unknown_number_format_is_refused(folder, tmp_path):
    with pytest.raises(InputError, match="dtype 'int4'; allowed: float32"):
        load_language_model(folder, "tiny", "key", "cpu", "int4", tmp_path)


def test_nothing_is_generated_from_nothing(model):
    assert generate(model, [], [], GREEDY) == []


def test_a_batch_too_large_for_the_memory_is_halved():
    sizes = []

    def work(items):
        sizes.append(len(items))
        if len(items) > 2:
            raise torch.cuda.OutOfMemoryError
        return [item * 2 for item in items]

    assert halve_on_overflow(work, [1, 2, 3, 4, 5]) == [2, 4, 6, 8, 10]
    assert sizes == [5, 2, 3, 1, 2]

    def fail(items):
        raise torch.cuda.OutOfMemoryError

    with pytest.raises(torch.cuda.OutOfMemoryError):
        halve_on_overflow(fail, [1, 2])


def test_bfloat16_is_loaded_as_asked(folder, tmp_path):
    half = load_language_model(folder, "tiny", "key", "cpu", "bfloat16", tmp_path)
    assert half.network.dtype == torch.bfloat16
    assert np.isfinite(len(answer(half, SAMPLED)))

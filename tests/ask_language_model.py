"""A job that a test kills: `ask_language_model.py BACKEND FOLDER SOURCE` answers 40 questions.

SOURCE is the folder of a model (`transformers`) or the address of a server (`openai`). FOLDER gets
`asked.txt` (each question that the local model is asked), the store, the ledger and `sums.json`.
"""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from embsyntax.jobs import force_offline

force_offline()

from embsyntax.answers import (  # noqa: E402
    AnswerStore,
    ChatBackend,
    Parameters,
    Question,
    Reply,
    TokenBudget,
    answer_questions,
    summarize_answers,
)
from embsyntax.chat_endpoint import CHAT_PATH, ChatEndpoint, ChatSettings  # noqa: E402
from embsyntax.devices import use_threads  # noqa: E402
from embsyntax.http_client import open_server  # noqa: E402
from embsyntax.language_models import LocalChat, load_language_model  # noqa: E402
from embsyntax.prompts import read_prompt  # noqa: E402
from embsyntax.replies import SENTENCE_FORM, read_reply  # noqa: E402
from smollm import BATCH_SIZE, CONCURRENCY, N_QUESTIONS, SERVED_NAME  # noqa: E402

PROMPT = """
{% block system %}Rewrite the sentence. Answer with JSON: {"sentence": "..."}.{% endblock %}
{% block user_1 %}A dog barks.{% endblock %}
{% block assistant_1 %}{"sentence": "The dog is barking."}{% endblock %}
{% block user %}{{ sentence }}{% endblock %}
"""

log = logging.getLogger("job")


class NotedChat(LocalChat):
    """Writes down what the model is asked."""

    folder: Path

    def _answer(self, questions: Sequence[Question]) -> list[Reply]:
        with (self.folder / "asked.txt").open("a", encoding="utf-8") as file:
            file.writelines(f"{question.messages[-1][1]}\n" for question in questions)
        return super()._answer(questions)


def open_backend(kind: str, folder: Path, source: str) -> ChatBackend:
    """Open one of the two backends on the same weights."""
    parameters = Parameters(temperature=0.7, top_p=0.9, max_tokens=16, seed=1)
    if kind == "transformers":
        model = load_language_model(
            source, SERVED_NAME, "key", "cpu", "float32", folder / "unpacked"
        )
        chat = NotedChat(SERVED_NAME, model, parameters, BATCH_SIZE, {"revision": "1"})
        chat.folder = folder
        return chat
    settings = ChatSettings(
        concurrency=CONCURRENCY,
        attempts=3,
        timeout_seconds=60,
        response_format="auto",
        extra_body={},
    )
    server = open_server(source, CHAT_PATH, SERVED_NAME)
    return ChatEndpoint(SERVED_NAME, server, parameters, settings, "", log)


def main() -> None:
    """Ask all questions and write the sums."""
    kind, folder, source = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    logging.basicConfig(level=logging.INFO)
    use_threads(1)
    backend = open_backend(kind, folder, source)
    path = folder / "test_v1.jinja"
    path.write_text(PROMPT, encoding="utf-8")
    prompt = read_prompt(path)
    questions = [
        prompt.ask(SENTENCE_FORM, sentence=f"Dog number {number} barks.")
        for number in range(N_QUESTIONS)
    ]
    store = AnswerStore(folder / "store", "answers", log)
    budget = TokenBudget(folder / "usage.jsonl", None)
    answers = answer_questions(questions, backend, store, budget, log)
    replies = [answer.reply for answer in answers]
    classes = [
        read_reply(r.text, r.finish_reason, r.error, SENTENCE_FORM).failure_class for r in replies
    ]
    sums = {**summarize_answers(answers), "classes": classes}
    (folder / "sums.json").write_text(json.dumps(sums), encoding="utf-8")


if __name__ == "__main__":
    main()

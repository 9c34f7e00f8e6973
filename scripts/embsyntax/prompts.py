"""Prompts: Jinja files that carry their version in their name, rendered into questions.

Each block of a file is a message, in the order of the file: `system` first, then worked examples
(`user_1`, `assistant_1`, `user_2`, ...), `user` last. Whatever the file says is part of the key of
every answer, by its sha256, so that an edit asks anew; a change of meaning gets a new version.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

import jinja2

from embsyntax.answers import Question
from embsyntax.jobs import InputError
from embsyntax.replies import ReplyForm

PROMPT_NAME = re.compile(r"[a-z][a-z0-9_]*_v[0-9]+")

BLOCK_NAME = re.compile(r"(system|user|assistant)(?:_[0-9]+)?")


@dataclass(frozen=True)
class Prompt:
    """A prompt file.

    Attributes:
        name: name of the file without `.jinja`; ends with its version, as in `voice_v1`.
        sha256: of the file.
        template: what is rendered.
    """

    name: str
    sha256: str
    template: jinja2.Template

    def ask(self, form: ReplyForm, sample: int = 0, **fields: str) -> Question:
        """Render the prompt for some texts.

        Args:
            form: the object that is asked for.
            sample: 0, 1, ... for several answers to the same question.
            **fields: texts that the file names; all of them.

        Returns:
            The question.

        Raises:
            InputError: if the file names a field that is not given.
        """
        context = self.template.new_context(fields)
        try:
            messages = tuple(
                (BLOCK_NAME.fullmatch(name)[1], "".join(block(context)).strip())
                for name, block in self.template.blocks.items()
            )
        except jinja2.UndefinedError as error:
            raise InputError(
                f"prompt {self.name}: {error}; allowed fields: {', '.join(sorted(fields))}. "
                "Correct the file."
            ) from None
        return Question(self.name, self.sha256, messages, form, sample)


def read_prompt(path: str | Path) -> Prompt:
    """Read a prompt file.

    Args:
        path: a file `NAME_vN.jinja` of blocks.

    Returns:
        The prompt.

    Raises:
        InputError: if the name has no version, or the file is absent, no template, or its blocks
            are no conversation.
    """
    path = Path(path)
    if path.suffix != ".jinja" or not PROMPT_NAME.fullmatch(path.stem):
        raise InputError(
            f"prompt {path}: the name carries no version; allowed: lower case, then _v and a "
            "number, as in voice_v1.jinja. Rename the file."
        )
    try:
        content = path.read_bytes()
        environment = jinja2.Environment(undefined=jinja2.StrictUndefined, autoescape=False)
        template = environment.from_string(content.decode("utf-8"))
    except FileNotFoundError:
        raise InputError(f"prompt {path}: no such file; correct config key 'prompts'.") from None
    except UnicodeDecodeError as error:
        raise InputError(
            f"prompt {path}: no UTF-8 text ({error.reason}). Save it as UTF-8."
        ) from None
    except jinja2.TemplateSyntaxError as error:
        raise InputError(
            f"prompt {path}, line {error.lineno}: {error.message}. Correct it."
        ) from None
    names = list(template.blocks)
    roles = [match[1] if (match := BLOCK_NAME.fullmatch(name)) else name for name in names]
    n_examples = (len(names) - 2) // 2
    if roles != ["system", *["user", "assistant"] * n_examples, "user"]:
        raise InputError(
            f"prompt {path}: its blocks are {', '.join(names) or 'none'}; allowed: system, then "
            "user_1 and assistant_1 and so on for each worked example, then user."
        )
    return Prompt(path.stem, hashlib.sha256(content).hexdigest(), template)

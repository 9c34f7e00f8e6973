"""The three labels of entailment, and how files and models write them. Standard library only."""

from __future__ import annotations

CONTRADICTION, ENTAILMENT, NEUTRAL = "contradiction", "entailment", "neutral"

LABELS = (CONTRADICTION, ENTAILMENT, NEUTRAL)
"""In the order in which judges that are trained here give them."""

LABEL_STEMS = {CONTRADICTION: "contradict", ENTAILMENT: "entail", NEUTRAL: "neutral"}
"""What a name of a label holds, in lower case."""


def find_label(name: str) -> str | None:
    """Return the one label that a name stands for; None if it names none or more than one."""
    found = [label for label, stem in LABEL_STEMS.items() if stem in name.lower()]
    return found[0] if len(found) == 1 else None

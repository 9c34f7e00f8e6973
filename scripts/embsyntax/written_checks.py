"""What the edit check says of triples that people wrote."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from embsyntax.edit_check import check_edit
from embsyntax.trap_types import TrapType


def check_written(written: pd.DataFrame, trap_types: Mapping[str, TrapType]) -> pd.DataFrame:
    """Run the edit check, which reports and leaves nothing out: people may do more than it knows.

    Args:
        written: from `embsyntax.triple_people.read_written`.
        trap_types: rows of the trap types' table.

    Returns:
        The triples with the column `edit_reason`, empty where the check passed.
    """
    reasons = [
        check_edit(row.anchor, row.paraphrase, row.trap, row.type, trap_types[row.type].limits)
        for row in written.itertuples(index=False)
    ]
    return written.assign(edit_reason=pd.Series(reasons, index=written.index, dtype="str"))

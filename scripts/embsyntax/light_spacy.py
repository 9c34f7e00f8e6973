"""spaCy without torch; import this module before the first import of spaCy.

thinc, below spaCy, imports torch wherever it is installed. Neither the parser nor the rules use it,
and it costs a job more than all its other imports, in seconds and in memory.
"""

from __future__ import annotations

import importlib
import sys


def import_thinc_without_torch() -> None:
    """Import thinc while torch is hidden from it; does nothing if torch is loaded already."""
    if "torch" in sys.modules:
        return
    sys.modules["torch"] = None  # `import torch` fails as long as this stands there
    try:
        importlib.import_module("thinc.compat")
    finally:
        del sys.modules["torch"]


import_thinc_without_torch()

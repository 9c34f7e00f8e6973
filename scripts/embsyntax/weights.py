"""Convert PyTorch pickle weights to safetensors, once, without running what a pickle could hide."""

from __future__ import annotations

import pickle
from pathlib import Path

import torch
from safetensors.torch import save_file

from embsyntax.jobs import InputError


def convert_weights(source: Path, destination: Path) -> None:
    """Write the tensors of a `pytorch_model.bin` as a safetensors file.

    `weights_only=True` builds tensors and plain containers only, so no code of the file runs.
    Tied tensors are written once per name (safetensors allows no shared memory), which changes no
    value. Names are kept.

    Args:
        source: a state dict as `torch.save` writes it: name -> tensor.
        destination: the safetensors file to be made.

    Raises:
        InputError: the file holds anything else, or is damaged.
    """
    try:
        state = torch.load(source, map_location="cpu", weights_only=True)
    except (pickle.UnpicklingError, RuntimeError, EOFError, ValueError) as error:
        raise InputError(
            f"weights {source.name}: refused, the file is damaged or holds more than tensors "
            f"({type(error).__name__}). Pin a revision of this model that has safetensors weights."
        ) from error
    if not isinstance(state, dict) or not all(
        isinstance(name, str) and isinstance(value, torch.Tensor) for name, value in state.items()
    ):
        raise InputError(
            f"weights {source.name}: allowed is a table of named tensors, got something else. "
            "Pin a revision of this model that has safetensors weights."
        )
    tensors = {name: state[name].detach().clone().contiguous() for name in sorted(state)}
    save_file(tensors, destination, metadata={"format": "pt"})

"""Where a model runs: the choice between CPU and GPU, and float32 that is float32 on both."""

from __future__ import annotations

import logging

import torch

from embsyntax.jobs import InputError

DEVICES = ("auto", "cpu", "cuda")


def choose_device(config_device: str, gpu: int, log: logging.Logger | None = None) -> str:
    """Choose the device of a job from the config and from the GPUs that Snakemake lends it.

    Args:
        config_device: config key `device`: `auto` (GPU if the job may use one and there is one),
            `cpu` (never a GPU) or `cuda` (refuse to run without one).
        gpu: `snakemake.resources.gpu`; 0 under `--resources gpu=0`.
        log: where the one warning goes when a GPU is lent but absent.

    Returns:
        `cpu` or `cuda`.

    Raises:
        InputError: for an unknown device, and for `cuda` without a GPU, lent or present.
    """
    if config_device not in DEVICES:
        raise InputError(
            f"config key 'device': got {config_device!r}; allowed: {', '.join(DEVICES)}. "
            "Correct the config."
        )
    if config_device == "cuda" and gpu < 1:
        raise InputError(
            "config key 'device' is 'cuda', but this job may use no GPU (--resources gpu=0). Pass "
            "--resources gpu=1, or set 'device: auto'."
        )
    if config_device == "cpu" or gpu < 1:
        return "cpu"
    if torch.cuda.is_available():
        return "cuda"
    if config_device == "cuda":
        raise InputError(
            "config key 'device' is 'cuda', but torch sees no CUDA GPU on this machine "
            f"(torch {torch.__version__}). Run where there is one, install the CUDA build of "
            "torch, or set 'device: auto' to run on the CPU."
        )
    (log or logging.getLogger(__name__)).warning(
        "no CUDA GPU on this machine: running on the CPU (silence this with --resources gpu=0)"
    )
    return "cpu"


def forbid_tf32() -> None:
    """Make float32 products on a GPU real float32; TF32 keeps 10 bits of the mantissa only."""
    torch.set_float32_matmul_precision("highest")
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False


def name_device(device: str) -> str:
    """Return `cpu`, or the name of the GPU, for a manifest."""
    return torch.cuda.get_device_name(0) if device == "cuda" else "cpu"


def use_threads(threads: int) -> None:
    """Let torch use the CPU threads that Snakemake gave to the job, and no more."""
    torch.set_num_threads(max(1, threads))

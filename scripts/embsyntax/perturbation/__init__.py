"""Perturbation rules: one module per family; `catalogue` imports them all."""

"""The library of this repository: one module per matter, imported by the flat scripts beside it."""

"""The scale that pairs are scored on: semantic textual similarity as in Cer et al. 2017."""

MIN_SCORE, MAX_SCORE = 0, 5
"""0: unrelated; 5: equivalent. Integers only."""

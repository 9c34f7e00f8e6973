"""The subset-tree kernel of Collins & Duffy (2002), over constituency or dependency trees.

Trees are nested tuples: a node is `(label, child, ...)`, a leaf is a string. The kernel counts the
subset trees (connected fragments that never split a production) that two trees share, each weighted
by `decay` to the power of its productions (Collins & Duffy 2002, "New ranking algorithms for
parsing and tagging", section 3); the similarity is the kernel normalised to 0-1.

Speed comes from sharing: equal subtrees of a whole corpus are one node, only nodes with the same
production are compared, and the dynamic programme runs over blocks of them from the leaves upwards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from embsyntax.jobs import InputError

Tree = tuple
"""A node `(label, child, ...)`, each child a node or a leaf string; at least one child."""

Floats = NDArray[np.float64]


def parse_bracketed(text: str, place: str = "tree") -> Tree:
    """Read a tree in Penn brackets, as constituency parsers print it.

    Args:
        text: for example `(S (NP (NNS Mice)) (VP (VBP chase) (NP (NNS cats))))`; an outer bracket
            without label is taken off.
        place: where the text stands (file and line), for messages.

    Returns:
        The tree.

    Raises:
        InputError: the brackets do not match, a node has no child, or there is more than one tree.
    """
    words = text.replace("(", " ( ").replace(")", " ) ").split()
    stack: list[list] = []
    roots: list[Tree] = []
    for word in words:
        if word == "(":
            stack.append([])
        elif word == ")":
            if not stack:
                raise InputError(f"{place}: a closing bracket too many; expected Penn brackets")
            node = stack.pop()
            if not stack and len(node) == 1 and isinstance(node[0], tuple):
                node = list(node[0])
            if len(node) < 2 or not isinstance(node[0], str):
                raise InputError(f"{place}: a node without label or child; expected (LABEL child)")
            (stack[-1] if stack else roots).append(tuple(node))
        elif stack:
            stack[-1].append(word)
        else:
            raise InputError(f"{place}: {word!r} stands outside the brackets")
    if stack or len(roots) != 1:
        raise InputError(f"{place}: expected one tree with matching brackets")
    return roots[0]


def read_bracketed_file(path: Path) -> list[Tree]:
    """Read a file with one tree in Penn brackets per line; blank lines are skipped.

    Raises:
        InputError: the file is missing or not UTF-8, or a line holds no tree.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (FileNotFoundError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: {error}; name a UTF-8 file, one tree per line") from None
    return [
        parse_bracketed(line, f"{path}, line {number}")
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]


def relation_tree(head: Any) -> Tree:
    """Turn a dependency tree into a grammatical-relation tree (Croce et al. 2011, section 2).

    Each word becomes a node named by its dependency label; below it stand its dependents and its
    own part-of-speech tag over the word, in the order of the sentence.

    Args:
        head: root of the dependency tree, a spaCy token.
    """
    own = (head.tag_ or "X", head.text)
    left = [relation_tree(child) for child in head.lefts]
    right = [relation_tree(child) for child in head.rights]
    return (head.dep_ or "dep", *left, own, *right)


def relation_trees(docs: Iterable[Any]) -> list[Tree]:
    """Return the grammatical-relation tree of each parsed text; its sentences hang under one node.

    Args:
        docs: spaCy parses, each with a token.
    """
    return [("TEXT", *(relation_tree(sentence.root) for sentence in doc.sents)) for doc in docs]


def draw_trees(trees: Sequence[Tree], n: int, seed: int) -> list[Tree]:
    """Draw trees without replacement; all of them, in their order, where there are fewer."""
    if len(trees) <= n:
        return list(trees)
    chosen = np.random.default_rng(seed).choice(len(trees), size=n, replace=False)
    return [trees[index] for index in sorted(chosen)]


def score_trees(
    trees: Sequence[Tree], decay: float, resamples: int, confidence: float, seed: int
) -> tuple[float, float, float]:
    """Return the mean normalised kernel of two different trees and its interval.

    Args:
        trees: at least two.
        decay: see `kernel_matrix`.
        resamples: see `mean_similarity`.
        confidence: see `mean_similarity`.
        seed: see `mean_similarity`.
    """
    similarity = normalise_kernel(kernel_matrix(trees, decay))
    return mean_similarity(similarity, resamples, confidence, seed)


@dataclass
class Forest:
    """Trees of a corpus with equal subtrees shared.

    Attributes:
        groups: production -> the shared nodes that have it, in the order they were met.
        children: node -> the shared nodes among its children, by position (None for a leaf).
        heights: node -> 1 for a node over leaves, else 1 + the greatest height below.
        counts: one mapping per tree: shared node -> how often it stands in the tree.
    """

    groups: dict[tuple, list[int]] = field(default_factory=lambda: defaultdict(list))
    children: list[tuple[int | None, ...]] = field(default_factory=list)
    heights: list[int] = field(default_factory=list)
    counts: list[dict[int, int]] = field(default_factory=list)
    known: dict[tuple, int] = field(default_factory=dict)

    def add(self, tree: Tree) -> None:
        """Add one tree."""
        counts: dict[int, int] = defaultdict(int)
        self._share(tree, counts)
        self.counts.append(dict(counts))

    def _share(self, tree: Tree, counts: dict[int, int]) -> int:
        label, *children = tree
        below = tuple(
            None if isinstance(child, str) else self._share(child, counts) for child in children
        )
        names = tuple(
            ("leaf", child) if isinstance(child, str) else ("node", child[0]) for child in children
        )
        production = (label, names)
        key = (production, below)
        node = self.known.get(key)
        if node is None:
            node = self.known[key] = len(self.children)
            self.groups[production].append(node)
            self.children.append(below)
            self.heights.append(
                1 + max((self.heights[child] for child in below if child is not None), default=0)
            )
        counts[node] += 1
        return node


def common_fragments(forest: Forest, decay: float) -> sparse.csr_array:
    """Weigh the fragments that every two shared nodes have in common below them.

    Args:
        forest: the trees, n shared nodes.
        decay: weight of each production of a fragment, above 0 and at most 1.

    Returns:
        Symmetric, shape (n, n); 0 for nodes with different productions.
    """
    blocks: dict[int, Floats] = {}
    place: list[tuple[int, int]] = [(0, 0)] * len(forest.children)
    groups = []
    for number, members in enumerate(forest.groups.values()):
        members = sorted(members, key=forest.heights.__getitem__)
        groups.append(members)
        blocks[number] = np.zeros((len(members), len(members)))
        for index, node in enumerate(members):
            place[node] = (number, index)
    group_of = np.array([number for number, _ in place])
    index_of = np.array([index for _, index in place])
    by_level: dict[int, list[int]] = defaultdict(list)
    for number, members in enumerate(groups):
        for height in {forest.heights[node] for node in members}:
            by_level[height].append(number)
    for level in sorted(by_level):
        for number in by_level[level]:
            members = groups[number]
            heights = np.array([forest.heights[node] for node in members])
            low, high = np.searchsorted(heights, [level, level + 1])
            product = np.full((high - low, high), decay)
            for position in range(len(forest.children[members[0]])):
                below = [forest.children[node][position] for node in members[:high]]
                if below[0] is None:
                    continue
                nodes = np.array(below)
                kinds = group_of[nodes]
                for kind in np.unique(kinds[low:]):
                    rows = np.flatnonzero(kinds[low:] == kind)
                    columns = np.flatnonzero(kinds == kind)
                    shared = blocks[kind][
                        np.ix_(index_of[nodes[low:][rows]], index_of[nodes[columns]])
                    ]
                    product[np.ix_(rows, columns)] *= 1.0 + shared
            blocks[number][low:high, :high] = product
            blocks[number][:high, low:high] = product.T
    rows, columns, values = [], [], []
    for number, members in enumerate(groups):
        nodes = np.array(members)
        rows.append(np.repeat(nodes, len(nodes)))
        columns.append(np.tile(nodes, len(nodes)))
        values.append(blocks[number].ravel())
    size = len(forest.children)
    return sparse.csr_array(
        (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))),
        shape=(size, size),
    )


def kernel_matrix(trees: Sequence[Tree], decay: float) -> Floats:
    """Return the subset-tree kernel of every two trees.

    Args:
        trees: t trees, at least one.
        decay: weight of each production of a fragment, above 0 and at most 1 (1 counts fragments).

    Returns:
        Symmetric, shape (t, t), above or equal to 0.

    Raises:
        InputError: no tree, or `decay` outside its range.
    """
    if not trees:
        raise InputError("tree kernel: no tree; the corpus has no parsed sentence")
    if not 0 < decay <= 1:
        raise InputError(f"tree kernel: decay is {decay}; allowed: above 0, at most 1")
    forest = Forest()
    for tree in trees:
        forest.add(tree)
    shared = common_fragments(forest, decay)
    entries = [
        (node, index, count)
        for index, counts in enumerate(forest.counts)
        for node, count in counts.items()
    ]
    nodes, indexes, counts = (np.array(column) for column in zip(*entries, strict=True))
    held = sparse.csr_array(
        (counts.astype(np.float64), (nodes, indexes)), shape=(len(forest.children), len(trees))
    )
    kernel = np.asarray((held.T @ (shared @ held)).todense())
    return (kernel + kernel.T) / 2


def normalise_kernel(kernel: Floats) -> Floats:
    """Return K(a, b) / sqrt(K(a, a) K(b, b)), 0-1, shape (t, t)."""
    scale = np.sqrt(np.diag(kernel))
    return np.clip(kernel / np.outer(scale, scale), 0.0, 1.0)


def mean_similarity(
    similarity: Floats, resamples: int, confidence: float, seed: int
) -> tuple[float, float, float]:
    """Return the mean similarity of two different trees, with a bootstrap interval over trees.

    Args:
        similarity: shape (t, t), t at least 2.
        resamples: how many times the trees are drawn anew with replacement.
        confidence: share of the interval, for example 0.95.
        seed: of the resamples.

    Returns:
        Mean and percentile interval; a tree that is drawn twice is not compared with itself, and a
        resample of one tree only is left out.

    Raises:
        InputError: fewer than two trees.
    """
    n_trees = len(similarity)
    if n_trees < 2:
        raise InputError(f"tree kernel: {n_trees} tree; a mean over pairs needs at least 2")
    apart = similarity - np.diag(np.diag(similarity))
    mean = apart.sum() / (n_trees * (n_trees - 1))
    generator = np.random.default_rng(seed)
    weights = generator.multinomial(n_trees, np.full(n_trees, 1 / n_trees), size=resamples)
    weights = weights.astype(np.float64)
    totals = np.einsum("bi,bi->b", weights @ apart, weights)
    pairs = n_trees**2 - (weights**2).sum(axis=1)
    defined = pairs > 0
    means = totals[defined] / pairs[defined]
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(mean), float(low), float(high)

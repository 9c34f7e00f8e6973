"""The tree kernel against a brute-force count of common subset trees."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest

from embsyntax.jobs import InputError
from embsyntax.tree_kernel import (
    draw_trees,
    kernel_matrix,
    mean_similarity,
    normalise_kernel,
    parse_bracketed,
    read_bracketed_file,
    relation_trees,
)


def fragments_at(node):
    """Every subset tree rooted at a node, as (fragment, number of productions)."""
    label, *children = node
    choices = []
    for child in children:
        if isinstance(child, str):
            choices.append([(child, 0)])
        else:
            choices.append([((child[0],), 0), *fragments_at(child)])
    return [
        ((label, *(part for part, _ in chosen)), 1 + sum(size for _, size in chosen))
        for chosen in itertools.product(*choices)
    ]


def all_fragments(node):
    found = fragments_at(node)
    for child in node[1:]:
        if not isinstance(child, str):
            found += all_fragments(child)
    return found


def count_common(first, second, decay):
    sizes = dict(all_fragments(first))
    counts, others = (Counter(f for f, _ in all_fragments(tree)) for tree in (first, second))
    return sum(n * others[fragment] * decay ** sizes[fragment] for fragment, n in counts.items())


def random_tree(generator, depth=3):
    label = generator.choice("ABC")
    if depth == 0 or generator.random() < 0.3:
        return (label, generator.choice("xyA"))
    return (label, *(random_tree(generator, depth - 1) for _ in range(generator.randint(1, 2))))


@pytest.mark.parametrize("decay", [1.0, 0.4])
def test_kernel_equals_the_brute_force_count_on_200_random_trees(decay):
    generator = random.Random(11)
    trees = [random_tree(generator) for _ in range(200)]
    kernel = kernel_matrix(trees, decay)
    assert np.array_equal(kernel, kernel.T)
    assert (kernel > 0).mean() > 0.2
    for i, j in [*((i, i) for i in range(200)), *((i, (i * 7 + 1) % 200) for i in range(200))]:
        assert kernel[i, j] == pytest.approx(count_common(trees[i], trees[j], decay), rel=1e-9)


def test_a_leaf_and_a_node_of_the_same_name_differ():
    assert kernel_matrix([("S", "A"), ("S", ("A", "x"))], 1.0)[0, 1] == 0


def test_normalised_kernel_is_one_for_equal_trees_and_zero_without_common_production():
    trees = [parse_bracketed(text) for text in ("(S (A a) (B b))", "(S (A a) (B b))", "(T (C c))")]
    similarity = normalise_kernel(kernel_matrix(trees, 0.4))
    assert similarity[0, 1] == 1.0
    assert similarity[0, 2] == 0.0


def test_mean_similarity_leaves_a_tree_and_itself_out():
    similarity = np.array([[1.0, 0.2, 0.4], [0.2, 1.0, 0.6], [0.4, 0.6, 1.0]])
    mean, low, high = mean_similarity(similarity, 500, 0.95, 3)
    assert mean == pytest.approx(0.4)
    assert 0.19 <= low <= mean <= high <= 0.61


def test_mean_similarity_of_one_tree_is_refused():
    with pytest.raises(InputError, match="at least 2"):
        mean_similarity(np.ones((1, 1)), 100, 0.95, 3)


@pytest.mark.parametrize("decay", [0.0, 1.5, -1.0])
def test_a_decay_outside_its_range_is_refused(decay):
    with pytest.raises(InputError, match="decay"):
        kernel_matrix([("S", "a")], decay)


def test_no_tree_is_refused():
    with pytest.raises(InputError, match="no tree"):
        kernel_matrix([], 0.4)


def test_an_outer_bracket_without_label_is_taken_off():
    assert parse_bracketed("( (S (N a)) )") == ("S", ("N", "a"))


@pytest.mark.parametrize("text", ["(S (N a)", "(S a))", "(S a) (S b)", "S", "()", "(S)", ""])
def test_broken_brackets_are_refused_with_their_place(text):
    with pytest.raises(InputError, match="trees.txt, line 4"):
        parse_bracketed(text, "trees.txt, line 4")


def test_a_dependency_parse_becomes_a_relation_tree():
    spacy = pytest.importorskip("spacy")
    doc = spacy.tokens.Doc(
        spacy.blank("en").vocab,
        words=["Mice", "chase", "cats"],
        heads=[1, 1, 1],
        deps=["nsubj", "ROOT", "dobj"],
        tags=["NNS", "VBP", "NNS"],
    )
    chase = ("ROOT", ("nsubj", ("NNS", "Mice")), ("VBP", "chase"), ("dobj", ("NNS", "cats")))
    assert relation_trees([doc]) == [("TEXT", chase)]


def test_trees_are_drawn_with_a_seed_and_without_replacement():
    trees = [("S", str(number)) for number in range(50)]
    drawn = draw_trees(trees, 20, 7)
    assert len(set(drawn)) == 20
    assert drawn == draw_trees(trees, 20, 7) != draw_trees(trees, 20, 8)
    assert draw_trees(trees, 100, 7) == trees


def test_a_file_of_trees_is_read_and_a_broken_line_is_named(tmp_path):
    path = tmp_path / "trees.txt"
    path.write_text("(S (N a))\n\n(S (N b))\n", encoding="utf-8")
    assert read_bracketed_file(path) == [("S", ("N", "a")), ("S", ("N", "b"))]
    path.write_text("(S (N a))\n(S (N b)\n", encoding="utf-8")
    with pytest.raises(InputError, match="trees.txt, line 2"):
        read_bracketed_file(path)
    with pytest.raises(InputError, match="one tree per line"):
        read_bracketed_file(tmp_path / "absent.txt")

"""Relation rules that exchange the arguments of verbs: who does what to whom, where, with what."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from spacy.tokens import Token

from embsyntax.perturbation.engine import (
    Change,
    DeclineError,
    Sentence,
    piece_of,
    replace_pieces,
    rule,
    starts_upper,
    upper_first,
)
from embsyntax.perturbation.modifiers import article_edit
from embsyntax.perturbation.noun_phrases import (
    Phrase,
    check_agreement,
    finites_of,
    fit,
    is_title_like,
    labelled,
    lowered,
    noun_phrase,
)
from embsyntax.perturbation.noun_words import MASS_NOUNS, NOUN_TAGS, SUBJECT_LABELS
from embsyntax.perturbation.roles import (
    Clause,
    Complement,
    Swap,
    agreement_edits,
    check_set_phrase,
    child_of,
    clauses_of,
    complements_of,
    is_symmetric,
    make_best,
    narrow,
    subject_phrase,
    subjects_and_complements,
    subjects_and_objects,
    swap_nouns,
    swap_objects,
    swap_subject,
    swap_subject_and_complement,
    swap_subject_and_object,
)
from embsyntax.perturbation.symmetric import (
    CAUSE_LINKS,
    CAUSE_VERBS,
    GREETINGS,
    PART_NOUNS,
    SET_PREPOSITIONS,
    SYMMETRIC_LINKS,
    SYMMETRIC_NOUNS,
    SYMMETRIC_PREPOSITIONS,
    SYMMETRIC_VERBS,
)

ROLE_SCORE = 2
ROLE_WHY = (
    "the same words, but who does it and to whom changed: not equivalent, some details shared"
)

LEAST_LIKENESS = 2
"""Phrases in unrelated roles are exchanged only if they are that much alike (see `fit`)."""

MOST_NOUNS = 8
"""Nouns of a long sentence that are compared with each other, from its start."""

MOVABLE_LABELS = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "ROOT", "attr", "conj"})
THIRD_PERSON = frozenset({"he", "she", "they", "it"})
FIRST_AND_SECOND_PERSON = frozenset({"i", "we", "you"})


@rule(
    name="subject_object_swap",
    dimension="relation",
    perturbation="concept order",
    expected_score=ROLE_SCORE,
    why=ROLE_WHY,
    preconditions="a verb, not symmetric, with a subject and an object that are plain noun phrases "
    "or pronouns",
)
def subject_object_swap(sentence: Sentence) -> Change:
    """`The dog chased the cat` -> `The cat chased the dog`."""
    candidates = [
        (clause, object_)
        for clause, object_ in subjects_and_objects(sentence)
        if object_.head.lemma_ not in CAUSE_VERBS
    ]
    return make_best(
        sentence, candidates, swap_subject_and_object, "no verb with subject and object"
    )


@rule(
    name="subject_prepositional_object_swap",
    dimension="relation",
    perturbation="concept order",
    expected_score=ROLE_SCORE,
    why=ROLE_WHY,
    preconditions="a verb with a subject and a prepositional phrase behind it, not with a partner",
)
def subject_prepositional_object_swap(sentence: Sentence) -> Change:
    """`The dog ran to the man` -> `The man ran to the dog`."""
    candidates = [
        (clause, complement)
        for clause, complement in subjects_and_complements(sentence)
        if (complement.host.lemma_, complement.preposition) not in CAUSE_LINKS
    ]
    return make_best(
        sentence,
        candidates,
        swap_subject_and_complement,
        "no verb with subject and prepositional phrase",
    )


@rule(
    name="object_prepositional_object_swap",
    dimension="relation",
    perturbation="concept order",
    expected_score=ROLE_SCORE,
    why="the same words, but what is acted on and the place, tool or receiver changed roles",
    preconditions="a verb that does not join equals, with an object and a prepositional phrase",
)
def object_prepositional_object_swap(sentence: Sentence) -> Change:
    """`She put the box into the bag` -> `She put the bag into the box`."""
    candidates = [
        (object_, complement)
        for object_ in labelled(sentence, "dobj")
        if object_.i > object_.head.i
        for complement in complements_of(sentence)
        if complement.first > object_.i and complement.host in (object_, object_.head)
    ]
    return make_best(
        sentence,
        candidates,
        _object_and_complement,
        "no verb with object and prepositional phrase",
    )


def _object_and_complement(sentence: Sentence, candidate: tuple[Token, Complement]) -> Swap:
    object_, complement = candidate
    if (
        is_symmetric(complement)
        or object_.head.lemma_ in SYMMETRIC_LINKS
        or (complement.host == object_ and object_.lemma_ in SYMMETRIC_NOUNS)
    ):
        raise DeclineError("symmetric predicate")
    if complement.preposition in SET_PREPOSITIONS - {"as"} or (
        complement.preposition == "by" and complement.host == object_
    ):
        raise DeclineError("preposition without argument")
    check_set_phrase(complement)
    return swap_objects(sentence, (object_, complement.noun))


@rule(
    name="prepositional_argument_swap",
    dimension="relation",
    perturbation="concept order",
    expected_score=ROLE_SCORE,
    why="the same words, but places, tools or partners changed roles",
    preconditions="two prepositional phrases on one word, or one inside the other",
)
def prepositional_argument_swap(sentence: Sentence) -> Change:
    """`He flew from Paris to Rome` -> `He flew from Rome to Paris`."""
    candidates = [
        (first, second)
        for first, second in combinations(complements_of(sentence), 2)
        if first.host == second.host or second.host == first.noun
    ]
    return make_best(sentence, candidates, _two_complements, "no two prepositional phrases")


def _two_complements(sentence: Sentence, candidate: tuple[Complement, Complement]) -> Swap:
    first, second = candidate
    if {first.preposition, second.preposition} & SET_PREPOSITIONS:
        raise DeclineError("preposition without argument")
    if first.preposition == second.preposition or second.preposition in SYMMETRIC_PREPOSITIONS:
        raise DeclineError("symmetric predicate")
    if first.host.tag_ in NOUN_TAGS and first.host.lemma_ in SYMMETRIC_NOUNS:
        raise DeclineError("symmetric predicate")
    for complement in candidate:
        check_set_phrase(complement)
        if complement.preposition == "by" and complement.host.tag_ == "VBN":
            raise DeclineError("agent of a passive")
    return swap_objects(sentence, (first.noun, second.noun))


@rule(
    name="passive_agent_swap",
    dimension="relation",
    perturbation="concept order",
    expected_score=ROLE_SCORE,
    why=ROLE_WHY,
    preconditions="a passive with an agent (`by`)",
)
def passive_agent_swap(sentence: Sentence) -> Change:
    """`The cat was chased by the dog` -> `The dog was chased by the cat`."""
    candidates = [
        (clause, complement)
        for clause in clauses_of(sentence)
        if clause.is_passive
        for complement in complements_of(sentence)
        if complement.preposition == "by" and complement.host == clause.verb
    ]
    return make_best(sentence, candidates, _subject_and_agent, "no passive with an agent")


def _subject_and_agent(sentence: Sentence, candidate: tuple[Clause, Complement]) -> Swap:
    clause, complement = candidate
    if clause.verb.lemma_ in SYMMETRIC_VERBS:
        raise DeclineError("symmetric predicate")
    return swap_subject(sentence, clause, complement.noun)


@rule(
    name="clause_subject_swap",
    dimension="relation",
    perturbation="concept order",
    expected_score=ROLE_SCORE,
    why="the same words, but two subjects changed what they do",
    preconditions="two clauses with subjects of their own and different verbs",
)
def clause_subject_swap(sentence: Sentence) -> Change:
    """`Ann sings and Ben dances` -> `Ben sings and Ann dances`."""
    full = [clause for clause in clauses_of(sentence) if not clause.is_reduced]
    candidates = [
        (first, second)
        for first, second in combinations(full, 2)
        if first.verb != second.verb
        and (first.verb.lemma_ != second.verb.lemma_ or first.verb.lemma_ == "be")
    ]
    return make_best(sentence, candidates, _two_subjects, "no two clauses with subjects")


def _two_subjects(sentence: Sentence, candidate: tuple[Clause, Clause]) -> Swap:
    first, second = candidate
    if not (finites_of(first.verb) and finites_of(second.verb)):
        raise DeclineError("clause without a finite verb")
    left, right = (subject_phrase(sentence, clause) for clause in candidate)
    words = {left.head.lower_, right.head.lower_}
    if words & THIRD_PERSON and not words & FIRST_AND_SECOND_PERSON:
        raise DeclineError("pronoun may refer to the other phrase")
    edits = agreement_edits(first, left, right) + agreement_edits(second, right, left)
    return swap_nouns(sentence, left, right, edits)


@rule(
    name="parallel_object_swap",
    dimension="relation",
    perturbation="concept order",
    expected_score=ROLE_SCORE,
    why="the same words, but two verbs changed their objects",
    preconditions="two different verbs with an object each",
)
def parallel_object_swap(sentence: Sentence) -> Change:
    """`Sell the car and buy the house` -> `Sell the house and buy the car`."""
    objects = [
        token
        for token in labelled(sentence, "dobj")
        if token.i > token.head.i and token.tag_ != "PRP"
    ]
    candidates = [
        (first, second)
        for first, second in combinations(objects, 2)
        if first.head.lemma_ != second.head.lemma_
    ]
    return make_best(sentence, candidates, swap_objects, "no two verbs with objects")


@rule(
    name="comparative_swap",
    dimension="relation",
    perturbation="concept order",
    expected_score=ROLE_SCORE,
    why="the same words, but the comparison points the other way",
    preconditions="a comparison with `than` and its subject",
)
def comparative_swap(sentence: Sentence) -> Change:
    """`Ann is taller than Ben` -> `Ben is taller than Ann`."""
    candidates = []
    for than in labelled(sentence, "prep"):
        noun = child_of(than, "pobj") if than.lower_ == "than" else None
        if noun is not None:
            above = set(than.ancestors)
            full = [c for c in clauses_of(sentence) if not c.is_reduced and c.verb in above]
            candidates += [(clause, noun) for clause in full[-1:]]
    if candidates and any(token.lower_ == "rather" for token in sentence.doc):
        raise DeclineError("comparison of objects")
    return make_best(
        sentence, candidates, lambda text, pair: swap_subject(text, *pair), "no comparison"
    )


@rule(
    name="copula_argument_swap",
    dimension="relation",
    perturbation="conceptual relationship",
    expected_score=3,
    why="the same words, but what is described and what it is called changed roles",
    preconditions="`be` with a common noun as subject and an indefinite one of the same number as "
    "predicate",
    off_because="too few outputs, and of 9 judged ones 1 to 2 were ungrammatical",
)
def copula_argument_swap(sentence: Sentence) -> Change:
    """`The man is a doctor` -> `The doctor is a man`."""
    for clause in clauses_of(sentence):
        attribute = child_of(clause.verb, "attr") if clause.verb.lemma_ == "be" else None
        if attribute is None or clause.is_reduced or clause.subject.i > attribute.i:
            continue
        return _swap_names_of_kind(sentence, clause, attribute)
    raise DeclineError("no form of be with a noun behind it")


def _swap_names_of_kind(sentence: Sentence, clause: Clause, attribute: Token) -> Change:
    subject = clause.subject
    if subject.tag_ not in {"NN", "NNS"} or attribute.tag_ != subject.tag_:
        raise DeclineError("no two common nouns of one number")
    if any(True for noun in (subject, attribute) for _ in noun.rights):
        raise DeclineError("noun with a complement")
    phrases = [subject_phrase(sentence, clause), noun_phrase(sentence, attribute)]
    pieces, articles = [], []
    for phrase in phrases:
        determiner = next((t for t in phrase.head.lefts if t.dep_ in {"det", "poss"}), None)
        first = phrase.first
        if determiner is not None:
            first = determiner.right_edge.i + 1
        articles.append(determiner)
        pieces.append(piece_of(sentence.doc[first], phrase.head))
    if subject.tag_ == "NN":
        is_right = None not in articles and articles[1].lower_ in {"a", "an"}
    else:
        is_right = articles[1] is None
    if not is_right:
        raise DeclineError("definite predicate")
    if subject.lemma_ == attribute.lemma_:
        raise DeclineError("both phrases have the same head")
    left, right = (sentence.words(piece) for piece in pieces)
    edits = [
        edit
        for determiner, word in zip(articles, (right, left), strict=True)
        if (edit := article_edit(determiner, word)) is not None
    ]
    if pieces[0].start == sentence.start and starts_upper(sentence):
        left = lowered(sentence, left, sentence.doc[phrases[0].first])
        right = upper_first(right)
    text = replace_pieces(sentence, [(pieces[0], right), (pieces[1], left), *edits])
    return Change(text, f"{left} <-> {right}")


@rule(
    name="noun_phrase_swap",
    dimension="relation",
    perturbation="concept order",
    expected_score=ROLE_SCORE,
    why=ROLE_WHY,
    preconditions="two noun phrases of one kind in different clauses or phrases",
)
def noun_phrase_swap(sentence: Sentence) -> Change:
    """`A man sat in a car that a boy had washed` -> `A boy sat in a car that a man had washed`."""
    nouns = [
        token
        for token in labelled(sentence, *MOVABLE_LABELS)
        if token.tag_ in NOUN_TAGS and _is_alone(token)
    ]
    pairs = [
        (first, second)
        for first, second in combinations(nouns[:MOST_NOUNS], 2)
        if _governor(first) != _governor(second)
    ]
    missing, reasons = "no two nouns in different phrases", []
    for pair in sorted(pairs, key=lambda pair: -_likeness(sentence, pair)):
        try:
            return make_best(sentence, [pair], _two_nouns, missing, least=LEAST_LIKENESS)
        except DeclineError as fault:
            reasons.append(str(fault))
    raise DeclineError(reasons[0] if reasons else missing)


def _likeness(sentence: Sentence, pair: tuple[Token, Token]) -> int:
    """How alike the phrases of two nouns are (see `fit`); -1 if one of them cannot move."""
    left, right = (_phrase_or_reason(sentence, noun) for noun in pair)
    return -1 if isinstance(left, str) or isinstance(right, str) else fit(left, right)


def _is_alone(noun: Token) -> bool:
    """False for a noun of a list, or behind a conjunction that a comma or no word precedes."""
    if noun.dep_ != "conj":
        return True
    before = noun.left_edge.i - 1
    is_list = noun.head.dep_ == "conj" or any(child.dep_ == "conj" for child in noun.rights)
    return not is_list and noun.doc[before].tag_ == "CC" and noun.doc[before - 1].tag_ in NOUN_TAGS


def _governor(noun: Token) -> Token:
    """The word that a noun is an argument of; that of the first noun if it is coordinated."""
    while noun.dep_ == "conj":
        noun = noun.head
    return noun.head.head if noun.dep_ == "pobj" else noun.head


def _check_unambiguous(sentence: Sentence, phrase: Phrase) -> None:
    """Decline a singular common noun without a determiner: it may be part of something else.

    Raises:
        DeclineError: see above.
    """
    head = phrase.head
    is_object = (head.dep_ in {"dobj", "pobj"} or phrase.first == 0) and is_title_like(sentence)
    if head.tag_ == "NN" and phrase.is_bare and head.lower_ not in MASS_NOUNS and not is_object:
        raise DeclineError("singular noun without a determiner")


def _is_argument(noun: Token, other: Token) -> bool:
    """True if the preposition before a noun gives it a role that another noun can have.

    A noun behind `of` can go where the noun that it belongs to stays.
    """
    preposition = noun.head
    if preposition.lower_ == "of":
        host = preposition.head
        return host.tag_ in NOUN_TAGS and host != other and host.lemma_.lower() not in PART_NOUNS
    return preposition.lower_ not in SET_PREPOSITIONS | SYMMETRIC_PREPOSITIONS


@lru_cache(maxsize=64)
def _phrase_or_reason(sentence: Sentence, noun: Token) -> Phrase | str:
    """The phrase of a noun, or why it cannot move; each noun stands in several pairs."""
    try:
        if noun.lower_ in GREETINGS:
            raise DeclineError("greeting or pronoun")
        phrase = narrow(noun_phrase(sentence, noun, is_apart=True), keep_of=True)
        _check_unambiguous(sentence, phrase)
        if noun.dep_ in SUBJECT_LABELS:
            check_agreement(finites_of(noun.head), noun)
    except DeclineError as fault:
        return str(fault)
    return phrase


def _two_nouns(sentence: Sentence, candidate: tuple[Token, Token]) -> Swap:
    phrases, edits = [], []
    for token, other in (candidate, candidate[::-1]):
        if token.dep_ == "pobj" and not _is_argument(token, other):
            raise DeclineError("preposition without argument")
        phrase = _phrase_or_reason(sentence, token)
        if isinstance(phrase, str):
            raise DeclineError(phrase)
        phrases.append(phrase)
    left, right = phrases
    for token, old, new in ((candidate[0], left, right), (candidate[1], right, left)):
        if token.dep_ in SUBJECT_LABELS:
            edits += agreement_edits(Clause(token.head, token, False, False), old, new)
    return swap_nouns(sentence, left, right, edits)

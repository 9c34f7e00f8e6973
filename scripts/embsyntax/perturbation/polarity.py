"""Negations that come and go: `is` and `is not`, `runs` and `does not run`, `how to` and `avoid`.

Nothing is registered here; see `traps.trap_negation`.
"""

from __future__ import annotations

from spacy.tokens import Token

from embsyntax.perturbation.engine import DeclineError, Piece, Sentence, piece_of
from embsyntax.perturbation.lexical import is_being, like_case, tokens_of
from embsyntax.perturbation.main_clause import POLARITY_WORDS, word_set
from embsyntax.perturbation.modifiers import article_before
from embsyntax.perturbation.statements import (
    AUXILIARIES,
    BE,
    FOCUS_WORDS,
    Edits,
    after,
    bare_conjuncts,
    before,
    beside,
    first_word,
    is_be,
    leftmost_adverb,
    lowered,
    may_be_participle,
    own_subject,
    stated_verb,
    statement_subject,
    with_space,
)
from embsyntax.perturbation.verbs import FINITE_TAGS, inflect, lemma_of

NOT = word_set("not n't n’t nt")
NEGATIVE = NOT | word_set("no never nobody nothing nowhere none unable")
OTHER_NEGATIVE = word_set("nor neither hardly barely unless until till")
"""Words that negate in ways, or depend on negations, that no rule here can undo."""

OPPOSITES = {"nobody": "somebody", "nothing": "something", "unable": "able", "never": "always"}
NO_NEGATION = word_set("only just even all every yet necessarily because so to but always")
"""What follows a `not` that negates no whole statement."""

IDIOMS_BEFORE = word_set("or if why whether like for")
IDIOMS_AFTER = word_set("before again ever mind but else more")
IRONIC = word_set("wait help believe")
"""Verbs of which `cannot` is praise or blame (`I can't wait`)."""

FULL_FORMS = {
    "'ve": "have",
    "’ve": "have",
    "'ll": "will",
    "’ll": "will",
    "ca": "can",
    "wo": "will",
    "sha": "shall",
}
"""Auxiliaries that are written in full where a negation goes or comes."""

QUANTIFIERS = word_set("all every each both most many few no none neither either any several much")
UNAVOIDABLE = word_set(
    "be know avoid prevent stop tell say let understand determine get see learn have do fix solve "
    "find check ensure explain describe call pronounce become mean handle deal troubleshoot go"
)
"""Verbs with which `avoid` makes no sense, or makes nonsense of a question for help."""

MASS_NOUNS = word_set(
    "evidence information money water time doubt trouble damage music food help work space traffic "
    "snow grass sand hope power support access progress sound news oil gas internet peace violence "
    "software hardware memory blood energy interest"
)
COUNTABLE = word_set(
    "way reason problem sign chance plan link solution option answer difference person man woman "
    "boy girl dog cat child animal deal agreement response charge limit player monkey band group"
)
QUESTION_MODALS = word_set("should can could would")


def negative_words(sentence: Sentence) -> list[Token]:
    """Return the words that negate, in order."""
    return [
        token for token in tokens_of(sentence) if token.dep_ == "neg" or token.lower_ in NEGATIVE
    ]


def without_negation(sentence: Sentence, word: Token) -> tuple[Edits, str]:
    """Return the edits that take a negation away, and what they do.

    Args:
        sentence: the source.
        word: the word that negates, one of `negative_words`.

    Raises:
        DeclineError: the word is part of an idiom, or other words depend on it.
    """
    form, following = word.lower_, beside(word, 1)
    if any(token.lower_ in POLARITY_WORDS for token in sentence.doc[word.i + 1 :]):
        raise DeclineError("any or the like depends on the negation")
    if beside(word, -1) in IDIOMS_BEFORE or following in IDIOMS_AFTER:
        raise DeclineError("negation is part of an idiom")
    if form in NOT:
        return _without_not(sentence, word)
    if form == "no" and following == "longer":
        return [(piece_of(word, word.nbor(1)), like_case(word, "still"))], "no longer -> still"
    if form == "no" and following == "one":
        return [(piece_of(word, word.nbor(1)), like_case(word, "someone"))], "no one -> someone"
    if form == "no" and word.dep_ == "det" and word.i < word.head.i:
        return _without_no(word)
    if form not in OPPOSITES or (form == "nothing" and following == "to"):
        raise DeclineError("negation is part of an idiom")
    return [(piece_of(word), like_case(word, OPPOSITES[form]))], f"{form} -> {OPPOSITES[form]}"


def _without_no(word: Token) -> tuple[Edits, str]:
    """`No dog` -> `a dog`, `no dogs` -> `some dogs`."""
    noun = word.head
    if noun.tag_ == "NNS" or noun.lower_ in MASS_NOUNS:
        new = "some"
    elif noun.tag_ == "NN" and noun.lower_ in COUNTABLE:
        new = article_before(word.nbor(1).text)
    else:
        raise DeclineError("noun of unknown kind after no")
    if noun.dep_ not in ("attr", "nsubj", "dobj", "nsubjpass"):
        raise DeclineError("negation is part of an idiom")
    return [(piece_of(word), like_case(word, new))], f"no -> {new}"


def _without_not(sentence: Sentence, word: Token) -> tuple[Edits, str]:
    """`Does not run` -> `runs`, `cannot` -> `can`, `not working` -> `working`."""
    if word.i == 0 or beside(word, 1) in NO_NEGATION:
        raise DeclineError("negation is part of an idiom")
    auxiliary, verb = word.nbor(-1), word.head
    form, subject = auxiliary.lower_, own_subject(verb)
    if auxiliary.dep_ not in AUXILIARIES or auxiliary.head != verb:
        if not auxiliary.whitespace_ and form not in BE:
            raise DeclineError("unusual auxiliary")
        return [(piece_of(word), "")], f"- {word.text}"
    if form == "ai" or (form == "ca" and verb.lower_ in IRONIC):
        raise DeclineError("negation is part of an idiom")
    is_question = subject is not None and subject.i > auxiliary.i
    if form in ("do", "does", "did") and not is_question:
        if verb.tag_ not in ("VB", "VBP") or lemma_of(verb) != verb.lower_:
            raise DeclineError("unusual auxiliary")
        if form == "do" and subject is not None and subject.tag_ in ("NN", "NNP"):
            raise DeclineError("subject and verb do not agree")
        new = inflect(verb.lower_, {"do": "VB", "does": "VBZ", "did": "VBD"}[form])
        gone = Piece(auxiliary.idx, word.idx + len(word))
        detail = f"{sentence.words(gone)} {verb} -> {new}"
        return [(gone, ""), (piece_of(verb), new)], detail
    edits: Edits = [(piece_of(word), "")]
    if form in FULL_FORMS and word.lower_ != "not":
        edits.append((piece_of(auxiliary), like_case(auxiliary, FULL_FORMS[form])))
    return edits, f"- {word.text}"


def with_for_without(sentence: Sentence) -> tuple[Edits, str]:
    """Return the edits of `without a disk` -> `with a disk`, `without using` -> `by using`.

    Raises:
        DeclineError: there is not one `without` before a noun or `using`.
    """
    found = [token for token in tokens_of(sentence) if token.lower_ == "without"]
    targets = [child for child in found[0].rights if child.dep_ in ("pobj", "pcomp")]
    if len(found) > 1 or not targets:
        raise DeclineError("without and no noun")
    if any(token.lower_ in POLARITY_WORDS for token in targets[0].subtree):
        raise DeclineError("any or the like depends on the negation")
    if targets[0].dep_ == "pcomp" and targets[0].lower_ != "using":
        raise DeclineError("without and a clause")
    new = "with" if targets[0].dep_ == "pobj" else "by"
    return [(piece_of(found[0]), like_case(found[0], new))], f"without -> {new}"


def with_negation(sentence: Sentence) -> tuple[Edits, str]:
    """Return the edits that negate a sentence without negation, and what they do.

    Raises:
        DeclineError: it is a question or a phrase that cannot be negated, or it would read badly.
    """
    asked = next((token for token in tokens_of(sentence) if _is_asked_for(token)), None)
    if asked is not None:
        return _with_avoid(asked)
    shown = _shown_action(sentence.root)
    if shown is not None:
        return [(before(shown), "not ")], "+ not"
    verb = stated_verb(sentence)
    first, subject = first_word(verb), own_subject(verb)
    if any(child.lower_ in FOCUS_WORDS for child in verb.children):
        raise DeclineError("adverb beside which not reads badly")
    if subject is None:
        return _negated_command(sentence, verb)
    if subject.i > first.i and subject.dep_ != "expl":
        return _negated_question(sentence, verb, first, subject)
    is_asked = subject.tag_ in ("WP", "WDT")
    if sentence.is_question != is_asked or (is_asked and is_be(verb)):
        raise DeclineError("question")
    statement_subject(sentence, verb)
    if subject.dep_ == "expl" and subject.lower_ == "there":
        return _there_is_no(verb)
    if subject.left_edge.lower_ in QUANTIFIERS or subject.lower_ in QUANTIFIERS:
        opening = subject.left_edge
        if opening.lower_ not in ("all", "every") or opening.idx != sentence.start:
            raise DeclineError("quantified subject")
        return [(piece_of(opening), f"not {opening.lower_}")], "+ not"
    return negated_statement(verb)


def negated_statement(verb: Token) -> tuple[Edits, str]:
    """Return the edits that put `not` behind an auxiliary, or `does not` before a verb.

    Args:
        verb: a verb whose subject stands left of it.

    Raises:
        DeclineError: the verb is not finite, or may be a participle.
    """
    first = first_word(verb)
    if first != verb or is_be(verb):
        return _not_behind(first, verb)
    if verb.tag_ == "VBG" and own_subject(verb).pos_ != "PRON":
        return [(before(verb), "not ")], "+ not"
    if verb.tag_ not in FINITE_TAGS or may_be_participle(verb):
        raise DeclineError("no finite verb")
    target = (bare_conjuncts(verb) or [verb])[-1]
    if first_word(target) != target:
        return _not_behind(first_word(target), target)
    if target != verb and (
        is_be(target) or any(child.lower_ in FOCUS_WORDS for child in target.children)
    ):
        raise DeclineError("coordinated verbs")
    auxiliary = {"VBZ": "does", "VBP": "do", "VBD": "did"}[target.tag_]
    place, lemma = leftmost_adverb(target), lemma_of(target)
    if place == target:
        edits: Edits = [(piece_of(target), f"{auxiliary} not {lemma}")]
    else:
        edits = [(before(place), f"{auxiliary} not "), (piece_of(target), lemma)]
    edits += [
        (piece_of(child), "any")
        for noun in target.rights
        if noun.dep_ == "dobj"
        for child in noun.lefts
        if child.lower_ == "some"
    ]
    return edits, f"+ {auxiliary} not"


def _not_behind(auxiliary: Token, verb: Token) -> tuple[Edits, str]:
    """`Is` -> `is not`, `can` -> `cannot`, `'ll` -> `will not`, `to` -> `not to`."""
    form = auxiliary.lower_
    if form == "to":
        lemma_of(verb)
        return [(before(auxiliary), "not ")], "+ not"
    if form == "can":
        return [(piece_of(auxiliary), like_case(auxiliary, "cannot"))], "can -> cannot"
    if form in FULL_FORMS:
        return [(piece_of(auxiliary), with_space(auxiliary, f"{FULL_FORMS[form]} not"))], "+ not"
    if auxiliary.tag_ not in FINITE_TAGS | {"MD"} or form in ("'d", "’d", "gon", "got"):
        raise DeclineError("unusual auxiliary")
    return [(after(auxiliary), " not")], "+ not"


def _shown_action(root: Token) -> Token | None:
    """Return the participle of a caption (`a dog running in the snow`), or None."""
    if root.tag_ not in ("NN", "NNS") or root.left_edge.i != 0 or not is_being(root):
        return None
    actions = [child for child in root.rights if child.dep_ == "acl"]
    if len(actions) != 1 or actions[0].tag_ != "VBG":
        return None
    action = actions[0]
    is_near = action.i == root.i + 1 or root.nbor(1).dep_ == "prep"
    is_clear = not any(c.dep_ in ("conj", "cc", "punct", "advmod") for c in root.rights)
    return action if is_near and is_clear and action.nbor(-1).pos_ == "NOUN" else None


def _there_is_no(verb: Token) -> tuple[Edits, str]:
    """`There is a man` -> `there is no man`."""
    noun = next((child for child in verb.rights if child.dep_ in ("attr", "dobj")), None)
    if noun is None or first_word(verb) != verb:
        raise DeclineError("there and no noun")
    opening = noun.left_edge
    if opening.head == noun and opening.lower_ in ("a", "an", "some"):
        return [(piece_of(opening), "no")], f"{opening.text} -> no"
    if any(child.lower_ in QUANTIFIERS | {"more", "only"} for child in noun.lefts):
        raise DeclineError("quantified noun")
    if noun.tag_ == "NNS" and opening.pos_ in ("NOUN", "ADJ") and opening.text[0].islower():
        return [(before(opening), "no ")], "+ no"
    raise DeclineError("there and a definite noun")


def _negated_command(sentence: Sentence, verb: Token) -> tuple[Edits, str]:
    """`Open the door` -> `do not open the door`."""
    if verb.tag_ not in ("VB", "VBP") or verb.idx != sentence.start:
        raise DeclineError("no subject")
    if lemma_of(verb) in ("let", "thank", "please", "welcome", "train") or any(
        child.dep_ == "conj" for child in verb.children
    ):
        raise DeclineError("no subject")
    return [(piece_of(verb), f"do not {lowered(sentence, verb)}")], "+ do not"


def _negated_question(
    sentence: Sentence, verb: Token, first: Token, subject: Token
) -> tuple[Edits, str]:
    """`Why does it work` -> `why does it not work`, `what should I use` -> `... not use`."""
    opening = sentence.doc[0].lower_
    is_choice = opening in ("what", "which") and first.lower_ in QUESTION_MODALS
    if opening != "why" and not is_choice:
        raise DeclineError("question")
    if subject.right_edge.i + 1 >= len(sentence.doc):
        raise DeclineError("question")
    place = subject.right_edge.nbor(1)
    is_complement = is_be(verb) and any(
        place in child.subtree
        for child in verb.rights
        if child.dep_ in ("acomp", "attr", "prep", "advmod")
    )
    is_verb = place == verb or (place.head == verb and place.dep_ in ("aux", "auxpass", "advmod"))
    if not (is_verb or is_complement) or place.is_punct or place.lower_ in FOCUS_WORDS:
        raise DeclineError("question")
    return [(before(place), "not ")], "+ not"


def _is_asked_for(verb: Token) -> bool:
    """Return True for the verb of `how to do`, `how can I do`, `can I do`, `way to do`."""
    if verb.tag_ not in ("VB", "VBP") or verb.pos_ != "VERB":
        return False
    first, subject = first_word(verb), own_subject(verb)
    if first == verb:
        return False
    if first.lower_ == "to" and subject is None:
        return beside(first, -1) in ("how", "way", "ways")
    if subject is None or subject.i < first.i or subject.lower_ not in ("i", "we", "one", "you"):
        return False
    is_wish = (
        first.i == 0 and first.lower_ in ("can", "could", "should") and subject.lower_ != "you"
    )
    return is_wish or beside(first, -1) == "how"


def _with_avoid(verb: Token) -> tuple[Edits, str]:
    """`How to change X` -> `how to avoid changing X`."""
    lemma = lemma_of(verb)
    if lemma in UNAVOIDABLE or any(c.dep_ in ("neg", "prt", "xcomp") for c in verb.children):
        raise DeclineError("verb that nobody avoids")
    previous = verb.nbor(-1)
    if previous.dep_ == "advmod" or not previous.whitespace_:
        raise DeclineError("adverb before the verb")
    gerund = inflect(lemma, "VBG")
    edits: Edits = [(piece_of(verb), f"avoid {gerund}")]
    for child in verb.rights:
        if child.dep_ == "conj" and child.tag_ in ("VB", "VBP") and own_subject(child) is None:
            if first_word(child) != child or any(c.dep_ == "conj" for c in child.children):
                raise DeclineError("coordinated verbs")
            edits.append((piece_of(child), inflect(lemma_of(child), "VBG")))
    return edits, f"{verb.text} -> avoid {gerund}"

"""Partial inversion: one part of the clause moves to its front, or back from there to its end."""

from __future__ import annotations

from itertools import pairwise

from spacy.tokens import Token

from embsyntax.perturbation.adjuncts import (
    BARE_TIMES,
    GOAL_VERBS,
    MOTION_VERBS,
    TWO_WORD_PREPOSITIONS,
    is_time,
    kind_of_phrase,
    object_of,
    refers_back,
)
from embsyntax.perturbation.engine import (
    Change,
    DeclineError,
    Piece,
    Sentence,
    rule,
    subtree_piece,
    swap_pieces,
)
from embsyntax.perturbation.inversion import MOVEMENT_VERBS, be_piece, read_participle
from embsyntax.perturbation.main_clause import (
    BREAKS,
    POLARITY_WORDS,
    THIRD_PERSON,
    MainClause,
    arrange,
    follows_directly,
    has_word,
    is_balanced,
    read_main_clause,
    without,
    word_set,
)

LONGEST_EXCHANGED = 7
"""Most words of a phrase that changes places with its neighbour."""

MAX_PHRASE = 12
"""Most words of a fronted phrase."""

SPEECH_VERBS = word_set("say tell ask think add mean forbid")
IDIOM_NOUNS = word_set("hell crap heck way place part advantage care attention sense shit ass")
ADJUNCT_PREPOSITIONS = word_set("with in on at by into onto through over after before during as")
"""Prepositions whose phrase the parser often joins to the object though it goes with the verb."""

LIGHT_VERBS = word_set("have take make get do give keep pay lose set hold")
"""Verbs that often make an idiom with their object (`take place`, `have fun`)."""

MANNER_EXCEPTIONS = word_set(
    """only nearly really hardly barely simply early daily likely family fully highly newly
    mostly mainly partly largely solely merely exactly particularly especially extremely
    closely badly heavily widely directly strongly firmly"""
)
"""Words in -ly that are no adverbs, or whose scope is the word beside them."""

TIME_ADVERBS = word_set(
    """today yesterday tomorrow tonight now currently recently soon later again sometimes often
    eventually nowadays lately once"""
)

SETTINGS = frozenset({"place", "event"})
EXCHANGES = frozenset(
    {
        ("time", "place"),
        ("place", "time"),
        ("time", "path"),
        ("path", "time"),
        ("time", "with"),
        ("with", "time"),
        ("time", "goal"),
        ("goal", "time"),
        ("time", "source"),
        ("source", "time"),
        ("place", "place"),
        ("path", "place"),
        ("place", "path"),
        ("source", "goal"),
        ("goal", "source"),
    }
)
"""Kinds of neighbours that can change places: the second never describes the first."""


def _check_clause(clause: MainClause) -> None:
    if any(
        child.dep_ in {"nsubj", "nsubjpass"} for t in clause.find("conj") for child in t.children
    ):
        raise DeclineError("coordinated clauses")


def _body(sentence: Sentence, clause: MainClause) -> Piece:
    return Piece(clause.subject_piece.start, sentence.end)


def _check_cut(sentence: Sentence, piece: Piece) -> None:
    """Decline a phrase whose next word may belong to it.

    Raises:
        DeclineError: a noun, name or number follows the phrase directly.
    """
    token = follows_directly(sentence, piece)
    if token is not None and (
        token.lower_ in {"and", "or", "to", "of", "as", "than", "well"}
        or (token.pos_ not in {"ADP", "ADV", "SCONJ", "PART"} and token.lower_ not in BARE_TIMES)
    ):
        raise DeclineError("doubtful end of the phrase")


def _check_object(clause: MainClause, found: Token) -> None:
    """Decline an object that cannot be a topic.

    Raises:
        DeclineError: it is quantified, a measure, part of an idiom or bound by the subject.
    """
    first, verb = found.left_edge.lower_, clause.verb
    if clause.is_negated and first in {"a", "an", "any", "much", "many"}:
        raise DeclineError("indefinite object under negation")
    if first in {"no", "little", "few", "such", "what", "enough"} | POLARITY_WORDS:
        raise DeclineError("quantified object")
    if found.left_edge.pos_ == "NUM" and not any(t.dep_ == "det" for t in found.lefts):
        raise DeclineError("quantified object")
    if found.ent_type_ in {"PERCENT", "MONEY", "QUANTITY", "CARDINAL", "DATE", "TIME"}:
        raise DeclineError("measure as object")
    if verb.lemma_ in LIGHT_VERBS and first not in {"the", "this", "that", "these", "those", "my"}:
        raise DeclineError("idiom of verb and object")
    if verb.lemma_ in SPEECH_VERBS:
        raise DeclineError("verb of saying")
    bare = found.tag_ == "NN" and not any(t.dep_ in {"det", "poss", "nummod"} for t in found.lefts)
    if bare and not (clause.auxiliaries or any(t.dep_ == "det" for t in clause.subject.lefts)):
        raise DeclineError("headline without articles")
    if refers_back(found, clause.subject):
        raise DeclineError("pronoun inside the phrase")
    if found.lemma_.lower() in IDIOM_NOUNS and not any(t.dep_ == "relcl" for t in found.rights):
        raise DeclineError("idiom of verb and object")
    has_article = found.left_edge.pos_ == "DET"
    if any(t.dep_ == "conj" and (t.left_edge.pos_ == "DET") != has_article for t in found.rights):
        raise DeclineError("doubtful coordination in the object")
    if any(t.dep_ == "prep" and t.lower_ in ADJUNCT_PREPOSITIONS for t in found.rights):
        raise DeclineError("doubtful phrase after the object")


def _may_stay(preposition: Token, verb: Token) -> bool:
    """Say whether a phrase behind the object certainly belongs to the verb."""
    return (
        verb.lemma_ in GOAL_VERBS
        or preposition.lower_ in {"to", "into", "onto"}
        or kind_of_phrase(preposition, verb) is not None
    )


def front_object(sentence: Sentence, clause: MainClause) -> tuple[Piece, list[Piece], Token]:
    """Cut a clause into its direct object and the rest.

    Args:
        sentence: the source.
        clause: its main clause.

    Returns:
        The object, the stretches before and behind it, and the head of the object.

    Raises:
        DeclineError: there is no direct object that can stand first.
    """
    if "," in sentence.words(clause.subject_piece):
        raise DeclineError("comma inside the subject")
    objects = clause.find("dobj")
    if len(objects) != 1 or clause.verb.pos_ != "VERB":
        raise DeclineError("no direct object")
    found = objects[0]
    if found.pos_ not in {"NOUN", "PROPN"}:
        raise DeclineError("object is no noun")
    if clause.find("dative", "oprd", "xcomp", "ccomp", "acomp", "conj", "advcl"):
        raise DeclineError("more than an object after the verb")
    _check_object(clause, found)
    piece = subtree_piece(found)
    particles = clause.find("prt")
    if particles and clause.verb.lemma_ in MOTION_VERBS | MOVEMENT_VERBS | {
        "ride",
        "catch",
        "trend",
    }:
        raise DeclineError("particle may be a preposition")
    if any(t.pos_ == "CCONJ" for t in sentence.doc[clause.verb.i : found.left_edge.i]):
        raise DeclineError("coordinated verbs")
    if "," in sentence.words(piece) or len(sentence.tokens(piece)) > MAX_PHRASE:
        raise DeclineError("long phrase")
    _check_cut(sentence, piece)
    for token in clause.find("prep", "advmod", "npadvmod"):
        if token.dep_ == "prep" and token.i > found.i and not _may_stay(token, clause.verb):
            raise DeclineError("doubtful phrase after the object")
    body = without(sentence, _body(sentence, clause), piece)
    return piece, body, found


@rule(
    name="object_fronting",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=4,
    why="Same words and relations; the topic position only stresses the object.",
    preconditions="A declarative clause with one plain noun phrase as direct object.",
)
def object_fronting(sentence: Sentence) -> Change:
    """Turn `The team won the championship` into `The championship, the team won`."""
    clause = read_main_clause(sentence)
    piece, body, _ = front_object(sentence, clause)
    text = arrange(sentence, [piece, ",", *body])
    return Change(text, f"{sentence.words(piece)} to the front")


@rule(
    name="prepositional_fronting",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="A phrase of time, place or circumstance says the same at either end of the clause.",
    preconditions="A declarative clause with such a phrase behind its verb.",
)
def prepositional_fronting(sentence: Sentence) -> Change:
    """Turn `A dog runs in the park` into `In the park, a dog runs`."""
    clause = read_main_clause(sentence)
    _check_clause(clause)
    if clause.verb.lemma_ == "be" and not any(
        t.dep_ != "advmod" or t.lower_ in {"up", "down", "higher", "lower", "on", "off", "alone"}
        for t in clause.find("attr", "acomp", "advmod")
        if t.i > clause.verb.i
    ):
        raise DeclineError("place as predicate")
    for token in reversed(clause.find("prep")):
        if token.i < clause.verb.i or kind_of_phrase(token, clause.verb) is None:
            continue
        if refers_back(token, clause.subject):
            continue
        piece = subtree_piece(token)
        if len(sentence.tokens(piece)) > MAX_PHRASE:
            continue
        if _modifies_noun(clause, token):
            continue
        _check_cut(sentence, piece)
        if object_of(token).dep_ == "pcomp" and piece.end != sentence.end:
            continue
        body = without(sentence, _body(sentence, clause), piece)
        text = arrange(sentence, [piece, ",", *body])
        return Change(text, f"{sentence.words(piece)} to the front")
    raise DeclineError("no phrase that can move")


def _modifies_noun(clause: MainClause, preposition: Token) -> bool:
    """Say whether a phrase may belong to a superlative, ordinal or `as` phrase before it."""
    for token in clause.dependents:
        if clause.verb.i < token.i < preposition.i and (
            token.lower_ == "as"
            or any(
                word.tag_ in {"JJS", "RBS"} or word.lower_ in {"first", "last", "only", "second"}
                for word in token.subtree
            )
        ):
            return True
    return False


@rule(
    name="predicate_fronting",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=4,
    why="Same words and relations; the marked order only stresses the predicate.",
    preconditions="Subject, a form of be, and a participle with what follows it.",
)
def predicate_fronting(sentence: Sentence) -> Change:
    """Turn `The man is playing the guitar` into `Playing the guitar, the man is`."""
    found = read_participle(sentence)
    if len(sentence.tokens(found.piece)) < 2:
        raise DeclineError("bare participle")
    subject = found.clause.subject_piece
    text = arrange(sentence, [found.piece, ",", subject, be_piece(found.be)])
    return Change(text, f"{sentence.words(found.piece)} to the front")


def _movable_adverb(token: Token) -> bool:
    """Say whether an adverb or a noun of time can stand first in its clause."""
    if token.dep_ == "npadvmod":
        return is_time(token) and (
            token.lower_ in BARE_TIMES
            or any(
                child.lower_ in {"this", "last", "next", "every", "each", "that"}
                for child in token.lefts
            )
        )
    if token.dep_ != "advmod" or token.tag_ != "RB":
        return False
    lower = token.lower_
    return lower in TIME_ADVERBS or (
        lower.endswith("ly") and len(lower) > 5 and lower not in MANNER_EXCEPTIONS
    )


@rule(
    name="adverbial_fronting",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="An adverb of time or manner says the same at either end of the clause.",
    preconditions="A declarative clause with an adverb or noun of time, or an adverb in -ly.",
)
def adverbial_fronting(sentence: Sentence) -> Change:
    """Turn `The man slowly opens the door` into `Slowly, the man opens the door`."""
    clause = read_main_clause(sentence)
    _check_clause(clause)
    if clause.verb.lemma_ == "be" and not clause.find("attr", "acomp", "prep"):
        raise DeclineError("time as predicate")
    for token in reversed(clause.find("npadvmod", "advmod")):
        if not _movable_adverb(token) or token.i < clause.subject.i:
            continue
        piece = subtree_piece(token)
        if any(
            child.dep_ not in {"det", "compound"} and child.lower_ not in {"early", "late", "last"}
            for child in token.children
        ):
            continue
        if token.dep_ == "npadvmod" and token.i < clause.verb.i:
            continue
        if clause.is_negated and token.dep_ == "advmod" and token.lower_ not in TIME_ADVERBS:
            continue
        body = without(sentence, _body(sentence, clause), piece)
        text = arrange(sentence, [piece, ",", *body])
        return Change(text, f"{sentence.words(piece)} to the front")
    raise DeclineError("no adverb that can move")


@rule(
    name="adverbial_backing",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="A phrase of time, place or circumstance says the same at either end of the clause.",
    preconditions="A clause that begins with such a phrase or adverb.",
)
def adverbial_backing(sentence: Sentence) -> Change:
    """Turn `In the park, a dog runs` into `A dog runs in the park`."""
    clause = read_main_clause(sentence, lead=True)
    _check_clause(clause)
    lead = [token for token in clause.dependents if token.i < clause.subject.left_edge.i]
    words = [token for token in lead if token.dep_ != "punct"]
    if len(words) != 1:
        raise DeclineError("no phrase that can move")
    token = words[0]
    if token.dep_ == "prep":
        kind = kind_of_phrase(token, clause.verb)
        if (
            kind is None
            or object_of(token).dep_ == "pcomp"
            or token.lower_ in {"besides", "unlike"}
        ):
            raise DeclineError("no phrase that can move")
    elif (
        not _movable_adverb(token)
        or token.lower_.endswith("ly")
        or token.lower_ in {"now", "again"}
    ):
        raise DeclineError("no phrase that can move")
    piece = subtree_piece(token)
    if piece.start != sentence.start or has_word(token.subtree, POLARITY_WORDS):
        raise DeclineError("no phrase that can move")
    body = _body(sentence, clause)
    later = sentence.doc[clause.verb.i + 1 :]
    if "," in sentence.words(body) or any(
        t.pos_ in {"VERB", "AUX"} and not (t.dep_ == "xcomp" and t.head == clause.verb)
        for t in later
    ):
        raise DeclineError("long clause")
    comma = "," if token.lower_ in TWO_WORD_PREPOSITIONS else ""
    text = arrange(sentence, [body, comma, piece])
    return Change(text, f"{sentence.words(piece)} to the end")


@rule(
    name="complement_fronting",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=4,
    why="Same words and relations; the marked order only stresses what is said of the subject.",
    preconditions="Subject, a form of be, and an adjective or noun phrase to the end.",
)
def complement_fronting(sentence: Sentence) -> Change:
    """Turn `The game was very good` into `Very good, the game was`."""
    clause = read_main_clause(sentence)
    found = clause.find("acomp", "attr")
    if clause.verb.lemma_ != "be" or len(found) != 1:
        raise DeclineError("no be with a complement")
    if clause.is_negated or clause.find("conj", "advcl", "ccomp", "npadvmod"):
        raise DeclineError("negated, or further clauses")
    complement = found[0]
    if complement.pos_ not in {"ADJ", "NOUN", "PROPN"} or clause.finite.text[0] in "'’":
        raise DeclineError("no be with a complement")
    if any(t.dep_ in {"xcomp", "ccomp"} for t in complement.children) or any(
        t.lower_ == "being" for t in clause.auxiliaries
    ):
        raise DeclineError("clause inside the complement")
    if has_word(complement.subtree, POLARITY_WORDS) or refers_back(complement, clause.subject):
        raise DeclineError("pronoun or polarity word inside the phrase")
    if any(t.i > complement.i for t in clause.dependents if t.dep_ != "punct"):
        raise DeclineError("something follows the complement")
    if complement.left_edge.i != clause.verb.i + 1:
        raise DeclineError("adverb before the complement")
    if complement.left_edge.lower_ in {"too", "as", "more", "less", "such", "no", "not"}:
        raise DeclineError("comparison or degree")
    piece = Piece(complement.left_edge.idx, sentence.end)
    if len(sentence.tokens(piece)) < 2:
        raise DeclineError("light complement")
    if "," in sentence.words(piece) or len(sentence.tokens(piece)) > MAX_PHRASE:
        raise DeclineError("long phrase")
    body = Piece(sentence.start, clause.verb.idx + len(clause.verb))
    text = arrange(sentence, [piece, ",", body])
    return Change(text, f"{sentence.words(piece)} to the front")


def _adjunct_kind(token: Token, verb: Token) -> str | None:
    """Say what a dependent of a verb is, for the order of two of them.

    Returns:
        `time`, `place`, `path`, `source`, `goal`, `with`, or None for all that must stay.
    """
    if token.dep_ in {"npadvmod", "advmod"}:
        is_time_noun = token.dep_ == "npadvmod" and _movable_adverb(token)
        return "time" if token.lower_ in BARE_TIMES or is_time_noun else None
    noun = object_of(token)
    if noun is None or noun.dep_ == "pcomp" or any(t.dep_ != "pobj" for t in token.children):
        return None
    if has_word(token.subtree, THIRD_PERSON | word_set("other another each")):
        return None
    if any(t.dep_ in {"relcl", "acl", "advcl", "ccomp", "conj", "cc"} for t in token.subtree):
        return None
    word = token.lower_
    kind = kind_of_phrase(token, verb)
    if kind == "time":
        return kind
    if word in {"through", "across", "along", "down", "around"}:
        return "path" if kind else None
    if kind in SETTINGS and word not in {"over", "up", "past"}:
        return "place"
    if word == "with" and noun.pos_ == "NOUN":
        return "with"
    if word in {"from", "off"}:
        return "source"
    if word in {"to", "into", "onto"} and noun.pos_ in {"NOUN", "PROPN", "NUM"}:
        return "goal"
    return None


@rule(
    name="adjunct_exchange",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="Two phrases of place, time or manner of one verb say the same in either order.",
    preconditions="A verb followed by two such phrases, one right behind the other.",
)
def adjunct_exchange(sentence: Sentence) -> Change:
    """Turn `A man walks down the street in the rain` into `A man walks in the rain down ...`."""
    if BREAKS.search(sentence.text, sentence.start, sentence.end):
        raise DeclineError("punctuation splits the sentence")
    for verb in sentence.doc:
        if verb.pos_ != "VERB":
            continue
        after = [t for t in verb.rights if t.dep_ in {"prep", "npadvmod", "advmod"}]
        for first, second in pairwise(after):
            if second.left_edge.i != first.right_edge.i + 1:
                continue
            kinds = (_adjunct_kind(first, verb), _adjunct_kind(second, verb))
            if kinds not in EXCHANGES or _is_set_phrase(verb, first, second):
                continue
            left, right = subtree_piece(first), subtree_piece(second)
            if not _is_free(sentence, verb, first, left, right):
                continue
            text = swap_pieces(sentence, left, right)
            return Change(text, f"{sentence.words(left)} <-> {sentence.words(right)}")
    raise DeclineError("no two phrases that can change places")


def _is_set_phrase(verb: Token, first: Token, second: Token) -> bool:
    """Say whether two phrases belong together (`from time to time`) or one to the verb."""
    nouns = [object_of(t) for t in (first, second) if t.dep_ == "prep"]
    lemmas = [noun.lemma_.lower() for noun in nouns]
    is_counted = any(t.dep_ == "nummod" for noun in nouns for t in noun.lefts)
    if first.lower_ == second.lower_ or (len(set(lemmas)) < len(lemmas) and not is_counted):
        return True
    if "time" in lemmas or (second.lower_ == "to" and any(is_time(noun) for noun in nouns)):
        return True
    if first.lower_ != "from" and any(t.lower_ == "from" and t.i < first.i for t in verb.rights):
        return True
    return verb.lemma_ == "come" and first.lower_ == "in"


def _is_free(sentence: Sentence, verb: Token, first: Token, left: Piece, right: Piece) -> bool:
    """Say whether two phrases are short, whole and the last of their clause."""
    words = sentence.words(Piece(left.start, right.end))
    if "," in words or not is_balanced(sentence.words(left)) or right.end > sentence.end:
        return False
    if len(sentence.tokens(left)) > LONGEST_EXCHANGED or first.i <= verb.i:
        return False
    if len(sentence.tokens(right)) > LONGEST_EXCHANGED:
        return False
    token = follows_directly(sentence, right)
    behind = [t for t in sentence.doc if t.idx >= right.end and not t.is_punct]
    if token is None and behind and behind[0].pos_ == "DET":
        return False
    if token is None or right.end >= sentence.end:
        return True
    return token.pos_ in {"CCONJ", "SCONJ"} and token.head == verb

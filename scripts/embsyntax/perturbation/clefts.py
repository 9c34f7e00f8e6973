"""Clefts: `it is ... that` and `what ... is` divide one clause into two and keep what it says."""

from __future__ import annotations

from spacy.tokens import Token

from embsyntax.perturbation.adjuncts import PEOPLE, is_animate, object_of, refers_back
from embsyntax.perturbation.clauses import REPORTING_VERBS, report_parts
from embsyntax.perturbation.engine import (
    Change,
    DeclineError,
    Piece,
    Sentence,
    rule,
)
from embsyntax.perturbation.fronting import front_object
from embsyntax.perturbation.main_clause import (
    MainClause,
    arrange,
    capital,
    has_word,
    is_known_word,
    moved_words,
    read_main_clause,
    rest_after,
    word_set,
)
from embsyntax.perturbation.verbs import inflections

BE = word_set("is are was were")

STATIVE_VERBS = word_set(
    """be have know want like love hate need seem appear mean cost contain own belong believe
    think hear see remain stay include involve become die fall lie weigh reach rise drop
    sound look feel expect hope wish deserve understand remember forget prefer doubt fear
    agree refuse fail live miss enjoy lack matter owe resemble respect support trust wonder
    suppose guess notice recognize receive face suffer lose win get gain begin start continue
    stop cease tend use happen"""
)
"""Verbs that `what ... did was` does not suit: states, changes and what befalls someone."""

PERSONAL_PRONOUNS = word_set("i he she we they you")
WANTING_VERBS = word_set("want need like love hate prefer hope plan intend")
SAYING_VERBS = word_set(
    """say claim argue note add announce warn explain insist suggest admit stress"""
)

COMPLEMENT_PREPOSITIONS = {
    "at": word_set("look stare laugh yell aim point smile bark shout glance gaze peer growl wave"),
    "for": word_set("call wait ask look search pay hope plead beg push vote aim blame care fight"),
    "to": word_set("listen object belong refer respond react appeal contribute turn point adapt"),
    "on": word_set("depend rely focus insist concentrate agree comment vote work chew count"),
    "about": word_set("talk complain think worry speak care learn know warn write read argue"),
    "with": word_set("deal struggle cope play agree"),
    "of": word_set("consist dream approve think complain warn"),
    "in": word_set("believe participate invest engage specialize result"),
    "into": word_set("look turn"),
    "over": word_set("preside fight argue"),
    "against": word_set("fight vote protest"),
}
"""Verbs and their prepositional complements, which can be asked for with what."""


def _cleft_be(clause: MainClause) -> str:
    if clause.finite.text.startswith(("'", "’")) or clause.finite.lower_ == "s":
        raise DeclineError("contracted verb")
    return "was" if clause.finite.tag_ == "VBD" else "is"


POSSESSIVES = word_set("my our your his her their")


def _is_determined(noun: Token) -> bool:
    return any(t.dep_ in {"det", "poss"} for t in noun.lefts)


def _has_named_owner(noun: Token) -> bool:
    """Say whether a phrase begins with its owner, a name: `Iran's new government`."""
    owners = [t for t in noun.lefts if t.dep_ == "poss" and t.pos_ == "PROPN" and t.ent_type_]
    if len(owners) != 1 or owners[0].left_edge != noun.left_edge:
        return False
    if any(t.is_quote for t in noun.subtree) or any(t.dep_ == "attr" for t in noun.head.children):
        return False
    mark = owners[0].right_edge
    return mark.tag_ == "POS" and mark.text in {"'s", "’s"} and noun.pos_ == "NOUN"


def _can_focus(noun: Token) -> bool:
    """Say whether a phrase names one thing, so that `it is ... that` can point at it."""
    first = noun.left_edge.lower_
    owners = {t.i for t in noun.lefts if t.dep_ == "poss" and t.lower_ in POSSESSIVES}
    if any(t.pos_ == "PRON" and t.i not in owners for t in noun.subtree):
        return False
    if any(t.pos_ == "VERB" and t.dep_ not in {"acl", "amod"} for t in noun.subtree):
        return False
    if noun.pos_ == "PROPN":
        is_name = bool(noun.ent_type_) or first == "the" or not is_known_word(noun.lower_)
        return is_name or any(t.dep_ == "conj" and t.pos_ == "PROPN" for t in noun.children)
    if owners:
        return noun.left_edge.i in owners
    if noun.tag_ == "NNS" and all(t.dep_ in {"amod", "compound", "nummod"} for t in noun.lefts):
        return first not in {"other", "more", "most", "many", "few", "several", "such", "one"}
    return noun.pos_ == "NOUN" and first in {"the", "this", "that", "these", "those", "a", "an"}


@rule(
    name="subject_cleft",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=4,
    why="The cleft states the same fact and adds that it is about nobody else.",
    preconditions="A clause whose subject is a name or a phrase with an article or named owner.",
)
def subject_cleft(sentence: Sentence) -> Change:
    """Turn `The Germans won the game` into `It was the Germans that won the game`."""
    clause = read_main_clause(sentence)
    subject = clause.subject
    is_vague = subject.left_edge.lower_ in {"a", "an", "no"}
    is_vague = is_vague or subject.tag_ == "NNS" and not _is_determined(subject)
    can_focus = _can_focus(subject) or _has_named_owner(subject)
    if not can_focus or (clause.is_negated and is_vague):
        raise DeclineError("subject cannot be in focus")
    if has_word(sentence.doc, word_set("also too only even")):
        raise DeclineError("focus word")
    if clause.verb.lemma_ == "be" and not clause.find("acomp", "attr", "prep"):
        raise DeclineError("no complement of be")
    if any(t.dep_ in {"relcl", "appos"} for t in subject.children) or (
        "," in sentence.words(clause.subject_piece)
    ):
        raise DeclineError("clause inside the subject")
    if any(
        child.dep_ in {"nsubj", "nsubjpass", "expl"}
        for token in clause.find("conj", "parataxis")
        for child in token.children
    ):
        raise DeclineError("coordinated clauses")
    rest = rest_after(sentence, subject.right_edge)
    link = "who" if is_person(subject) else "that"
    it = f"{capital(sentence, 'it')} {_cleft_be(clause)}"
    text = arrange(sentence, [it, clause.subject_piece, link, rest])
    return Change(text, f"it ... {link} around the subject")


def is_person(noun: Token) -> bool:
    """Return True if a noun or name stands for people, so that `who` refers to it."""
    return noun.ent_type_ == "PERSON" or noun.lemma_.lower() in PEOPLE or noun.lower_ in PEOPLE


@rule(
    name="object_cleft",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=4,
    why="The cleft states the same fact and adds that it is about nothing else.",
    preconditions="A clause whose direct object is a name or a phrase with an article.",
)
def object_cleft(sentence: Sentence) -> Change:
    """Turn `The man is playing the guitar` into `It is the guitar that the man is playing`."""
    clause = read_main_clause(sentence)
    piece, body, found = front_object(sentence, clause)
    if not _can_focus(found) or clause.is_negated:
        raise DeclineError("object cannot be in focus")
    it = f"{capital(sentence, 'it')} {_cleft_be(clause)}"
    text = arrange(sentence, [it, piece, "that", *body])
    return Change(text, "it ... that around the object")


def _is_agent(subject: Token) -> bool:
    """Say whether a subject can act: a person, an animal, an institution or a country."""
    return (
        subject.lower_ in PERSONAL_PRONOUNS
        or is_animate(subject)
        or subject.ent_type_ in {"PERSON", "ORG", "GPE", "NORP"}
    )


def _check_plain_clause(clause: MainClause) -> None:
    if clause.is_negated or clause.find("conj", "advcl", "parataxis"):
        raise DeclineError("negated, or further clauses")
    bare = clause.subject.tag_ == "NN" and not any(True for _ in clause.subject.lefts)
    if bare or clause.subject.pos_ not in {"NOUN", "PROPN", "PRON"}:
        raise DeclineError("bare subject")


@rule(
    name="object_pseudocleft",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=4,
    why="The cleft with what states the same fact and adds that it is about nothing else.",
    preconditions="A clause with a direct object that is no person, or with an infinitive of wish.",
)
def object_pseudocleft(sentence: Sentence) -> Change:
    """Turn `The man is playing a guitar` into `What the man is playing is a guitar`."""
    clause = read_main_clause(sentence)
    _check_plain_clause(clause)
    be = _cleft_be(clause)
    infinitives = clause.find("xcomp")
    if clause.verb.lemma_ in WANTING_VERBS and len(infinitives) == 1:
        found = infinitives[0]
        if clause.find("dobj", "ccomp") or found.left_edge.lower_ != "to":
            raise DeclineError("no plain infinitive")
        if found.left_edge.i != clause.verb.i + 1:
            raise DeclineError("no plain infinitive")
        body = [Piece(sentence.start, clause.verb.idx + len(clause.verb))]
        piece = Piece(found.left_edge.idx, sentence.end)
    else:
        piece, body, found = front_object(sentence, clause)
        if is_person(found) or is_animate(found) or found.ent_type_ in {"ORG", "NORP"}:
            raise DeclineError("person as object")
        if len(body) > 1:
            raise DeclineError("something follows the object")
    what = capital(sentence, "what")
    first, *rest = body
    subject = moved_words(sentence, first)
    text = arrange(sentence, [what, subject, *rest, be, piece])
    return Change(text, f"what ... {be} {sentence.words(piece)}")


@rule(
    name="prepositional_pseudocleft",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=4,
    why="The cleft with what states the same fact and adds that it is about nothing else.",
    preconditions="A verb with its own preposition (`look at`) and a thing as its object, last.",
)
def prepositional_pseudocleft(sentence: Sentence) -> Change:
    """Turn `The cat is looking at a ball` into `What the cat is looking at is a ball`."""
    clause = read_main_clause(sentence)
    _check_plain_clause(clause)
    verb = clause.verb
    after = [t for t in clause.dependents if t.i > verb.i and t.dep_ != "punct"]
    if len(after) != 1 or after[0].dep_ != "prep" or after[0].i != verb.i + 1:
        raise DeclineError("more than a preposition after the verb")
    preposition = after[0]
    noun = object_of(preposition)
    if verb.lemma_ not in COMPLEMENT_PREPOSITIONS.get(preposition.lower_, ()) or noun is None:
        raise DeclineError("no prepositional complement")
    if noun.pos_ not in {"NOUN", "PROPN"} or is_person(noun) or is_animate(noun):
        raise DeclineError("person as object")
    if refers_back(noun, clause.subject) or noun.ent_type_ in {"ORG", "NORP", "PERSON"}:
        raise DeclineError("pronoun inside the phrase")
    if noun.lower_ in {"way", "time", "back", "home"} or "," in sentence.words(
        clause.subject_piece
    ):
        raise DeclineError("no prepositional complement")
    be = _cleft_be(clause)
    body = Piece(sentence.start, preposition.idx + len(preposition))
    piece = rest_after(sentence, preposition)
    what = capital(sentence, "what")
    text = arrange(sentence, [what, moved_words(sentence, body), be, piece])
    return Change(text, f"what ... {preposition.text} {be} {sentence.words(piece)}")


@rule(
    name="report_pseudocleft",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=4,
    why="The cleft with what reports the same words of the same person.",
    preconditions="Subject, a verb of saying without negation, and a finite clause at the end.",
)
def report_pseudocleft(sentence: Sentence) -> Change:
    """Turn `Police said the man was hurt` into `What police said was that the man was hurt`."""
    clause = read_main_clause(sentence)
    if clause.verb.lemma_ not in SAYING_VERBS:
        raise DeclineError("no verb of saying")
    before, body = report_parts(sentence, clause)
    be = _cleft_be(clause)
    text = arrange(
        sentence,
        [capital(sentence, "what"), moved_words(sentence, before), be, "that", body],
    )
    return Change(text, f"what ... {be} that")


@rule(
    name="action_pseudocleft",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=4,
    why="The cleft with what and do tells of the same action of the same agent.",
    preconditions="An agent, then a verb of action in the past, progressive or perfect.",
)
def action_pseudocleft(sentence: Sentence) -> Change:
    """Turn `She opened the door` into `What she did was open the door`."""
    clause = read_main_clause(sentence)
    _check_plain_clause(clause)
    verb, subject = clause.verb, clause.subject
    if verb.pos_ != "VERB" or verb.lemma_ in STATIVE_VERBS or verb.lemma_ in REPORTING_VERBS:
        raise DeclineError("no verb of action")
    if "," in sentence.words(clause.subject_piece) or verb.lemma_ == "do":
        raise DeclineError("no verb of action")
    if verb.lemma_ == "go" and clause.find("xcomp"):
        raise DeclineError("no verb of action")
    if not _is_agent(subject) or clause.find("auxpass", "ccomp"):
        raise DeclineError("no agent as subject")
    between = sentence.doc[clause.subject_right + 1 : verb.i]
    adverbs = [t for t in between if t not in clause.auxiliaries]
    if any(t.lower_ != "just" for t in adverbs):
        raise DeclineError("something stands between subject and verb")
    who = moved_words(sentence, clause.subject_piece) + (" just" if adverbs else "")
    auxiliary = clause.auxiliaries[0] if len(clause.auxiliaries) == 1 else None
    if verb.tag_ == "VBD" and not clause.auxiliaries:
        done, word = "did was", _base(verb)
    elif verb.tag_ == "VBG" and auxiliary is not None and auxiliary.lower_ in BE:
        be = "was" if auxiliary.tag_ == "VBD" else "is"
        done, word = f"{auxiliary.text} doing {be}", verb.text
    elif verb.tag_ == "VBN" and auxiliary is not None and auxiliary.lower_ in {"has", "have"}:
        done, word = f"{auxiliary.text} done is", _base(verb)
    else:
        raise DeclineError("no past, progressive or perfect")
    what = capital(sentence, "what")
    text = arrange(sentence, [what, who, done, word, rest_after(sentence, verb)])
    return Change(text, f"what ... {done} {word}")


def _base(verb: Token) -> str:
    """The base form of a verb.

    Raises:
        DeclineError: the parser's lemma does not lead back to the form that stands there.
    """
    lemma = verb.lemma_.lower()
    if verb.lower_ not in inflections(lemma, verb.tag_):
        raise DeclineError("doubtful verb form")
    return lemma

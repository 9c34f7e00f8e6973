"""Alternations: two constructions of English that state the same fact with the same words."""

from __future__ import annotations

from spacy.tokens import Token

from embsyntax.perturbation.adjuncts import (
    PEOPLE,
    PLACE_PREPOSITIONS,
    is_animate,
    is_place,
    kind_of_phrase,
    object_of,
)
from embsyntax.perturbation.engine import (
    Change,
    DeclineError,
    Piece,
    Sentence,
    piece_of,
    replace_pieces,
    rule,
    starts_upper,
    swap_pieces,
    upper_first,
)
from embsyntax.perturbation.inversion import MOVEMENT_VERBS, POSTURE_VERBS
from embsyntax.perturbation.main_clause import (
    BREAKS,
    CHAT_WORDS,
    FINITE_TAGS,
    arrange,
    capital,
    has_word,
    is_balanced,
    moved_words,
    read_main_clause,
    rest_after,
    word_set,
)
from embsyntax.perturbation.verbs import agreement_of

INDEFINITE = word_set(
    """a an some several many two three four five six seven eight nine ten dozens hundreds
    thousands no few"""
)
"""First words of a phrase that `there is` can introduce."""

PICTURES = word_set("photo picture photograph image view shot close-up closeup painting drawing")
CAPTION_PREPOSITIONS = word_set(
    """in on at near with under behind beside inside outside between by next against over above"""
)
BE = word_set("is are was were")
STATE_VERBS = word_set(
    """contain involve include consist belong have need want know resemble be regard concern
    comprise cost depend own love like hate believe prefer seem follow accord deserve equal
    exist bear name range use exclude lack mean matter live total"""
)
"""Verbs whose -ing form after a noun is no progressive."""

STATE_PARTICIPLES = word_set(
    """dressed seated covered made filled painted parked located surrounded decorated lined
    perched attached tied wrapped posted based used written called known named designed
    crowded stacked equipped"""
)
"""Participles that describe a state, so that `who is` can stand before them in any tense."""

HEADS_WITHOUT_GENITIVE = word_set(
    """possibility definition collection majority minority importance effect impact department
    ministry direction quality quantity opposite variation combination presence hospital city
    university section portion fraction version pension option question institution
    association organization organisation federation confederation nation region million
    original material location station position mention instrument apartment document
    basement equipment moment element monument pavement animal action government parliament"""
)
"""Nouns in -tion, -ment, -ity and so on whose `of` phrase is no possessor, or part of a name."""

PERSONAL_NOUNS = word_set(
    """death birth arrest resignation speech decision victory son daughter wife husband widow
    father mother brother sister condition criticism refusal statement return conviction
    execution appointment election"""
)

BODY_PARTS = word_set(
    """hand arm leg foot head face hair mouth neck shoulder nose ear eye finger knee paw tail
    fur back skin body lap wing beak belly chest tongue voice name"""
)

POSSESSOR_TYPES = frozenset({"GPE", "ORG", "PERSON", "NORP"})
INSTITUTIONS = word_set(
    """company government country city team club party army police university school bank church
    court parliament congress senate ministry agency band group family village town state
    nation province county region union league firm department hospital house building
    airport museum car ship boat train plane bus film movie book song album show game season
    war world program programme project plan phone computer machine system app device economy
    industry market president minister king queen man woman boy girl child dog cat horse
    animal bird"""
)
RELATIONAL_SUFFIXES = ("tion", "sion", "ment", "ence", "ance", "ism", "ity", "ness", "ship", "al")
RELATIONAL_NOUNS = word_set(
    """death birth arrest visit speech decision victory defeat return rise fall collapse attack
    plan policy economy capital president leader government army navy parliament minister
    chairman founder owner director head coach manager spokesman spokeswoman ambassador
    author editor captain member border coast population history culture language currency
    future past success failure role influence refusal proposal approval support opposition
    reaction response request claim criticism warning threat promise bid widow son daughter
    wife husband father mother brother sister assets profits sales shares earnings
    headquarters website territory sovereignty constitution people citizens rulers rule king
    queen"""
)


def _is_indefinite(noun: Token) -> bool:
    """Say whether a phrase can follow `there is`: indefinite, counted, or a bare plural."""
    first = noun.left_edge
    if first.lower_ in INDEFINITE or first.tag_ == "CD":
        return first.head == noun or first.head.head == noun
    return (
        noun.tag_ == "NNS"
        and is_animate(noun)
        and not any(child.dep_ in {"det", "poss", "predet", "nummod"} for child in noun.lefts)
    )


def _be_for(noun: Token) -> str:
    return "are" if agreement_of(noun).is_plural else "is"


@rule(
    name="there_insertion",
    dimension="structure",
    perturbation="inversion",
    expected_score=5,
    why="The existential construction says of the same thing that it does the same.",
    preconditions="An indefinite subject, a form of be, and a progressive, passive or place.",
)
def there_insertion(sentence: Sentence) -> Change:
    """Turn `A man is playing a guitar` into `There is a man playing a guitar`."""
    clause = read_main_clause(sentence)
    verb, subject = clause.verb, clause.subject
    if subject.pos_ != "NOUN" or not _is_indefinite(subject):
        raise DeclineError("no indefinite subject")
    if clause.find("neg") or subject.left_edge.lower_ in {"many", "few", "some"}:
        raise DeclineError("negated or quantified")
    if any(child.dep_ == "relcl" for child in subject.children):
        raise DeclineError("relative clause inside the subject")
    if verb.lower_ in BE and not clause.auxiliaries:
        places = clause.find("prep")
        if len(places) != 1 or clause.find("attr", "acomp", "advmod", "conj"):
            raise DeclineError("no place after be")
        if kind_of_phrase(places[0], verb) != "place":
            raise DeclineError("no place after be")
    elif (
        verb.tag_ not in {"VBG", "VBN"}
        or len(clause.auxiliaries) != 1
        or verb.lemma_ == "be"
        or clause.find("agent", "xcomp", "ccomp")
    ):
        raise DeclineError("no be with a participle or place")
    be = clause.finite
    if be.lower_ not in BE:
        raise DeclineError("no be with a participle or place")
    if be.lower_ in {"are", "were"} and not agreement_of(subject).is_plural:
        raise DeclineError("subject and verb disagree")
    for token in clause.find("conj"):
        if token.tag_ != verb.tag_ or any(
            child.dep_ in {"aux", "auxpass", "nsubj", "nsubjpass"} for child in token.children
        ):
            raise DeclineError("coordinated clauses")
    if be.i != clause.subject_right + 1:
        raise DeclineError("something stands between subject and verb")
    there = capital(sentence, "there")
    text = arrange(sentence, [there, piece_of(be), clause.subject_piece, rest_after(sentence, be)])
    return Change(text, f"there {be.text} before the subject")


def _fragment_head(sentence: Sentence) -> Token:
    """The noun that a caption without a finite verb is about, with a participle behind it.

    Raises:
        DeclineError: the text is no such caption.
    """
    root = sentence.root
    if sentence.is_question:
        raise DeclineError("question")
    if BREAKS.search(sentence.text, sentence.start, sentence.end):
        raise DeclineError("punctuation splits the sentence")
    if has_word(sentence.doc, CHAT_WORDS):
        raise DeclineError("chat word")
    if root.pos_ == "VERB" and root.tag_ in {"VBG", "VBN"}:
        subjects = [t for t in root.children if t.dep_ in {"nsubj", "nsubjpass"}]
        if len(subjects) != 1 or any(t.dep_ in {"aux", "auxpass"} for t in root.children):
            raise DeclineError("no noun with a participle")
        noun = subjects[0]
    else:
        noun = root
        if any(t.dep_ in {"nsubj", "nsubjpass", "expl", "cop"} for t in root.children):
            raise DeclineError("no noun with a participle")
    if noun.pos_ != "NOUN" or noun.left_edge.idx != sentence.start:
        raise DeclineError("no noun with a participle")
    if any(t.tag_ in FINITE_TAGS and t.dep_ not in {"relcl"} for t in (root, *root.children)):
        raise DeclineError("finite verb")
    return noun


def _is_picture(sentence: Sentence, noun: Token) -> bool:
    """Say whether a text is surely a caption: a thing with an article, a full stop, no verb."""
    if noun.tag_ != "NN" or noun.left_edge.lower_ not in {"a", "an"} or noun.left_edge.head != noun:
        return False
    if not sentence.text[sentence.end :].startswith("."):
        return False
    if any(
        t.pos_ in {"VERB", "AUX", "PRON"}
        and t.dep_ not in {"amod", "poss"}
        and not (t.dep_ == "acl" and t.tag_ in {"VBG", "VBN"})
        for t in sentence.doc
    ):
        return False
    return all(
        t.dep_ in {"det", "amod", "prep", "punct"}
        or (t.dep_ == "compound" and t.tag_ in {"NN", "NNP"})
        for t in noun.children
    )


@rule(
    name="there_caption",
    dimension="structure",
    perturbation="inversion",
    expected_score=5,
    why="A caption shows that something is there: the existential construction says no more.",
    preconditions="No finite verb: an indefinite noun with a participle or place, or full stop.",
)
def there_caption(sentence: Sentence) -> Change:
    """Turn `A woman holding a newspaper` into `There is a woman holding a newspaper`."""
    noun = _fragment_head(sentence)
    is_counted = _is_indefinite(noun) or noun.left_edge.lower_ in {"many", "some"}
    if not is_counted or noun.left_edge.lower_ == "no":
        raise DeclineError("no indefinite noun")
    root = sentence.root
    participle = root if noun.head == root and noun != root else None
    if participle is None:
        found = [t for t in noun.children if t.dep_ == "acl" and t.tag_ in {"VBG", "VBN"}]
        participle = found[0] if found else None
    if participle is None and _is_picture(sentence, noun):
        pass
    elif participle is None:
        places = [t for t in noun.children if t.dep_ == "prep" and object_of(t) is not None]
        if not places or noun.left_edge.lower_ not in INDEFINITE:
            raise DeclineError("no noun with a participle or place")
        if noun.lemma_.lower() in PICTURES and places[0].lower_ == "of":
            pass
        elif is_animate(noun):
            if places[0].lower_ not in CAPTION_PREPOSITIONS:
                raise DeclineError("no noun with a participle or place")
        elif not is_place(object_of(places[0])) or places[0].lower_ not in PLACE_PREPOSITIONS:
            raise DeclineError("no noun with a participle or place")
    elif participle.tag_ == "VBN" and participle.lower_ not in STATE_PARTICIPLES:
        raise DeclineError("participle of an event")
    elif participle.lemma_ in STATE_VERBS:
        raise DeclineError("participle of a state")
    body = Piece(sentence.start, sentence.end)
    if not is_balanced(sentence.words(body)):
        raise DeclineError("cuts through quotes or brackets")
    be = _be_for(noun)
    text = f"{capital(sentence, 'there')} {be} {moved_words(sentence, body)}"
    text = sentence.text[: sentence.start] + text + sentence.text[sentence.end :]
    return Change(text, f"there {be} before the noun")


@rule(
    name="there_removal",
    dimension="structure",
    perturbation="inversion",
    expected_score=5,
    why="The plain clause says of the same thing that it is there or does the same.",
    preconditions="There is or are, an indefinite noun, and a participle or place.",
)
def there_removal(sentence: Sentence) -> Change:
    """Turn `There is a man in the room` into `A man is in the room`."""
    root = sentence.root
    if sentence.is_question or root.lower_ not in BE:
        raise DeclineError("no there is")
    there = [t for t in root.children if t.dep_ == "expl"]
    nouns = [t for t in root.children if t.dep_ in {"attr", "nsubj"} and t.i > root.i]
    if len(there) != 1 or there[0].idx != sentence.start or len(nouns) != 1:
        raise DeclineError("no there is")
    noun = nouns[0]
    if not _is_indefinite(noun) or noun.left_edge.lower_ in {"few", "many", "some"}:
        raise DeclineError("no indefinite noun")
    if any(t.dep_ in {"conj", "relcl"} for t in noun.children) or not noun.pos_ == "NOUN":
        raise DeclineError("no indefinite noun")
    if any(t.dep_ not in {"expl", "attr", "nsubj", "prep", "punct"} for t in root.children):
        raise DeclineError("more than a noun after there is")
    right = [t for t in noun.rights if t.dep_ != "punct"]
    right += [t for t in root.children if t.dep_ == "prep"]
    participles = [t for t in right if t.dep_ == "acl"]
    if not right or len(participles) > 1 or any(t.dep_ not in {"acl", "prep"} for t in right):
        raise DeclineError("no participle or place after there is")
    if any(t.dep_ == "relcl" for t in sentence.doc):
        raise DeclineError("relative clause")
    first = participles[0] if participles else right[0]
    if first.dep_ == "acl" and (first.tag_ not in {"VBG", "VBN"} or first.lemma_ in STATE_VERBS):
        raise DeclineError("no participle or place after there is")
    if first.dep_ == "prep":
        place = object_of(first)
        if place is None or kind_of_phrase(first, root) != "place":
            raise DeclineError("no participle or place after there is")
    start = first.left_edge
    subject = Piece(noun.left_edge.idx, start.nbor(-1).idx + len(start.nbor(-1)))
    predicate = Piece(start.idx, sentence.end)
    text = arrange(sentence, [subject, root.text, predicate])
    return Change(text, "there removed")


def _who(noun: Token) -> str:
    return "who" if noun.lemma_.lower() in PEOPLE or noun.lower_ in PEOPLE else "that"


@rule(
    name="relative_expansion",
    dimension="structure",
    perturbation="conceptual relationship",
    expected_score=5,
    why="A participle behind a noun is short for the relative clause.",
    preconditions="A common noun directly followed by a participle that describes it.",
)
def relative_expansion(sentence: Sentence) -> Change:
    """Turn `A woman holding a newspaper` into `A woman who is holding a newspaper`."""
    if sentence.is_question or has_word(sentence.doc, CHAT_WORDS):
        raise DeclineError("question or chat word")
    root = sentence.root
    is_past = (root.tag_ == "VBD" and not root.lower_.endswith("s")) or any(
        t.dep_ in {"aux", "auxpass"} and t.tag_ == "VBD" for t in root.children
    )
    for token in sentence.doc:
        if token.tag_ not in {"VBG", "VBN"}:
            continue
        noun = _described_noun(token)
        if noun is None or not _is_progressive(noun, token):
            continue
        first = token.left_edge if token.dep_ == "acl" else token
        is_plural = noun.tag_ == "NNS" or noun.lower_ in {"people", "police", "women", "men"}
        be = ("were" if is_plural else "was") if is_past else ("are" if is_plural else "is")
        edit = f"{_who(noun)} {be} {first.text}"
        text = replace_pieces(sentence, [(piece_of(first), edit)])
        return Change(text, f"{noun.text} {edit}")
    raise DeclineError("no participle behind a noun")


def _is_progressive(noun: Token, participle: Token) -> bool:
    """Say whether `is` can stand before a participle: what goes on, or a state that lasts."""
    if participle.tag_ == "VBN":
        return participle.lower_ in STATE_PARTICIPLES
    if participle.lemma_ in STATE_VERBS:
        return False
    return (
        is_animate(noun)
        or participle.lemma_ in POSTURE_VERBS
        or participle.lemma_ in MOVEMENT_VERBS
    )


def _described_noun(participle: Token) -> Token | None:
    """The common noun right before a participle that describes it, or None."""
    children = list(participle.children)
    if participle.dep_ == "acl":
        noun, first = participle.head, participle.left_edge
    elif participle.dep_ == "ROOT" and participle.tag_ == "VBG":
        found = [t for t in children if t.dep_ == "nsubj"]
        if len(found) != 1 or any(t.dep_ in {"aux", "auxpass", "neg"} for t in children):
            return None
        noun, first = found[0], participle
        if participle.i != noun.right_edge.i + 1:
            return None
    else:
        return None
    if noun.tag_ not in {"NN", "NNS"} or first.i <= noun.i or first.nbor(-1).is_punct:
        return None
    if noun.dep_ == "conj":
        return None
    if first != participle and first.pos_ != "ADV":
        return None
    if any(t.dep_ != "prep" for t in noun.rights if t.i < first.i and t != participle):
        return None
    if any(t.dep_ == "poss" for t in noun.lefts):
        return None
    determined = any(t.dep_ in {"det", "nummod"} for t in noun.lefts)
    if not determined and (noun.tag_ == "NN" or not is_animate(noun)):
        return None
    if noun.dep_ == "pobj" and noun.head.lower_ in {"with", "without"}:
        return None
    if not is_animate(noun) and any(is_animate(ancestor) for ancestor in noun.ancestors):
        return None
    return noun


@rule(
    name="relative_reduction",
    dimension="structure",
    perturbation="conceptual relationship",
    expected_score=5,
    why="A relative clause with be can be left at its participle, with nothing lost.",
    preconditions="A noun with who, that or which and a form of be before a participle.",
)
def relative_reduction(sentence: Sentence) -> Change:
    """Turn `A man who is wearing a hat runs` into `A man wearing a hat runs`."""
    if sentence.is_question:
        raise DeclineError("question")
    for token in sentence.doc:
        if token.dep_ != "relcl":
            continue
        pronoun = token.left_edge
        if pronoun.lower_ not in {"who", "that", "which"} or pronoun.head != token:
            continue
        if pronoun.dep_ not in {"nsubj", "nsubjpass"} or pronoun.nbor(-1).is_punct:
            continue
        if token.head.pos_ == "PROPN":
            continue
        be = pronoun.nbor()
        if be == token or be.i + 1 >= len(sentence.doc):
            continue
        after = be.nbor()
        if be.lower_ not in BE or after.lower_ in {"not", "n't", "going", "being", "supposed"}:
            continue
        if token.tag_ not in {"VBG", "VBN"} or be.head != token or token.lemma_ in STATE_VERBS:
            continue
        if after != token and not (after.pos_ == "ADV" and after.nbor() == token):
            continue
        if any(t.dep_ in {"conj"} and t.tag_ in FINITE_TAGS for t in token.children):
            continue
        if token.right_edge == token:
            continue
        text = replace_pieces(sentence, [(piece_of(pronoun, be), "")])
        return Change(text, f"{pronoun.text} {be.text} removed")
    raise DeclineError("no relative clause with be and a participle")


def _may_possess(noun: Token) -> bool:
    """Say whether `'s` can stand behind a noun phrase: a name or one to three plain words."""
    if any(t.i > noun.i for t in noun.subtree) or noun.tag_ in {"NNS", "NNPS"}:
        return False
    words = noun.i - noun.left_edge.i + 1
    if noun.pos_ == "PROPN":
        return noun.ent_type_ in POSSESSOR_TYPES and words <= 4
    has_article = any(t.dep_ == "det" and t.lower_ in {"the", "a", "an"} for t in noun.lefts)
    word = noun.lemma_.lower()
    return has_article and words <= 3 and (word in INSTITUTIONS or is_animate(noun))


@rule(
    name="genitive_from_of",
    dimension="structure",
    perturbation="conceptual relationship",
    expected_score=5,
    why="Both genitives name the same relation between the same two things.",
    preconditions="`the X of Y` with Y a name, a living being or an institution.",
)
def genitive_from_of(sentence: Sentence) -> Change:
    """Turn `The roof of the house is red` into `The house's roof is red`."""
    for token in sentence.doc:
        if token.lower_ != "of" or token.dep_ != "prep" or token.head.pos_ != "NOUN":
            continue
        noun, owner = token.head, object_of(token)
        if owner is None or noun.i + 1 != token.i or not _is_owned(noun, owner):
            continue
        article = noun.left_edge
        if article.lower_ != "the" or article.head != noun or not _may_possess(owner):
            continue
        if any(t.dep_ in {"conj", "appos"} for t in (*noun.children, *owner.children)):
            continue
        if any(t.dep_ == "nummod" or t.tag_ in {"JJS", "RBS"} for t in noun.lefts):
            continue
        if _noun_follows(owner) or has_word(noun.lefts, word_set("first last only same next")):
            continue
        start, end = article.idx, owner.idx + len(owner)
        owned = sentence.words(Piece(article.idx + len(article), noun.idx + len(noun))).strip()
        holder = sentence.words(Piece(owner.left_edge.idx, end))
        suffix = "'" if holder.endswith("s") else "'s"
        if sentence.text[start:end] != sentence.text[start:end].strip() or "," in holder:
            continue
        if start == sentence.start and starts_upper(sentence):
            holder = upper_first(holder)
        text = replace_pieces(sentence, [(Piece(start, end), f"{holder}{suffix} {owned}")])
        return Change(text, f"{owned} of {holder} -> {holder}{suffix} {owned}")
    raise DeclineError("no genitive with of that can change")


def _is_owned(noun: Token, owner: Token) -> bool:
    """Say whether a noun names what its `of` phrase has, does or suffers."""
    word = noun.lemma_.lower()
    if is_animate(owner) and owner.pos_ == "NOUN":
        return word in BODY_PARTS or word in RELATIONAL_NOUNS
    if word in HEADS_WITHOUT_GENITIVE:
        return False
    return word in RELATIONAL_NOUNS or word.endswith(RELATIONAL_SUFFIXES)


def _noun_follows(token: Token) -> bool:
    if token.i + 1 >= len(token.doc):
        return False
    after = token.nbor()
    return after.pos_ in {"NOUN", "PROPN", "NUM", "PART"} or after.text in {"'s", "’s", "-", "'"}


@rule(
    name="genitive_to_of",
    dimension="structure",
    perturbation="conceptual relationship",
    expected_score=5,
    why="Both genitives name the same relation between the same two things.",
    preconditions="A name or institution with 's before a noun of action, office or relation.",
)
def genitive_to_of(sentence: Sentence) -> Change:
    """Turn `France's president spoke` into `The president of France spoke`."""
    for token in sentence.doc:
        if token.text not in {"'s", "’s", "'", "’"} or token.dep_ != "case" or token.i == 0:
            continue
        owner = token.head
        noun = owner.head
        if owner.dep_ != "poss" or owner.i + 1 != token.i or noun.pos_ != "NOUN":
            continue
        if owner.left_edge != noun.left_edge or owner.idx + len(owner) != token.idx:
            continue
        if any(t.dep_ in {"conj", "appos", "relcl", "acl"} for t in owner.children):
            continue
        word = noun.lemma_.lower()
        if not _is_owned(noun, owner) or noun.lower_ in {"claims", "returns", "rises", "falls"}:
            continue
        between = sentence.doc[token.i + 1 : noun.i]
        if len(between) > 2 or any(
            t.tag_ in {"JJS", "CD", "NNS", "CC", ",", "HYPH", "PRP$"} for t in between
        ):
            continue
        if has_word(between, word_set("first last only own next")) or _noun_follows(noun):
            continue
        if any(t.dep_ in {"prep", "appos", "conj", "acl", "relcl"} for t in noun.rights):
            continue
        is_name = owner.ent_type_ in POSSESSOR_TYPES and owner.pos_ == "PROPN"
        if owner.ent_type_ == "PERSON" and (len(between) or word not in PERSONAL_NOUNS):
            continue
        is_institution = owner.pos_ == "NOUN" and owner.left_edge.lower_ in {"the", "a", "an"}
        if not (is_name or is_institution) or owner.lower_ in {"world", "today", "year"}:
            continue
        left = owner.left_edge
        if left.i and left.nbor(-1).pos_ in {"NOUN", "PROPN", "ADJ", "NUM"}:
            continue
        holder_piece = Piece(owner.left_edge.idx, owner.idx + len(owner))
        owned = sentence.words(Piece(token.idx + len(token), noun.idx + len(noun))).strip()
        holder = sentence.words(holder_piece)
        if not all(c.isalnum() or c in " .-&" for c in holder):
            continue
        if holder_piece.start == sentence.start:
            holder = moved_words(sentence, holder_piece)
        new = f"the {owned} of {holder}"
        if holder_piece.start == sentence.start and starts_upper(sentence):
            new = upper_first(new)
        text = replace_pieces(sentence, [(Piece(holder_piece.start, noun.idx + len(noun)), new)])
        return Change(text, f"{holder}'s {owned} -> {new}")
    raise DeclineError("no genitive with 's that can change")


@rule(
    name="apposition_exchange",
    dimension="structure",
    perturbation="conceptual relationship",
    expected_score=5,
    why="A name and its description stand for one person or thing, whichever comes first.",
    preconditions="A name and a description with an article or possessive, between commas.",
)
def apposition_exchange(sentence: Sentence) -> Change:
    """Turn `The mayor, Ann Hill, left` into `Ann Hill, the mayor, left`."""
    for token in sentence.doc:
        if token.dep_ != "appos":
            continue
        head = token.head
        if {head.pos_, token.pos_} != {"NOUN", "PROPN"}:
            continue
        description, name = (head, token) if head.pos_ == "NOUN" else (token, head)
        if description.left_edge.pos_ not in {"DET", "PRON"} or name.ent_type_ not in {
            "PERSON",
            "ORG",
            "GPE",
        }:
            continue
        comma = token.left_edge.i - 1
        stop = token.right_edge.i + 1
        doc = sentence.doc
        if comma < 1 or doc[comma].text != "," or stop >= len(doc) or doc[stop].text != ",":
            continue
        if name.ent_type_ != "PERSON" and is_animate(description):
            continue
        if head.right_edge.i > stop or doc[stop + 1 : stop + 2].text in {"and", "or", ",", "who"}:
            continue
        first = Piece(head.left_edge.idx, doc[comma - 1].idx + len(doc[comma - 1]))
        second = Piece(token.left_edge.idx, doc[stop - 1].idx + len(doc[stop - 1]))
        pieces = (first, second)
        if any("," in sentence.words(p) or not is_balanced(sentence.words(p)) for p in pieces):
            continue
        if any(t.dep_ in {"relcl", "acl", "conj"} for p in pieces for t in sentence.tokens(p)):
            continue
        if any(t.dep_ in {"conj", "cc"} for t in (*head.children, *token.children)):
            continue
        if head.left_edge.i and doc[head.left_edge.i - 1].text == ",":
            continue
        text = swap_pieces(sentence, first, second)
        return Change(text, f"{sentence.words(first)} <-> {sentence.words(second)}")
    raise DeclineError("no name with a description")

"""Voice exchange (SR paper, section 3) and its kin: alternations that keep who does what to whom.

Active and passive, the passive without its agent, `gave Mary a book` and `gave a book to Mary`,
`picked up the box` and `picked the box up`. A rule looks for the first clause that it can change,
the main clause before others, and declines with the reason that held for the first one tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from spacy.tokens import Token

from embsyntax.perturbation.engine import (
    Change,
    DeclineError,
    Piece,
    Sentence,
    piece_of,
    replace_pieces,
    rule,
    starts_upper,
    subtree_piece,
    upper_first,
)
from embsyntax.perturbation.main_clause import is_known_word, is_title_case
from embsyntax.perturbation.verbs import (
    Agreement,
    VerbTokens,
    agreement_of,
    conjuncts,
    lemma_of,
    negate,
    object_case,
    past_participle,
    read_group,
    spell_group,
    subject_case,
)
from embsyntax.perturbation.voice_clauses import (
    NOMINAL,
    Clause,
    PassiveClause,
    agent_piece,
    check_adjuncts,
    check_agent,
    check_aspect,
    check_edges,
    check_has_passive,
    check_object,
    check_phrase,
    check_scope,
    is_bound,
    is_third_person,
    is_to_infinitive,
    object_piece,
    only_child,
    particle_of,
    phrase_beside,
    phrase_text,
    read_clause,
    read_passive,
    stretch,
    subject_of,
    subject_piece,
    subtree_tokens,
    verbs_with,
)
from embsyntax.perturbation.voice_words import (
    AMBIGUOUS_PARTICLES,
    BETWEEN,
    COUNTRY_VERBS,
    FOCUS_ADVERBS,
    GENERIC_AGENTS,
    GIVING_VERBS,
    IDIOMS,
    LIGHT_OBJECTS,
    LONGEST_MOVED,
    LONGEST_PARTED,
    LONGEST_RECEIVER,
    MAKING_VERBS,
    MODALS_OF_ADVICE,
    OWN_PRONOUNS,
    PARTICLE_IDIOMS,
    PHRASAL_VERBS,
    POLICE_VERBS,
    QUANTIFIERS,
    RECEIVERS,
    SENTENCE_ADVERBS,
    SPEAKERS,
    STORIES,
)


def try_each(
    sentence: Sentence,
    verbs: Iterable[Token],
    change: Callable[[Sentence, Token], Change],
    otherwise: str,
) -> Change:
    """Return the first change that works.

    Args:
        sentence: the source.
        verbs: where to try, in this order.
        change: takes sentence and verb; raises `DeclineError` where it does not work.
        otherwise: reason if there is nothing to try.

    Raises:
        DeclineError: nothing works; with the reason of the first verb.
    """
    first_reason = None
    for verb in verbs:
        try:
            return change(sentence, verb)
        except DeclineError as reason:
            first_reason = first_reason or reason
    raise first_reason or DeclineError(otherwise)


def write_stretch(sentence: Sentence, region: Piece, parts: Iterable[str]) -> str:
    """Put new words in place of a stretch, with the capital of the sentence start.

    Raises:
        DeclineError: the stretch begins or ends inside a word (`upgrade/downgrade`).
    """
    check_edges(sentence, region)
    text = " ".join(part for part in parts if part)
    if region.start == sentence.start and starts_upper(sentence):
        text = upper_first(text)
    return replace_pieces(sentence, [(region, text)])


def write_verb(
    sentence: Sentence, verb: VerbTokens, words: Sequence[str], subject: str, *, is_inverted: bool
) -> list[str]:
    """Write subject, auxiliaries, adverbs and main verb in order.

    Args:
        sentence: the source.
        verb: the old verb group, whose negation and adverbs stay.
        words: the new verb group: auxiliaries and main verb.
        subject: the new subject, or "" where it stands elsewhere.
        is_inverted: True if the first auxiliary stands before the subject.

    Returns:
        Stretches of text in order.
    """
    negation, rest = verb.group.negation, list(words[1:])
    manner, other = [], []
    for adverb in verb.adverbs:
        is_manner = adverb.lower_.endswith("ly") and adverb.lower_ not in SENTENCE_ADVERBS
        (manner if is_manner and rest else other).append(sentence.words(subtree_piece(adverb)))
    if not rest:
        return [subject, *other, words[0]]
    middle = [*other, *rest[:-1], *manner, rest[-1]]
    if not is_inverted:
        return [subject, negate(words[0], negation), *middle]
    apart = "not" if negation == "not" else ""
    return [negate(words[0], "" if apart else negation), subject, apart, *middle]


@rule(
    name="active_to_passive",
    dimension="structure",
    perturbation="voice exchange",
    expected_score=5,
    why="the same event with the same roles; only what the sentence is about changes",
    preconditions="an active clause with a subject, a verb that has a passive, and an object that "
    "is a noun phrase without a pronoun of the subject",
)
def active_to_passive(sentence: Sentence) -> Change:
    """Turn `The dog chased the cat.` into `The cat was chased by the dog.`."""
    verbs = verbs_with(sentence, "dobj")
    return try_each(sentence, verbs, _passive_with_agent, "no direct object")


def _passive_with_agent(sentence: Sentence, verb: Token) -> Change:
    return make_passive(read_clause(sentence, verb), keeps_agent=True)


def make_passive(clause: Clause, *, keeps_agent: bool, modal: str = "") -> Change:
    """Write a clause in the passive.

    Args:
        clause: an active clause.
        keeps_agent: True to name the agent in a by-phrase.
        modal: a modal verb to put in place of `do`, or "".

    Returns:
        The sentence with this clause changed.

    Raises:
        DeclineError: the clause has no good passive.
    """
    sentence, main = clause.sentence, clause.main
    check_object(clause)
    check_adjuncts(main.verb, keeps_agent=keeps_agent)
    check_aspect(main)
    subject, obj = subject_piece(clause), _new_subject_piece(clause)
    subject_words, object_words = sentence.tokens(subject), sentence.tokens(obj)
    check_scope(clause, [*subject_words, *object_words])
    if keeps_agent:
        check_agent(clause)
        if is_bound([word for word in object_words if word.i != clause.obj.i], clause.subject):
            raise DeclineError("pronoun of the subject in the object")

    words = _passive_words(clause, modal)
    close = _close_pieces(clause, keeps_agent=keeps_agent)
    covered = [*subject_words, *clause.verb.tokens, *subtree_tokens(*clause.verb.adverbs)]
    covered += [*main.tokens, *(token for piece in close for token in sentence.tokens(piece))]
    if clause.is_inverted or not clause.is_fronted:
        covered += object_words
    region = stretch(sentence, covered)
    tail = [sentence.words(piece) for piece in close]
    beside = None if clause.is_fronted else phrase_beside(sentence, region, main)
    if beside is not None:
        tail.append(sentence.words(beside))
        region = Piece(region.start, beside.end)
    if keeps_agent:
        is_heavy = any(token.dep_ in ("relcl", "acl", "appos") for token in subject_words)
        if is_heavy and region.end < sentence.end:
            raise DeclineError("long subject before other words")
        tail.append(f"by {phrase_text(sentence, subject, clause.subject, object_case)}")

    new_subject = phrase_text(sentence, obj, clause.obj, subject_case)
    if clause.is_fronted:
        head, new_subject = [new_subject if clause.is_inverted else ""], ""
    else:
        head = []
    written = write_verb(sentence, clause.verb, words, new_subject, is_inverted=clause.is_inverted)
    text = write_stretch(sentence, region, [*head, *written, *tail])
    old = " ".join(token.text for token in main.tokens)
    return Change(text, f"{old} -> {' '.join(words)}")


def _close_pieces(clause: Clause, *, keeps_agent: bool) -> list[Piece]:
    """The particle, and the gift whose receiver becomes the subject: they follow the participle."""
    sentence, verb = clause.sentence, clause.main.verb
    particle, theme = particle_of(verb), only_child(verb, "dobj")
    pieces = [] if particle is None else [piece_of(particle)]
    if theme is not None and theme.i != clause.obj.i:
        piece = object_piece(sentence, theme, clause.lemma)
        if keeps_agent and is_bound(sentence.tokens(piece), clause.subject):
            raise DeclineError("pronoun of the subject in the object")
        pieces.append(piece)
    return pieces


def _new_subject_piece(clause: Clause) -> Piece:
    """The stretch of the object; before its subject, only a question word or relative pronoun."""
    if not clause.is_fronted:
        return object_piece(clause.sentence, clause.obj, clause.lemma)
    if not any(token.tag_ in ("WP", "WDT") for token in clause.obj.subtree):
        raise DeclineError("object before its subject")
    return subtree_piece(clause.obj)


def _passive_words(clause: Clause, modal: str) -> list[str]:
    """Auxiliaries and main verb of the passive, the negation left out."""
    main, outer = clause.main, clause.verb
    is_do = bool(outer.auxiliaries) and outer.first.lemma_ == "do"
    if is_do and not outer.group.negation and not clause.is_inverted:
        # Seldom emphasis, mostly a noun compound read as a verb: `does skateboard tricks`.
        raise DeclineError("emphatic do")
    verb = main.verb
    has_capital = verb.text[0].isupper() and verb.idx != clause.sentence.start
    if has_capital and (verb.text.isupper() or not is_title_case(clause.sentence)):
        raise DeclineError("verb with a capital")
    agreement = _agreement_of_passive(clause)
    group = replace(outer.group, is_passive=clause.infinitive is None)
    if modal:
        group = replace(group, tense="", modal=modal)
    words = spell_group(group, agreement, needs_auxiliary=clause.is_inverted)
    if clause.infinitive is not None:
        if main.negation is not None or main.adverbs:
            raise DeclineError("other words between subject, verb and object")
        words += spell_group(replace(main.group, is_passive=True), agreement)
    if has_capital:
        words = [word if word == "to" else word.capitalize() for word in words]
    return words


def _agreement_of_passive(clause: Clause) -> Agreement:
    """Agreement with the object, or with what its relative pronoun stands for."""
    obj, verb = clause.obj, clause.main.verb
    if verb.dep_ == "relcl" and clause.is_fronted and obj.tag_ in ("WDT", "WP"):
        return agreement_of(verb.head)
    if obj.lower_ in ("what", "who", "whom", "which"):
        return Agreement(3, is_plural=False)
    return agreement_of(obj)


@rule(
    name="passive_to_active",
    dimension="structure",
    perturbation="voice exchange",
    expected_score=5,
    why="the same event with the same roles; only what the sentence is about changes",
    preconditions="a finite passive clause with a subject and a by-phrase that names the agent",
)
def passive_to_active(sentence: Sentence) -> Change:
    """Turn `The cat was chased by the dog.` into `The dog chased the cat.`."""
    return try_each(sentence, verbs_with(sentence, "agent"), _make_active, "no agent")


def _make_active(sentence: Sentence, verb: Token) -> Change:
    """Write a passive clause in the active."""
    clause = read_passive(verb)
    group, subject, agent = clause.verb, clause.subject, clause.agent
    if verb.text[0].isupper() and verb.idx != sentence.start:
        raise DeclineError("verb with a capital")
    subject_stretch, agent_stretch = subtree_piece(subject), agent_piece(sentence, agent)
    check_phrase(sentence, subject_stretch)
    by_phrase = [clause.preposition, *sentence.tokens(agent_stretch)]
    last = clause.preposition.right_edge
    if last.i > by_phrase[-1].i and agent.pos_ != "PROPN" and not last.is_punct:
        raise DeclineError("discontinuous phrase")
    _check_binding(clause)
    if subject.idx == sentence.start and _is_name_or_noun(subject):
        raise DeclineError("name or noun")

    close, between = _split_before_agent(clause)
    covered = [*group.tokens, *subtree_tokens(*group.adverbs), *close, *between, *by_phrase]
    if clause.is_inverted or not clause.is_relative:
        covered += sentence.tokens(subject_stretch)
    region = stretch(sentence, covered)
    words = spell_group(
        replace(group.group, is_passive=False),
        agreement_of(agent),
        needs_auxiliary=clause.is_inverted,
    )
    new_subject = phrase_text(sentence, agent_stretch, agent, subject_case)
    new_object = phrase_text(sentence, subject_stretch, subject, object_case)
    written = write_verb(sentence, group, words, new_subject, is_inverted=clause.is_inverted)
    particles = [token.text for token in close]
    is_parted = all(token.dep_ == "prt" for token in close) and (
        subject.tag_ == "PRP" or any(token.lower_ in AMBIGUOUS_PARTICLES for token in close)
    )
    rest = sentence.words(piece_of(*between)) if between else ""
    if clause.is_relative:
        parts = [new_object if clause.is_inverted else "", *written, *particles, rest]
    elif is_parted:
        parts = [*written, new_object, *particles, rest]
    else:
        parts = [*written, *particles, new_object, rest]
    old = " ".join(token.text for token in group.tokens)
    return Change(write_stretch(sentence, region, parts), f"{old} -> {' '.join(words)}")


def _is_name_or_noun(word: Token) -> bool:
    """Return True for `Garlic` at the start of a sentence where the parser sees a person."""
    return word.tag_ == "NNP" and word.ent_type_ == "PERSON" and is_known_word(word.lower_)


def _check_binding(clause: PassiveClause) -> None:
    """Decline pronouns that would come before what they mean, and scope that would change."""
    subject, agent = clause.subject, clause.agent
    agent_words = [word for word in agent.subtree if word.i != agent.i]
    subject_words = [word for word in subject.subtree if word.i != subject.i]
    if not is_third_person(agent):
        if is_bound(subject_words, agent):
            raise DeclineError("pronoun of the agent in the subject")
        if any(map(is_third_person, agent_words)):
            raise DeclineError("pronoun of the subject in the agent")
    if {adverb.lower_ for adverb in clause.verb.adverbs} & FOCUS_ADVERBS:
        raise DeclineError("focus adverb")
    forms = {word.lower_ for word in (*subject.subtree, *agent.subtree)}
    is_negated = clause.verb.negation is not None
    if forms & QUANTIFIERS and (is_negated or forms & {"a", "an"}):
        raise DeclineError("quantifier and indefinite")


def _split_before_agent(clause: PassiveClause) -> tuple[list[Token], list[Token]]:
    """What stands between participle and by-phrase: what stays beside the verb, and the rest."""
    verb = clause.verb.verb
    after = [token for token in verb.doc[verb.i + 1 : clause.preposition.i] if not token.is_space]
    close = [token for token in after if token.head.i == verb.i and _is_close(token)]
    between = after[len(close) :]
    for token in between:
        is_other = token.head.i == verb.i and token.dep_ not in BETWEEN
        if is_other or token in close or token.lower_ in FOCUS_ADVERBS:
            raise DeclineError("other words between subject, verb and object")
    return close, between


def _is_close(token: Token) -> bool:
    """Return True for a particle or a preposition without a noun (`looked after by`)."""
    return token.dep_ == "prt" or (token.dep_ == "prep" and not any(token.children))


@rule(
    name="by_phrase_drop",
    dimension="structure",
    perturbation="voice exchange",
    expected_score=4,
    why="who acts is left out, which was no one in particular",
    preconditions="a passive with a generic by-phrase, an active clause with a generic subject "
    "(someone, people, advice to you), or a question how to do something",
)
def by_phrase_drop(sentence: Sentence) -> Change:
    """Turn `Someone stole the car.` into `The car was stolen.`."""
    verbs = verbs_with(sentence, "dobj", "agent")
    return try_each(sentence, verbs, _drop_agent, "no agent or object")


def _drop_agent(sentence: Sentence, verb: Token) -> Change:
    """Leave out a generic agent, or write a clause with one in the passive without it."""
    if verb.i == sentence.root.i and is_to_infinitive(verb):
        return _ask_how_to(sentence, verb)
    if only_child(verb, "agent") is not None:
        passive = read_passive(verb)
        check_generic(passive.agent, passive.verb.group.lemma)
        piece = subtree_piece(passive.preposition)
        return Change(replace_pieces(sentence, [(piece, "")]), f"without {sentence.words(piece)}")
    clause = read_clause(sentence, verb)
    subject = clause.subject
    if clause.is_inverted and subject.lower_ in SPEAKERS:
        return _ask_passive(clause)
    addressed = sum(token.lower_ in ("you", "your") for token in sentence.doc)
    is_advice = subject.lower_ == "you" and clause.verb.group.modal in MODALS_OF_ADVICE
    if not is_advice or addressed > 1:
        check_generic(subject, clause.lemma)
        if is_bound(clause.main.verb.subtree, subject):
            raise DeclineError("pronoun of the subject in the object")
    return make_passive(clause, keeps_agent=False)


def check_generic(noun: Token, verb_lemma: str) -> None:
    """Decline an agent that says who acted.

    Args:
        noun: head of the agent.
        verb_lemma: what it does.

    Raises:
        DeclineError: `agent says who`.
    """
    words = {child.lower_ for child in noun.children}
    is_police = verb_lemma in POLICE_VERBS and noun.lower_ in ("police", "officers", "authorities")
    if is_police and words <= {"the"}:
        return
    if noun.lower_ not in GENERIC_AGENTS or not words <= {"a", "one", "some"}:
        raise DeclineError("agent says who")


def _ask_passive(clause: Clause) -> Change:
    """Write `How can I install it?` as `How can it be installed?`."""
    group = clause.verb.group
    words = {child.lower_ for child in clause.main.verb.lefts if child.dep_ == "advmod"}
    is_general = not (group.is_perfect or group.is_progressive or clause.infinitive)
    if group.modal:
        is_general &= group.modal in MODALS_OF_ADVICE and (group.modal != "would" or "how" in words)
        modal = ""
    else:
        is_general &= clause.verb.first.lower_ == "do" and not group.negation
        is_general &= bool(words & {"how", "where"})
        modal = "can"
    if not is_general:
        raise DeclineError("question about one event")
    return make_passive(clause, keeps_agent=False, modal=modal)


def _ask_how_to(sentence: Sentence, verb: Token) -> Change:
    """Write `How to install it?` as `How can it be installed?`."""
    how = next((child for child in verb.lefts if child.lower_ in ("how", "where")), None)
    tokens = read_group(verb)
    obj = only_child(verb, "dobj")
    if how is None:
        raise DeclineError("no how to")
    if obj is None or len(tokens.tokens) != 2:
        raise DeclineError("no direct object")
    check_has_passive(tokens)
    check_object(Clause(sentence, how, tokens, None, obj))
    check_adjuncts(verb, keeps_agent=False)
    lemma = tokens.group.lemma
    piece = object_piece(sentence, obj, lemma)
    particle = particle_of(verb)
    close = [] if particle is None else [particle]
    region = stretch(sentence, [*tokens.tokens, *close, *sentence.tokens(piece)])
    words = [*(["can"] if sentence.is_question else []), sentence.words(piece)]
    words += ["be"] if sentence.is_question else ["can", "be"]
    parts = [*words, past_participle(lemma), *(token.text for token in close)]
    text = write_stretch(sentence, region, parts)
    return Change(text, f"to {verb.text} -> can be {past_participle(lemma)}")


@rule(
    name="dative_alternation",
    dimension="structure",
    perturbation="voice exchange",
    expected_score=5,
    why="giver, gift and receiver stay; only the order of the two objects changes",
    preconditions="a verb of giving or making with two objects, or with an object and a phrase "
    "with to or for that names a person",
)
def dative_alternation(sentence: Sentence) -> Change:
    """Turn `She gave Mary a book.` into `She gave a book to Mary.`, or back."""
    return try_each(sentence, verbs_with(sentence, "dobj"), _exchange_objects, "no direct object")


def _exchange_objects(sentence: Sentence, verb: Token) -> Change:
    """Write two objects as an object and a phrase with a preposition, or back."""
    obj = only_child(verb, "dobj")
    if obj is None:
        raise DeclineError("no direct object")
    lemma = lemma_of(verb)
    preposition = "to" if lemma in GIVING_VERBS else "for" if lemma in MAKING_VERBS else ""
    if not preposition or (lemma == "tell" and obj.lower_ not in STORIES):
        raise DeclineError("verb without dative alternation")
    recipient, link = _recipient_of(verb, obj, preposition)
    if obj.i < verb.i or recipient.i < verb.i:
        raise DeclineError("object before the verb")
    if obj.lower_ in IDIOMS.get(lemma, ()) or obj.lower_ in LIGHT_OBJECTS:
        raise DeclineError("idiom")
    if obj.pos_ not in NOMINAL | {"DET"}:
        raise DeclineError("object is no noun")
    subject = subject_of(verb, "nsubj")
    if subject is not None and recipient.lower_ in OWN_PRONOUNS.get(subject.lower_, ()):
        raise DeclineError("reflexive object")
    receiver = subtree_piece(recipient)
    check_phrase(sentence, receiver)
    if link is None:
        given = subtree_piece(obj)
        check_phrase(sentence, given)
        _check_two_objects(sentence.tokens(given), recipient)
        covered = [*sentence.tokens(receiver), *sentence.tokens(given)]
        parts = [sentence.words(given), preposition, sentence.words(receiver)]
    else:
        given = object_piece(sentence, obj, lemma)
        _check_recipient(obj, recipient, lemma)
        if len(sentence.tokens(receiver)) > LONGEST_RECEIVER:
            raise DeclineError("long phrase")
        covered = [*sentence.tokens(given), link, *sentence.tokens(receiver)]
        parts = [sentence.words(receiver), sentence.words(given)]
    region = stretch(sentence, covered)
    text = write_stretch(sentence, region, parts)
    return Change(text, f"{sentence.words(region)} -> {' '.join(parts)}")


def _recipient_of(verb: Token, obj: Token, preposition: str) -> tuple[Token, Token | None]:
    """The recipient, and its preposition (None for two objects)."""
    recipient = only_child(verb, "dative")
    if recipient is not None and recipient.pos_ != "ADP":
        return recipient, None
    links = [
        child
        for child in verb.rights
        if child.lower_ == preposition and child.i > obj.i and child.dep_ in ("prep", "dative")
    ]
    noun = only_child(links[0], "pobj") if len(links) == 1 else None
    if noun is None:
        raise DeclineError("no recipient")
    return noun, links[0]


def _check_two_objects(given: Sequence[Token], recipient: Token) -> None:
    """Decline gifts that are too heavy to stand before `to him`, and prices read as recipients."""
    if any(character.isdigit() for character in recipient.text):
        raise DeclineError("recipient is no person")
    is_clause = any(token.dep_ in ("relcl", "acl", "ccomp") for token in given)
    if len(given) > LONGEST_MOVED or is_clause or any(token.lower_ == "to" for token in given):
        raise DeclineError("long phrase")


def _check_recipient(obj: Token, recipient: Token, verb_lemma: str) -> None:
    """Decline what does not stand as `him a book`."""
    if obj.tag_ == "PRP":
        raise DeclineError("pronoun as object")
    labels = {child.dep_ for child in obj.lefts}
    if obj.tag_ in ("NN", "NNP") and not labels & {"det", "poss", "nummod"}:
        raise DeclineError("object without a determiner")
    if not is_receiver(recipient, verb_lemma):
        raise DeclineError("recipient is no person")


def is_receiver(noun: Token, verb_lemma: str) -> bool:
    """Return True for words that name someone who can receive a thing.

    Args:
        noun: the recipient.
        verb_lemma: what is done with the thing.
    """
    if noun.pos_ == "PRON":
        return noun.lower_ != "it" and noun.tag_ in ("PRP", "NN")
    if noun.ent_type_ in ("GPE", "ORG") and noun.pos_ == "PROPN":
        return verb_lemma in COUNTRY_VERBS
    return noun.ent_type_ in ("PERSON", "NORP") or noun.lemma_.lower() in RECEIVERS


@rule(
    name="particle_shift",
    dimension="structure",
    perturbation="voice exchange",
    expected_score=5,
    why="only the place of the particle changes",
    preconditions="a phrasal verb that can be parted, with an object that is no pronoun",
)
def particle_shift(sentence: Sentence) -> Change:
    """Turn `She picked up the box.` into `She picked the box up.`, or back."""
    return try_each(sentence, verbs_with(sentence, "prt", "advmod"), _shift_particle, "no particle")


def _shift_particle(sentence: Sentence, verb: Token) -> Change:
    """Move a particle to the other side of the object."""
    particle, obj = particle_of(verb), only_child(verb, "dobj")
    if particle is None or obj is None:
        raise DeclineError("no direct object")
    lemma = lemma_of(verb)
    if particle.lower_ not in PHRASAL_VERBS.get(lemma, ()):
        raise DeclineError("phrasal verb that is not parted")
    if obj.i < verb.i:
        raise DeclineError("object before the verb")
    if obj.pos_ == "PRON":
        raise DeclineError("pronoun as object")
    if obj.lower_ in PARTICLE_IDIOMS.get(f"{lemma} {particle.lower_}", ()):
        raise DeclineError("idiom")
    if particle.i < obj.i:
        piece = object_piece(sentence, obj, lemma)
        words = sentence.tokens(piece)
        is_heavy = any(word.dep_ in ("relcl", "acl", "prep") for word in words)
        if is_heavy or len(words) > LONGEST_PARTED or len(conjuncts(obj)) > 1:
            raise DeclineError("long phrase")
        following = words[-1].nbor(1) if words[-1].i + 1 < len(sentence.doc) else None
        if following is not None and {particle.lower_, following.lower_} <= AMBIGUOUS_PARTICLES:
            raise DeclineError("particle before a preposition")
        parts = [sentence.words(piece), particle.text]
    else:
        piece = subtree_piece(obj)
        parts = [particle.text, sentence.words(piece)]
    region = stretch(sentence, [particle, *sentence.tokens(piece)])
    text = write_stretch(sentence, region, parts)
    return Change(text, f"{sentence.words(region)} -> {' '.join(parts)}")

"""Clauses as the rules of `voice` read them: their parts, and what makes the rules decline."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import lemminflect
from spacy.tokens import Token

from embsyntax.perturbation.engine import (
    DeclineError,
    Piece,
    Sentence,
    piece_of,
    starts_upper,
    subtree_piece,
)
from embsyntax.perturbation.main_clause import (
    BREAKS,
    CHAT_WORDS,
    POLARITY_WORDS,
    THIRD_PERSON,
    has_word,
    is_balanced,
    is_title_case,
    moved_words,
)
from embsyntax.perturbation.verbs import (
    FINITE_TAGS,
    VERB_TAGS,
    VerbTokens,
    agreement_of,
    conjuncts,
    full_auxiliary,
    inflections,
    is_known_verb,
    read_group,
    spell_group,
)
from embsyntax.perturbation.voice_words import (
    AFTER_VERB,
    ALLOWING_VERBS,
    ATTITUDE_VERBS,
    BARE_VERBS,
    BEFORE_VERB,
    BODY_PARTS,
    CONJUNCTIONS,
    COUNTING_VERBS,
    DEMANDING_VERBS,
    DIRECTIONS,
    FOCUS_ADVERBS,
    HEADLINE_PARTICIPLES,
    IDIOMS,
    INSTRUMENTS,
    LOCATING_VERBS,
    LONGEST_MOVED,
    LONGEST_PHRASE,
    MEANS_BY,
    MOTION_VERBS,
    NEGATIVE,
    NOUN_PREPOSITIONS,
    NOUNS_WITH_TO,
    OATHS,
    OWN_PRONOUNS,
    PARTICLES,
    PASSIVE_WITH_PARTICLE,
    PATHS,
    PLACES,
    PLACES_BY,
    PLACING_VERBS,
    QUANTIFIERS,
    RAISING_VERBS,
    RECIPIENT_VERBS,
    REFLEXIVES,
    REMOVING_VERBS,
    RESULTS,
    SCENES,
    TELLING_VERBS,
    UNITS,
    UNPASSIVE_VERBS,
    VERBS_WITH_FOR,
    VERBS_WITH_OF,
    VESSELS,
    WHEN_LABELS,
)

NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
MEASURES = frozenset({"PERCENT", "MONEY", "QUANTITY", "DATE", "TIME"})
"""Types of entities that measure something."""

TIMES = frozenset({"DATE", "TIME"})

BEFORE_STRETCH = re.compile(r"[\s\"'“‘(\[]?\Z")
AFTER_STRETCH = re.compile(r"[\s\"'”’)\].,;:!?…]|\Z")
"""What may stand beside moved words; anything else belongs to a word that they would cut."""


@dataclass(frozen=True)
class Clause:
    """An active clause with subject, verb and object.

    Attributes:
        sentence: where it stands.
        subject: head of the subject.
        verb: the finite verb group; for `is going to write`, that of `going`.
        infinitive: the verb group that takes the object where it is not `verb`, else None.
        obj: head of what becomes the subject.
    """

    sentence: Sentence
    subject: Token
    verb: VerbTokens
    infinitive: VerbTokens | None
    obj: Token

    @property
    def main(self) -> VerbTokens:
        """The verb group whose voice changes."""
        return self.infinitive or self.verb

    @property
    def lemma(self) -> str:
        """The verb whose voice changes."""
        return self.main.group.lemma

    @property
    def is_inverted(self) -> bool:
        """True for a question: the first auxiliary stands before the subject."""
        return bool(self.verb.auxiliaries) and self.verb.first.i < self.subject.i

    @property
    def is_fronted(self) -> bool:
        """True if the object stands before the subject (`what did he write`, `which he wrote`)."""
        return self.obj.i < self.subject.i

    @property
    def is_caption(self) -> bool:
        """True for `a man riding a horse`: a participle in place of a finite verb."""
        return not (self.verb.group.tense or self.verb.group.modal)


@dataclass(frozen=True)
class PassiveClause:
    """A passive clause with its agent.

    Attributes:
        verb: the finite verb group.
        subject: head of the subject.
        preposition: `by`.
        agent: head of who or what acts.
    """

    verb: VerbTokens
    subject: Token
    preposition: Token
    agent: Token

    @property
    def is_inverted(self) -> bool:
        """True for a question: the first auxiliary stands before the subject."""
        return self.verb.first.i < self.subject.i

    @property
    def is_relative(self) -> bool:
        """True if the subject is a relative pronoun or question word."""
        return self.subject.tag_ in ("WDT", "WP") or self.subject.lower_ == "that"


def verbs_with(sentence: Sentence, *labels: str) -> Iterator[Token]:
    """Yield verbs that have a child with one of the labels, the root of the sentence first."""
    heads = {token.head.i: token.head for token in sentence.doc if token.dep_ in labels}
    order = sorted(heads.values(), key=lambda verb: (verb.i != sentence.root.i, verb.i))
    return (verb for verb in order if verb.tag_ in VERB_TAGS)


def only_child(head: Token, label: str) -> Token | None:
    """Return the child with a label, or None.

    Raises:
        DeclineError: there are several.
    """
    found = [child for child in head.children if child.dep_ == label]
    if len(found) > 1:
        raise DeclineError("parse not clear")
    return found[0] if found else None


def subject_of(verb: Token, label: str) -> Token | None:
    """Return the subject of a verb, or None; after `Police:` the next one counts.

    Raises:
        DeclineError: there are several.
    """
    found = [child for child in verb.lefts if child.dep_ == label]
    if len(found) == 2 and any(token.text == ":" for token in verb.doc[found[0].i : found[1].i]):
        return found[1]
    return only_child(verb, label)


def particle_of(verb: Token) -> Token | None:
    """Return the particle of a phrasal verb, or None; parsers call some of them adverbs.

    Raises:
        DeclineError: it begins a path (`skied down the hill`).
    """
    particle = only_child(verb, "prt")
    if particle is None:
        adverbs = [child for child in verb.rights if child.dep_ == "advmod"]
        bare = [child for child in adverbs if child.lower_ in PARTICLES and not any(child.children)]
        particle = bare[0] if len(bare) == 1 else None
    if particle is not None and verb.lemma_.lower() in MOTION_VERBS:
        raise DeclineError("path of a motion")
    return particle


def noun_after(preposition: Token) -> Token | None:
    """Return the noun that a preposition takes, or None."""
    return next((child for child in preposition.rights if child.dep_ == "pobj"), None)


def has_subject(verb: Token) -> bool:
    """Return True if a verb has a subject of its own."""
    return any(child.dep_ in ("nsubj", "nsubjpass", "csubj", "expl") for child in verb.children)


def is_to_infinitive(verb: Token) -> bool:
    """Return True if `to` stands before a verb as its auxiliary."""
    return any(child.dep_ == "aux" and child.lower_ == "to" for child in verb.lefts)


def is_third_person(token: Token) -> bool:
    """Return True for pronouns of the third person, possessive or not."""
    return token.pos_ == "PRON" and token.lower_ in THIRD_PERSON


def is_bound(phrase: Iterable[Token], subject: Token) -> bool:
    """Return True if a phrase has a pronoun that may mean the subject (`his` for `the man`).

    Args:
        phrase: words of the phrase.
        subject: head of the subject.
    """
    own = OWN_PRONOUNS.get(subject.lower_)
    return any(
        word.lower_ in REFLEXIVES
        or (own is None and is_third_person(word))
        or (own is not None and word.lower_ in own)
        for word in phrase
    )


def subtree_tokens(*heads: Token) -> tuple[Token, ...]:
    """Tokens with all that hangs on them, in the order of the text."""
    found = {word.i: word for token in heads for word in token.subtree}
    return tuple(found[i] for i in sorted(found))


def word_behind(sentence: Sentence, piece: Piece) -> Token | None:
    """The word or punctuation mark behind a stretch, or None at the end."""
    return next((token for token in sentence.doc if token.idx >= piece.end), None)


def read_clause(sentence: Sentence, verb: Token) -> Clause:
    """Read an active clause around a verb with a direct object.

    Captions (`a man riding a horse`) and headlines (`Sony to sell unit`) count as clauses.

    Raises:
        DeclineError: it is no active clause with a subject, or its verb has no passive.
    """
    main = read_group(verb)
    obj = only_child(verb, "dobj")
    if obj is None:
        raise DeclineError("no direct object")
    check_has_passive(main)
    is_root = verb.i == sentence.root.i
    outer, infinitive = main, None
    subject = subject_of(verb, "nsubj")
    if subject is None and verb.dep_ == "xcomp" and main.group.modal == "to":
        outer, infinitive = read_group(_raising_verb(verb)), main
        subject = subject_of(outer.verb, "nsubj")
    elif subject is None and verb.dep_ == "acl" and verb.head.i == sentence.root.i:
        subject, is_root = _caption_noun(main), True
    if subject is None:
        raise DeclineError("no subject")
    if main.group.is_passive or not (outer.group.is_finite or is_root):
        raise DeclineError("no finite active verb")
    recipient = only_child(verb, "dative")
    if recipient is not None and recipient.pos_ != "ADP":
        if main.group.lemma not in RECIPIENT_VERBS or not verb.i < recipient.i < obj.i:
            raise DeclineError("two objects")
        obj = recipient
    return Clause(sentence, subject, settle_tense(subject, outer), infinitive, obj)


def check_has_passive(verb: VerbTokens) -> None:
    """Decline verbs that are left in the active.

    Raises:
        DeclineError: `verb without a passive`.
    """
    lemma = verb.group.lemma
    if lemma in UNPASSIVE_VERBS:
        is_phrasal = particle_of(verb.verb) is not None
        if not (is_phrasal and lemma in PASSIVE_WITH_PARTICLE):
            raise DeclineError("verb without a passive")


def _raising_verb(infinitive: Token) -> Token:
    """The verb above an infinitive if the subject belongs to both (`is going to write`)."""
    verb = infinitive.head
    is_going = verb.lemma_ != "go" or verb.tag_ == "VBG"
    if verb.lemma_ not in RAISING_VERBS or not is_going:
        raise DeclineError("subject of another verb")
    return verb


def _caption_noun(verb: VerbTokens) -> Token:
    """The noun that a participle describes in a caption, as its subject."""
    noun = verb.verb.head
    if noun.pos_ != "NOUN" or verb.verb.tag_ != "VBG" or verb.auxiliaries:
        raise DeclineError("no subject")
    if sum(child.dep_ in ("acl", "relcl", "conj") for child in noun.children) > 1:
        raise DeclineError("caption with several verbs")
    return noun


def settle_tense(subject: Token, verb: VerbTokens) -> VerbTokens:
    """Return a verb group whose tense agrees with its subject (`he cut` is no present).

    Raises:
        DeclineError: they cannot agree, so that the parse is wrong; or both tenses are possible in
            a subordinate clause (`I hope they beat us`).
    """
    group, first = verb.group, verb.first
    if not group.tense or subject.tag_ in ("WP", "WDT"):
        return verb
    is_simple = first is verb.verb
    if is_simple and group.tense == "past" and first.dep_ != "ROOT":
        if first.lower_ == group.lemma:
            raise DeclineError("tense not clear")
        return verb
    is_group = subject.pos_ == "PROPN" or any(child.lower_ == "of" for child in subject.rights)
    if is_group and not (is_simple and first.tag_ in ("VB", "VBP", "VBN")):
        return verb
    try:
        agreement = agreement_of(subject)
    except DeclineError:
        return verb
    form = first.lower_ if is_simple else full_auxiliary(first, verb.next_tag)
    if spell_group(group, agreement, needs_auxiliary=not is_simple)[0] == form:
        return verb
    if is_simple and form in inflections(group.lemma, "VBD"):
        return replace(verb, group=replace(group, tense="past"))
    raise DeclineError("subject and verb disagree")


def read_passive(verb: Token) -> PassiveClause:
    """Read a finite passive clause with a subject and a by-phrase that names the agent.

    Raises:
        DeclineError: it is none.
    """
    preposition = only_child(verb, "agent")
    subject = subject_of(verb, "nsubjpass")
    if preposition is None or preposition.lower_ != "by":
        raise DeclineError("no agent")
    if subject is None:
        raise DeclineError("no subject")
    tokens = read_group(verb)
    if not tokens.group.is_passive or not tokens.group.is_finite:
        raise DeclineError("no finite passive verb")
    check_aspect(tokens)
    for child in verb.children:
        if child.dep_ == "conj" and not has_subject(child):
            raise DeclineError("verb phrases coordinated")
        if child.dep_ == "advcl" and not (has_subject(child) or is_to_infinitive(child)):
            raise DeclineError("participle of the subject")
    agent = agent_noun(preposition)
    if verb.dep_ == "ccomp" and verb.head.lemma_ in ALLOWING_VERBS:
        raise DeclineError("parse not clear")
    if verb.dep_ == "relcl" and any(child.dep_ == "acl" for child in agent.rights):
        # Often the main verb: `the novel that was praised by critics sold badly`.
        raise DeclineError("parse not clear")
    return PassiveClause(tokens, subject, preposition, agent)


def agent_noun(preposition: Token) -> Token:
    """Return the noun of a by-phrase that names who or what acts.

    Raises:
        DeclineError: the phrase says where, when, how or how much.
    """
    noun = only_child(preposition, "pobj")
    if noun is None or noun.pos_ not in NOMINAL or noun.tag_ in ("VBG", "WP", "WDT"):
        raise DeclineError("no agent")
    form = noun.lower_
    is_measure = noun.ent_type_ in MEASURES or noun.ent_type_ == "ORDINAL" or form in UNITS
    is_place = form in PLACES_BY or preposition.head.lemma_ in LOCATING_VERBS
    is_means = form in MEANS_BY and not any(noun.lefts)
    if is_measure or is_place or is_means or form in REFLEXIVES:
        raise DeclineError("by-phrase is no agent")
    return noun


def check_aspect(verb: VerbTokens) -> None:
    """Decline chains that would read `has been being written`.

    Raises:
        DeclineError: `progressive after another auxiliary`.
    """
    if verb.group.is_progressive and (verb.group.is_perfect or verb.group.modal):
        raise DeclineError("progressive after another auxiliary")


def check_adjuncts(verb: Token, *, keeps_agent: bool) -> None:
    """Decline a verb with parts that the change of voice would leave without their meaning.

    Args:
        verb: the verb whose voice changes.
        keeps_agent: True if the agent moves; what it does besides (`while singing`) would then
            have no subject before it.

    Raises:
        DeclineError: naming the part.
    """
    for child in verb.children:
        is_behind = child.i > verb.i
        label = child.dep_
        if label == "conj":
            if not has_subject(child):
                raise DeclineError("verb phrases coordinated")
        elif label == "advcl":
            follows = is_behind and (is_to_infinitive(child) or _is_plain_participle(child))
            if keeps_agent and not has_subject(child) and not follows:
                raise DeclineError("participle of the subject")
        elif label == "prep":
            if keeps_agent and any(grandchild.dep_ == "pcomp" for grandchild in child.children):
                raise DeclineError("participle of the subject")
        elif label in ("xcomp", "ccomp", "acomp", "oprd", "attr", "csubj"):
            if not (is_behind and _is_free_complement(verb, child)):
                raise DeclineError("complement of the object")
        elif label == "npadvmod" and is_behind:
            if child.ent_type_ not in TIMES and child.lower_ not in UNITS:
                raise DeclineError("parse not clear")
        elif label not in (AFTER_VERB if is_behind else BEFORE_VERB):
            raise DeclineError("parse not clear")


def _is_plain_participle(verb: Token) -> bool:
    """Return True for a participle that the by-phrase can take (`by a man wearing a hat`)."""
    is_close = not verb.doc[verb.i - 1].is_punct
    return verb.tag_ == "VBG" and is_close and verb.left_edge.i == verb.i


def _is_free_complement(verb: Token, complement: Token) -> bool:
    """Return True for a purpose (`used it to cut`) and for `told him that he had won`."""
    if complement.dep_ == "xcomp":
        return verb.lemma_ != "promise" and is_to_infinitive(complement)
    if complement.dep_ == "ccomp" and verb.lemma_ in TELLING_VERBS:
        return any(child.dep_ == "mark" and child.lower_ == "that" for child in complement.lefts)
    return False


def check_agent(clause: Clause) -> None:
    """Decline subjects that make no good agent.

    Raises:
        DeclineError: naming the reason.
    """
    subject = clause.subject
    form = subject.lower_
    if form in ("it", "there"):
        raise DeclineError("it or there as subject")
    is_relative = form == "that" and clause.main.verb.dep_ == "relcl"
    if is_relative or subject.tag_ in ("WP", "WDT", "WP$") or form in ("who", "which", "what"):
        raise DeclineError("question word or relative as subject")
    if subject.pos_ not in NOMINAL:
        raise DeclineError("subject is no noun")
    if has_word(subject.subtree, CHAT_WORDS) or (clause.is_caption and form in BARE_VERBS):
        raise DeclineError("chat word in the subject")
    if clause.lemma in HEADLINE_PARTICIPLES and clause.verb.verb.tag_ in ("VBD", "VBN"):
        words = (*subject.lefts, *clause.obj.lefts)
        if not clause.verb.auxiliaries and not any(w.dep_ in ("det", "poss") for w in words):
            raise DeclineError("past or participle of a headline")
    if is_third_person(subject) and clause.verb.verb.i != clause.sentence.root.i:
        raise DeclineError("pronoun as agent of a subordinate clause")
    if form in OWN_PRONOUNS and (clause.is_inverted or clause.sentence.is_question):
        raise DeclineError("speaker or hearer as agent of a question")


def check_object(clause: Clause) -> None:
    """Decline objects that make no good subject.

    Raises:
        DeclineError: naming the reason.
    """
    obj, form = clause.obj, clause.obj.lower_
    if obj.pos_ not in NOMINAL | {"DET"} or obj.tag_ == "VBG":
        raise DeclineError("object is no noun")
    if form in REFLEXIVES or form in ("other", "another"):
        raise DeclineError("reflexive object")
    is_count = obj.tag_ == "CD" and clause.lemma in COUNTING_VERBS
    if form in UNITS or obj.ent_type_ in MEASURES or is_count:
        raise DeclineError("object is a measure")
    if form in IDIOMS.get(clause.lemma, ()) or form in OATHS:
        raise DeclineError("idiom")
    labels = {child.dep_ for child in obj.lefts}
    if form in BODY_PARTS and not labels & {"poss", "amod"}:
        raise DeclineError("body part")
    if obj.tag_ == "NNPS" and obj.ent_type_ != "NORP" and "det" not in labels:
        raise DeclineError("number not clear")
    if clause.lemma in DEMANDING_VERBS and labels == {"compound"} and is_known_verb(form):
        # A clause in a headline: `opposition demands president resign`.
        raise DeclineError("parse not clear")
    if clause.is_caption and any(is_activity(word) for word in obj.subtree):
        raise DeclineError("caption with several verbs")
    for child in obj.rights:
        if child.dep_ in ("amod", "acomp"):
            raise DeclineError("complement of the object")
        if child.dep_ in ("relcl", "appos", "acl") and len(list(child.subtree)) > LONGEST_MOVED:
            raise DeclineError("long phrase")


def check_scope(clause: Clause, words: Iterable[Token]) -> None:
    """Decline negations, quantifiers and focus adverbs whose reach the passive would change.

    Args:
        clause: the clause.
        words: words of subject and object.

    Raises:
        DeclineError: naming the reason.
    """
    adverbs = {adverb.lower_ for adverb in clause.verb.adverbs}
    if FOCUS_ADVERBS & adverbs:
        raise DeclineError("focus adverb")
    forms = {word.lower_ for word in words}
    subject = {child.lower_ for child in clause.subject.lefts} | {clause.subject.lower_}
    is_negated = bool(clause.verb.group.negation) or "never" in adverbs or bool(subject & NEGATIVE)
    if is_negated and forms & (POLARITY_WORDS | QUANTIFIERS) - NEGATIVE:
        raise DeclineError("negation and quantifier")
    if subject & QUANTIFIERS and forms & {"a", "an", "one"}:
        raise DeclineError("quantifier and indefinite")


def check_edges(sentence: Sentence, piece: Piece) -> None:
    """Decline a stretch that begins or ends inside a word (`upgrade/downgrade`).

    Raises:
        DeclineError: `cuts a word`.
    """
    is_whole = BEFORE_STRETCH.match(sentence.text, max(piece.start - 1, 0), piece.start)
    if not is_whole or not AFTER_STRETCH.match(sentence.text, piece.end):
        raise DeclineError("cuts a word")


def check_phrase(sentence: Sentence, piece: Piece) -> None:
    """Decline a phrase that cannot be moved as it is.

    Raises:
        DeclineError: it is too long, or has punctuation that belongs to its place.
    """
    check_edges(sentence, piece)
    tokens = sentence.tokens(piece)
    text = sentence.words(piece)
    if tokens[-1].tag_ == "POS" or has_word(tokens, CONJUNCTIONS):
        raise DeclineError("parse not clear")
    if len(tokens) > LONGEST_PHRASE:
        raise DeclineError("long phrase")
    if not is_balanced(text):
        raise DeclineError("unbalanced quotes or brackets")
    if BREAKS.search(text) or set("?!") & set(text):
        raise DeclineError("punctuation inside a phrase")
    commas = [token for token in tokens if token.text == ","]
    links = sum(token.dep_ == "conj" for token in tokens)
    # One comma and one link is an afterthought (`a profit, or a gain`), more are a list.
    is_list = links > 1 and len(commas) <= links
    if (commas and not is_list) or any(token.nbor(1).tag_.startswith("JJ") for token in commas):
        raise DeclineError("punctuation inside a phrase")


def is_activity(word: Token) -> bool:
    """Return True for `singing` in `playing piano and singing`, which is no second object."""
    return word.pos_ == "VERB" or (word.lower_.endswith("ing") and word.tag_ in ("NN", "VBG"))


def stays_with_noun(preposition: Token, verb_lemma: str) -> bool:
    """Say if a preposition that the parser gives to an object moves with it.

    Parsers link `slices onions with a knife` to the onions; what the words say counts for more.

    Raises:
        DeclineError: the words do not say.
    """
    form = preposition.lower_
    noun = noun_after(preposition)
    if noun is None or form in ("by", "as"):
        raise DeclineError("parse not clear")
    if form == "of" and verb_lemma in VERBS_WITH_OF:
        return preposition.head.pos_ == "PROPN"
    if form == "for" and (verb_lemma in VERBS_WITH_FOR or preposition.nbor(1).tag_ == "VBG"):
        return False
    if form in NOUN_PREPOSITIONS:
        return True
    if noun.ent_type_ in TIMES or noun.lower_ in BODY_PARTS or noun.lower_ in SCENES:
        return False
    if form == "to" and preposition.head.lemma_.lower() in NOUNS_WITH_TO:
        return True
    if form == "with":
        return noun.lower_ not in INSTRUMENTS
    if form == "from":
        return verb_lemma not in REMOVING_VERBS
    return form not in PATHS and not (form in PLACES and verb_lemma in PLACING_VERBS)


def agent_piece(sentence: Sentence, agent: Token) -> Piece:
    """Return the stretch of the agent of a passive, without what says where a name acted.

    Raises:
        DeclineError: it is not contiguous or cannot move.
    """
    kept = list(agent.subtree)
    if agent.pos_ == "PROPN":
        cut = [token.i for token in agent.rights if token.dep_ == "prep" and token.lower_ != "of"]
        kept = [token for token in kept if not cut or token.i < cut[0]]
    while kept and kept[-1].is_punct and kept[-1].text not in ")]\"'”’":
        kept.pop()
    piece = _contiguous(kept)
    check_phrase(sentence, piece)
    return piece


def subject_piece(clause: Clause) -> Piece:
    """Return the stretch of the subject, without the participle of a caption (`a man riding`).

    Raises:
        DeclineError: it is not contiguous or cannot move.
    """
    verb = clause.main.verb
    if verb.dep_ == "acl":
        left_out = {word.i for word in verb.subtree}
        kept = [t for t in clause.subject.subtree if t.i not in left_out and t.i < verb.i]
        piece = _contiguous(kept)
    else:
        piece = subtree_piece(clause.subject)
    check_phrase(clause.sentence, piece)
    return piece


def object_piece(sentence: Sentence, obj: Token, verb_lemma: str) -> Piece:
    """Return the part of an object that moves: up to the first phrase that belongs to the verb.

    Args:
        sentence: the source.
        obj: head of the object.
        verb_lemma: the verb that takes it.

    Raises:
        DeclineError: the phrase is not clear or cannot move.
    """
    kept = list(obj.subtree)
    for token in kept:
        is_means = token.dep_ == "acl" and token.lower_ == "using"
        is_phrase = token.dep_ == "prep" and not _is_in_clause(token, obj)
        if token.i < obj.i or not (is_means or is_phrase):
            continue
        if is_means or not stays_with_noun(token, verb_lemma):
            if any(item.i > token.i for item in conjuncts(obj)):
                raise DeclineError("coordination")
            if token.nbor(-1).is_punct:
                raise DeclineError("punctuation inside a phrase")
            if sum(word.i >= token.i for word in kept) > LONGEST_MOVED:
                raise DeclineError("long phrase")
            kept = [word for word in kept if word.i < token.i]
            break
    while kept and kept[-1].is_punct and kept[-1].text not in ")]\"'”’%":
        kept.pop()
    if kept and (kept[-1].dep_ == "cc" or any(map(is_activity, conjuncts(obj)[1:]))):
        raise DeclineError("coordination")
    piece = _contiguous(kept)
    if verb_lemma in ATTITUDE_VERBS:
        piece = _with_place(sentence, piece)
    check_phrase(sentence, piece)
    return piece


def _contiguous(tokens: list[Token]) -> Piece:
    if not tokens or tokens[-1].i - tokens[0].i + 1 != len(tokens):
        raise DeclineError("discontinuous phrase")
    return piece_of(*tokens)


def _is_in_clause(token: Token, noun: Token) -> bool:
    """Return True if a token hangs on a clause that modifies the noun."""
    while token.i != noun.i:
        if token.dep_ in ("relcl", "acl"):
            return True
        token = token.head
    return False


def _with_place(sentence: Sentence, obj: Piece) -> Piece:
    """Return an object with its place or topic: `hails elections in Guinea`."""
    following = word_behind(sentence, obj)
    if following is None or following.dep_ != "prep":
        return obj
    noun = noun_after(following)
    if noun is None or len(list(following.subtree)) > LONGEST_MOVED:
        return obj
    is_place = following.lower_ == "in" and noun.ent_type_ == "GPE"
    is_topic = following.lower_ == "on" and noun.ent_type_ not in TIMES
    return Piece(obj.start, subtree_piece(following).end) if is_place or is_topic else obj


def phrase_beside(sentence: Sentence, after: Piece, verb: VerbTokens) -> Piece | None:
    """Return the words behind the object that stay beside the participle, if there are any.

    `An egg is broken into a bowl by him` reads better than `by him into a bowl`.

    Args:
        sentence: the source.
        after: the clause up to the end of the object.
        verb: the verb whose voice changes.

    Raises:
        DeclineError: what follows shows that the parse is wrong, or is a complement or `by`.
    """
    following = word_behind(sentence, after)
    if following is None:
        return None
    form, label = following.lower_, following.dep_
    if form == "," and following.i + 1 < len(sentence.doc):
        behind = following.nbor(1)
        is_listed = any(token.text == "," for token in sentence.tokens(after))
        # `Blizzard hits coast, closes roads`, with or without the right tag.
        if is_listed or (behind.tag_ in ("VB", *FINITE_TAGS) and not has_subject(behind)):
            raise DeclineError("verb phrases coordinated")
    if following.tag_ in ("JJ", "JJR", "RBR") and following.head.i == verb.verb.i:
        raise DeclineError("complement of the object")
    is_left_over = following.pos_ in ("NOUN", "PROPN", "ADJ", "NUM") and not (
        label in WHEN_LABELS or following.head.i > following.i
    )
    if is_left_over or following.tag_ in (*FINITE_TAGS, "MD", "VB"):
        raise DeclineError("object cut short")
    noun = noun_after(following)
    if form in PARTICLES and label in ("advmod", "prt", "prep"):
        is_split = label == "prep" and noun is None and form != "out"
        if is_split or not any(following.children):
            return piece_of(following)
    if label not in ("prep", "dative"):
        return None
    if form == "by":
        raise DeclineError("by already there")
    object_form = noun.lower_ if noun is not None else ""
    says_where = verb.group.lemma in PLACING_VERBS or object_form in BODY_PARTS | RESULTS | VESSELS
    is_instrument = form == "with" and object_form in INSTRUMENTS
    if not (form in DIRECTIONS or is_instrument or (form in PLACES and says_where)):
        return None
    words = list(following.subtree)
    if len(words) > LONGEST_MOVED or any(word.pos_ == "PRON" for word in words):
        return None
    return subtree_piece(following)


def stretch(sentence: Sentence, tokens: Iterable[Token]) -> Piece:
    """Return the stretch of some tokens, which must leave no word out.

    Raises:
        DeclineError: words stand between them.
    """
    wanted = {token.i for token in tokens}
    first, last = min(wanted), max(wanted)
    before = sentence.doc[first - 1] if first else None
    if before is not None and before.dep_ == "cc" and before.head.pos_ in NOMINAL:
        raise DeclineError("coordination")
    if any(i not in wanted and not sentence.doc[i].is_space for i in range(first, last + 1)):
        raise DeclineError("other words between subject, verb and object")
    return piece_of(sentence.doc[first], sentence.doc[last])


def phrase_text(
    sentence: Sentence, piece: Piece, head: Token, to_case: Callable[[str], str]
) -> str:
    """Return the words of a noun phrase for another place in the sentence.

    Args:
        sentence: the source.
        piece: the phrase.
        head: its head.
        to_case: `object_case` or `subject_case`.

    Returns:
        The phrase with its pronouns in the new case, and without the capital of a sentence start.
    """
    text = sentence.words(piece)
    if piece.start == sentence.start:
        text = _without_capital(sentence, piece)
    for token in reversed(conjuncts(head)):
        new = to_case(token.text)
        if token.pos_ == "PRON" and new != token.text:
            if new == "I" and not starts_upper(sentence):
                new = "i"
            at = token.idx - piece.start
            text = text[:at] + new + text[at + len(token) :]
    return text


def _without_capital(sentence: Sentence, piece: Piece) -> str:
    """The words that open a sentence for another place; nouns taken for names are lowered too."""
    text, first = sentence.words(piece), sentence.tokens(piece)[0]
    is_unknown_name = (
        first.tag_ in ("NNP", "NNPS") and not first.ent_type_ and first.text[1:].islower()
    )
    heads_noun = first.dep_ != "compound" or first.head.tag_ in ("NN", "NNS")
    is_noun = first.tag_ == "NN" and first.ent_type_ in ("", "PERSON")
    if (is_noun or (is_unknown_name and heads_noun)) and not is_title_case(sentence):
        known = lemminflect.getAllLemmas(first.lower_)
        if "NOUN" in known and "ADJ" not in known:
            return text[0].lower() + text[1:]
    return moved_words(sentence, piece)

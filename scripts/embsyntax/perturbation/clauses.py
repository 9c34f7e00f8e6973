"""Clauses that change places: subordinate before main and back, reporting before reported."""

from __future__ import annotations

import re

from spacy.tokens import Token

from embsyntax.perturbation.engine import (
    Change,
    DeclineError,
    Piece,
    Sentence,
    rule,
    starts_upper,
    subtree_piece,
    upper_first,
)
from embsyntax.perturbation.main_clause import (
    FINITE_TAGS,
    POLARITY_WORDS,
    THIRD_PERSON,
    MainClause,
    arrange,
    has_word,
    is_balanced,
    moved_words,
    read_main_clause,
    word_set,
)
from embsyntax.perturbation.verbs import inflections

SUBORDINATORS = word_set(
    """because if although though unless until before after since while once as when whenever"""
)
"""Words whose clause says the same before and behind its main clause."""

NOUNS_WITH_WHEN = word_set(
    """time times day days moment moments part scene point bit year years night month week weeks
    episode period era age case cases situation instance minute second date one thing feeling"""
)
"""Nouns that a clause with `when` often describes."""

DOUBT_VERBS = word_set(
    """specify know ask wonder see say tell decide check care doubt careless matter"""
)
"""Verbs with which a clause with `if` is an indirect question."""

REPORTING_VERBS = word_set(
    """say report think believe guess suppose claim argue note add announce warn state explain
    insist suggest admit confirm acknowledge declare estimate predict reckon fear complain
    bet concede maintain contend reveal show indicate tell assert stress emphasize conclude
    allege swear testify write reply recall"""
)
FIRST_PERSON = word_set("i im we my our me us")
LONGEST_REPORT = 40
"""Most words of a sentence whose reporting clause moves."""


def _subject_of(verb: Token) -> Token | None:
    found = [child for child in verb.children if child.dep_ in {"nsubj", "nsubjpass", "expl"}]
    return found[0] if found else None


def _is_finite(verb: Token) -> bool:
    helpers = [child for child in verb.children if child.dep_ in {"aux", "auxpass"}]
    return (helpers[0] if helpers else verb).tag_ in FINITE_TAGS


def _check_pronouns(clause: MainClause, subordinate: Token) -> None:
    """Decline where a pronoun of the main clause may stand for a noun of the other clause.

    Raises:
        DeclineError: the change of order could break or make such a link.
    """
    subject = _subject_of(subordinate)
    if subject is not None and subject.lower_ == clause.subject.lower_:
        return
    inside = {token.i for token in subordinate.subtree}
    has_pronoun = any(
        token.lower_ in THIRD_PERSON for token in clause.verb.subtree if token.i not in inside
    )
    has_noun = any(token.pos_ in {"NOUN", "PROPN"} for token in subordinate.subtree)
    if has_pronoun and has_noun:
        raise DeclineError("pronoun of the main clause may lose its noun")


def _subordinate(clause: MainClause, *, is_first: bool) -> Token:
    """The one adverbial clause before the subject, or at the end."""
    for token in clause.find("advcl"):
        if (token.i < clause.subject.i) != is_first:
            continue
        first = token.left_edge
        if first.lower_ == "even" and first.i + 1 < len(first.doc):
            first = first.nbor()
        if first.lower_ not in SUBORDINATORS or first.head != token:
            continue
        if first.dep_ not in {"mark", "advmod"}:
            continue
        subject = _subject_of(token)
        if first.nbor().lower_ in {"to", "if", "soon"}:
            raise DeclineError("no finite subordinate clause")
        if subject is None or subject.i > token.i or not _is_finite(token):
            raise DeclineError("no finite subordinate clause")
        return token
    raise DeclineError("no subordinate clause")


@rule(
    name="clause_fronting",
    dimension="structure",
    perturbation="conceptual relationship",
    expected_score=5,
    why="The same clauses with the same conjunction; only their order differs.",
    preconditions="A main clause, then a finite clause with because, if, when, as, after ...",
)
def clause_fronting(sentence: Sentence) -> Change:
    """Turn `He read the book because he was curious` into `Because he was curious, he read ...`."""
    clause = read_main_clause(sentence)
    token = _subordinate(clause, is_first=False)
    if clause.find("ccomp", "conj", "parataxis"):
        raise DeclineError("further clauses")
    piece = subtree_piece(token)
    if piece.end != sentence.end:
        raise DeclineError("something follows the subordinate clause")
    first = token.left_edge
    before = first.nbor(-1)
    if first.lower_ in {"when", "whenever"} and (
        clause.find("attr") or has_word(sentence.doc[: first.i], NOUNS_WITH_WHEN)
    ):
        raise DeclineError("clause may describe a noun")
    if first.lower_ == "as" and has_word(sentence.doc[: first.i], word_set("as same so such")):
        raise DeclineError("comparison")
    if first.lower_ == "if" and clause.verb.lemma_ in DOUBT_VERBS:
        raise DeclineError("clause is a question")
    if clause.is_negated and first.lower_ in {"because", "as", "since"}:
        raise DeclineError("negated")
    if before.lower_ in {"only", "just", "not", "even", "and", "or", "but", "that"}:
        raise DeclineError("focus word before the clause")
    _check_pronouns(clause, token)
    end = before.idx + len(before) if not before.is_punct else before.idx
    main = Piece(sentence.start, end)
    if has_word(sentence.tokens(piece), POLARITY_WORDS) and clause.is_negated:
        raise DeclineError("polarity word")
    text = arrange(sentence, [piece, ",", main])
    return Change(text, f"clause with {first.lower_} to the front")


@rule(
    name="clause_backing",
    dimension="structure",
    perturbation="conceptual relationship",
    expected_score=5,
    why="The same clauses with the same conjunction; only their order differs.",
    preconditions="A finite clause with because, if, when, as, after ..., then its main clause.",
)
def clause_backing(sentence: Sentence) -> Change:
    """Turn `Because he was curious, he read the book` into `He read the book because he ...`."""
    clause = read_main_clause(sentence, lead=True)
    token = _subordinate(clause, is_first=True)
    if clause.find("ccomp", "conj", "parataxis"):
        raise DeclineError("further clauses")
    piece = subtree_piece(token)
    if "," in sentence.words(piece):
        raise DeclineError("comma inside the subordinate clause")
    if piece.start != sentence.start:
        raise DeclineError("something stands before the subordinate clause")
    lead = [t for t in clause.dependents if t.i < clause.subject.left_edge.i and t != token]
    if any(t.dep_ != "punct" for t in lead):
        raise DeclineError("something stands between the clauses")
    _check_pronouns(clause, token)
    body = Piece(clause.subject_piece.start, sentence.end)
    later = sentence.doc[clause.verb.i + 1 :]
    if any(t.pos_ in {"VERB", "AUX"} and t.dep_ != "xcomp" for t in later):
        raise DeclineError("further clauses")
    if "," in sentence.words(body):
        raise DeclineError("comma inside the main clause")
    first = token.left_edge
    if clause.is_negated and first.lower_ in {"because", "as", "since"}:
        raise DeclineError("negated")
    text = arrange(sentence, [body, piece])
    return Change(text, f"clause with {first.lower_} to the end")


def _reported(clause: MainClause) -> Token:
    """The one finite clause that the verb reports.

    Raises:
        DeclineError: there is none, or the verb does not report it as true or said.
    """
    if clause.verb.lemma_ not in REPORTING_VERBS:
        raise DeclineError("no verb of saying or thinking")
    found = clause.find("ccomp")
    if len(found) != 1:
        raise DeclineError("no reported clause")
    token = found[0]
    subject = _subject_of(token)
    if subject is None or subject.i > token.i or not _is_finite(token):
        raise DeclineError("no reported clause")
    if clause.is_negated or any(t.lemma_ != "have" for t in clause.auxiliaries):
        raise DeclineError("negated or modal verb of saying")
    if clause.find("conj", "advcl", "xcomp", "parataxis", "dobj"):
        raise DeclineError("further clauses")
    if len(clause.verb.doc) > LONGEST_REPORT:
        raise DeclineError("long sentence")
    return token


def report_parts(sentence: Sentence, clause: MainClause) -> tuple[Piece, Piece]:
    """Cut `Police said that the man was hurt` into `Police said` and `the man was hurt`.

    Raises:
        DeclineError: the verb reports no plain finite clause that ends the sentence.
    """
    token = _reported(clause)
    if token.i < clause.verb.i:
        raise DeclineError("reported clause stands first")
    first = token.left_edge
    if first.dep_ == "mark" and first.lower_ == "that":
        first = first.nbor()
    elif first.dep_ == "mark" or first.tag_ in {"WP", "WDT", "WRB", "IN", "CC"}:
        raise DeclineError("no plain reported clause")
    if any(
        t.dep_ == "mark" and t.head != token and t.lower_ == "that" and t.head.dep_ == "conj"
        for t in token.subtree
    ):
        raise DeclineError("further clauses")
    body = Piece(first.idx, sentence.end)
    if token.right_edge.idx + len(token.right_edge) < sentence.end:
        raise DeclineError("something follows the reported clause")
    before = sentence.doc[token.left_edge.i - 1]
    if before.is_punct or before.lower_ in {"but", "and"}:
        raise DeclineError("no plain reported clause")
    return Piece(sentence.start, before.idx + len(before)), body


@rule(
    name="reporting_backing",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="The same person says or thinks the same; the reporting clause only stands last.",
    preconditions="Subject, a verb of saying or thinking without negation, and a finite clause.",
)
def reporting_backing(sentence: Sentence) -> Change:
    """Turn `Police said the man was hurt` into `The man was hurt, police said`."""
    clause = read_main_clause(sentence)
    report, body = report_parts(sentence, clause)
    end = sentence.text[sentence.end :].strip()
    if end in {'."', '".', "”.", ".”"} and not is_balanced(sentence.words(body)):
        mark = end.strip(".")
        if not is_balanced(sentence.words(body) + mark) or not is_balanced(sentence.words(report)):
            raise DeclineError("cuts through quotes or brackets")
        text = f"{sentence.words(body)},{mark} {moved_words(sentence, report)}."
        text = upper_first(text) if starts_upper(sentence) else text
        return Change(sentence.text[: sentence.start] + text, "report with a quotation to the end")
    text = arrange(sentence, [body, ",", report])
    return Change(text, f"{sentence.words(report)} to the end")


@rule(
    name="reporting_fronting",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="The same person says or thinks the same; the reporting clause only stands first.",
    preconditions="A finite clause, a comma, then subject and verb of saying or thinking.",
)
def reporting_fronting(sentence: Sentence) -> Change:
    """Turn `The man was hurt, police said` into `Police said that the man was hurt`."""
    if sentence.is_question:
        raise DeclineError("question")
    verb = sentence.root
    if verb.lemma_ not in REPORTING_VERBS or verb.tag_ not in FINITE_TAGS:
        raise DeclineError("no verb of saying or thinking")
    children = list(verb.children)
    subjects = [t for t in children if t.dep_ == "nsubj"]
    reported = [t for t in children if t.dep_ == "ccomp" and t.i < verb.i]
    if len(subjects) != 1 or len(reported) != 1:
        raise DeclineError("no reported clause")
    subject, token = subjects[0], reported[0]
    parts = {"nsubj", "ccomp", "punct", "npadvmod", "prep"}
    if verb.lemma_ == "tell":
        parts |= {"dobj", "dative"}
    if any(t.dep_ not in parts for t in children):
        raise DeclineError("further clauses")
    if any(t.dep_ not in {"nsubj", "ccomp", "punct"} and t.i < verb.i for t in children):
        raise DeclineError("further clauses")
    inner = _subject_of(token)
    if inner is None or inner.i > token.i or not _is_finite(token):
        raise DeclineError("no reported clause")
    if len(sentence.doc) > LONGEST_REPORT or subject.i < token.i:
        raise DeclineError("long sentence")
    speaker = subtree_piece(subject)
    if re.search(r"[;:]|--", sentence.text):
        raise DeclineError("punctuation splits the sentence")
    lead = sentence.text[: min(speaker.start, verb.idx)]
    match = re.fullmatch(r"""(?P<open>["“]|``\s)?(?P<body>.+?),\s?(?P<close>["”]|'')?\s*""", lead)
    if not match or bool(match["open"]) != bool(match["close"]):
        raise DeclineError("no comma between the clauses")
    words = match["body"]
    if not is_balanced(words) or '"' in words or "“" in words:
        raise DeclineError("cuts through quotes or brackets")
    if token.left_edge.idx > match.start("body") or token.left_edge.tag_ in {"CC", "WP", "WRB"}:
        raise DeclineError("no plain reported clause")
    tail = sentence.words(Piece(max(speaker.end, verb.idx + len(verb)), sentence.end)).strip()
    report = f"{sentence.words(speaker)} {verb.text} {tail}".strip()
    if subject.pos_ in {"NOUN", "PROPN", "PRON"}:
        report = upper_first(report)
    if "," in tail or sentence.words(speaker).count(",") > 1:
        raise DeclineError("comma inside the reporting clause")
    if "," in sentence.words(speaker):
        report = report.replace(f" {verb.text}", f", {verb.text}", 1)
    stop = sentence.text[sentence.end :].strip() or ""
    if match["open"]:
        text = f"{report}, {match['open']}{words}{stop or '.'}{match['close']}"
    else:
        if subject.lower_ not in FIRST_PERSON and has_word(
            sentence.doc[: token.i + 1], FIRST_PERSON
        ):
            raise DeclineError("first person without quotes")
        body = Piece(match.start("body"), match.end("body"))
        text = f"{report} that {moved_words(sentence, body)}{sentence.text[sentence.end :]}"
    return Change(text, f"{report} to the front")


RESULT_VERBS = word_set(
    """take drive kill leave bring make send push cause raise lower cut boost give lead force
    prompt allow end delay suggest help show include add say note create wound injure bear
    mean become be have regard concern follow consider accord range depend"""
)
"""Verbs whose -ing clause tells what came of the main clause, or is no clause at all."""


@rule(
    name="participle_clause_fronting",
    dimension="structure",
    perturbation="conceptual relationship",
    expected_score=5,
    why="What the subject does meanwhile, or why, says the same at either end of the sentence.",
    preconditions="A main clause, a comma, and an -ing clause; or a clause with to of purpose.",
)
def participle_clause_fronting(sentence: Sentence) -> Change:
    """Turn `The agency refused, citing risks` into `Citing risks, the agency refused`."""
    clause = read_main_clause(sentence)
    for token in clause.find("advcl"):
        if token.i < clause.verb.i or token.right_edge.idx + len(token.right_edge) < sentence.end:
            continue
        first = token.left_edge
        before = first.nbor(-1)
        if token.tag_ == "VBG" and first == token and token.lemma_ not in RESULT_VERBS:
            if before.text != "," and token.lower_ != "using":
                continue
        elif not (first.tag_ == "TO" and first.head == token and _has_purpose(clause, token)):
            continue
        if clause.subject.pos_ not in {"NOUN", "PROPN", "PRON"} or clause.find("conj", "ccomp"):
            continue
        inside = has_word(token.subtree, THIRD_PERSON - {"its", "their", "his", "her"})
        if inside or has_word(token.subtree, POLARITY_WORDS):
            continue
        piece = Piece(first.idx, sentence.end)
        if token.tag_ == "VBG" and "," in sentence.words(piece):
            continue
        end = before.idx if before.is_punct else before.idx + len(before)
        text = arrange(sentence, [piece, ",", Piece(sentence.start, end)])
        return Change(text, f"clause with {token.text} to the front")
    raise DeclineError("no clause with a participle or purpose")


def _has_purpose(clause: MainClause, token: Token) -> bool:
    """Say whether a clause with `to` tells what the subject does something for."""
    verb = clause.verb
    if token.tag_ != "VB" or token.lower_ not in inflections(token.lower_, "VB"):
        return False
    if verb.lemma_ in INFINITIVE_VERBS or clause.is_negated:
        return False
    objects = clause.find("dobj")
    if len(objects) != 1 or clause.find("auxpass", "xcomp", "acomp"):
        return False
    return objects[0].lemma_.lower() not in INFINITIVE_NOUNS and token.head == verb


INFINITIVE_NOUNS = word_set(
    """threat plan bid effort deal attempt right vow offer pledge promise proposal decision
    chance opportunity move way time ability need reason agreement order request call money
    power desire intention permission option place authority willingness refusal something
    anything"""
)
"""Nouns that a clause with `to` mostly describes."""


INFINITIVE_VERBS = word_set(
    """be go have need seem appear want try begin cut send conclude kick raise lower bring agree
    ask allow force urge order tell help get cause lead enable permit require expect plan
    decide refuse promise offer threaten prepare fail manage continue start like love hate
    hope choose pay invite encourage persuade convince warn vote rise fall jump climb drop
    close advance gain lose decline slip move say seek find put take leave wait set use"""
)
"""Verbs with which a clause with `to` is mostly no purpose."""


CONNECTIVES = word_set(
    """however instead meanwhile moreover furthermore nevertheless nonetheless therefore
    consequently additionally thus"""
)
CONNECTIVE_PHRASES = re.compile(
    r"(?:in fact|in addition|for example|for instance|of course|as a result|in turn|in contrast"
    r"|on the other hand|after all),? ",
    re.IGNORECASE,
)


@rule(
    name="connective_shift",
    dimension="structure",
    perturbation="partial inversion",
    expected_score=5,
    why="A connective such as `however` links the same clauses from either place.",
    preconditions="A clause that begins with however, in fact ..., or has it between commas.",
)
def connective_shift(sentence: Sentence) -> Change:
    """Turn `However, the plan failed` into `The plan, however, failed` and back."""
    clause = read_main_clause(sentence, lead=True)
    text, start = sentence.text, sentence.start
    subject = clause.subject_piece
    match = CONNECTIVE_PHRASES.match(text, start)
    lead_word = sentence.doc[0] if sentence.doc[0].idx == start else None
    if match and match.end() == subject.start:
        link = match[0].strip(" ,")
    elif lead_word is not None and lead_word.lower_ in CONNECTIVES:
        link = lead_word.text
        gap = text[start + len(link) : subject.start]
        if gap.strip(" ,"):
            raise DeclineError("more than a connective before the subject")
    else:
        return _connective_to_front(sentence, clause)
    if clause.subject.pos_ == "PRON" or "," in sentence.words(subject):
        raise DeclineError("pronoun or comma in the subject")
    rest = Piece(clause.subject_piece.end, sentence.end)
    link = link[0].lower() + link[1:]
    new = arrange(sentence, [subject, ",", link, ",", sentence.words(rest)])
    return Change(new, f"{link} behind the subject")


def _connective_to_front(sentence: Sentence, clause: MainClause) -> Change:
    """Turn `The plan, however, failed.` into `However, the plan failed`.

    Raises:
        DeclineError: there is no connective between commas behind the subject.
    """
    if clause.subject_piece.start != sentence.start:
        raise DeclineError("no connective")
    found = [t for t in clause.find("advmod") if t.lower_ in CONNECTIVES]
    if len(found) != 1:
        raise DeclineError("no connective")
    token = found[0]
    text = sentence.text
    left, right = text[: token.idx].rstrip(), text[token.idx + len(token) :].lstrip()
    if not (left.endswith(",") and right.startswith(",")):
        raise DeclineError("no connective between commas")
    before = Piece(sentence.start, len(left) - 1)
    after = Piece(len(text) - len(right[1:].lstrip()), sentence.end)
    word = upper_first(token.text) if starts_upper(sentence) else token.text
    new = arrange(sentence, [word, ",", before, after])
    return Change(new, f"{token.text} to the front")

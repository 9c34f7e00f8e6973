"""Which prepositional phrases and adverbials of a clause can stand at its start as well as its end.

The word lists are closed classes of English (prepositions, calendar words) and frequent members of
open ones (places, events; verbs that take a preposition as their complement), of our own making.
"""

from __future__ import annotations

from spacy.tokens import Token

from embsyntax.perturbation.main_clause import POLARITY_WORDS, THIRD_PERSON, word_set

CALENDAR_WORDS = word_set(
    """monday tuesday wednesday thursday friday saturday sunday january february march april
    june july august september october november december spring summer autumn winter morning
    afternoon evening night noon midnight midday dawn dusk sunset sunrise christmas easter
    thanksgiving halloween today yesterday tomorrow tonight weekend day week month year
    decade century hour minute second moment past future end beginning time times season half
    quarter 2000s 1990s period days weeks months years weekends mornings evenings nights"""
)
BARE_TIMES = word_set(
    """today yesterday tomorrow tonight monday tuesday wednesday thursday friday saturday sunday
    mondays fridays saturdays sundays"""
)
PLACE_NOUNS = word_set(
    """park street road field beach room kitchen stage pool yard garden forest wood woods
    mountain hill hillside lake river ocean sea water snow sand grass ground floor sidewalk
    pavement path trail track court pitch gym stadium arena station airport hospital school
    church house home building office store shop market mall restaurant cafe bar diner city
    town village country state county province region area zone place site spot desert jungle
    island coast shore shoreline bridge tunnel highway driveway alley parking lot garage barn
    farm pasture meadow lawn backyard playground zoo cage tent camp roof rooftop balcony
    porch patio deck dock pier boat ship train bus car truck plane subway platform corner
    corridor hallway hall lobby bathroom bedroom classroom library museum theater theatre
    cinema prison jail bank base border capital world neighborhood neighbourhood district
    square plaza table bed couch sofa chair bench desk shelf counter countertop window door
    doorway gate wall fence ceiling ledge cliff rock log tree branch air sky rain mud dirt
    swamp puddle stream creek pond fountain ramp trampoline raft canoe hotel apartment cabin
    studio lab laboratory factory plant warehouse mine canyon valley plain cave background
    foreground distance middle center centre front back side top bottom edge shade dark crowd
    audience arcade cemetery casino campus college university internet web"""
)
EVENT_NOUNS = word_set(
    """election race game match final finals playoffs draft trial war attack crash raid accident
    protest protests clash clashes explosion blast bombing strike storm fire ceremony concert
    show festival parade wedding funeral meeting conference summit interview speech statement
    memo letter report poll survey vote debate party event championship league tournament
    season round quarter series tests test study trading session warmup finale"""
)
TWO_WORD_PREPOSITIONS = word_set("according because due prior thanks owing contrary")
"""First words of prepositions such as `according to`, `because of`."""

CIRCUMSTANCE = word_set(
    """during despite amid amidst throughout without besides notwithstanding following pending
    unlike"""
)
TIME_PREPOSITIONS = word_set("in on at during after before since until by for over within")
PLACE_PREPOSITIONS = word_set(
    """in on at near outside inside under underneath beneath behind beside above below between
    among alongside across along through around throughout within beyond aboard atop"""
)
PATH_PREPOSITIONS = word_set("across along through around down up over past")

LIGHT_NOUNS = word_set(
    """search talks resignation lockdown bid favour half halves piece pieces slice slices strip
    strips love favor pair pairs line charge term terms way manner order addition particular
    general fact detail shape form part person public private control common danger trouble
    case cash ways number size price value suit costume full length turn action behalf
    purpose time fire it them him her me you us one ones something anything everything what
    which whom that this those these each other"""
)
"""Objects of a preposition with which it makes an idiom, or which say nothing of place."""

GOAL_VERBS = word_set(
    """put place pour throw drop spread rub load insert add dip set lay pack attach fix paint
    draw write apply spray sprinkle crack break hit kick shoot knock push pull dump tie mount
    install toss fling hurl stick slap smear squeeze squirt transfer drag lift plug roll
    deposit pin print post upload save store copy bury soak dunk submerge plunge immerse fold
    wrap enter score lead cover dress clothe coat fill engulf divide split cut slice chop
    tear rip shatter turn change translate convert"""
)
"""Verbs whose `in` or `on` phrase says where something goes or what it becomes."""

MOTION_VERBS = word_set(
    """jump leap fall climb get go come land step dive hop crash arrive slip slide drift enter
    sink tumble board splash crawl stumble rush"""
)

COMPLEMENTS = {
    "in": word_set(
        """believe participate result invest engage specialize specialise succeed consist involve
        interest trust rise increase decline gain drop major lie share join partake persist fail
        assist interfere intervene culminate indulge delight confide deal end catch trap mix
        find keep remain stay hold help take bring work swear"""
    ),
    "on": word_set(
        """vote focus refocus work depend rely agree decide insist comment report base spend bet
        impose chew feed call count concentrate take hold put go get come move carry keep turn bring
        lean pick crack press push draw build rest act hang pass serve rise fall expand
        elaborate reflect dwell tread verge cheat gamble hit check give live hinge capitalize
        swear sub slam pencil cheer"""
    ),
    "at": word_set(
        """look stare laugh yell aim point smile shout bark arrive close open trade shoot throw
        fire gaze glance glare peer growl hiss wave snap peck swing kick poke peek wink scream
        direct grab nibble tug pull bite lunge target value price estimate quote put set remain
        stand end stay settle marvel nod hurl work be keep"""
    ),
    "through": word_set("look go see get put come run pass flip"),
    "around": word_set("turn get go revolve center centre look wrap"),
    "under": word_set("come fall go"),
    "behind": word_set("fall get lag"),
    "after": word_set("look go take name chase run come seek inquire ask"),
    "between": word_set("choose differ distinguish divide vary decide alternate"),
    "across": word_set("come get run"),
    "along": word_set("get go"),
    "down": word_set("cut look put shut turn"),
    "up": word_set("look put turn make pick"),
    "by": word_set("stand come abide increase rise fall drop get"),
    "without": word_set("do go"),
    "before": word_set("appear go come testify"),
}
"""Verbs that take this preposition as a complement, or as half of an idiom."""

CLOTHES_AND_BODY = word_set(
    """hand hands arm arms lap leg legs foot feet head face hair mouth neck shoulder shoulders
    back nose ear ears eye eyes finger fingers knee knees paw paws hat shirt jacket coat
    dress suit pants uniform costume swimsuit"""
)


PEOPLE = word_set(
    """man woman boy girl person child kid baby toddler infant guy lady people men women
    children teenager teen adult youth student teacher player worker officer soldier
    policeman policewoman fireman firefighter doctor nurse chef cook singer dancer musician
    guitarist drummer pianist performer actor actress artist painter photographer athlete
    runner swimmer skier snowboarder skateboarder surfer biker cyclist bicyclist motorcyclist
    rider driver jockey gymnast cheerleader boxer wrestler golfer climber hiker diver
    fisherman farmer businessman businesswoman waiter waitress bartender barber tourist
    traveler passenger pedestrian visitor guest customer shopper fan spectator friend brother
    sister mother father son daughter parent wife husband couple leader president minister
    senator governor mayor official lawmaker lawyer judge prosecutor analyst expert scientist
    researcher investigator author writer reporter journalist editor manager coach captain
    spokesman spokeswoman executive director chairman founder employee employer user
    developer programmer administrator voter citizen resident protester demonstrator activist
    rebel militant insurgent gunman attacker suspect victim survivor hostage prisoner migrant
    refugee immigrant smuggler robber thief killer bomber pilot sailor astronaut cowboy clown
    priest nun monk king queen prince princess bride groom practitioner somebody someone
    everyone everybody anyone anybody one witness inmate patient member teammate opponent"""
)
ANIMALS = word_set(
    """animal dog cat horse bird cow sheep goat pig donkey monkey ape chimp gorilla orangutan
    lion tiger cheetah leopard bear panda koala kangaroo elephant giraffe zebra deer fox wolf
    rabbit hamster squirrel mouse rat hedgehog skunk badger lemur sloth otter seal dolphin
    whale shark fish turtle snake lizard frog spider bee butterfly insect duck goose chicken
    rooster hen eagle owl parrot penguin peacock puppy kitten pup calf foal lamb bull ox pony
    camel llama crab caterpillar pet poodle collie greyhound hound terrier retriever beagle
    herd flock"""
)


def is_animate(noun: Token) -> bool:
    """Return True if a common noun names people or animals."""
    return any(word in PEOPLE or word in ANIMALS for word in (noun.lemma_.lower(), noun.lower_))


def object_of(preposition: Token) -> Token | None:
    """The one object of a preposition, or of one of two words (`according to`), or None."""
    found = [child for child in preposition.children if child.dep_ == "pobj"]
    if not found and preposition.lower_ in TWO_WORD_PREPOSITIONS:
        inner = [child for child in preposition.children if child.pos_ == "ADP"]
        found = [child for word in inner for child in word.children if child.dep_ == "pobj"]
    if not found:
        found = [child for child in preposition.children if child.dep_ == "pcomp"]
    return found[0] if len(found) == 1 else None


def is_time(token: Token) -> bool:
    """Return True if a noun names a time: a date, a part of the day, a year."""
    return (
        token.lower_ in CALENDAR_WORDS
        or (token.ent_type_ in {"DATE", "TIME"} and token.pos_ != "VERB")
        or (token.is_digit and len(token.text) == 4 and token.text[:2] in {"19", "20"})
    )


def is_place(token: Token) -> bool:
    """Return True if a noun names a place."""
    return token.lemma_.lower() in PLACE_NOUNS or token.ent_type_ in {"GPE", "LOC", "FAC"}


def kind_of_phrase(preposition: Token, verb: Token) -> str | None:
    """Say what a prepositional phrase adds to a verb, if it can stand at either end of the clause.

    Args:
        preposition: head of the phrase, a dependent of the verb.
        verb: the verb that it depends on.

    Returns:
        `time`, `place`, `event`, `circumstance`, or None for complements, idioms and phrases whose
        attachment is doubtful.
    """
    word = preposition.lower_
    noun = object_of(preposition)
    if noun is None:
        return None
    if word in TWO_WORD_PREPOSITIONS:
        return "circumstance" if noun.dep_ == "pobj" else None
    if noun.dep_ == "pcomp":
        return "circumstance" if word in {"after", "before", "without", "by"} else None
    if word in CIRCUMSTANCE:
        return "circumstance"
    if verb.lemma_ in COMPLEMENTS.get(word, ()):
        return "time" if word in {"in", "on", "at"} and is_calendar(noun) else None
    is_bare = not any(True for _ in noun.lefts)
    if noun.lower_ in LIGHT_NOUNS and (is_bare or not is_calendar(noun)):
        return None
    if word in TIME_PREPOSITIONS and is_time(noun):
        return "time"
    if word in {"after", "before", "since", "until"}:
        return "circumstance" if noun.pos_ in {"NOUN", "PROPN"} else None
    has_object = any(t.dep_ in {"dobj", "dative", "oprd"} for t in verb.children)
    if noun.lemma_.lower() in CLOTHES_AND_BODY:
        return None
    if word in {"in", "at", "during"} and noun.lemma_.lower() in EVENT_NOUNS:
        return "event"
    if word not in PLACE_PREPOSITIONS and word not in PATH_PREPOSITIONS:
        return None
    if verb.lemma_ in GOAL_VERBS or verb.lemma_ == "have" and not has_object:
        return None
    if word in {"on", "over"} and noun.ent_type_ in {"GPE", "PERSON", "NORP", "ORG"}:
        return None
    if word == "over" and (has_object or not is_place(noun)):
        return None
    if any(
        child.dep_ in {"mark", "advmod"} and child.lower_ == "while" for child in preposition.lefts
    ):
        return None
    if word in {"in", "on", "over", "under", "behind", "off"} and verb.lemma_ in MOTION_VERBS:
        return None
    if is_place(noun) or noun.lower_ in {"front"}:
        return "place"
    if has_object or noun.pos_ not in {"NOUN", "PROPN"}:
        return None
    return "place" if verb.tag_ != "VBN" else None


def is_calendar(token: Token) -> bool:
    """Return True if a noun is a date or a calendar word, whatever the verb."""
    return token.ent_type_ in {"DATE", "TIME"} or token.lower_ in BARE_TIMES


def refers_back(token: Token, subject: Token) -> bool:
    """Return True if a phrase holds a pronoun or a word that must follow what it depends on.

    Args:
        token: head of the phrase.
        subject: the subject of the clause; a pronoun as subject can follow its own pronouns.
    """
    for word in token.subtree:
        lower = word.lower_
        if lower in POLARITY_WORDS or lower in {"other", "another"}:
            return True
        if lower in THIRD_PERSON and subject.pos_ != "PRON":
            return True
        if word.tag_ in {"WP", "WRB", "WDT"} and word.head.i <= token.i:
            return True
    return False

"""The words that lexical rules and traps put in: small tables by semantic class, made by hand.

Words of one class fit the same places: they have the same countability, take the same verbs and
prepositions, and differ in meaning. Synonyms are joined by `/`: each of them may be replaced, only
the first is put in, and never one for the other. Rules pick a word by a hash of the sentence, so
equal inputs give equal outputs on every machine.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import lemminflect

from embsyntax.perturbation.main_clause import word_set

NOUN_PLURALS = {
    "aircraft": "aircraft",
    "fish": "fish",
    "police officer": "police officers",
    "wallpaper": "wallpapers",
}
"""Plurals that the dictionary lacks or lists second."""


@cache
def plural(noun: str) -> str:
    """Return the plural of a countable noun (`knife` -> `knives`)."""
    listed = lemminflect.getInflection(noun, "NNS")
    return NOUN_PLURALS.get(noun) or (listed[0] if listed else f"{noun}s")


def pick(options: Sequence[str], *key: str) -> str:
    """Return one of some words, the same on every machine for the same key.

    Args:
        options: at least one word.
        key: texts that decide the choice (the sentence, the rule).
    """
    digest = hashlib.sha256("\n".join(key).encode()).digest()
    return options[int.from_bytes(digest[:8], "big") % len(options)]


MALE = word_set(
    """man guy gentleman dude boy father brother son husband uncle grandfather king prince actor
    cowboy businessman policeman"""
)
FEMALE = word_set(
    """woman lady girl mother sister daughter wife aunt grandmother queen princess actress bride
    cowgirl businesswoman cheerleader"""
)


@dataclass(frozen=True)
class NounClass:
    """Nouns that can stand for one another.

    Attributes:
        words: groups of synonyms, the word that is put in first.
        modifiers: nouns that can stand before each of the words (`kitchen` table).
        adjectives: adjectives that can stand before each of the words.
        is_person: whether the words name people.
        is_animal: whether the words name animals.
        is_mass: whether the words have no plural and no `a`.
        is_plural: whether the words are plurals (`police`).
        verbs: if not empty, lemmas of the verbs (or the prepositions) of which the noun must be
            the object; elsewhere the words have other senses.
        not_with: verbs, prepositions or words before the noun that fit some of the words only.
    """

    words: tuple[tuple[str, ...], ...]
    modifiers: tuple[str, ...] = ()
    adjectives: tuple[str, ...] = ()
    is_person: bool = False
    is_animal: bool = False
    is_mass: bool = False
    is_plural: bool = False
    verbs: frozenset[str] = frozenset()
    not_with: frozenset[str] = frozenset()


def _groups(words: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(w.replace("_", " ") for w in group.split("/")) for group in words.split())


def _noun_class(
    words: str,
    modifiers: str = "",
    adjectives: str = "",
    *,
    kind: str = "thing",
    verbs: str = "",
    not_with: str = "",
) -> NounClass:
    """Return a class from lists of words with spaces between.

    `kind` is `thing`, `person`, `animal`, `mass` or `plural`.
    """
    return NounClass(
        words=_groups(words),
        modifiers=tuple(modifiers.split()),
        adjectives=tuple(adjectives.split()),
        is_person=kind == "person",
        is_animal=kind == "animal",
        is_mass=kind == "mass",
        is_plural=kind == "plural",
        verbs=frozenset(verbs.split()),
        not_with=frozenset(not_with.split()),
    )


NOUN_CLASSES = (
    # people
    _noun_class("man/guy/gentleman/dude woman/lady", "", "tall young", kind="person"),
    _noun_class("boy girl", "", "small young", kind="person"),
    _noun_class("child/kid adult", "", "small", kind="person"),
    _noun_class("father/dad mother/mom brother sister", "", "young proud", kind="person"),
    _noun_class("son daughter", "", "young", kind="person"),
    _noun_class("husband wife", "", "young", kind="person"),
    _noun_class("doctor/physician nurse dentist", "hospital", "young local", kind="person"),
    _noun_class("teacher student", "music", "young local", kind="person"),
    _noun_class("lawyer/attorney judge", "", "experienced local", kind="person"),
    _noun_class("soldier police_officer/policeman/cop", "", "young armed", kind="person"),
    _noun_class("chef/cook waiter baker", "hotel", "young famous", kind="person"),
    _noun_class("singer dancer actor", "", "young famous", kind="person"),
    _noun_class("musician painter writer/author", "", "young famous", kind="person"),
    _noun_class("player coach referee", "football", "young experienced", kind="person"),
    _noun_class("fan/supporter critic", "", "young loyal", kind="person"),
    _noun_class(
        "president mayor governor minister senator",
        "",
        "popular",
        kind="person",
        not_with="prime vice deputy",
    ),
    _noun_class("official/spokesman adviser", "government", "senior", kind="person"),
    _noun_class("analyst/expert economist investor trader", "", "independent", kind="person"),
    _noun_class("protester/demonstrator striker", "student", "young angry", kind="person"),
    _noun_class("militant/insurgent rebel soldier", "", "young armed", kind="person"),
    _noun_class("worker/employee manager customer", "", "young local", kind="person"),
    _noun_class("reporter/journalist photographer", "newspaper", "young foreign", kind="person"),
    _noun_class("victim witness suspect", "", "young", kind="person"),
    _noun_class("passenger tourist", "", "young", kind="person"),
    _noun_class("pilot sailor", "", "young", kind="person"),
    _noun_class("farmer fisherman", "", "old local", kind="person"),
    _noun_class("cyclist/biker runner skater", "", "young", kind="person"),
    _noun_class("lawmaker/legislator voter", "", "young", kind="person"),
    _noun_class("user administrator developer/programmer", "", "new", kind="person"),
    _noun_class("patient volunteer", "", "young", kind="person"),
    # animals
    _noun_class(
        "dog/puppy cat/kitten",
        "pet",
        "small large black",
        kind="animal",
        not_with="bark meow fetch purr retrieve",
    ),
    _noun_class("horse pony donkey camel", "farm", "small white", kind="animal"),
    _noun_class("cow sheep goat pig", "farm", "small white", kind="animal", not_with="milk shear"),
    _noun_class("lion tiger bear wolf", "circus zoo", "large", kind="animal", not_with="roar"),
    _noun_class("elephant giraffe rhino zebra", "zoo", "large", kind="animal"),
    _noun_class("monkey panda koala lemur", "zoo", "small", kind="animal"),
    _noun_class("duck swan goose", "", "small white", kind="animal"),
    _noun_class("mouse rat hamster", "", "small white", kind="animal", not_with="click move"),
    _noun_class("turtle frog lizard snake", "pet", "small green", kind="animal"),
    _noun_class("squirrel rabbit hedgehog", "", "small", kind="animal"),
    # things that people hold, wear and play
    _noun_class("guitar violin banjo", "", "wooden new old", not_with="strum"),
    _noun_class("piano drum harp", "concert", "large old"),
    _noun_class("flute trumpet clarinet saxophone", "", "small old"),
    _noun_class(
        "soccer/football basketball tennis baseball golf hockey rugby cricket volleyball",
        kind="mass",
        verbs="play watch love enjoy like hate",
    ),
    _noun_class("shirt/t-shirt sweater jacket/coat vest", "cotton", "new clean red blue"),
    _noun_class("dress skirt", "silk", "long new red blue"),
    _noun_class("hat/cap helmet scarf", "", "new large red blue"),
    _noun_class("uniform suit costume", "", "new red blue"),
    _noun_class("ball frisbee", "rubber", "small red yellow", not_with="kick hit dribble bounce"),
    _noun_class("bag basket box suitcase", "", "small large heavy red blue"),
    _noun_class("knife fork spoon", "kitchen", "small large", not_with="stab"),
    _noun_class("hammer saw screwdriver", "", "small heavy"),
    _noun_class("rope chain", "", "long heavy red blue"),
    _noun_class("gun/pistol rifle", "toy", "small loaded", not_with="jump"),
    _noun_class("sword spear", "", "long"),
    _noun_class("pen pencil marker crayon", "", "small new", not_with="in"),
    _noun_class("book magazine newspaper", "", "new old", not_with="publish"),
    _noun_class("cigarette cigar", "", "expensive"),
    _noun_class("toy doll", "", "small new red blue"),
    _noun_class("umbrella flashlight/torch", "", "large new red blue"),
    _noun_class("balloon kite", "", "large red blue"),
    # vehicles
    _noun_class("car truck/lorry van taxi/cab", "", "new old small red blue"),
    _noun_class("bus tram train", "city", "crowded empty"),
    _noun_class("bike/bicycle motorcycle/motorbike scooter", "", "new old small red blue"),
    _noun_class("boat ship ferry canoe", "", "small old red blue"),
    _noun_class("plane/airplane/aircraft helicopter", "passenger", "small large"),
    _noun_class("drone missile rocket", "", "small new", not_with="fly"),
    # furniture and household
    _noun_class(
        "table desk",
        "kitchen",
        "large wooden small",
        verbs="at on around under beside near off onto sit clean wipe",
    ),
    _noun_class("chair bench sofa/couch", "", "large wooden small comfortable red blue"),
    _noun_class("pot pan bowl", "", "large small"),
    _noun_class("plate tray", "", "large small red blue"),
    _noun_class("cup/mug bottle glass", "plastic", "small large green"),
    _noun_class("wall fence", "garden", "high", verbs="jump climb paint build on over against"),
    _noun_class("door window", "kitchen", "small large", verbs="close paint break through of"),
    _noun_class("lamp candle", "", "small red blue"),
    _noun_class("camera microphone", "", "new expensive small"),
    _noun_class("phone/cellphone/telephone tablet", "", "new expensive"),
    _noun_class("laptop computer/pc tablet", "", "new old cheap"),
    _noun_class(
        "keyboard mouse printer monitor",
        "",
        "new cheap",
        verbs="use buy connect disable enable with",
    ),
    # food
    _noun_class("onion potato carrot tomato cucumber zucchini", "", "fresh large small"),
    _noun_class("mushroom pepper", "", "fresh small"),
    _noun_class("apple orange banana pear", "", "fresh ripe"),
    _noun_class("chicken fish turkey", "", "fresh", verbs="eat cook fry roast slice cut season"),
    _noun_class("meat beef pork ham", "", "fresh", kind="mass"),
    _noun_class("bread cheese", "", "fresh", kind="mass"),
    _noun_class("rice pasta", "", "fresh", kind="mass"),
    _noun_class("pizza sandwich burger/hamburger", "cheese", "large fresh"),
    _noun_class("cake cookie pie", "chocolate", "large fresh"),
    _noun_class("soup salad", "vegetable", "fresh"),
    _noun_class(
        "coffee tea milk juice beer wine",
        "",
        "cold",
        kind="mass",
        verbs="drink pour sip serve taste",
    ),
    _noun_class("water milk oil", "", "cold", kind="mass", verbs="drink pour add boil heat"),
    # places
    _noun_class("beach park forest", "city", "quiet large", not_with="park"),
    _noun_class("yard/backyard garden", "", "large small"),
    _noun_class("lake river pond", "mountain", "small deep"),
    _noun_class("ocean/sea lake", "", "calm"),
    _noun_class("mountain hill cliff", "", "high steep"),
    _noun_class("tree bush", "", "tall small"),
    _noun_class("street/road bridge sidewalk/pavement trail", "", "narrow busy"),
    _noun_class("grass sand snow mud", "", "wet", kind="mass", verbs="on in through across"),
    _noun_class("kitchen bedroom bathroom garage", "", "large small"),
    _noun_class("school hospital", "city", "new local"),
    _noun_class("church mosque temple", "", "old local"),
    _noun_class("house/home hotel apartment", "", "small large old", not_with="pass approve"),
    _noun_class("restaurant/diner bar/pub café", "hotel", "small new"),
    _noun_class("shop/store bakery", "corner", "small new", not_with="trade close fall rise"),
    _noun_class("factory warehouse", "car", "large old"),
    _noun_class("prison/jail courthouse", "state", "local", verbs="in outside near into from"),
    _noun_class("airport port", "city", "new small"),
    _noun_class("city town village", "mountain", "small old"),
    _noun_class("stage platform", "", "large small", verbs="on onto off"),
    # events, documents and institutions of the news
    _noun_class("attack/assault/raid robbery", "", "violent", not_with="launch under nuclear"),
    _noun_class("bombing shooting kidnapping", "", "recent"),
    _noun_class("explosion/blast fire", "", "large", not_with="catch set open cease"),
    _noun_class("earthquake/quake flood storm hurricane", "", "powerful"),
    _noun_class("protest/rally riot", "street", "large"),
    _noun_class("agreement/deal contract", "trade", "new", not_with="be"),
    _noun_class("treaty/pact law", "", "new"),
    _noun_class("bill law", "tax", "new", not_with="pay", verbs="pass approve sign oppose block"),
    _noun_class("company/firm bank", "oil insurance", "large small"),
    _noun_class("agency ministry", "government", "new"),
    _noun_class("police troops guards rebels", kind="plural"),
    _noun_class("profit loss", "", "large", verbs="report post announce make"),
    _noun_class("murder/killing robbery kidnapping", "", "brutal"),
    _noun_class("trial hearing", "court", "long"),
    _noun_class("speech statement", "", "short long"),
    _noun_class("interview debate", "television", "long"),
    _noun_class("report/study survey", "research", "new recent"),
    _noun_class("weapon bomb", "", "new powerful", not_with="explode detonate defuse"),
    _noun_class("week month year", verbs="last next this past every each"),
    # games, films and the like
    _noun_class("game/match race", "", "exciting", not_with="install play win throw online"),
    _noun_class("movie/film concert", "", "great new"),
    _noun_class("song poem", "pop", "new old"),
    _noun_class("season tournament", "", "long"),
    # computing
    _noun_class("file folder/directory", "backup project", "new large"),
    _noun_class("document spreadsheet", "", "new large"),
    _noun_class("image/picture/photo video", "", "new large"),
    _noun_class("page post", "", "new long"),
    _noun_class("website/webpage blog", "", "new"),
    _noun_class("driver firmware", "printer", "new", verbs="install update remove find upgrade"),
    _noun_class("email/mail message", "", "new long"),
    _noun_class("button icon", "menu", "new large small"),
    _noun_class("table figure", "", "large", verbs="add insert place center align create put"),
    _noun_class("chapter section paragraph", "", "new long short"),
    _noun_class("column row", "", "new"),
    _noun_class("word sentence phrase", "", "long short"),
    _noun_class("variable function", "", "global new"),
    _noun_class("server database", "test", "new local"),
    _noun_class("username password", "", "new long"),
    _noun_class("app/application plugin", "", "new free"),
    _noun_class(
        "program plugin", "", "new free", verbs="install run open start close execute uninstall"
    ),
    _noun_class("theme wallpaper", "desktop", "new dark"),
    _noun_class("script command", "shell", "new simple"),
    _noun_class("partition disk/drive", "backup", "new large", not_with="hard"),
    _noun_class("desktop laptop", "", "new old", verbs="on for from"),
    _noun_class("browser editor", "", "new fast"),
    _noun_class("layer polygon", "", "new large"),
    _noun_class("color/colour size shape", "", "new", verbs="change set"),
    _noun_class("question answer", "", "long short", not_with="ask"),
    _noun_class("equation formula", "", "long simple"),
    _noun_class("map chart graph", "", "new detailed"),
    # biology
    _noun_class("gene protein enzyme", "", "human"),
    _noun_class("tumor/tumour lesion", "", "large small"),
    _noun_class("mutation deletion", "gene", "common rare"),
    _noun_class("inhibitor activator", "protein", "novel"),
)
"""Common nouns: people, animals, things, places, events, documents, software, biology."""


@dataclass(frozen=True)
class AdjectiveClass:
    """Adjectives that can stand for one another.

    Attributes:
        words: groups of synonyms, the word that is put in first.
        of: what the noun must be: `person`, `animal`, `thing`, `being` (person or animal),
            `plural`, one of some nouns, or anything if empty; or where the adjective must stand:
            `attribute` (before the noun), `complement` (after a verb), `predicate` (after a verb,
            of a being).
    """

    words: tuple[tuple[str, ...], ...]
    of: str = ""


ADJECTIVE_CLASSES = tuple(
    AdjectiveClass(_groups(words), of)
    for words, of in (
        # colours; not of people, where they name origins
        ("red blue green yellow orange purple pink", "thing"),
        ("black white brown gray/grey", "thing"),
        ("black white brown gray/grey", "animal"),
        ("blonde/blond dark-haired", "person"),
        # people and animals
        ("old/elderly young", "being"),
        ("tall short", "person"),
        ("happy/glad sad/unhappy angry", "being"),
        ("rich/wealthy poor", "person"),
        ("hungry tired thirsty", "being"),
        ("former current", "person"),
        ("guilty innocent", "person"),
        ("armed unarmed", "person"),
        ("dead alive", "predicate"),
        # size, age and the like
        ("big/large/huge small/little/tiny", ""),
        ("larger/bigger smaller", ""),
        ("long short", "thing"),
        ("new old", "thing"),
        ("wide/broad narrow", "thing"),
        ("thick thin", "thing"),
        ("heavy light", "bag box object load truck rain snow traffic suitcase"),
        ("deep shallow", "thing"),
        ("high low", "thing"),
        ("strong weak", ""),
        ("fast/quick slow", ""),
        ("hot cold", "thing"),
        ("wet/damp dry", ""),
        ("clean dirty", ""),
        ("empty full", "glass bottle box bag room bowl bus stadium hall cup pot jar basket"),
        ("loud quiet", "thing"),
        ("soft hard", "thing"),
        ("rough smooth", "thing"),
        ("wooden metal plastic", "thing"),
        ("round square", "thing"),
        ("fresh frozen", "thing"),
        ("expensive cheap/inexpensive", "thing"),
        ("crowded/busy empty", "thing"),
        # judgements
        ("good/great/awesome/amazing/fantastic/excellent bad/terrible/awful/horrible", ""),
        ("best/greatest worst", ""),
        ("better worse", ""),
        ("beautiful/pretty/lovely ugly", ""),
        ("funny/hilarious boring", ""),
        ("easy difficult/hard/tough", "thing"),
        ("simple complicated/complex", "thing"),
        ("important/crucial/essential trivial/unimportant", "thing"),
        ("possible impossible", "complement"),
        ("safe dangerous/unsafe", ""),
        ("correct/right wrong/incorrect", "thing"),
        ("necessary/required unnecessary", ""),
        ("useful/helpful useless", "thing"),
        ("common rare/uncommon", "thing"),
        ("famous unknown", "person"),
        ("popular unpopular", ""),
        ("lucky unlucky", "being"),
        ("legal/lawful illegal/unlawful", "thing"),
        ("successful unsuccessful", ""),
        ("peaceful violent", "thing"),
        # the news
        ("northern southern eastern western", ""),
        ("northeast northwest southeast southwest", "thing"),
        ("foreign domestic", "market policy company investor trade product car bank demand firm"),
        ("international/global local", "thing"),
        ("federal local", "thing"),
        ("public private", "thing"),
        ("military civilian", ""),
        ("political economic military", "thing"),
        ("nuclear/atomic chemical conventional", "weapon arm arms bomb attack warfare material"),
        ("early late", "thing"),
        ("first last/final", "thing"),
        ("presidential parliamentary", "thing"),
        ("monthly weekly daily annual/yearly", "thing"),
        ("regional national", "thing"),
        # computing and writing
        ("multiple/several/various two", "plural"),
        ("internal external", "thing"),
        ("default custom", "thing"),
        ("automatic manual", "thing"),
        ("wireless wired", "thing"),
        ("visible hidden", "thing"),
        ("static dynamic", "thing"),
        ("horizontal vertical", "thing"),
        ("positive negative", "thing"),
        ("active inactive", "thing"),
        ("stable unstable", "thing"),
        ("singular plural", "thing"),
        ("left right", "attribute"),
        ("older newer", "thing"),
        ("latest oldest", "thing"),
        ("shorter longer", "thing"),
        ("higher lower", "thing"),
        # biology
        ("mutant/mutated normal", "thing"),
        ("human murine", "thing"),
    )
)


@dataclass(frozen=True)
class VerbClass:
    """Verbs of one meaning, and what can stand for or beside them.

    Attributes:
        frame: what follows: `object` (or a passive), `none` (at most prepositional phrases),
            `clause` (`that ...`), `infinitive` (`to ...`).
        verbs: synonyms.
        others: verbs that can stand for each of them.
        before: verbs that can be put before each of them with `and` (`wash and` cut).
        after: verbs that can be put after each of them with `and` (walk `and talk`).
        objects: if not empty, nouns of which one must be the object; elsewhere the verbs have
            other senses.
        not_with: prepositions of the verb, or nouns after them, that fit `verbs` only.
        needs_being: whether the subject must be a person or an animal (or a pronoun).
    """

    frame: str
    verbs: tuple[str, ...]
    others: tuple[str, ...]
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    objects: frozenset[str] = frozenset()
    not_with: frozenset[str] = frozenset()
    needs_being: bool = False


def _verbs(
    frame: str,
    verbs: str,
    others: str,
    *,
    before: str = "",
    after: str = "",
    objects: str = "",
    not_with: str = "",
    needs_being: bool = False,
) -> VerbClass:
    """Return a class from lists of words with spaces between; see `VerbClass`."""
    return VerbClass(
        frame=frame,
        verbs=tuple(verbs.split()),
        others=tuple(others.split()),
        before=tuple(before.split()),
        after=tuple(after.split()),
        objects=word_set(objects),
        not_with=word_set(not_with),
        needs_being=needs_being,
    )


_INSTRUMENTS = "guitar violin banjo piano drum harp flute trumpet clarinet saxophone keyboard"
_SPORTS = "soccer football basketball tennis baseball golf hockey rugby cricket volleyball game"
_PEELED = "onion potato carrot cucumber apple orange banana pear garlic vegetable fruit"
_FOOD = _PEELED + (
    " tomato zucchini mushroom pepper chicken fish turkey meat beef pork ham bread cheese rice "
    "pasta pizza sandwich burger cake cookie pie soup salad egg shrimp noodle food steak meal"
)
_VEHICLES = "car truck van bus bike bicycle motorcycle motorbike scooter boat canoe"
_ALONG = "through down along across to into around over up by past towards off out away from"
_FILES = (
    "file folder directory document spreadsheet image picture photo page website package program "
    "application app plugin theme script database account table list entry user"
)
_SHOWN = " icon menu button message number text line name window desktop title result label toolbar"
_MEASURED = (
    "price cost tax rate number size speed budget spending profit wage fee production sale risk "
    "pressure tension force memory capacity limit"
)
_SHOWS = "game show movie film episode match race series"
_PUBLIC = "attack campaign operation strike talk trial raid war protest investigation search"
_LAWS = "bill law plan deal treaty agreement"

VERB_CLASSES = (
    # everyday actions
    _verbs("object", "cut slice chop dice", "peel wash", before="wash", objects=_PEELED),
    _verbs("object", "peel", "cut wash", before="wash", objects=_PEELED),
    _verbs("object", "cut slice chop dice", "cook freeze buy", before="cook", objects=_FOOD),
    _verbs("object", "eat devour", "cook buy", before="buy", objects=_FOOD),
    _verbs("object", "fry cook", "bake boil", before="season", objects=_FOOD),
    _verbs("object", "bake boil", "fry", before="season", objects=_FOOD),
    _verbs("object", "play", "tune carry repair", before="tune", objects=_INSTRUMENTS),
    _verbs("object", "play", "watch", objects=_SPORTS, not_with="against with for"),
    _verbs("object", "ride drive", "wash repair", objects=_VEHICLES, not_with=_ALONG),
    _verbs("object", "ride", "wash feed", objects="horse pony camel donkey", not_with=_ALONG),
    _verbs("object", "read", "write", after="discuss", objects="book letter story poem email"),
    _verbs("object", "write", "read", after="send", objects="book letter story poem email"),
    _verbs("object", "sing", "write", before="write", objects="song poem"),
    _verbs("object", "drink", "spill", objects="water milk coffee tea juice beer wine"),
    _verbs("object", "pour", "spill", objects="water milk coffee tea juice beer wine oil"),
    _verbs("object", "carry hold", "drop hide", objects="box bag basket stick ball gun knife"),
    _verbs("object", "throw", "catch", objects="ball frisbee stick bone football baseball"),
    _verbs("object", "catch", "drop", objects="ball frisbee stick bone football baseball"),
    _verbs("object", "wear", "carry wash", objects="hat shirt jacket coat sweater dress suit"),
    _verbs("object", "open", "close", objects="door window box gate bottle drawer"),
    _verbs("object", "close", "open", objects="door window box gate bottle drawer"),
    _verbs("object", "lift raise", "lower push", objects="weight barbell box bag"),
    _verbs("object", "chase", "avoid watch", before="watch", needs_being=True),
    _verbs("object", "paint draw", "photograph", objects="picture tree house portrait mountain"),
    _verbs("object", "climb", "descend", objects="mountain hill cliff wall rock ladder rope tree"),
    _verbs("object", "descend", "climb", objects="mountain hill cliff wall rock ladder rope tree"),
    _verbs("object", "hug embrace", "kiss", after="kiss", needs_being=True),
    _verbs("object", "kiss", "hug", before="hug", needs_being=True),
    _verbs("none", "run jog", "walk", after="jump", needs_being=True),
    _verbs("none", "walk stroll", "run", needs_being=True),
    _verbs("none", "jump leap", "run", before="run", needs_being=True, not_with="air off"),
    _verbs("none", "sit", "kneel lie stand", after="wait", needs_being=True),
    _verbs("none", "stand", "sit kneel", after="wait", needs_being=True),
    _verbs("none", "lie lay", "sit kneel", after="sleep", needs_being=True),
    _verbs("none", "dance", "sing", before="sing", needs_being=True),
    _verbs("none", "sing", "dance", after="dance", needs_being=True),
    _verbs("none", "talk chat", "laugh argue", before="laugh", needs_being=True),
    _verbs("none", "speak", "sing", needs_being=True),
    _verbs("none", "smile grin", "cry frown", after="wave", needs_being=True),
    _verbs("none", "laugh", "cry", before="smile", needs_being=True),
    _verbs("none", "swim", "float", before="dive", needs_being=True),
    _verbs("none", "eat", "drink sleep", after="drink", needs_being=True),
    _verbs("none", "sleep", "rest eat", after="snore", needs_being=True, not_with="with"),
    _verbs("none", "cook", "eat", after="eat", needs_being=True),
    _verbs("none", "fight", "play rest", needs_being=True, not_with="for against over with"),
    # the news
    _verbs("object", "kill murder", "injure", before="attack", needs_being=True),
    _verbs("object", "kill murder", "injure"),
    _verbs("object", "injure wound hurt", "kill"),
    _verbs("object", "arrest detain", "release", after="question"),
    _verbs("object", "buy purchase", "sell", before="order"),
    _verbs("object", "sell", "buy", before="advertise"),
    _verbs("object", "win", "lose", objects="election vote war battle game case title match race"),
    _verbs("object", "lose", "win", objects="election vote war battle game case title match race"),
    _verbs("object", "approve pass", "reject", after="sign", objects=_LAWS),
    _verbs("object", "sign", "reject", before="read", objects=_LAWS),
    _verbs("object", "support favor", "oppose criticize", after="defend", needs_being=True),
    _verbs("object", "support favor", "oppose"),
    _verbs("object", "oppose criticize condemn", "support", after="reject"),
    _verbs("object", "accept", "reject", after="sign", objects=_LAWS + " contract offer"),
    _verbs("object", "accept", "reject"),
    _verbs("object", "reject", "accept", after="criticize"),
    _verbs("object", "attack assault", "defend", after="destroy"),
    _verbs("object", "defend", "attack"),
    _verbs("object", "destroy demolish", "rebuild"),
    _verbs("object", "increase raise boost", "reduce", objects=_MEASURED),
    _verbs("object", "reduce decrease cut lower", "increase", objects=_MEASURED),
    _verbs("object", "launch begin start", "cancel end", before="plan", objects=_PUBLIC),
    _verbs("object", "cancel end", "begin", objects=_PUBLIC),
    _verbs("object", "confirm admit", "deny"),
    _verbs("object", "deny", "confirm"),
    _verbs("object", "praise welcome", "criticize"),
    _verbs(
        "object",
        "visit",
        "leave",
        before="photograph",
        objects=("city country town village museum school hospital church park island beach"),
    ),
    _verbs("object", "leave exit", "enter", objects="room building house city country office"),
    _verbs("object", "send", "receive", before="write", objects="message email letter mail sms"),
    _verbs("object", "receive", "send", after="read", objects="message email letter mail sms"),
    _verbs("object", "convict", "acquit", before="try"),
    _verbs(
        "object",
        "rescue save",
        "abandon",
        before="find",
        objects=("man woman child boy girl dog cat passenger victim survivor worker sailor"),
    ),
    _verbs("none", "rise climb jump gain", "fall", not_with="air on over onto"),
    _verbs("none", "fall drop decline slip tumble", "rise", not_with="off from on into over"),
    _verbs("none", "increase grow", "decrease"),
    _verbs("none", "decrease shrink", "increase"),
    _verbs("none", "arrive", "leave", not_with="at in to"),
    _verbs("none", "win", "lose", not_with="over"),
    _verbs("none", "lose", "win"),
    _verbs("none", "die", "survive", not_with="at of from after"),
    _verbs("none", "escape", "surrender", before="fight", needs_being=True, not_with="from"),
    _verbs("none", "protest", "celebrate", after="march", needs_being=True),
    _verbs("none", "resign retire", "stay", needs_being=True, not_with="as from"),
    _verbs("clause", "say state announce", "deny", needs_being=True),
    _verbs("clause", "confirm admit", "deny"),
    _verbs("clause", "believe think know", "doubt", needs_being=True),
    _verbs("clause", "hope", "fear", needs_being=True),
    _verbs("clause", "fear", "hope", needs_being=True),
    _verbs("infinitive", "want wish hope intend plan", "refuse", needs_being=True),
    _verbs("infinitive", "try attempt seek", "refuse", needs_being=True),
    _verbs("infinitive", "refuse decline", "agree promise", needs_being=True),
    _verbs("infinitive", "agree promise vow pledge decide", "refuse", needs_being=True),
    # computing
    _verbs("object", "install", "uninstall update", before="download"),
    _verbs("object", "uninstall", "install", before="disable"),
    _verbs("object", "remove delete", "restore", before="find", not_with="from"),
    _verbs("object", "remove delete", "copy", before="find", objects=_FILES),
    _verbs("object", "create make", "delete copy", after="edit", objects=_FILES),
    _verbs("object", "add", "remove", before="create", not_with="to into in onto"),
    _verbs("object", "insert", "remove", before="create", not_with="to into in onto"),
    _verbs("object", "enable activate", "disable", before="find"),
    _verbs("object", "disable deactivate", "enable", before="find"),
    _verbs(
        "object",
        "upgrade update",
        "downgrade",
        objects=(
            "ubuntu kernel driver version system software package plugin firefox unity gnome grub"
        ),
    ),
    _verbs("object", "download", "upload", after="open"),
    _verbs("object", "upload", "download", after="share"),
    _verbs("object", "show display", "hide", before="find", objects=_FILES + _SHOWN),
    _verbs("object", "hide", "show", before="find"),
    _verbs("object", "open", "close", before="find", objects=_FILES + " terminal tab link"),
    _verbs("object", "close", "open", before="find", objects=_FILES + " terminal tab link"),
    _verbs("object", "edit modify", "delete", before="open", objects=_FILES),
    _verbs("object", "copy move", "delete", before="find", objects=_FILES, not_with="to into"),
    _verbs("object", "mount", "unmount", before="format"),
    _verbs("object", "unmount", "mount"),
    _verbs("object", "encrypt", "decrypt", before="compress"),
    _verbs("object", "import", "export", before="open", not_with="from into"),
    _verbs("object", "export", "import", before="open", not_with="to"),
    _verbs("object", "lock", "unlock", before="close", objects="screen door phone device account"),
    _verbs("object", "unlock", "lock", after="open", objects="screen door phone device account"),
    _verbs("object", "save", "load", before="edit", objects=_FILES + " setting game state"),
    _verbs("object", "restore load", "save", objects=_FILES + " setting game state"),
    _verbs("object", "merge", "split", before="copy"),
    _verbs("object", "split", "copy", before="copy"),
    _verbs("object", "prevent avoid stop", "cause", before="detect", not_with="from"),
    _verbs("object", "use utilize", "avoid", before="find"),
    _verbs("object", "find locate", "hide delete", objects=_FILES),
    _verbs("object", "configure", "remove", before="install"),
    _verbs(
        "object",
        "fix solve resolve",
        "cause",
        before="find",
        objects=("problem issue bug error crash"),
    ),
    # opinions
    _verbs("object", "love like enjoy adore", "hate", needs_being=True),
    _verbs("object", "hate dislike", "love", needs_being=True),
    _verbs("object", "miss", "watch", objects=_SHOWS),
    _verbs("object", "watch see", "miss", objects=_SHOWS),
    _verbs("object", "remember", "forget", needs_being=True),
    _verbs("object", "forget", "remember", needs_being=True),
    # biology
    _verbs("object", "inhibit suppress block", "activate induce", after="alter"),
    _verbs("object", "activate induce", "inhibit suppress", after="alter"),
    _verbs("object", "promote enhance", "inhibit suppress", before="initiate"),
)
"""Verbs by frame. The first class that holds a verb in its frame, with its object, is taken."""


CONTINUING = word_set(
    """ask bake bleed boil build campaign carry celebrate chase chat chop clean climb collect
    compete cook count crawl cry cut dance debate deliver develop dig discuss draw drink drive
    eat examine exercise expand explore feed fight film fly follow grow hike hunt improve
    increase investigate jog jump kiss knit laugh learn listen march measure mix monitor move
    negotiate operate paint peel perform play polish practice pray prepare protest pull push
    race read record rest ride roll row run scream search sell sew shake shine shop sing skate
    sleep slice smile smoke speak spread stir study suffer surf sweep swim swing talk teach
    travel treat type walk wander wash watch wave whisper work worry write"""
)
"""Verbs of lasting actions: one can begin, continue or try to do them."""


COUNTRIES = {
    "Afghanistan": "Afghan Kabul",
    "Argentina": "Argentine Argentinian",
    "Australia": "Australian Sydney",
    "Bangladesh": "Bangladeshi Dhaka",
    "Belgium": "Belgian Brussels",
    "Brazil": "Brazilian",
    "Canada": "Canadian Toronto",
    "China": "Chinese Beijing",
    "Colombia": "Colombian",
    "Cuba": "Cuban",
    "Egypt": "Egyptian Cairo",
    "England": "English British London",
    "France": "French Paris",
    "Germany": "German Berlin",
    "Greece": "Greek Athens",
    "India": "Indian Delhi Mumbai",
    "Indonesia": "Indonesian Jakarta",
    "Iran": "Iranian Tehran",
    "Iraq": "Iraqi Baghdad",
    "Israel": "Israeli Jerusalem",
    "Italy": "Italian Rome",
    "Japan": "Japanese Tokyo",
    "Kenya": "Kenyan Nairobi",
    "Lebanon": "Lebanese Beirut",
    "Libya": "Libyan Tripoli",
    "Mali": "Malian",
    "Mexico": "Mexican",
    "Nepal": "Nepalese",
    "Nigeria": "Nigerian",
    "Norway": "Norwegian Oslo",
    "Pakistan": "Pakistani Karachi Islamabad",
    "Poland": "Polish Warsaw",
    "Portugal": "Portuguese Lisbon",
    "Russia": "Russian Moscow",
    "Somalia": "Somali",
    "Spain": "Spanish Madrid",
    "Sudan": "Sudanese",
    "Sweden": "Swedish Stockholm",
    "Switzerland": "Swiss Geneva",
    "Syria": "Syrian Damascus Aleppo",
    "Thailand": "Thai Bangkok",
    "Turkey": "Turkish Ankara Istanbul",
    "Ukraine": "Ukrainian Kiev Crimea",
    "Venezuela": "Venezuelan Caracas",
    "Vietnam": "Vietnamese Hanoi",
    "Yemen": "Yemeni",
}
"""Countries, each with words that speak of it too: beside them it is not swapped."""


def _names(names: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in names.split("|"))


NAMES_OF_A_KIND = (
    tuple(COUNTRIES),
    # cities
    _names(
        """Baghdad|Bangkok|Beijing|Berlin|Boston|Cairo|Chicago|Dallas|Damascus|Delhi|Denver|Detroit|
        Dublin|Geneva|Houston|Istanbul|Jakarta|Jerusalem|Kabul|Karachi|London|Los Angeles|Madrid|
        Miami|Milwaukee|Moscow|Mumbai|New York|Oslo|Paris|Philadelphia|Rome|Sacramento|San Diego|
        San Francisco|Seattle|Sydney|Tehran|Tokyo|Toronto|Tripoli|Vienna|Warsaw"""
    ),
    # states of one country
    _names(
        """Alabama|Arizona|California|Colorado|Florida|Illinois|Indiana|Iowa|Kansas|Kentucky|
        Maryland|Michigan|Minnesota|Montana|Nevada|Ohio|Oregon|Tennessee|Texas|Utah|Virginia|
        Wisconsin|North Carolina|South Carolina"""
    ),
    # companies
    _names("""Amazon|Apple|Google|IBM|Intel|Microsoft|Nokia|Oracle|Samsung|Sony|Yahoo"""),
    _names(
        """BMW|Chrysler|Fiat|Honda|Hyundai|Mazda|Nissan|Porsche|Renault|Suzuki|Toyota|Volkswagen"""
    ),
    # public figures of the news
    _names(
        """Obama|Putin|Merkel|Cameron|Netanyahu|Assad|Morsi|Mubarak|Karzai|Rouhani|Ahmadinejad|
        Romney|Sarkozy|Hollande|Berlusconi"""
    ),
    # teams of three leagues
    _names(
        """49ers|Bengals|Broncos|Chargers|Colts|Cowboys|Eagles|Falcons|Jaguars|Packers|Raiders|Rams|
        Ravens|Redskins|Seahawks|Steelers|Texans|Titans|Vikings"""
    ),
    _names(
        """Bucks|Bulls|Celtics|Clippers|Grizzlies|Hawks|Knicks|Lakers|Nets|Nuggets|Pacers|Pistons|
        Rockets|Spurs|Warriors"""
    ),
    _names("Arsenal|Barcelona|Chelsea|Dortmund|Juventus|Liverpool"),
    # operating systems, desktops, browsers, programs, sites, languages of programs
    _names("Ubuntu|Fedora|Debian|Gentoo"),
    _names("Gnome|KDE|Xfce|Unity|Cinnamon"),
    _names("Chrome|Chromium|Firefox|Opera|Safari"),
    _names("Android|iOS"),
    _names("Skype|Pidgin|Thunderbird|Banshee|Gimp|Inkscape|LibreOffice|VLC"),
    _names("Python|Java|Perl|Ruby|PHP|JavaScript"),
    _names("Facebook|Twitter|Instagram|YouTube"),
    # languages
    _names(
        """Arabic|Chinese|Dutch|English|French|German|Greek|Italian|Japanese|Korean|Latin|Polish|
        Portuguese|Russian|Spanish|Swedish"""
    ),
)
"""Names that can stand for one another, all of the same kind."""

MALE_NAMES = word_set(
    """Aaron Adam Alan Albert Alex Andrew Andy Anthony Arthur Barack Ben Benjamin Bill Bob Bobby
    Brad Brandon Brett Brian Bruce Carl Charles Charlie Chris Christopher Cody Colin Craig Dan
    Daniel Danny Darren Dave David Dennis Derek Derrick Dirk Don Donald Doug Dwight Dwyane Earl
    Ed Edward Eli Eric Ethan Eugene Evan Frank Fred Gary Gene George Gerald Glenn Gordon Graham
    Greg Gregory Harold Harry Henry Howard Hugh Ian Jack Jacob Jake James Jamie Jason Jay Jeff
    Jeffrey Jeremy Jerry Jesse Jim Jimmy Joe Joel John Johnny Jon Jonathan Joseph Josh Joshua
    Juan Justin Keith Kenneth Kevin Kobe Kyle Larry Lee Leon Leonard Lewis Liam Louis Luke
    Marcus Mario Mark Martin Marvin Matt Matthew Max Michael Mike Mitt Nathan Neil Nicholas Nick
    Norman Oliver Oscar Patrick Paul Pete Peter Phil Philip Ralph Randy Ray Raymond Reggie
    Richard Rick Rob Robert Roger Ron Ronald Roy Russell Ryan Sam Samuel Scott Sean Simon
    Stephen Steve Steven Stuart Ted Terry Thomas Tim Timothy Todd Tom Tony Travis Tyler Victor
    Vince Vladimir Walter Warren Wayne William Zach"""
)
FEMALE_NAMES = word_set(
    """Alice Amanda Amber Amy Andrea Angela Ann Anna Anne Barbara Betty Beth Brenda Carol Caroline
    Catherine Christina Christine Cindy Claire Courtney Cynthia Deborah Diana Diane Donna
    Dorothy Elizabeth Ellen Emily Emma Erica Eva Hannah Heather Helen Hillary Jane Janet
    Jennifer Jessica Joan Judith Julia Julie Karen Kate Katherine Kathleen Kelly Laura Linda
    Lisa Lucy Margaret Maria Marie Martha Mary Megan Melissa Michelle Monica Nancy Nicole Olivia
    Pamela Patricia Rachel Rebecca Rose Ruth Sandra Sara Sarah Sharon Sophie Stephanie Susan
    Teresa Theresa Tina Tracy Vanessa Victoria Virginia Wendy"""
)
"""First names that tell the sex of somebody."""

MALE_PEOPLE = ("Thomas Reed", "David Miller", "Peter Walsh", "George Foster", "Henry Clarke")
FEMALE_PEOPLE = ("Susan Clarke", "Laura Bennett", "Anna Fisher", "Helen Marsh", "Ruth Palmer")
"""Full names that are put in."""

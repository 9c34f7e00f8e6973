"""Words and labels that decide whether a noun phrase can move: tables made by hand."""

import re

from embsyntax.perturbation.main_clause import word_set
from embsyntax.perturbation.vocabulary import NOUN_CLASSES

NOUN_TAGS = frozenset({"NN", "NNS", "NNP", "NNPS"})
NAME_TAGS = frozenset({"NNP", "NNPS"})
FINITE_TAGS = frozenset({"VBD", "VBP", "VBZ", "MD"})
FINITE_AUXILIARIES = word_set("do does did has have had is are am was were")
"""Auxiliaries that are finite where they stand first, whatever the tagger says."""

WH_TAGS = frozenset({"WDT", "WP", "WP$", "WRB"})
SUBJECT_LABELS = frozenset({"nsubj", "nsubjpass"})

PRONOUNS = word_set("i me he him she her we us they them you it")
"""Pronouns that can change places with nouns: they stand alone in subject and object case."""

INDEFINITE = word_set("""someone somebody something everyone everybody everything nobody nothing""")

LEFT_LABELS = word_set("det predet amod compound nummod poss nmod quantmod")
"""What may stand before the head of a phrase that moves."""

BRACKETS = frozenset("()[]{}\"'`“”‘’-") | {"``", "''"}

QUOTES = frozenset("\"'“”‘’`")

LEADING_LABELS = word_set("advmod mark cc intj punct")
"""What may stand before a phrase and stays where it is."""

UNMOVABLE_ENTITIES = frozenset({"DATE", "TIME", "MONEY", "PERCENT", "QUANTITY"})
"""Measures and times are adjuncts or amounts: they have no role to exchange."""

TIME_AND_MEASURE = word_set(
    """second minute hour day week month year decade century today tomorrow yesterday tonight
    morning afternoon evening night midnight noon time moment season summer winter spring autumn
    weekend monday tuesday wednesday thursday friday saturday sunday january february march
    april june july august september october november december percent percentage % point cent
    dollar euro pound yen mile kilometer km meter metre foot inch lb kg gram degree bit lot
    bunch plenty way rest while half quarter time piece"""
)
BAD_HEADS = word_set(
    """each other another one ones self oneself there here any anything anyone anybody none both
    all some many much more most few fewer less least such same this that these those others
    either neither own whatever whoever thing things fact first second sake shit fuck crap hell
    ass damn lol lmao smh omg rt etc"""
)
"""Pronouns, exclamations, and nouns that lean on what stands around them."""

SET_NOUNS = word_set(
    """case example instance order addition front top general particular last course reason sense
    turn advance detail need place use mind touch charge vain short full part action love common
    result account behalf board duty fire foot hand hold home bed school college church court
    jail prison office power line mode return reality town work default time public private
    person purpose chance accident mistake sale stage display regard respect relation effect
    force question control contact danger trouble doubt debt favor favour season style shape
    size"""
)
"""Nouns that stand in set phrases when nothing stands before them (`in fact`, `at home`)."""

BAD_DETERMINERS = word_set(
    """any either neither what which whose whatever whichever such each another own no"""
)

MASS_NOUNS = (
    word_set(
        """flour sugar salt dough cream garlic ginger paper wood ice rain smoke fire air dust hay
        glass metal steel plastic concrete gold silver music art money food furniture equipment
        traffic wind sunlight stone leather cotton soil blood skin fur hair gas electricity
        energy power heat light software hardware wifi internet inflation poverty cancer obesity
        malaria smoking alcohol tobacco crime corruption violence war peace religion science
        education unemployment freedom democracy evolution gravity marriage piano violin guitar
        drums flute makeup jewelry jewellery gear cereal batter dirt butter rock seaweed chess
        karaoke ballet clothing protection information data advice evidence help support
        research progress sound text code memory gravel liquid gasoline seasoning powder milk
        vodka tofu shrimp octopus bacon corn lettuce bamboo history nature life god faith truth
        hope justice safety security health housing farmland vegetation camouflage meat
        television tv"""
    )
    | INDEFINITE
    | frozenset(
        word
        for nouns in NOUN_CLASSES
        if nouns.is_mass
        for group in nouns.words
        for word in group
        if word not in {"week", "month", "year"}
    )
)
"""Singular nouns that need no determiner."""

ANIMATE = frozenset(
    word
    for nouns in NOUN_CLASSES
    if nouns.is_person or nouns.is_animal
    for group in nouns.words
    for word in group
) | word_set(
    """people person baby toddler lady crowd animal bird pet police officer friend fan player kid
    team customer user worker neighbour neighbor somebody someone everybody everyone group bull
    calf rooster parrot american troop citizen leader government"""
)
PERSON_ENTITIES = frozenset({"PERSON", "NORP"})

GROUP_NOUNS = word_set(
    "group couple pair team crowd herd pack flock band crew staff family majority number variety"
)
"""Nouns that take a verb in the singular or the plural."""

ARTICLES_AND_SUBJECTS = word_set("a an the i he she we they it")
"""Words that titles, headlines and search queries leave out."""

SENTENCE_OPENERS = word_set("The A An This That These Those He She It We They In Did")
BREAK = re.compile(r"[:;|–—…]|--|\s-\s|\.\.|\s/\s|[>→]")
"""Punctuation that no exchange may reach across."""

CAUSATIVES = word_set("make let help have see watch hear get feel")
"""Verbs with a bare infinitive behind their object."""

EXCLAMATIONS = word_set("""lol lmao lmfao omg damn wow rip haha bruh smh wtf yay hey yo""")
"""What tweets begin with; the parser takes it for part of a name."""

CLITICS = word_set("'m ’m m 're ’re 's ’s 've ’ve 'll ’ll 'd ’d")
"""Auxiliaries that a pronoun may end in."""

VERSION = re.compile(r"\d+(?:\.\w+)+")
"""Version numbers, which name a thing (`12.04`)."""

BAD_LEFT_TAGS = word_set("""NN NNS NNP NNPS JJ JJR JJS CD DT PDT PRP$ POS $ HYPH SYM # NFP AFX""")
BAD_RIGHT_TAGS = word_set("NN NNS NNP NNPS CD POS HYPH SYM JJ NFP $ RBR")
"""A neighbour with such a tag belongs to the phrase, whatever the parser says."""

"""What predicates and prepositions say about their arguments: which may change places, and how.

`Anna met Ben` and `Ben met Anna` say the same, so a swap of arguments is no relation change there.
The tables hold lemmas; prepositions of several words are joined by underscores.
"""

from embsyntax.perturbation.main_clause import word_set

SYMMETRIC_VERBS = word_set(
    """meet marry wed divorce equal resemble border neighbor neighbour adjoin abut intersect
    encounter kiss hug embrace parallel rival coincide overlap mean constitute"""
)
"""Verbs with subject and object: `A meets B`."""

RIVAL_VERBS = word_set("play face fight battle match oppose tie join contact date touch")
"""Verbs that are symmetric if both arguments can act: `A plays B`, not `A plays the piano`."""

RECIPROCAL_VERBS = word_set(
    """agree disagree differ talk speak chat converse meet argue quarrel negotiate deal compete
    fight wrestle clash battle collide merge mix coincide correspond overlap combine interact
    cooperate collaborate live play dance walk stand sit go work side share unite partner team
    flirt sleep struggle box spar conflict consort mingle reconcile rank race vie tussle scuffle
    duel draw tie associate align compare contrast come run travel ride sing swim jog train pose"""
)
"""Verbs with subject and a partner: `A agrees with B`, `A fights against B`."""

SYMMETRIC_LINKS = word_set(
    """mix combine merge join connect link compare contrast confuse match pair equate associate
    swap exchange interchange reconcile unite couple fuse blend integrate tie attach bind
    distinguish differentiate separate relate share intersect collide sync synchronize discuss"""
)
"""Verbs with object and a phrase: `mix A with B`, `compare A to B`."""

SYMMETRIC_HOSTS = word_set(
    """differ relate similar identical equal equivalent different related close near next married
    engaged adjacent parallel opposite compatible incompatible comparable analogous unlike like
    alike same perpendicular separate distinct distant friends synonymous interchangeable far
    simultaneous consistent inconsistent"""
)
"""Adjectives and verbs with a phrase of any preposition: `A is similar to B`."""

SYMMETRIC_NOUNS = word_set(
    """difference distance similarity relation relationship connection link conflict war battle
    fight border agreement deal match game marriage friendship contrast comparison correlation
    conversation talk meeting debate clash collision dispute balance compromise interaction tie
    feud partnership parallel merger alliance combination mixture mix"""
)
"""Nouns whose complements are interchangeable: `the difference between A and B`."""

SYMMETRIC_PREPOSITIONS = word_set(
    """next beside near alongside opposite between among amongst vs v versus and or plus unlike
    like along_with together_with across_from next_to close_to adjacent_to similar_to than"""
)

COMITATIVE = frozenset({"with", "alongside", "together_with", "along_with", "against"})
"""Prepositions before the partner of a reciprocal verb."""

SET_PREPOSITIONS = word_set(
    """according including regarding concerning depending except despite during since until till
    ago as like than but because due instead such other rather of"""
)
"""Words tagged as prepositions whose objects are no arguments (`of` binds to a noun)."""

RELATIONAL_NOUNS = word_set(
    """front top back side middle center centre edge bottom end behalf spite favor favour charge
    lieu light view terms place rear corner midst outskirts aftermath wake sides"""
)
"""Nouns that make one preposition with the words around them: `in front of`."""

PART_NOUNS = word_set(
    """group number couple pair lot set part piece kind type sort cup glass bottle bowl bunch
    handful variety majority minority member top bottom side end front back edge middle rest
    amount quantity percentage share slice strip pile stack crowd herd pack flock string dozen
    hundred thousand million billion lack bit bag box can jar plate pot lots sum cloud gallon
    ton mouthful spoonful batch wave game state city president king queen university department
    ministry bank court house secretary minister head chief director mayor governor professor
    doctor day month year anniversary one body level rate list table use form"""
)
"""Nouns that measure or head their complement with `of`: `a cup of tea`, `the city of Rome`."""

GREETINGS = word_set("congratulations congrats thanks welcome shoutout shout cheers props rip")

SET_PHRASES = frozenset(
    tuple(pair.split("_"))
    for pair in word_set(
        """in_air on_fly at_time in_time in_way on_way by_way on_hand on_spot for_time on_run
        on_rise on_go on_loose in_meantime in_end at_end in_distance at_distance in_direction
        in_fact on_contrary on_part in_sense at_rate in_case in_loop in_love in_mood to_point
        in_lead in_manner in_works"""
    )
)
"""Preposition and noun of phrases that mean one thing as a whole, with `the` or alone."""

LIGHT_VERBS = word_set("take make have give pay get do keep lose catch set put go")
"""Verbs that form set phrases with a bare noun (`take place`)."""

CAUSE_VERBS = word_set(
    """cause trigger spark prompt provoke induce generate inhibit promote precede prevent activate
    suppress stimulate affect influence worsen determine regulate entail"""
)
"""Verbs whose subject is a cause (or comes earlier or later) and whose object is its effect."""

CAUSE_LINKS = frozenset(
    {
        ("lead", "to"),
        ("result", "in"),
        ("result", "from"),
        ("arise", "from"),
        ("stem", "from"),
        ("contribute", "to"),
        ("depend", "on"),
        ("respond", "to"),
        ("react", "to"),
        ("due", "to"),
    }
)
"""Verbs or adjectives and prepositions that link a cause and an effect."""

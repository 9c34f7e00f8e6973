"""What people write and judge: sentences kept for them, sheets that go out, sheets that come back."""

from embsyntax.people_settings import check_people_settings

try:
    PEOPLE_SETTINGS = check_people_settings(config["triples"]["people"])
except InputError as error:
    raise WorkflowError(str(error)) from None

SHEETS = ("sampling", "sheets", "trap_types", "triple_people", "triple_splits")


rule sample_reserved_seeds:
    """Draw the test sentences that are kept for people; no generator sees them."""
    input:
        seeds="results/triples/seeds.parquet",
        splits="results/triples/splits.parquet",
    output:
        "results/triples/reserved.parquet",
    log:
        "results/logs/sample_reserved_seeds.log",
    benchmark:
        "results/benchmarks/sample_reserved_seeds.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=4000,
        runtime=10,
    params:
        code=code_version("near_duplicates", "reserved_seeds", "sampling", "triple_splits"),
        n_sentences=PEOPLE_SETTINGS["n_sentences"],
        near_duplicate=config["triples"]["split"]["near_duplicate"],
        seed=PEOPLE_SETTINGS["seed"],
    script:
        "../../scripts/sample_reserved_seeds.py"


rule sample_writing_sheet:
    """Make the sheet on which people write a paraphrase and a trap for sentences kept for them."""
    input:
        reserved="results/triples/reserved.parquet",
        seeds="results/triples/seeds.parquet",
        trap_types=config["trap_types"],
    output:
        instructions="results/triples/people/writing_sheet.md",
        sheet="results/triples/people/writing_sheet.csv",
    log:
        "results/logs/sample_writing_sheet.log",
    benchmark:
        "results/benchmarks/sample_writing_sheet.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version(*SHEETS),
        seed=PEOPLE_SETTINGS["seed"],
    script:
        "../../scripts/sample_writing_sheet.py"


rule build_written_triples:
    """Read the filled writing sheets back; refuse unsound rows; report what the edit check finds."""
    input:
        reserved="results/triples/reserved.parquet",
        seeds="results/triples/seeds.parquet",
        sheets=PEOPLE_SETTINGS["written"],
        trap_types=config["trap_types"],
    output:
        edit_checks="results/triples/people/written_edit_checks.tsv",
        written="results/triples/people/written.parquet",
    log:
        "results/logs/build_written_triples.log",
    benchmark:
        "results/benchmarks/build_written_triples.tsv"
    conda:
        "../../envs/language.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version(*SHEETS, "edit_check", "edit_words", "perturbation", "written_checks"),
    script:
        "../../scripts/build_written_triples.py"


rule sample_vote_sheet:
    """Draw kept and rejected candidates and the triples by people for a blind vote."""
    input:
        filtered=f"results/triples/filtered/{config['triples']['generator']}.parquet",
        written="results/triples/people/written.parquet",
    output:
        instructions="results/triples/people/vote_sheet.md",
        key="results/triples/people/vote_key.parquet",
        sheet="results/triples/people/vote_sheet.csv",
    log:
        "results/logs/sample_vote_sheet.log",
    benchmark:
        "results/benchmarks/sample_vote_sheet.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version(*SHEETS),
        n_votes=PEOPLE_SETTINGS["n_votes"],
        seed=PEOPLE_SETTINGS["seed"],
    script:
        "../../scripts/sample_vote_sheet.py"


rule build_human_test:
    """Put the votes beside the triples by people; those of example sheets do not count."""
    input:
        key="results/triples/people/vote_key.parquet",
        votes=PEOPLE_SETTINGS["votes"],
        written="results/triples/people/written.parquet",
    output:
        "results/triples/human_test.parquet",
    log:
        "results/logs/build_human_test.log",
    benchmark:
        "results/benchmarks/build_human_test.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version(*SHEETS),
        is_example=PEOPLE_SETTINGS["is_example"],
    script:
        "../../scripts/build_human_test.py"


rule tabulate_filter_votes:
    """Tabulate false accepts and false rejects of the filter, by the votes of people."""
    input:
        key="results/triples/people/vote_key.parquet",
        trap_types=config["trap_types"],
        votes=PEOPLE_SETTINGS["votes"],
    output:
        md=report(
            "results/tables/filter_votes.md",
            caption="../report/filter_votes.rst",
            category="Tables",
            labels={"table": "filter by people", "suite": "triples"},
        ),
        tsv="results/tables/filter_votes.tsv",
    log:
        "results/logs/tabulate_filter_votes.log",
    benchmark:
        "results/benchmarks/tabulate_filter_votes.tsv"
    conda:
        "../../envs/stats.yaml"
    threads: 1
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        code=code_version(*SHEETS, "filter_votes", "tables", "validation"),
        confidence=config["scores"]["confidence"],
        generator=config["triples"]["generator"],
        is_example=PEOPLE_SETTINGS["is_example"],
        judge=config["triples"]["judge"],
        resamples=config["scores"]["resamples"],
        seed=config["scores"]["seed"],
        track_note=config["track_note"],
    script:
        "../../scripts/tabulate_filter_votes.py"

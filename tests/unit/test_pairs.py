"""Reading pairs: every bad input is refused by name, every odd but legal one is kept as it is."""

from __future__ import annotations

import dataclasses
import hashlib
import logging
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from embsyntax.jobs import InputError
from embsyntax.pairs import PAIR_COLUMNS, build_pairs, check_pairs, read_pairs
from embsyntax.registry import PairColumns, Source, read_corpora

HEADER = "sentence1,sentence2,score\n"
GOOD = HEADER + "A dog barks.,A hound barks.,5\nA dog barks.,Snow falls.,0\n"


def make_source(**changes: object) -> Source:
    source = Source(
        source="mine",
        file="mine.csv",
        suite="mine",
        corpus="mine",
        format="csv",
        sentence1_column="sentence1",
        pairs=(PairColumns("similarity", "sentence2", "score"),),
        score_max=5.0,
        origin="folder:data/mine.csv",
        revision="",
        sha256="",
        bytes=None,
        mirror_path="",
        licence="own",
        attribution="",
        training_sets_note="",
    )
    return dataclasses.replace(source, **changes)


@pytest.fixture
def read(tmp_path: Path):
    """Write a raw file and read it."""

    def write_and_read(content: str | bytes, **changes: object) -> pd.DataFrame:
        path = tmp_path / "mine.csv"
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return read_pairs(path, make_source(**changes))

    return write_and_read


@pytest.fixture
def read_columns(tmp_path: Path):
    """Write columns as Parquet and read them."""

    def write_and_read(columns: dict[str, object]) -> pd.DataFrame:
        path = tmp_path / "mine.parquet"
        pq.write_table(pa.table(columns), path)
        return read_pairs(path, make_source(format="parquet"))

    return write_and_read


def refused(error: pytest.ExceptionInfo[InputError], *parts: str) -> None:
    """Check that a message is one line that holds all parts."""
    message = str(error.value)
    assert "\n" not in message
    for part in parts:
        assert part in message


def test_columns_and_values(read):
    pairs = read(GOOD)
    assert list(pairs.columns) == list(PAIR_COLUMNS)
    anchor = hashlib.sha256(b"A dog barks.").hexdigest()[:16]
    assert pairs.iloc[0].tolist() == [
        "mine:similarity:1",
        "mine",
        "similarity",
        f"mine:{anchor}",
        1,
        "A dog barks.",
        "A hound barks.",
        1.0,
    ]
    assert pairs["pair_id"].tolist() == ["mine:similarity:1", "mine:similarity:2"]
    assert pairs["anchor_id"].nunique() == 1
    assert pairs["score"].tolist() == [1.0, 0.0]
    assert (pairs["row"].dtype, pairs["score"].dtype) == ("int64", "float64")


def test_dimensions_follow_the_catalogue(read):
    pairs = read(
        "sentence1,relation,relationscore,structure,structurescore\na b,b a,1,b a,5\nc,d,2,e,4\n",
        pairs=(
            PairColumns("structure", "structure", "structurescore"),
            PairColumns("relation", "relation", "relationscore"),
        ),
    )
    assert pairs["pair_id"].tolist() == [
        "mine:structure:1",
        "mine:structure:2",
        "mine:relation:1",
        "mine:relation:2",
    ]
    assert pairs["score"].tolist() == [1.0, 0.8, 0.2, 0.4]


def test_repeated_rows_are_kept(read):
    assert len(read(GOOD + "A dog barks.,A hound barks.,5\n")) == 3


def test_unscored_pairs_have_no_score(read):
    pairs = read(
        "sentence1,sentence2\na,b\n",
        pairs=(PairColumns("similarity", "sentence2", None),),
        score_max=None,
    )
    assert pairs["score"].isna().all()
    check_pairs(pairs)


# Accepted: odd but legal input, kept character by character.


def test_byte_order_mark_is_accepted_and_logged(read, caplog):
    with caplog.at_level(logging.INFO):
        pairs = read("\ufeff" + GOOD)
    assert len(pairs) == 2
    assert "byte order mark" in caplog.text
    assert "mine.csv" in caplog.text


def test_crlf_and_blank_lines_at_the_end(read):
    assert read((GOOD + "\n  \n").replace("\n", "\r\n")).equals(read(GOOD))


@pytest.mark.parametrize("word", ["NA", "None", "null", "nan", "N/A", "", " TRUE", "#N/A", "1.0"])
def test_words_that_look_like_missing_values_are_text(read, word):
    if word:
        assert read(f"{GOOD}{word},x,3\n")["sentence1"].iloc[2] == word
    else:
        with pytest.raises(InputError, match="empty text"):
            read(f"{GOOD}{word},x,3\n")


@pytest.mark.parametrize(
    "text",
    [
        'she said "no"',
        '"',
        "tab\there",
        "one\nfeed",
        "one\r\nbreak",
        "a, b",
        "🙌🏽 👩‍👩‍👧",
        "naïve café",
        "e\u0301 is not é",
        " leading and trailing ",
        "line\u2028separator\x85next\x0bvertical",
        "word " * 10_000,
        "x" * 200_000,
    ],
)
@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "parquet"])
def test_texts_are_kept_as_they_are(tmp_path, form, text):
    frame = pd.DataFrame({"sentence1": [text, "b"], "sentence2": ["c", text], "score": [1, 5]})
    path = tmp_path / f"mine.{form}"
    if form == "parquet":
        frame.to_parquet(path)
    elif form == "jsonl":
        frame.to_json(path, orient="records", lines=True, force_ascii=False)
    else:
        frame.to_csv(path, index=False, sep="," if form == "csv" else "\t", lineterminator="\n")
    pairs = read_pairs(path, make_source(format=form))
    assert pairs["sentence1"].tolist() == [text, "b"]
    assert pairs["sentence2"].tolist() == ["c", text]
    assert pairs["score"].tolist() == [0.2, 1.0]


def test_line_of_a_row_after_an_embedded_line_break(read):
    with pytest.raises(InputError) as error:
        read(HEADER + '"a\nb",c,1\nd,e,x\n')
    refused(error, "data row 2 (line 4)")


@pytest.mark.parametrize("score", ["2", "2.0", " 2 ", "+2", "2e0", "2."])
def test_ways_to_write_a_number(read, score):
    assert read(f"{GOOD}a,b,{score}\n")["score"].iloc[2] == 0.4


def test_stsbenchmark_takes_quotes_as_text_and_extra_fields(read):
    pairs = read(
        'main-news\tx\t2012\t1\t2.500\t"Half a quote\tB "b"\textra\tfields\r\n'
        "main-news\tx\t2012\t2\t5.000\tC\tD\r\n",
        format="stsbenchmark",
    )
    assert pairs["sentence1"].tolist() == ['"Half a quote', "C"]
    assert pairs["sentence2"].tolist() == ['B "b"', "D"]
    assert pairs["score"].tolist() == [0.5, 1.0]


def test_sick_has_a_header_and_no_quoting(read):
    pairs = read(
        'pair_ID\tsentence_A\tsentence_B\trelatedness_score\n1\t"A\tB\t4.5\n2\tC\tD\t1\n',
        format="sick",
        sentence1_column="sentence_A",
        pairs=(PairColumns("similarity", "sentence_B", "relatedness_score"),),
    )
    assert pairs["sentence1"].tolist() == ['"A', "C"]
    assert pairs["score"].tolist() == [0.9, 0.2]


def test_parquet_types(read_columns):
    words = pa.array(["a", "b"]).dictionary_encode()
    for scores in (pa.array([1, 5]), pa.array([1.0, 5.0]), pa.array([Decimal(1), Decimal(5)])):
        pairs = read_columns({"sentence1": words, "sentence2": ["c", "d"], "score": scores})
        assert pairs["sentence1"].tolist() == ["a", "b"]
        assert pairs["score"].tolist() == [0.2, 1.0]


# Refused: by name, with place, what is allowed and what to do.


def test_missing_column_lists_those_that_are_there(read):
    with pytest.raises(InputError) as error:
        read("sentence1,text2,score\na,b,1\n")
    refused(error, "mine.csv", "folder:data/mine.csv", "missing column 'sentence2'", "'text2'")


def test_wrong_separator_is_a_missing_column(read):
    with pytest.raises(InputError) as error:
        read(GOOD.replace(",", ";"))
    refused(error, "missing column", "'sentence1;sentence2;score'", "separator")


def test_repeated_column_names(read):
    with pytest.raises(InputError) as error:
        read("sentence1,sentence2,score,score\na,b,1,2\n")
    refused(error, "repeated column names 'score'", "rename")


@pytest.mark.parametrize("score", ["four", "1_0", "0x2", "٣", "4/5"])
def test_score_that_is_no_number(read, score):
    with pytest.raises(InputError) as error:
        read(f"{GOOD}a,b,{score}\n")
    refused(error, "data row 3 (line 4), column 'score'", repr(score), "not a number", "0 to 5")


def test_decimal_comma(read):
    with pytest.raises(InputError) as error:
        read(GOOD + 'a,b,"3,5"\n')
    refused(error, "'3,5' is not a number", "decimal point")


@pytest.mark.parametrize("score", ["", "  "])
def test_missing_score(read, score):
    with pytest.raises(InputError) as error:
        read(f"{GOOD}a,b,{score}\n")
    refused(error, "data row 3 (line 4), column 'score'", "missing score", "0 to 5")


@pytest.mark.parametrize("score", ["-1", "5.001", "6"])
def test_score_out_of_range(read, score):
    with pytest.raises(InputError) as error:
        read(f"{GOOD}a,b,{score}\n")
    refused(error, "data row 3 (line 4), column 'score'", score, "out of range", "0 to 5")


@pytest.mark.parametrize("score", ["nan", "NaN", "inf", "-Infinity", "1e999"])
def test_score_that_is_not_finite(read, score):
    with pytest.raises(InputError) as error:
        read(f"{GOOD}a,b,{score}\n")
    refused(error, "data row 3 (line 4), column 'score'", score, "not finite", "0 to 5")


@pytest.mark.parametrize("text", ["", "\u200b", "   ", '" \n\t"', "\u00a0"])
def test_empty_text(read, text):
    with pytest.raises(InputError) as error:
        read(f"{GOOD}a,{text},3\n")
    refused(error, "data row 3 (line 4), column 'sentence2'", "empty text", "remove the row")


def test_wrong_encoding_names_the_byte(read):
    with pytest.raises(InputError) as error:
        read(GOOD.encode() + "café,b,3\n".encode("latin-1"))
    refused(error, f"byte offset {len(GOOD) + 3} (line 4)", "0xe9", "UTF-8", "iconv")


def test_utf16_is_named(read):
    with pytest.raises(InputError) as error:
        read(GOOD.encode("utf-16"))
    refused(error, "UTF-16", "only UTF-8", "iconv")


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl", "stsbenchmark", "sick"])
def test_nul_bytes(read, form):
    with pytest.raises(InputError) as error:
        read(GOOD + "a\0,b,3\n", format=form)
    refused(error, f"byte offset {len(GOOD) + 1} (line 4)", "NUL")


@pytest.mark.parametrize("form", ["csv", "tsv", "parquet", "jsonl", "stsbenchmark", "sick"])
def test_empty_file(read, form):
    with pytest.raises(InputError) as error:
        read(b"", format=form)
    refused(error, "mine.csv", "the file is empty")


def test_only_a_byte_order_mark_is_an_empty_file(read):
    with pytest.raises(InputError, match="the file is empty"):
        read("\ufeff\n")


def test_header_without_rows(read):
    with pytest.raises(InputError, match="no data rows"):
        read(HEADER)


@pytest.mark.parametrize(("row", "count"), [("a,b,1,oops", 4), ("a,b", 2), ("lone", 1)])
def test_ragged_row(read, row, count):
    with pytest.raises(InputError) as error:
        read(f"{GOOD}{row}\n")
    refused(error, "data row 3 (line 4)", f"{count} fields", "the header has 3", "quote")


def test_ragged_row_of_the_formats_without_quoting(read):
    with pytest.raises(InputError) as error:
        read("a\tb\tc\td\t1\ts1\ts2\na\tb\tc\td\t1\ts1\n", format="stsbenchmark")
    refused(error, "data row 2 (line 2)", "6 fields", "at least 7")
    with pytest.raises(InputError) as error:
        read("sentence1\tsentence2\tscore\na\tb\t1\nc\td\t2\textra\n", format="sick")
    refused(error, "data row 2 (line 3)", "4 fields", "no tab")


def test_blank_line_between_rows(read):
    with pytest.raises(InputError) as error:
        read(GOOD + "\na,b,3\n")
    refused(error, "(line 4)", "blank line")


@pytest.mark.parametrize("row", ['"a,b,3\nc,d,4\n', '"a"b,c,3\n'])
def test_broken_quotes_name_the_line_where_the_row_begins(read, row):
    with pytest.raises(InputError) as error:
        read(GOOD + row)
    refused(error, "begins at line 4", "broken quoting", "doubled")


def test_constant_scores(read):
    with pytest.raises(InputError) as error:
        read(HEADER + "a,b,3\nc,d,3.0\n")
    refused(error, "all 2 scores", "'mine'", "'similarity'", "correlation", "different scores")


def test_constant_scores_of_one_dimension(read):
    with pytest.raises(InputError) as error:
        read(
            "sentence1,x,xs,y,ys\na,b,1,c,2\nd,e,2,f,2\n",
            pairs=(PairColumns("x", "x", "xs"), PairColumns("y", "y", "ys")),
        )
    refused(error, "column 'ys'", "dimension 'y'")


def test_unknown_format(read):
    with pytest.raises(InputError) as error:
        read(GOOD, format="xlsx")
    refused(error, "'xlsx'", "csv, jsonl, parquet, sick, stsbenchmark, tsv")


def test_unknown_column_of_the_headerless_format(read):
    with pytest.raises(InputError) as error:
        read("a\tb\tc\td\t1\ts1\ts2\n", format="stsbenchmark", sentence1_column="text")
    refused(error, "missing column 'text'", "'sentence1'")


@pytest.mark.parametrize("cut", [3, 40, 4])
def test_damaged_parquet(tmp_path, cut):
    path = tmp_path / "mine.parquet"
    pd.DataFrame({"sentence1": ["a", "b"], "sentence2": ["c", "d"], "score": [1, 2]}).to_parquet(
        path
    )
    data = path.read_bytes()
    path.write_bytes(data[:-cut] if cut != 40 else data[:4] + b"\xff" * 60 + data[64:])
    with pytest.raises(InputError) as error:
        read_pairs(path, make_source(format="parquet"))
    refused(error, "mine.parquet", "not a readable Parquet file", "again")


def test_csv_declared_as_parquet(read):
    with pytest.raises(InputError, match="not a readable Parquet file"):
        read(GOOD, format="parquet")


def test_parquet_column_faults(read_columns):
    with pytest.raises(InputError) as error:
        read_columns({"sentence1": ["a"], "sentence2": ["b"], "rating": [1]})
    refused(error, "missing column 'score'", "'rating'")
    with pytest.raises(InputError) as error:
        read_columns({"sentence1": [1, 2], "sentence2": ["c", "d"], "score": [1, 2]})
    refused(error, "data row 1, column 'sentence1'", "1 is not text", "strings")
    with pytest.raises(InputError) as error:
        read_columns({"sentence1": ["a", None], "sentence2": ["c", "d"], "score": [1, 2]})
    refused(error, "data row 2, column 'sentence1'", "missing text")
    with pytest.raises(InputError) as error:
        read_columns({"sentence1": ["a", "b\0"], "sentence2": ["c", "d"], "score": [1, 2]})
    refused(error, "data row 2, column 'sentence1'", "NUL")


@pytest.mark.parametrize(
    ("scores", "found"),
    [
        ([1, None], "missing score"),
        ([1.0, float("nan")], "not finite"),
        ([1.0, float("inf")], "not finite"),
        ([True, False], "not a number"),
        (["1", "two"], "not a number"),
    ],
)
def test_parquet_score_faults(read_columns, scores, found):
    with pytest.raises(InputError) as error:
        read_columns({"sentence1": ["a", "b"], "sentence2": ["c", "d"], "score": scores})
    refused(error, "column 'score'", found, "0 to 5")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('{"sentence1": "a", ', "invalid JSON"),
        ("", "invalid JSON"),
        ("[" * 100_000, "invalid JSON"),
        ('["a", "b", 1]', "not a JSON object"),
        ('{"sentence1": "a", "sentence2": "b"}', "missing column 'score'"),
        ('{"sentence1": "a", "sentence2": "b", "score": 1, "score": 2}', "repeated column names"),
        ('{"sentence1": 7, "sentence2": "b", "score": 1}', "7 is not text"),
        ('{"sentence1": {"en": "a"}, "sentence2": "b", "score": 1}', "is not text"),
        ('{"sentence1": null, "sentence2": "b", "score": 1}', "missing text"),
        ('{"sentence1": "a\\u0000", "sentence2": "b", "score": 1}', "NUL"),
        ('{"sentence1": "a\\ud83d", "sentence2": "b", "score": 1}', "surrogate"),
        ('{"sentence1": "a", "sentence2": "b", "score": NaN}', "not finite"),
        ('{"sentence1": "a", "sentence2": "b", "score": null}', "missing score"),
        ('{"sentence1": "a", "sentence2": "b", "score": true}', "not a number"),
        ('{"sentence1": "a", "sentence2": "b", "score": [1]}', "not a number"),
        ('{"sentence1": "a", "sentence2": "b", "score": 1' + "0" * 400 + "}", "not finite"),
    ],
)
def test_jsonl_faults_name_the_line(read, line, found):
    good = '{"sentence1": "a", "sentence2": "b", "score": 1}\n'
    with pytest.raises(InputError) as error:
        read(f"{good}{line}\n{good}", format="jsonl")
    refused(error, "data row 2 (line 2)", found)


def test_long_values_are_shortened_in_messages(read):
    with pytest.raises(InputError) as error:
        read(f"{GOOD}a,b,{'9x' * 5000}\n")
    assert len(str(error.value)) < 600


# The table of a suite.


def test_suite_keeps_the_order_of_the_catalogue(tmp_path):
    (tmp_path / "b.csv").write_text(GOOD)
    (tmp_path / "a.csv").write_text(GOOD)
    pairs = build_pairs(
        [
            (tmp_path / "b.csv", make_source(corpus="b", file="b.csv")),
            (tmp_path / "a.csv", make_source(corpus="a", file="a.csv")),
        ]
    )
    assert pairs["corpus"].tolist() == ["b", "b", "a", "a"]
    assert pairs["pair_id"].is_unique


def test_two_files_of_one_corpus_and_dimension(tmp_path):
    with pytest.raises(InputError) as error:
        build_pairs([("one.csv", make_source(file="one.csv")), ("b", make_source(file="two.csv"))])
    refused(error, "one.csv", "two.csv", "'mine'", "rename")


def test_suite_without_files():
    with pytest.raises(InputError, match="no raw file"):
        build_pairs([])


@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ({"score": [0.5, 1.5]}, "1.5 is outside 0-1"),
        ({"score": [0.5, None]}, "undefined in a part"),
        ({"pair_id": ["same", "same"]}, "'same' stands there more than once"),
        ({"sentence1": ["a", None]}, "sentence1: 1 missing"),
        ({"sentence2": ["a", " "]}, "sentence2: 1 empty"),
        ({"extra": [1, 2]}, "extra"),
    ],
)
def test_check_of_a_table_of_pairs(read, changes, found):
    with pytest.raises(InputError) as error:
        check_pairs(read(GOOD).assign(**changes))
    refused(error, found, "build_pairs")


# The bundled and the real files.


def test_bundled_data(repository):
    sources = read_corpora(repository / "config/demo/corpora.tsv")
    real_sources = read_corpora(repository / "config/corpora.tsv")
    known = {(entry.suite, entry.corpus, entry.pairs, entry.file) for entry in real_sources}
    total = 0
    for source in sources:
        path = repository / source.origin_location
        assert (source.suite, source.corpus, source.pairs, source.file) in known
        assert hashlib.sha256(path.read_bytes()).hexdigest() == source.sha256
        total += path.stat().st_size
        pairs = read_pairs(path, source)
        if source.suite != "probing_example":
            assert len(pairs) == 60
    assert total < 200_000


REAL_ROWS = {
    "stsb.csv": 1152,
    "sickr.csv": 3854,
    "askubuntu.csv": 334,
    "cqa.csv": 1820,
    "twitter.csv": 2041,
    "biosses.csv": 88,
    "sts-train.csv": 5749,
    "sts-dev.csv": 1500,
    "sts-test.csv": 1379,
    "SICK_train.txt": 4500,
    "SICK_trial.txt": 500,
    "SICK_test_annotated.txt": 4927,
}


def test_real_files(repository, mirror):
    rows = {}
    for source in read_corpora(repository / "config/corpora.tsv"):
        if source.file in REAL_ROWS:
            pairs = build_pairs([(mirror / source.mirror_path, source)])
            rows[source.file] = len(pairs) / len(source.pairs)
    assert rows == REAL_ROWS


def test_one_scored_pair(read):
    with pytest.raises(InputError) as error:
        read(HEADER + "A dog barks.,A hound barks.,5\n")
    refused(error, "one scored pair", "needs at least two")

"""Records survive their files, whatever they hold; order and dates change nothing."""

import dataclasses
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plusforge.generator.recordfile import arranged, read_recordings, read_records, write_records
from plusforge.generator.recordings import ProposalRecord, Record, Recordings, ReplyRecord

# Lone surrogates, too: a model's reply may hold the escape of one.
texts = st.text(st.characters(codec=None), max_size=8) | st.sampled_from(
    ["", "\n", "\r\n", "\u2028", "\ud800", "\x00", '"', "\\", "\ufeff{", "toy/10", "toy/9"]
)
hashes = st.sampled_from(["0" * 64, "1" * 64])
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | texts,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(texts, inner, max_size=2),
    max_leaves=4,
)  # fmt: skip
replies = st.builds(
    ReplyRecord,
    task_id=texts, task_sha256=hashes, template=texts,
    purpose=st.sampled_from(["inputs", "wrong", "contract", "x"]),
    prompt_sha256=hashes, number=st.integers(0, 2), model=texts, answered_by=texts,
    server=texts, params=st.dictionaries(texts, json_values, max_size=2), form=texts, text=texts,
    finish=texts, prompt_tokens=st.integers(), completion_tokens=st.integers(), date=texts,
)  # fmt: skip
tuples = st.lists(texts, max_size=3).map(tuple)
proposals = st.builds(
    ProposalRecord, kind=st.sampled_from(["imported", "manual"]), task_id=texts, origin=texts,
    task_sha256=hashes, inputs=tuples, near_invalid=tuples, wrong_programs=tuples,
)  # fmt: skip
records = st.lists(replies | proposals, max_size=6)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("recordings")


@settings(max_examples=60)
@given(found=records)
def test_what_is_written_is_read(folder: Path, found: list[Record]) -> None:
    write_records(folder / "x.jsonl", found)
    assert read_records(folder / "x.jsonl") == found
    whole = read_recordings([folder])
    assert list(whole.proposals) == [one for one in found if isinstance(one, ProposalRecord)]
    last = {one.key: one for one in found if isinstance(one, ReplyRecord)}
    assert list(whole.replies) == list(last.values())


@settings(max_examples=40)
@given(found=records, date=texts)
def test_dates_are_in_no_digest(found: list[Record], date: str) -> None:
    asked = tuple(one for one in found if isinstance(one, ReplyRecord))
    redated = tuple(dataclasses.replace(one, date=date) for one in asked)
    assert Recordings(asked).digest == Recordings(redated).digest


@settings(max_examples=40)
@given(found=st.lists(replies, max_size=8, unique_by=lambda one: one.key), seed=st.integers())
def test_the_order_of_replies_is_theirs_alone(found: list[ReplyRecord], seed: int) -> None:
    mixed: list[Record] = list(found)
    random.Random(seed).shuffle(mixed)
    assert arranged(mixed) == arranged(found)
    assert arranged(arranged(found)) == arranged(found)
    assert len(arranged(found)) == len(found)

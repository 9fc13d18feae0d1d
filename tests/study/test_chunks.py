"""Chunk files: whole, of this study, and never anything else."""

import math
import re
import time

import h5py
import numpy as np
import pytest

from scmanip.storage import Folder
from scmanip.study import Case, Row, Status, read_table, result_hash, run_study, study_status
from scmanip.study.execution._chunks import UnfitChunk, chunk_of, read_chunk, write_chunk
from scmanip.study.rows._block import block_of

from .toy_studies import Toy, ToyPlan

STUDY = "a" * 64


def rows(first=0, count=5):
    def row(i):
        case = Case(i, i, 0, {"mass_kg": 0.1 * i, "mode": "flying", "rate": (1.0 / 3.0, -0.0)})
        return Row(case, Status.FAILED if i % 2 else Status.COMPLETED, {"peak_Nm": math.nan if i % 2 else 1e-300}, "why\nnot")

    return [row(i) for i in range(first, first + count)]


def path_of(chunk):
    return chunk.folder.path / chunk.name


COLUMNS = ("mass_kg", "mode", "rate[0]", "rate[1]")


def same(one, other):
    return one.first == other.first and all(
        a.keys() == b.keys() and all(np.array_equal(a[k], b[k], equal_nan=a[k].dtype.kind == "f") for k in a)
        for a, b in ((one.inputs, other.inputs), (one.metrics, other.metrics))
    )


def test_what_is_written_is_what_is_read_to_the_last_bit(tmp_path):
    block = block_of(rows(7), COLUMNS)
    back = read_chunk(write_chunk(Folder(tmp_path), "chunks", STUDY, block), STUDY)
    assert same(back, block)
    assert np.signbit(back.inputs["rate[1]"]).all()
    assert back.statuses == block.statuses
    assert back.reasons == ("why not",) * 5
    assert (back.first, back.last) == (7, 11)


@pytest.mark.slow
def test_the_same_rows_give_the_same_bytes(tmp_path):
    one = path_of(write_chunk(Folder(tmp_path / "one"), "chunks", STUDY, block_of(rows(), COLUMNS)))
    time.sleep(1.1)  # HDF5 knows times, in seconds
    two = path_of(write_chunk(Folder(tmp_path / "two"), "chunks", STUDY, block_of(rows(), COLUMNS)))
    assert one.name == two.name
    assert one.read_bytes() == two.read_bytes()


def test_a_chunk_opens_in_any_reader_of_hdf5(tmp_path):
    chunk = write_chunk(Folder(tmp_path), "chunks", STUDY, block_of(rows(), COLUMNS))
    with h5py.File(path_of(chunk)) as file:
        assert file["inputs_names"].asstr()[()].tolist() == ["mass_kg", "rate[0]", "rate[1]"]
        assert file["inputs"].shape == (5, 3)
        assert file.attrs["status_names"].split()[file["status"][1] - 1] == "failed"


def test_every_cut_and_every_flipped_byte_is_found(tmp_path):
    chunk = write_chunk(Folder(tmp_path), "chunks", STUDY, block_of(rows(), COLUMNS))
    whole = path_of(chunk).read_bytes()
    for length in (0, 1, 8, len(whole) // 2, len(whole) - 1):
        path_of(chunk).write_bytes(whole[:length])
        with pytest.raises(UnfitChunk, match="digest"):
            read_chunk(chunk, STUDY)
    for place in range(0, len(whole), 97):
        path_of(chunk).write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        with pytest.raises(UnfitChunk, match="digest"):
            read_chunk(chunk, STUDY)


def test_a_chunk_under_the_name_of_other_cases_is_found(tmp_path):
    chunk = write_chunk(Folder(tmp_path), "chunks", STUDY, block_of(rows(), COLUMNS))
    name = path_of(chunk).name.replace("000000000-000000004", "000000005-000000009")
    path_of(chunk).rename(tmp_path / name)
    with pytest.raises(UnfitChunk, match="holds the cases 0 to 4"):
        read_chunk(chunk_of(chunk.folder, name), STUDY)


def damaged(folder):
    """Spoil chunks of a study in every way that happens; return how many files are spoilt, and how many cases they had."""
    paths = sorted((folder / "chunks").iterdir())
    torn, emptied, renamed = paths[0], paths[2], paths[4]
    torn.write_bytes(torn.read_bytes()[:-100])
    emptied.write_bytes(b"")
    renamed.rename(renamed.with_name(re.sub(r"^\d+-\d+", "000000090-000000099", renamed.name)))
    first, second = paths[6], paths[7]
    contents = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(contents)
    (folder / "chunks" / "notes.txt").write_text("mine")
    (folder / "chunks" / paths[1].name.replace("000000010", "100000010").replace("000000019", "100000019")).write_bytes(b"")
    (folder / ".scmanip-0123456789abcdef").write_bytes(b"half a chunk")
    return 7, 50


def test_spoilt_files_are_set_aside_with_a_note_and_their_cases_run_again(tmp_path):
    whole, spoilt = tmp_path / "whole", tmp_path / "spoilt"
    for folder in (whole, spoilt):
        run_study(ToyPlan(100), Toy(), folder, executor="serial", block=10)
    files, cases = damaged(spoilt)
    (spoilt / "cases.csv").unlink()
    assert study_status(spoilt).done == 100 - cases
    log = tmp_path / "log"
    outcome = run_study(ToyPlan(100), Toy(log=str(log)), spoilt, executor="serial", block=10)
    assert result_hash(spoilt) == result_hash(whole)
    assert len(log.read_text().splitlines()) == cases
    assert len(outcome.notes) == files
    assert len(list((spoilt / "set-aside").iterdir())) == files
    assert (spoilt / "set-aside.txt").read_text().splitlines() == list(outcome.notes)
    assert not list(spoilt.glob(".scmanip-*"))


def test_chunks_of_another_study_are_set_aside(tmp_path):
    run_study(ToyPlan(20, seed=1), Toy(), tmp_path / "one", executor="serial", block=10)
    run_study(ToyPlan(20, seed=2), Toy(), tmp_path / "two", executor="serial", block=10)
    expected = result_hash(tmp_path / "two")
    for path in (tmp_path / "two" / "chunks").iterdir():
        path.unlink()
    for path in (tmp_path / "one" / "chunks").iterdir():
        path.rename(tmp_path / "two" / "chunks" / path.name)
    outcome = run_study(ToyPlan(20, seed=2), Toy(), tmp_path / "two", executor="serial", block=10)
    assert [note.endswith("it belongs to another study; its cases are run again") for note in outcome.notes] == [True, True]
    assert result_hash(tmp_path / "two") == expected


def test_the_table_has_what_cases_csv_says(tmp_path):
    outcome = run_study(ToyPlan(50), Toy(failing=frozenset({3})), tmp_path / "s", executor="serial", block=7)
    table = read_table(tmp_path / "s", seed=7)
    lines = (tmp_path / "s" / "cases.csv").read_text().splitlines()
    assert lines[0] == "case,mass_kg,rate[0],rate[1],mode,status,reason,peak_Nm,turn_deg"
    assert lines[4].endswith(',flying,diverged,"left the model\'s range, quickly",nan,1.0')
    assert outcome.cases == len(table) == len(lines) - 1 == 50
    assert [repr(mass) for mass in table.inputs["mass_kg"].tolist()] == [line.split(",")[1] for line in lines[1:]]
    assert table.inputs["mode"].tolist() == ["floating", "flying"] * 25
    assert [repr(turn) for turn in table.metrics["turn_deg"].tolist()] == [line.split(",")[-1] for line in lines[1:]]
    assert table.seed == 7

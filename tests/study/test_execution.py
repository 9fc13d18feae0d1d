"""Wherever cases run, the results are the same, and a case that goes wrong spoils no other."""

import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest
from scipy.stats import norm

from scmanip.errors import InvalidInput, StudyHalted, StudyInterrupted
from scmanip.study import (
    Ended,
    FailureLimit,
    Keep,
    KeptWorst,
    Plan,
    Sobol,
    Stopped,
    dispersed,
    levels,
    read_table,
    result_hash,
    run_study,
    span,
    study_status,
)
from scmanip.study.execution._local_processes import LocalProcesses
from scmanip.study.execution._pools import processors
from scmanip.study.execution._worker import UnfitWorker, Work, run_block

from .clusters import cluster
from .toy_studies import QuickPlan, Toy, ToyPlan

ROOT = Path(__file__).parents[2]
CASES = int(os.environ.get("SCMANIP_STUDY_CASES", "20000"))
PLAN = ToyPlan(300)
RECIPE = Toy(failing=frozenset({3, 50}), raising=frozenset({120, 121}))


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    folder = tmp_path_factory.mktemp("serial") / "s"
    run_study(PLAN, RECIPE, folder, executor="serial", block=300)
    return result_hash(folder)


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    with cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"executor": "serial", "block": 7},
        {"workers": 1},
        {"workers": 2, "block": 11},
        {"workers": 4, "block": 64},
    ],
    ids=str,
)
def test_results_do_not_depend_on_workers_or_blocks(tmp_path, expected, options):
    outcome = run_study(ToyPlan(300), RECIPE, tmp_path / "s", **options)
    assert result_hash(tmp_path / "s") == expected
    assert (outcome.ended, outcome.cases, outcome.done, outcome.failed) == (Ended.COMPLETE, 300, 300, 4)


@pytest.mark.battery(1)
@pytest.mark.parametrize("make", [ThreadPoolExecutor, partial(ProcessPoolExecutor, mp_context=get_context("spawn"))])
def test_any_executor_gives_the_same_results(tmp_path, expected, make):
    with make(2) as executor:
        run_study(PLAN, RECIPE, tmp_path / "s", executor=executor, workers=2, block=40)
    assert result_hash(tmp_path / "s") == expected


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_results(tmp_path, expected, dask):
    run_study(PLAN, RECIPE, tmp_path / "s", executor=dask.address, block=20)
    assert result_hash(tmp_path / "s") == expected


@pytest.mark.slow
def test_a_plan_of_variables_and_distributions_runs_in_workers_as_it_does_here(tmp_path):
    plan = Plan(
        seed=3,
        design={"mode": levels("floating", "flying"), "mass_kg": span(4.0, 6.0)},
        dispersion={"rate": dispersed(norm(0.0, 0.1), size=2)},
        sampling=Sobol(16),
        repeats=5,
    )
    run_study(plan, Toy(), tmp_path / "one", executor="serial", block=3)
    run_study(plan, Toy(), tmp_path / "two", workers=2, block=32)
    assert result_hash(tmp_path / "one") == result_hash(tmp_path / "two")
    table = read_table(tmp_path / "two")
    assert list(table.inputs) == list(plan.columns)
    for number in (0, 41, 79):
        assert plan.case(number).values["rate"] == (table.inputs["rate[0]"][number], table.inputs["rate[1]"][number])


@pytest.mark.slow
def test_a_study_goes_on_with_another_executor(tmp_path, expected, dask):
    def stop(progress):
        raise KeyboardInterrupt

    for executor in ("serial", "local", dask.address):
        with pytest.raises(StudyInterrupted):
            run_study(PLAN, RECIPE, tmp_path / "s", executor=executor, workers=2, block=20, progress=stop)
    run_study(PLAN, RECIPE, tmp_path / "s", executor=dask.address)
    assert result_hash(tmp_path / "s") == expected


@pytest.mark.slow
def test_a_case_that_kills_its_dask_worker_is_quarantined(tmp_path, dask):
    run_study(ToyPlan(12), Toy(killing=frozenset({5})), tmp_path / "s", executor=dask.address, block=2)
    table = read_table(tmp_path / "s")
    assert [number for number in range(12) if table.status[number] != "completed"] == [5]
    assert table.status[5] == "quarantined"


@pytest.mark.slow
def test_a_lost_dask_scheduler_halts_the_study_and_keeps_its_rows(tmp_path):
    lost = pytest.raises(StudyHalted, match="connection to the dask scheduler was lost")
    with cluster(tmp_path, workers=1) as running, lost:
        run_study(
            PLAN, Toy(seconds=0.02), tmp_path / "s", executor=running.address, block=5,
            progress=lambda progress: running.scheduler.kill(),
        )  # fmt: skip
    assert 5 <= study_status(tmp_path / "s").done < 300


@pytest.mark.slow
def test_a_dask_cluster_that_does_not_answer_is_said_so(tmp_path, monkeypatch):
    monkeypatch.setattr("scmanip.study.execution._dask_cluster._ANSWER_S", 0.5)
    with pytest.raises(StudyHalted, match=r"No dask cluster with workers answers at dask://127\.0\.0\.1:9"):
        run_study(PLAN, RECIPE, tmp_path / "s", executor="dask://127.0.0.1:9")


def test_a_case_that_raises_is_a_row_with_its_reason_and_spoils_no_other(tmp_path):
    run_study(ToyPlan(30), Toy(raising=frozenset({7, 8, 21})), tmp_path / "s", executor="serial", block=16)
    table = read_table(tmp_path / "s")
    assert [i for i in range(30) if table.status[i] == "failed"] == [7, 8, 21]
    assert table.reason[21] == "ZeroDivisionError: inertia is singular"
    assert table.completed.sum() == 27


@pytest.mark.battery(0, judged=1)
@pytest.mark.parametrize("killing", [{0}, {6, 7}, {15}], ids=str)
def test_a_case_that_kills_its_worker_is_quarantined_with_its_inputs(tmp_path, killing):
    run_study(ToyPlan(16), Toy(), tmp_path / "harmless", executor="serial")
    run_study(ToyPlan(16), Toy(killing=frozenset(killing)), tmp_path / "s", workers=2, block=4)
    table, harmless = read_table(tmp_path / "s"), read_table(tmp_path / "harmless")
    for number in range(16):
        if number in killing:
            assert table.status[number] == "quarantined"
            assert table.reason[number] == "its worker process died while it ran"
        else:
            assert table.metrics["peak_Nm"][number] == harmless.metrics["peak_Nm"][number]
        assert table.inputs["mass_kg"][number] == harmless.inputs["mass_kg"][number]


@pytest.mark.slow
def test_a_case_that_hangs_is_quarantined_when_there_is_a_limit(tmp_path):
    outcome = run_study(ToyPlan(4), Toy(hanging=frozenset({2})), tmp_path / "s", workers=2, block=2, case_limit_s=0.3)
    assert read_table(tmp_path / "s").status.tolist() == ["completed", "completed", "quarantined", "completed"]
    assert outcome.done == 4


@pytest.mark.slow
def test_an_executor_whose_workers_die_is_replaced_when_there_is_a_way_to(tmp_path):
    recipe = Toy(killing=frozenset({5}))
    make = partial(ProcessPoolExecutor, 2, mp_context=get_context("spawn"))
    with make() as executor, pytest.raises(StudyHalted, match="give a function that makes one"):
        run_study(ToyPlan(12), recipe, tmp_path / "given", executor=executor, workers=2, block=6)
    run_study(ToyPlan(12), recipe, tmp_path / "made", executor=make, workers=2, block=6)
    assert study_status(tmp_path / "made").by_status == {"completed": 11, "quarantined": 1}


@pytest.mark.slow
def test_an_evaluator_that_cannot_be_made_halts_the_study(tmp_path):
    with pytest.raises(StudyHalted, match="the evaluator could not be made: ValueError: no such body"):
        run_study(PLAN, Toy(unmakeable=True), tmp_path / "s", workers=1)
    assert study_status(tmp_path / "s").done == 0


def test_a_worker_with_other_versions_runs_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("scmanip.study.execution._worker.releases", lambda: {"numpy": "1.0"})
    monkeypatch.setattr("scmanip.study.execution._worker.processor", lambda: "one, 4 lanes")
    with pytest.raises(UnfitWorker, match=r"a worker has numpy 1.0, not 2.4, processor one, 4 lanes, not two, 4 lanes"):
        run_block(Work("key", b"", (("numpy", "2.4"), ("processor", "two, 4 lanes"))), 0, 1)


@pytest.mark.slow
def test_a_script_without_a_main_guard_is_told_so(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\nfrom scmanip.study import run_study\nfrom tests.study.toy_studies import Toy, ToyPlan\n"
        "run_study(ToyPlan(20), Toy(), sys.argv[1], workers=1)\n"
    )
    done = subprocess.run(
        [sys.executable, str(script), str(tmp_path / "s")], cwd=ROOT, env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert 'if __name__ == "__main__":' in done.stderr.splitlines()[-1]


def test_workers_use_one_thread_each_and_the_driver_is_left_as_it_is(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "5")
    monkeypatch.delenv("MKL_NUM_THREADS", raising=False)
    pool = LocalProcesses(1)
    try:
        found = [pool.submit(os.getenv, name, alone=False).result() for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS")]
    finally:
        pool.close()
    assert found == ["1", "1"]
    assert (os.environ["OMP_NUM_THREADS"], os.environ.get("MKL_NUM_THREADS")) == ("5", None)


def test_there_are_as_many_workers_as_the_scheduler_allots(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(6)), raising=False)
    monkeypatch.delenv("SLURM_CPUS_PER_TASK", raising=False)
    assert processors() == 6
    monkeypatch.setenv("SLURM_CPUS_PER_TASK", "3")
    assert processors() == 3
    monkeypatch.setenv("SLURM_CPUS_PER_TASK", "64")
    assert processors() == 6


@pytest.mark.slow
def test_a_study_whose_first_cases_fail_stops_and_counts_the_reasons(tmp_path):
    recipe = Toy(failing=frozenset(range(0, 2000, 3)))
    outcome = run_study(ToyPlan(2000), recipe, tmp_path / "s", executor="serial", block=10)
    assert outcome.ended is Ended.FAILING
    assert outcome.advice.startswith(
        "Stopped: 44 of the first 200 cases did not complete, more than 20%: 44 x diverged, left the model's range, quickly."
    )
    assert not (tmp_path / "s" / "cases.csv").exists()
    assert outcome.done == 130
    again = run_study(ToyPlan(2000), recipe, tmp_path / "s", executor="serial", block=10)
    assert (again.ended, again.done) == (Ended.FAILING, 130)
    on = run_study(ToyPlan(2000), recipe, tmp_path / "s", executor="serial", failure_limit=None)
    assert (on.ended, on.cases, on.failed) == (Ended.COMPLETE, 2000, 667)


def test_a_study_that_fails_from_the_start_stops_after_a_few_cases(tmp_path):
    outcome = run_study(ToyPlan(2000), Toy(raising=frozenset(range(2000))), tmp_path / "s", executor="serial")
    assert outcome.ended is Ended.FAILING
    assert outcome.done <= 16
    assert "5 of the first 8" in outcome.advice or "8 of the first 8" in outcome.advice
    assert "8 x failed, ZeroDivisionError: inertia is singular" in outcome.advice


def test_failures_up_to_the_limit_do_not_stop_a_study(tmp_path):
    limit = FailureLimit(share=0.4)
    recipe = Toy(failing=frozenset(range(0, 500, 3)))
    assert run_study(ToyPlan(500), recipe, tmp_path / "s", executor="serial", failure_limit=limit).ended is Ended.COMPLETE
    with pytest.raises(InvalidInput, match="a share from 0 to 1"):
        FailureLimit(share=20.0)


class EnoughTurns:
    """Stops at the first prefix whose turns sum to more than a number."""

    def stopped(self, table, known=0):
        above = (table.metrics["turn_deg"].cumsum() > 3.0).nonzero()[0]
        return Stopped(int(above[0]) + 1, "enough turns") if above.size else None


@pytest.mark.slow
@pytest.mark.parametrize(
    "options", [{"executor": "serial", "block": 4}, {"executor": "serial", "block": 300}, {"workers": 2}], ids=str
)
def test_a_stop_rule_ends_the_study_at_the_same_case_whatever_the_blocks(tmp_path, options):
    run_study(PLAN, Toy(), tmp_path / "all", executor="serial")
    sums = read_table(tmp_path / "all").metrics["turn_deg"].cumsum()
    end = int((sums > 3.0).nonzero()[0][0]) + 1
    outcome = run_study(PLAN, Toy(), tmp_path / "s", stop=EnoughTurns(), **options)
    assert (outcome.ended, outcome.cases) == (Ended.ENOUGH, end)
    assert "enough turns" in outcome.advice
    lines = (tmp_path / "s" / "cases.csv").read_text().splitlines()
    assert lines == (tmp_path / "all" / "cases.csv").read_text().splitlines()[: end + 1]
    assert len(read_table(tmp_path / "s")) == end
    again = run_study(PLAN, Toy(), tmp_path / "s", stop=EnoughTurns(), **options)
    assert (again.cases, again.done) == (outcome.cases, outcome.done)


def test_progress_counts_cases_rate_time_left_and_failures(tmp_path):
    seen = []
    run_study(ToyPlan(40), Toy(failing=frozenset({1})), tmp_path / "s", executor="serial", block=10, progress=seen.append)
    assert [(progress.done, progress.total, progress.failed) for progress in seen] == [(n, 40, 1) for n in (10, 20, 30, 40)]
    assert all(progress.rate_per_s > 0 for progress in seen)
    assert seen[0].left_s > seen[-1].left_s == 0


@pytest.mark.battery(1)
@pytest.mark.parametrize("executor", ["serial", "local"])
def test_the_histories_of_the_nominal_the_worst_and_the_failed_cases_are_kept(tmp_path, executor):
    recipe = Toy(failing=frozenset({4, 8, 9}))
    keep = Keep(worst=KeptWorst("peak_Nm", 2), failed=2)
    outcome = run_study(ToyPlan(60), recipe, tmp_path / "s", executor=executor, workers=1, keep=keep)
    peaks = read_table(tmp_path / "s").metric("peak_Nm")
    worst = sorted(range(60), key=lambda i: -peaks[i] if peaks[i] == peaks[i] else 9)[:2]
    kept = sorted(path.name for path in (tmp_path / "s" / "kept").iterdir())
    assert kept == sorted(["nominal.nc", *(f"case-{number:06d}.nc" for number in {4, 8, *worst})])
    assert (tmp_path / "s" / "kept" / "nominal.nc").read_text() == "history of -1 []"
    assert outcome.notes == ()


@pytest.mark.slow
def test_memory_does_not_grow_with_the_number_of_cases(tmp_path):
    def peak_KiB(cases):
        code = f"""
import sys
from scmanip.study import run_study
from tests.study.toy_studies import QuickPlan, Toy
if __name__ == "__main__":
    run_study(QuickPlan({cases}), Toy(), {str(tmp_path / str(cases))!r}, workers=1, block=256)
    print(next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")))
"""
        script = tmp_path / "script.py"
        script.write_text(code)
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, str(script)], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        return int(done.stdout)

    short, long = peak_KiB(CASES // 10), peak_KiB(CASES)
    assert long - short < 4096, (short, long)


@pytest.mark.parametrize(("options", "told"), [
    ({"executor": "slurm"}, "executor: expected"), ({"block": 0}, "block: expected a number above 0, found 0"),
    ({"executor": "serial", "case_limit_s": 1.0}, "case_limit_s: expected executor"),
])  # fmt: skip
def test_options_that_mean_nothing_are_refused(tmp_path, options, told):
    with pytest.raises(InvalidInput, match=told):
        run_study(QuickPlan(3), Toy(), tmp_path / "s", **options)


@pytest.mark.slow
def test_a_worker_that_starts_loads_nothing_heavy():
    heavy = ("scipy.stats", "h5py", "distributed", "matplotlib", "pydantic", "llvmlite")
    code = f"import scmanip.study, sys; print([name for name in {heavy!r} if name in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, text=True).strip() == "[]"

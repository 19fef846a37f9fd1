"""Tests of optimisation/job_shop."""

from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.envs.sampling import sampled

from palaestra.envs.optimisation.job_shop import JobShop
from palaestra.generators.optimisation.job_shop import branch_and_bound, dispatched, sequential
from palaestra.task import InvalidAnswer
from palaestra.verifiers.certificates import schedule_violation


def test_a_schedule_may_name_its_jobs():
    task = sampled("optimisation/job_shop", 1, 0)
    lines = task.answer().splitlines()
    for label in ("Job {}: {}", "job {} : {}", "{}. {}", "{}: {}"):
        named = [label.format(number, line) for number, line in enumerate(lines, 1)]
        assert task.verify("\n".join(named)).value == 1
    assert task.verify("\n".join(f"- {line}" for line in lines)).value == 1
    with pytest.raises(InvalidAnswer):
        task.verify("\n".join(f"Job 1: {line}" for line in lines))


def orders(jobs):
    """Every way to order the jobs on each machine."""
    machines = sorted({machine for job in jobs for machine, _ in job})
    return product(*(permutations(range(len(jobs))) for _ in machines))


def makespan(jobs, order):
    """The makespan of the earliest schedule that keeps to an order, if there is one."""
    waiting = [list(machine) for machine in order]
    done, job_free, machine_free = [0] * len(jobs), [0] * len(jobs), [0] * len(order)
    moved = True
    while moved:
        moved = False
        for number, job in enumerate(jobs):
            if done[number] < len(job):
                machine, duration = job[done[number]]
                if waiting[machine] and waiting[machine][0] == number:
                    waiting[machine].pop(0)
                    end = max(job_free[number], machine_free[machine]) + duration
                    job_free[number] = machine_free[machine] = end
                    done[number] += 1
                    moved = True
    return max(job_free) if all(map(len(jobs[0]).__eq__, done)) else float("inf")


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([(3, 2), (2, 3), (3, 3), (4, 2)]))
def test_job_shop_optimum(seed, size):
    rng, (number, machines) = Random(seed), size
    jobs = tuple(
        tuple((m, rng.randint(1, 9)) for m in rng.sample(range(machines), machines))
        for _ in range(number)
    )
    schedule = branch_and_bound(jobs)
    assert schedule.proven
    assert schedule.makespan == min(makespan(jobs, order) for order in orders(jobs))
    assert schedule_violation(schedule.starts, jobs) == ""


def test_job_shop_ft06():
    """Fisher and Thompson's 6 x 6 instance, whose optimum is known to be 55."""
    rows = (
        "2 1 0 3 1 6 3 7 5 3 4 6", "1 8 2 5 4 10 5 10 0 10 3 4", "2 5 3 4 5 8 0 9 1 1 4 7",
        "1 5 0 5 2 5 3 3 4 8 5 9", "2 9 1 3 4 5 5 4 0 3 3 1", "1 3 3 3 5 9 0 10 4 4 2 1",
    )  # fmt: skip
    numbers = [[int(number) for number in row.split()] for row in rows]
    jobs = tuple(tuple(zip(row[::2], row[1::2])) for row in numbers)
    schedule = branch_and_bound(jobs, budget=20_000)
    assert (schedule.makespan, schedule.proven) == (55, True)
    assert schedule_violation(schedule.starts, jobs) == ""


SHOP = JobShop(jobs=(((0, 3), (1, 2)), ((0, 2), (1, 4)), ((1, 3), (0, 1))))


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("0, 2\n3, 5\n0, 9", "operation 2 of job 1 starts before operation 1 has ended"),
        ("-1, 3\n3, 5\n0, 9", "operation 1 of job 1 starts before time 0"),
        ("0, 3\n2, 5\n0, 9", "machine 1 has not done operation 1 of job 1"),
        ("0, 3\n3, 5\n4, 9", "machine 2 has not done operation 2 of job 1"),
    ],
)
def test_job_shop_reasons(answer, reason):
    score = SHOP.verify(answer)
    assert score.value == 0
    assert score.reason.startswith(reason)
    assert not SHOP.audit(answer)


@pytest.mark.parametrize(
    "answer", ["", "0, 3", "0, 3\n3, 5\n0", "0, 3\n3, 5\n0, x", "1.5, 3\n3 5\n0 9"]
)
def test_job_shop_unreadable(answer):
    with pytest.raises(InvalidAnswer):
        SHOP.verify(answer)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 4))
def test_job_shop_scores(seed, level):
    task = JobShop.sample(Random(seed), JobShop.Knobs.at(level))
    best = branch_and_bound(task.jobs)
    baseline = min(makespan for makespan, _ in dispatched(task.jobs))
    assert best.makespan < baseline <= task.worth(sequential(task.jobs))
    assert all(task.verify(shortcut).value == 0 for shortcut in task.shortcuts())
    late = [[start + 1 for start in starts] for starts in best.starts]
    score = task.verify(task.as_text(late))
    assert score.value == 0
    assert score.parts["progress"] == pytest.approx(1 - 1 / (baseline - best.makespan))
    assert not task.audit(task.as_text(late))
    assert task.audit(task.answer())


def test_huge_times_are_harmless():
    score = SHOP.verify("\n".join(f"{n}{'0' * 397}, {n}{'1' * 398}" for n in (1, 2, 3)))
    assert score.value == 0, score.reason
    assert score.parts["makespan"] == 10**9

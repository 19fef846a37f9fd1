"""Tests of planning/pancake_sorting."""

from palaestra.envs.planning.pancake_sorting import flipped, plain_plan, shortest


def test_every_stack_of_five_is_sorted_by_the_fewest_flips():
    done = (1, 2, 3, 4, 5)
    fewest, queue = {done: 0}, [done]
    for stack in queue:
        for number in range(2, 6):
            new = flipped(stack, number)
            if new not in fewest:
                fewest[new] = fewest[stack] + 1
                queue.append(new)
    assert max(fewest.values()) == 5
    assert all(len(shortest(stack)) == number for stack, number in fewest.items())
    assert all(len(plain_plan(stack)) >= number for stack, number in fewest.items())

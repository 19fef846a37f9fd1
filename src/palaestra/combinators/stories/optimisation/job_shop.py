"""A job shop as patients in a hospital, or as dishes in a kitchen."""

from palaestra.combinators.stories.phrases import counted
from palaestra.envs.optimisation.job_shop import JobShop
from palaestra.verifiers.reading.values import joined

HOSPITAL = (
    "{number} patients are to be examined this morning. Each of them goes to several rooms, one "
    "after the other in the order stated, and spends so many minutes there. There is one patient "
    "at a time in a room, and an examination is not interrupted. The first examinations can begin "
    "at minute 0, one can begin in the same minute in which another ends, and the ways between the "
    "rooms take no time.\n\n{lines}\n\nPlan the morning so that the last patient is finished as "
    "early as possible. If several plans are equally good, any of them will do. Write {number} "
    "lines, one for each patient in the order above: the minutes, whole numbers, in which the "
    "patient's examinations begin, in their order, such as '{example}'."
)
KITCHEN = (
    "A kitchen prepares {number} dishes. A dish goes from one cook to the next in the order "
    "stated, and each cook works on it for the minutes stated, without a break. A cook works on "
    "one dish at a time. Time is counted in minutes from 0 on, and a cook can begin at the moment "
    "when the dish and the cook are free, for instance when the cook before is "
    "finished.\n\n{lines}\n\nThe meal is served when all dishes are ready, which must be as early "
    "as possible. If several solutions are equally good, any of them will do. Write {number} "
    "lines, one for each dish in the order above: the times, whole numbers, at which the cooks "
    "begin with it, in their order, such as '{example}'."
)
STORIES = (
    (HOSPITAL, "Patient", "room"),
    (KITCHEN, "Dish", "cook"),
)


def prompt(task: JobShop, number: int) -> str:
    """The task in a story."""
    text, job, machine = STORIES[number % len(STORIES)]
    lines = (
        f"{job} {n}: "
        + ", ".join(f"{machine} {where + 1} ({counted(time, 'minute')})" for where, time in row)
        for n, row in enumerate(task.jobs, 1)
    )
    example = joined(range(0, 3 * len(task.jobs[0]), 3))
    return text.format(number=len(task.jobs), lines="\n".join(lines), example=example)

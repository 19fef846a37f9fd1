"""How the replies to combinations are read, in the layouts that models use.

What is refused may be wrong, or may mean two things. No layout makes a wrong answer right.
"""

from collections.abc import Callable, Iterator
from functools import cache

import pytest
from tests.hostile_texts import on_hostile_texts

from palaestra import Address, Episode
from palaestra.combinators.batch import BatchPuzzle, begins_with_header, read_answers
from palaestra.combinators.chain import ChainPuzzle
from palaestra.combinators.confidence import ConfidencePuzzle, read_confidence
from palaestra.combinators.constrain import ConstrainPuzzle, read_text
from palaestra.combinators.headers import uncovered
from palaestra.combinators.judge import JudgePuzzle, read_judgement
from palaestra.combinators.locate import LocatePuzzle
from palaestra.combinators.review import ReviewPuzzle, read_review
from palaestra.combinators.unanswerable import says_none
from palaestra.combinators.yes_no import YesNoPuzzle, verdict
from palaestra.episode import TAGS
from palaestra.registry import UnknownEnvironment
from palaestra.task import InvalidAnswer, Score

PROBLEM = "arithmetic/word_problem"


def tasks(name: str, level: int = 1) -> Iterator[object]:
    return (Address.of(name, seed, level).task() for seed in range(200))


def scored(task: object, answer: str) -> Score:
    """The score of a reply with an answer in tags."""
    episode = Episode(task, TAGS, [f"I solved it.\n<answer>{answer}</answer>"])  # type: ignore[arg-type]
    assert episode.score is not None
    return episode.score


# Batch


@cache
def batch() -> BatchPuzzle:
    task = Address.of(f"{PROBLEM}+batch(3)", 3, 1).task()
    assert isinstance(task, BatchPuzzle)
    return task


def listed(form: str, answers: list[str], between: str = "\n") -> str:
    return between.join(form.format(n=n, a=answer) for n, answer in enumerate(answers, 1))


BATCHES: dict[str, Callable[[list[str]], str]] = {
    "one line": lambda a: listed("Task {n}: {a}", a),
    "below": lambda a: listed("Task {n}:\n{a}", a),
    "bold, colon outside": lambda a: listed("**Task {n}**: {a}", a),
    "bold, colon inside": lambda a: listed("**Task {n}:** {a}", a),
    "bold, below": lambda a: listed("**Task {n}**\n{a}", a, "\n\n"),
    "bold line": lambda a: listed("**Task {n}: {a}**", a),
    "italics": lambda a: listed("*Task {n}*: {a}", a),
    "underscores": lambda a: listed("__Task {n}__: {a}", a),
    "code": lambda a: listed("`Task {n}`: {a}", a),
    "heading with colon": lambda a: listed("## Task {n}:\n{a}", a),
    "heading": lambda a: listed("## Task {n}\n{a}", a),
    "bold heading": lambda a: listed("### **Task {n}**\n\n{a}", a, "\n\n"),
    "without colon": lambda a: listed("Task {n}\n{a}", a),
    "fence": lambda a: f"```\n{listed('Task {n}: {a}', a)}\n```",
    "fence with name": lambda a: listed("Task {n}:\n{a}", a).join(("```text\n", "\n```")),
    "a fence each": lambda a: listed("Task {n}:\n```\n{a}\n```", a),
    "rules between": lambda a: listed("Task {n}:\n{a}", a, "\n---\n"),
    "rules and blank lines": lambda a: listed("**Task {n}**: {a}", a, "\n\n***\n\n"),
    "rules around": lambda a: f"---\n{listed('Task {n}: {a}', a)}\n---",
    "full-width colon": lambda a: listed("Task {n}\uff1a{a}", a),
    "dash": lambda a: listed("Task {n} - {a}", a),
    "long dash": lambda a: listed("Task {n} \u2014 {a}", a),
    "arrow": lambda a: listed("Task {n} -> {a}", a),
    "equals sign": lambda a: listed("Task {n} = {a}", a),
    "number sign": lambda a: listed("Task #{n}: {a}", a),
    "bullets": lambda a: listed("- Task {n}: {a}", a),
    "bold bullets": lambda a: listed("* **Task {n}**: {a}", a),
    "quote": lambda a: listed("> Task {n}:\n> {a}", a),
    "bold answers": lambda a: listed("Task {n}: **{a}**", a),
    "space before the colon": lambda a: listed("Task {n} : {a}", a),
    "small letters": lambda a: listed("task {n}: {a}", a),
    "introduction": lambda a: f"Here they are.\n{listed('Task {n}: {a}', a)}",
    "windows": lambda a: listed("Task {n}: {a}", a, "\r\n"),
}

UNREADABLE_BATCHES: dict[str, Callable[[list[str]], str]] = {
    "bare list": ", ".join,
    "numbers alone": lambda a: listed("{n}. {a}", a),
    "repeated": lambda a: f"Task 1: {a[0]}\n{listed('Task {n}: {a}', a)}",
    "one of two": lambda a: listed("Task {n}: {a} or 7", a),
    "trailing text": lambda a: f"{listed('Task {n}: {a}', a)}\nI hope this helps.",
    "a tag each": lambda a: listed("Task {n}: <answer>{a}</answer>", a),
    "on one line": lambda a: listed("Task {n}: {a}", a, ", "),
    "no space before a dash": lambda a: listed("Task {n}-{a}", a),
    "a minus sign": lambda a: listed("Task {n} -{a}", a),
    "a sentence": lambda a: listed("Task {n} has the answer {a}", a),
    "a task more": lambda a: listed("Task {n}: {a}", [*a, "7"]),
}


@pytest.mark.parametrize("layout", BATCHES)
def test_the_answers_of_a_batch_are_read(layout: str) -> None:
    answers = [task.answer() for task in batch().tasks]
    assert scored(batch(), BATCHES[layout](answers)).value == 1


@pytest.mark.parametrize("layout", BATCHES)
def test_wrong_answers_of_a_batch_stay_wrong(layout: str) -> None:
    answers = [task.answer() for task in batch().tasks]
    assert len(set(answers)) == 3
    for wrong in (answers[1:] + answers[:1], [*answers[:2], "0"], ["-" + answers[0], *answers[1:]]):
        assert scored(batch(), BATCHES[layout](wrong)).value == 0


@pytest.mark.parametrize("layout", UNREADABLE_BATCHES)
def test_other_layouts_of_a_batch_are_refused(layout: str) -> None:
    answers = [task.answer() for task in batch().tasks]
    assert scored(batch(), UNREADABLE_BATCHES[layout](answers)).value == 0


@pytest.mark.parametrize(
    "grid", ["#-#\n---", "###\n---", "A--\n---", "-\n---\n-", "---", "***\n*.*\n***"]
)
def test_rows_of_a_grid_are_no_rules(grid: str) -> None:
    assert read_answers(f"Task 1:\n{grid}\nTask 2:\n{grid}", 2) == [grid, grid]


@pytest.mark.parametrize(
    "text", ["Task 1: 4", "**Task 1**\n4", "## Task 1\n4", "\nTask 1 - 4", "Task 1) 4"]
)
def test_a_header_at_the_beginning_is_recognised(text: str) -> None:
    assert begins_with_header(text)


@pytest.mark.parametrize("text", ["4", "Task one: 4", "Task 1 is easy.", "My Task 1: 4", ""])
def test_what_is_no_header_at_the_beginning(text: str) -> None:
    assert not begins_with_header(text)


def test_emphasis_around_a_header_leaves_that_of_the_answer() -> None:
    assert read_answers("Task 1: *x*\n**Task 2:** **y**", 2) == ["*x*", "**y**"]
    assert read_answers("**Task 1: x*\nTask 2: *--*", 2) == ["x*", "*--*"]


def test_a_parenthesis_may_end_a_header() -> None:
    assert read_answers("Task 1) (4)\n**Task 2)** 5", 2) == ["(4)", "5"]
    with pytest.raises(InvalidAnswer):
        read_answers("Task 1)4\nTask 2: 5", 2)


# Confidence


@pytest.mark.parametrize(
    "line",
    [
        "Confidence: 85%",
        "confidence: 85 %",
        "**Confidence:** 85%",
        "**Confidence: 85%**",
        "**Confidence**: 85%",
        "*Confidence: 85%*",
        "- Confidence: 85%",
        "(Confidence: 85%)",
        "[Confidence: 85%]",
        "### Confidence: 85%",
        "Confidence\uff1a85%",
        "Confidence: 85 percent",
        "Confidence: 85 per cent.",
        "Confidence = 85%",
        "Confidence - 85%",
        "Confidence -> 85%",
        r"Confidence: 85\%",
        r"Confidence: $85\%$",
        r"**Confidence:** \(85\%\)",
        "Confidence: 85.0000001%",
        "Confidence: **85%**",
        "Confidence: `85%`",
        "Confidence: \uff18\uff15%",
        "Confidence: ~85%",
    ],
)
def test_a_line_of_confidence_is_read(line: str) -> None:
    for form in ("91\n{}", "91\n\n{}", "91\n---\n{}", "```\n91\n{}\n```", "```\n91\n```\n{}"):
        text, confidence = read_confidence(form.format(line))
        assert confidence == pytest.approx(0.85)
        assert text.strip("`\n") == "91"
    assert read_confidence(f"> 91\n> {line}") == ("91", pytest.approx(0.85))


def test_bullets_before_an_answer_and_its_confidence_go() -> None:
    assert read_confidence("- 91\n- Confidence: 85%") == ("91", 0.85)
    assert read_confidence("- 91\nConfidence: 85%") == ("- 91", 0.85)
    assert read_confidence("-91\n- Confidence: 85%") == ("-91", 0.85)
    assert read_confidence("- 1\n- 2\n- Confidence: 85%") == ("- 1\n- 2", 0.85)


@pytest.mark.parametrize(
    "text",
    [
        "91\nConfidence: 0.85",
        "91\nConfidence: 85",
        "91\nConfidence: 101%",
        "91\nConfidence: 100.5%",
        "91\nConfidence: -5%",
        "91\nConfidence -5%",
        "91\nConfidence: high",
        "91\nConfidence: about 85%",
        "91\nConfidence: 10% or 85%",
        "91\nConfidence: 85%\nDone.",
        "91\nConfidence: 10%\nConfidence: 85%",
        "91\nConfidence: 10%\n---\n(Confidence: 85%)",
        "Confidence: 10%\n91\nConfidence: 85%",
        "91\nConfidence: 10%\n\n92\nConfidence: 85%",
        "Confidence: 85%\n91",
        "Confidence: 85%",
        "```\nConfidence: 85%\n```",
        "91 Confidence: 85%",
        "91\nI am 85% sure",
        "91\nConfidence: 85%%",
        "91\nConfidence: (85%",
    ],
)
def test_other_texts_have_no_confidence(text: str) -> None:
    with pytest.raises(InvalidAnswer, match="Confidence: …%"):
        read_confidence(text)


def test_there_is_one_confidence_in_a_reply() -> None:
    """Two lines of it could not be told apart: that of a task and that of a batch, for instance."""
    for name in ("confidence+confidence", "confidence+batch(2)+confidence"):
        with pytest.raises(UnknownEnvironment, match="have a confidence already"):
            Address.of(f"{PROBLEM}+{name}")
    batched = Address.of(f"{PROBLEM}+batch(2)+confidence", 3, 1).task()
    answer = next(iter(batched.solve()))
    assert scored(batched, answer).value == 1
    assert scored(batched, f"Confidence: 10%\n{answer}").status == "malformed"


def test_an_answer_with_its_confidence_is_judged() -> None:
    task = Address.of(f"{PROBLEM}+confidence", 3, 1).task()
    assert isinstance(task, ConfidencePuzzle)
    right = task.task.answer()
    for form in (
        "```\n{}\nConfidence: 85%\n```",
        "> {}\n> Confidence: 85%",
        "{}\n(Confidence: 85%)",
    ):
        assert scored(task, form.format(right)).value == 1
        assert scored(task, form.format(f"{right}1")).value == 0


# Claims: review, yes_no, judge


def claim(name: str, right: bool) -> ReviewPuzzle | YesNoPuzzle:
    for task in tasks(name):
        assert isinstance(task, ReviewPuzzle | YesNoPuzzle)
        if task.right == right:
            return task
    raise AssertionError("no such claim")


CORRECTIONS = (
    "wrong\n{}",
    "Wrong.\n{}",
    "wrong: {}",
    "**Wrong**: {}",
    "**Wrong:** {}",
    "wrong\uff1a{}",
    "Wrong:\n{}",
    "incorrect\n{}",
    "no\n{}",
    "```\nwrong\n{}\n```",
    "> wrong\n> {}",
    "# wrong\n{}",
    "- wrong\n{}",
    "*wrong*\n{}",
    "\\boxed{{wrong}}\n{}",
    "Verdict: wrong\n{}",
    "The answer is wrong.\n{}",
    "The claimed answer is wrong.\n\n{}",
    "It is not right.\n{}",
    "wrong\nRight answer: {}",
    "wrong\nCorrect answer: {}",
    "wrong\n**Correct answer:** {}",
    "wrong\nThe right answer is {}.",
    "wrong\nThe correct answer is:\n{}",
    "wrong\n---\n{}",
    "wrong\n**{}**",
)

ACCEPTANCES = (
    "right",
    "Right.",
    "correct",
    "yes",
    "**right**",
    "# right",
    "> right",
    "```\nright\n```",
    r"\boxed{right}",
    r"\text{right}",
    "The answer is right.",
    "The claimed answer is correct.",
    "It is right",
    "Verdict: right",
    "right\nThe sum is so.",
)


@pytest.mark.parametrize("form", CORRECTIONS)
def test_a_correction_is_read(form: str) -> None:
    task = claim(f"{PROBLEM}+review", right=False)
    right = task.task.answer()
    assert scored(task, form.format(right)).value == 1
    assert scored(task, form.format(task.claim)).value == 0
    assert scored(task, form.format(f"{right}1")).value == 0
    assert scored(claim(f"{PROBLEM}+review", right=True), form.format(right)).value == 0


@pytest.mark.parametrize("form", ACCEPTANCES)
def test_an_acceptance_is_read(form: str) -> None:
    assert scored(claim(f"{PROBLEM}+review", right=True), form).value == 1
    assert scored(claim(f"{PROBLEM}+review", right=False), form).value == 0


@pytest.mark.parametrize(
    "text",
    [
        "right or wrong",
        "right, wrong\n91",
        "right\nwrong\n91",
        "right\nWrong: 91",
        "right\nor\nwrong\n91",
        "right\n\nBut it may be so:\n\n**wrong**\n91",
        "not wrong",
        "not incorrect\n91",
        "wrong",
        "wrong:",
        "91",
        "wrong 91",
        "wrong - 91",
        "right is 91",
        "maybe right",
        "rightwrong",
        "",
        "> ",
        "```\n```",
        "it is",
    ],
)
def test_other_reviews_are_refused(text: str) -> None:
    with pytest.raises(InvalidAnswer, match=r"expected right or wrong|below the word wrong"):
        read_review(text)


def test_a_review_that_cannot_be_read_is_told_the_words() -> None:
    with pytest.raises(InvalidAnswer, match="expected right or wrong"):
        read_review("91")


NO = (
    "No.",
    "no!",
    "No:",
    "**No**",
    "No, it is wrong",
    "No, it's wrong.",
    "No. It is wrong.",
    "No, the answer is not right.",
    "not right",
    "Not correct.",
    "It is wrong.",
    "It isn't right",
    "It isn\u2019t correct",
    "That is incorrect",
    "The claimed answer is wrong.",
    "This answer is false",
    r"\boxed{no}",
)


@pytest.mark.parametrize("text", NO)
def test_a_verdict_of_several_words_is_read(text: str) -> None:
    assert verdict(text) is False
    assert scored(claim(f"{PROBLEM}+yes_no", right=False), text).value == 1
    assert scored(claim(f"{PROBLEM}+yes_no", right=True), text).value == 0


@pytest.mark.parametrize(
    "text", ["Yes, it is right.", "Yes - correct", "The answer is true", "Yes:"]
)
def test_an_accepting_verdict_of_several_words_is_read(text: str) -> None:
    assert verdict(text) is True


@pytest.mark.parametrize(
    "text",
    [
        "right or wrong",
        "right/wrong",
        "Yes, it is wrong",
        "No, it is right",
        "yes no",
        "yes, no",
        "not wrong",
        "not incorrect",
        "not not right",
        "not no",
        "not yes",
        "never right",
        "isn't right?",
        "right?",
        "hardly correct",
        "is it right",
        "No, the right answer is 91",
        "maybe",
        "y",
        "",
        ".",
        "yes, yes, yes, yes, yes",
    ],
)
def test_a_hedged_verdict_is_refused(text: str) -> None:
    with pytest.raises(InvalidAnswer, match="expected yes or no"):
        verdict(text)


def judgement(number: int) -> JudgePuzzle:
    for task in tasks(f"{PROBLEM}+judge(5)"):
        assert isinstance(task, JudgePuzzle)
        if len(task.wrong) == number:
            return task
    raise AssertionError("no such task")


@pytest.mark.parametrize(
    "form",
    [
        "{}, {}",
        "{} and {}",
        "Tasks {} and {}",
        "Task {}, Task {}",
        "Task {}\nTask {}",
        "- Task {}\n- Task {}",
        "{}\n{}",
        "[{}, {}]",
        "Tasks {} and {} are wrong.",
        "Wrong: {}, {}",
        "The wrong ones are {} and {}.",
        "**Tasks {} and {}** are wrong.",
        "{}, {} are incorrect",
        "{} & {}",
        "#{}, #{}",
        "Task #{} and task #{}",
        "{}\uff0c{}",
        "{}\u3001{}",
    ],
)
def test_the_numbers_of_wrong_claims_are_read(form: str) -> None:
    task = judgement(2)
    one, two = task.wrong
    other = next(n for n in range(1, 6) if n not in task.wrong)
    answer = form.format(one, two)
    assert scored(task, answer).value == 1
    assert task.audit(answer)
    assert scored(task, form.format(one, other)).value == 0
    assert not task.audit(form.format(one, other))


@pytest.mark.parametrize(
    "text",
    [
        "0",
        "none",
        "None of them",
        "None of them is wrong.",
        "(none)",
        "None are wrong",
        "No claimed answer is wrong.",
    ],
)
def test_no_wrong_claims_is_a_judgement(text: str) -> None:
    assert scored(judgement(0), text).value == 1
    assert scored(judgement(2), text).value == 0


@pytest.mark.parametrize(
    "form", ["Task {}: {}", "- **Task {}**: {}", "{}: {}", "Task {} - {}", "Task {}\n{}."]
)
@pytest.mark.parametrize("words", [("right", "wrong"), ("Correct", "Incorrect")])
def test_a_verdict_for_each_task_is_a_judgement(form: str, words: tuple[str, str]) -> None:
    task = judgement(2)
    lines = [form.format(n, words[n in task.wrong]) for n in range(1, 6)]
    assert scored(task, "\n".join(lines)).value == 1
    assert task.audit("\n".join(lines))
    turned = [form.format(n, words[n not in task.wrong]) for n in range(1, 6)]
    assert scored(task, "\n".join(turned)).value == 0


@pytest.mark.parametrize(
    "text",
    [
        "Task 1: wrong\nTask 2: right or wrong\nTask 3: right",
        "Task 1: wrong\nTask 1: right\nTask 2: right\nTask 3: right",
        "Task 1: wrong\nTask 2: not wrong\nTask 3: right",
        "Task 1: wrong\nTask 2:\nTask 3: right",
        "Tasks 1 and 2 are right.",
        "Tasks 1 and 2 are not wrong.",
        "none of them is right",
        "all",
        "1-3",
        "1 or 2",
        "wrong: 1 or 2",
        "wrong: Task 1: right\nTask 2: wrong\nTask 3: right",
        "",
    ],
)
def test_other_judgements_are_refused(text: str) -> None:
    with pytest.raises(InvalidAnswer):
        read_judgement(text, 3)


# Locate, constrain, chain, unanswerable


@pytest.mark.parametrize(
    "form",
    [
        "{}: {}",
        "Step {}: {}",
        "**Step {}**: {}",
        "**Step {}:** {}",
        "**Step {}: {}**",
        "{}\uff1a{}",
        "Step {}\n{}",
        "Step {}:\n{}",
        "### Step {}\n{}",
        "{} - {}",
        "{} \u2014 {}",
        "{} -> {}",
        "Step {} = {}",
        "{}, {}",
        "`{}: {}`",
        "```\n{}: {}\n```",
        "Step #{}: {}",
    ],
)
def test_a_step_and_its_value_are_read(form: str) -> None:
    task = Address.of("arithmetic/long_multiplication+locate", 3, 1).task()
    assert isinstance(task, LocatePuzzle)
    assert scored(task, form.format(task.step, task.value)).value == 1
    assert scored(task, form.format(task.step, f"{task.value}1")).value == 0
    assert scored(task, form.format(task.step, f"-{task.value}")).value == 0
    assert scored(task, form.format(task.step % 3 + 1, task.value)).value == 0


def test_a_value_may_end_like_the_number_of_its_step() -> None:
    for task in tasks("algebra/matrix_product+locate"):
        assert isinstance(task, LocatePuzzle)
        assert scored(task, f"{task.step}: {task.value}").value == 1


@pytest.mark.parametrize(
    "form", ["{} {}", "{}\n{}", "1: 5\n{}: {}", "{}: {} or 5", "{} -{}", "{}{}"]
)
def test_other_steps_and_values_are_refused(form: str) -> None:
    task = Address.of("arithmetic/long_multiplication+locate", 3, 1).task()
    assert isinstance(task, LocatePuzzle)
    assert scored(task, form.format(task.step, task.value)).value == 0


@pytest.mark.parametrize(
    "form",
    [
        "{}\nAnswer:\n{}",
        "{}\nAnswer: {}",
        "{}\n**Answer:** {}",
        "{}\n**Answer**: {}",
        "{}\n## Answer:\n{}",
        "{}\n## Answer\n{}",
        "{}\n\n**Answer**\n{}",
        "{}\nFinal answer: {}",
        "{}\nThe answer: {}",
        "{}\nAnswer\uff1a{}",
        "```\n{}\nAnswer: {}\n```",
        "{}\n---\nAnswer: {}",
        "{}\n\n---\n\n**Answer:** {}",
        "{}\n- Answer: {}",
    ],
)
def test_a_text_and_the_answer_below_it_are_read(form: str) -> None:
    task = Address.of(f"{PROBLEM}+constrain(1)", 3, 1).task()
    assert isinstance(task, ConstrainPuzzle)
    text, answer = task.text.answer(), task.task.answer()
    assert scored(task, form.format(text, answer)).value == 1
    assert scored(task, form.format(text, f"{answer}1")).value == 0


@pytest.mark.parametrize(
    "reply",
    [
        "So be it. Answer: 76",
        "Answer: 76\nSo be it.",
        "Answer: 76",
        "So be it.\nAnswer:",
        "So be it.\nAnswers: 76",
        "So be it.\nAnswer 76",
        "So be it.\nAnswer is 76",
        "So be it.\n76",
        "",
    ],
)
def test_a_reply_without_a_text_or_an_answer_is_refused(reply: str) -> None:
    with pytest.raises(InvalidAnswer, match="a line 'Answer:'"):
        read_text(reply)


@pytest.mark.parametrize("form", ["{}", "x3 = {}", "x3: {}", "**x3**: {}", "x_3: {}", "x3\uff1a{}"])
def test_the_last_number_of_a_chain_is_read(form: str) -> None:
    task = Address.of("numbers/greatest_common_divisor+chain(3)", 3, 1).task()
    assert isinstance(task, ChainPuzzle)
    assert scored(task, form.format(task.answer())).value == 1
    assert scored(task, form.format(int(task.answer()) + 1)).value == 0


@pytest.mark.parametrize(
    "form", ["x2: {}", "x2 = {}", "x1={}", "**x2** = {}", "x: {}", "y3: {}", "x33: {}", "x3: 5, {}"]
)
def test_another_number_of_a_chain_is_refused(form: str) -> None:
    task = Address.of("numbers/greatest_common_divisor+chain(3)", 3, 1).task()
    assert scored(task, form.format(next(iter(task.solve())))).value == 0


@pytest.mark.parametrize(
    "text",
    [
        "no solution",
        "No solution!",
        "It's impossible",
        "It\u2019s impossible.",
        "This puzzle has no solution",
        "This task has no valid solution.",
        "There's no solution",
        "There is no valid solution",
        "no solution possible",
        "No solution exists",
        "it has no solutions",
        "Not solvable",
        "It is not solvable",
        "It cannot be solved",
        "It can't be solved.",
        "The puzzle cannot be solved",
        "The task is unsolvable",
        "cannot be solved",
        "**It is impossible.**",
    ],
)
def test_a_missing_solution_is_read(text: str) -> None:
    assert says_none(text)


@pytest.mark.parametrize(
    "text",
    [
        "none",
        "no",
        "not impossible",
        "it is not impossible",
        "it is not unsolvable",
        "it has a solution",
        "no solution yet",
        "no solution is impossible",
        "there is no solution, or 4",
        "solvable",
        "it can be solved",
        "not no solution",
        "is it impossible?",
        "no solution " * 20,
    ],
)
def test_other_texts_name_no_missing_solution(text: str) -> None:
    assert not says_none(text)


# Hostile texts

READERS: dict[str, Callable[[str], object]] = {
    "{}": says_none,
    "> {}": uncovered,
    "**Task 1**: {}": begins_with_header,
    "No, {}": verdict,
    "{}\n**Confidence**: 5%": read_confidence,
    "wrong: {}": read_review,
    "{0}\nAnswer: {0}": read_text,
    "Task 1: {0}\n**Task 2**\n{0}\n---": lambda text: read_answers(text, 2),
    "1: right\n2: {}": lambda text: read_judgement(text, 2),
}
"""A layout of each reader, in which it looks at what is in the braces."""


@on_hostile_texts
def test_every_reader_reads_or_refuses_hostile_texts(text: str) -> None:
    for form, read in READERS.items():
        for each in (text, form.format(text)):
            try:
                read(each)
            except InvalidAnswer:
                continue


@on_hostile_texts
def test_hostile_steps_and_numbers_are_read_or_refused(text: str) -> None:
    located = Address.of("arithmetic/long_multiplication+locate", 3, 1).task()
    chained = Address.of("numbers/greatest_common_divisor+chain(3)", 3, 1).task()
    for task in (located, chained):
        for form in (text, f"2: {text}", f"Step 2\n{text}", f"x3: {text}"):
            assert scored(task, form).value == 0


@pytest.mark.parametrize(
    "part",
    ["Task 1 ", "*", "> ", "```\n", "---\n", "no, ", "wrong\n", " ", "1, ", "1:\n", "2 is wrong\n"],
)
def test_long_texts_are_read_or_refused(part: str) -> None:
    for form, read in READERS.items():
        for text in (part * 50_000, form.format(part * 50_000)):
            try:
                read(text)
            except InvalidAnswer:
                continue

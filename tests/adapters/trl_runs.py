"""Runs of TRL's trainer with tiny models, and players that answer in a model's place."""

import json

from palaestra.address import Address
from palaestra.episode import ANSWER_FORMATS
from palaestra.scoring import any_task


def trained(model, tokenizer, args, **options):
    from trl import GRPOTrainer

    trainer = GRPOTrainer(model=model, processing_class=tokenizer, args=args, **options)
    trainer.train()
    return trainer


def solved(address, answer_format="tags"):
    return [
        ANSWER_FORMATS[answer_format].write(move) for move in Address.parse(address).task().solve()
    ]


class Scripted:
    """Answers in a model's place: TRL still tokenises, parses and masks."""

    def __init__(self, trainer, tokenizer, replies):
        self.asked, self.replies, self.tokenizer = [], replies, tokenizer
        trainer._generate_single_turn = self

    def __call__(self, prompt_ids, *_, **__):
        texts = [self.tokenizer.decode(ids) for ids in prompt_ids]
        self.asked.append(texts)
        completions = [self.tokenizer.encode(self.replies(text) + "<|im_end|>") for text in texts]
        return completions, None


def called(tool, **arguments):
    """A call as models with Qwen's template write it."""
    return f"<tool_call>\n{json.dumps({'name': tool, 'arguments': arguments})}\n</tool_call>"


def calls_of(address):
    """The replies of a perfect player who acts by calls alone."""
    task = Address.parse(address).task()
    replies = []
    for move in task.solve():
        if any_task(Address.parse(address).env).tools():
            call = {} if move == "done" else json.loads(move)
            replies.append(called(call["tool"], **call["args"]) if call else "It is done.")
        else:
            replies.append(called("answer", move=move))
    return [*replies, "That is all."]


def perfect_caller(rows):
    """What such a player replies to a chat that begins with the prompt of one of these rows."""
    plans = {row["prompt"][0]["content"]: calls_of(row["address"]) for row in rows}

    def reply(text):
        plan = next(plan for opening, plan in plans.items() if opening in text)
        return plan[min(text.count("<|im_start|>assistant"), len(plan)) - 1]

    return reply

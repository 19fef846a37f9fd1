"""The memory that the recipes under examples/gpu take, on cards of 80 and of 140 GB, as a table.

python benchmarks/memory.py
"""

from pathlib import Path

import yaml

from palaestra.trainers.memory import CARDS, GIB, MODELS, memory

RECIPES = sorted((Path(__file__).parents[1] / "examples/gpu").glob("*.yaml"))

if __name__ == "__main__":
    cards = " | ".join(f"{card}: fits, rollouts at once" for card in CARDS)
    print(f"| recipe | parameters | state | copy | learning | peak, GiB | {cards} |")
    print("|---|" + "---:|" * (5 + len(CARDS)))
    for file in RECIPES:
        config = yaml.safe_load(file.read_text("utf-8"))
        shape = MODELS[config["model"]]
        need = memory(shape, config)
        sizes = (need.state, need.copy, need.learning, need.peak)
        gib = " | ".join(f"{size / GIB:.1f}" for size in sizes)
        fits = " | ".join(
            f"{'yes' if need.fits(card) else 'no'}, {need.rollouts_at_once(card)}"
            for card in CARDS.values()
        )
        print(f"| {file.stem} | {shape.parameters:,} | {gib} | {fits} |")

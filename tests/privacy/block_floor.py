"""What blocks say about each other's coins, whatever a swap does well (docs/concepts/swap.md, T10).

    tests/privacy/run tests/privacy/block_floor.py --table adult okcupid --policy careful

People are drawn from the joint law of the table's private columns, in a table without end, and every
block is drawn by its exact law given what earlier blocks show. Whoever knows all this law, and sees all
blocks, believes in each coin with just the probability that is computed here. Public columns are left
out, and the law of many columns is that of the rows there are: both make the figures larger.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import tables

HERE = Path(__file__).resolve().parent
FEWEST_ROWS = 50  # values that fewer rows have count as one, as in the product


@dataclass
class Law:
    """Which vectors there are, one value a block, and how likely each is."""

    names: list[str]
    vectors: np.ndarray
    chance: np.ndarray


def law_of(people: tables.People, blocks: list[list[int]], order: np.ndarray) -> Law:
    columns = [codes_of(people, blocks[b]) for b in order]
    names = ["+".join(people.names[j] for j in blocks[b]) for b in order]
    vectors, counts = np.unique(np.stack(columns, axis=1), axis=0, return_counts=True)
    return Law(names, vectors, counts / counts.sum())


def codes_of(people: tables.People, block: list[int]) -> np.ndarray:
    codes = np.unique(
        np.stack([lumped(people.codes[:, j]) for j in block], 1), axis=0, return_inverse=True
    )
    return codes[1].reshape(-1)


def lumped(column: np.ndarray) -> np.ndarray:
    counts = np.bincount(column)
    return np.where(counts[column] < FEWEST_ROWS, -1, column)


def one_row(law: Law, keep: float, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Swaps one row; for each block whether it kept, and how strongly that is believed at the end."""
    truth = law.vectors[rng.choice(len(law.vectors), p=law.chance)]
    belief = law.chance
    kept = rng.random(len(truth)) < keep
    shown, expected = [], []
    for b, own in enumerate(truth):
        column = law.vectors[:, b]
        shares = np.bincount(column, weights=belief)
        shares /= shares.sum()
        shown.append(own if kept[b] else rng.choice(len(shares), p=shares))
        expected.append(shares[shown[b]])
        belief = belief * ((1 - keep) * expected[b] + keep * (column == shown[b]))
        belief = belief / belief.sum()
    agrees = (law.vectors == shown).T @ belief
    return kept, agrees * keep / (keep + (1 - keep) * np.array(expected))


def entropy(chance: np.ndarray | float) -> np.ndarray:
    chance = np.clip(chance, 1e-12, 1 - 1e-12)
    return -(chance * np.log2(chance) + (1 - chance) * np.log2(1 - chance))


def report(title: str, law: Law, keep: float, rows: int, rng: np.random.Generator) -> None:
    kept, believed = (np.array(part) for part in zip(*(one_row(law, keep, rng) for _ in range(rows))))
    bits = entropy(keep) - entropy(believed).mean(axis=0)
    above = [f"{np.mean(believed > limit):.4f}" for limit in (0.5, 0.7, 0.9)]
    worst = law.names[int(bits.argmax())]
    print(
        f"{title}: {len(law.names)} blocks, {bits.mean():.4f} bits a coin (most {bits.max():.4f}, "
        f"{worst}); believed > 0.5 / 0.7 / 0.9: {' / '.join(above)}; rows with any > 0.7: "
        f"{np.mean((believed > 0.7).any(axis=1)):.4f}; kept {kept.mean():.3f}, "
        f"believed {believed.mean():.3f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--table", nargs="+", required=True)
    parser.add_argument("--policy", default="careful")
    parser.add_argument("--apart", action="store_true", help="no columns together, whatever it says")
    parser.add_argument("--people", type=int, default=20000, help="rows whose joint law is taken")
    parser.add_argument("--rows", type=int, default=1500)
    parser.add_argument("--l", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for table in args.table:
        rng = np.random.default_rng(args.seed)
        people = tables.load(table, HERE / "policies" / f"{table}-{args.policy}.toml", args.seed)
        people = people.pick(np.arange(min(args.people, people.rows)))
        blocks = [[j] for j in people.private] if args.apart else people.blocks()
        law = law_of(people, blocks, rng.permutation(len(blocks)))
        report(f"{table} ({args.policy})", law, 1 / args.l, args.rows, rng)


if __name__ == "__main__":
    main()

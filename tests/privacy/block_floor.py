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
    columns: list[tuple[int, np.ndarray]]  # of each column its block, and its value by the block's


@dataclass
class Row:
    """One swapped row, and what is believed of it by whoever knows the law and sees all blocks."""

    kept: np.ndarray  # by block
    believed: np.ndarray  # likewise: how strongly
    shown: np.ndarray
    vectors: np.ndarray  # how likely each vector of the law is the true one


def law_of(people: tables.People, blocks: list[list[int]], order: np.ndarray) -> Law:
    codes, columns = [], []
    for at, b in enumerate(order):
        values, of_row = np.unique(
            np.stack([lumped(people.codes[:, j]) for j in blocks[b]], 1), axis=0, return_inverse=True
        )
        codes.append(of_row.reshape(-1))
        columns += [(at, np.unique(column, return_inverse=True)[1]) for column in values.T]
    names = ["+".join(people.names[j] for j in blocks[b]) for b in order]
    vectors, counts = np.unique(np.stack(codes, axis=1), axis=0, return_counts=True)
    return Law(names, vectors, counts / counts.sum(), columns)


def lumped(column: np.ndarray) -> np.ndarray:
    counts = np.bincount(column)
    return np.where(counts[column] < FEWEST_ROWS, -1, column)


def one_row(law: Law, keep: float, rng: np.random.Generator) -> Row:
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
    return Row(kept, agrees * keep / (keep + (1 - keep) * np.array(expected)), np.array(shown), belief)


class Gains:
    """Of (row, value) with a prior below 1/2: how many gain much over R, or over the prior.

    R is the belief if told that the row moved in this block. So the gain over R of the value that is shown
    is the belief in the coin, and that of every other value is none."""

    def __init__(self, law: Law, keep: float):
        self.law, self.keep, self.counts, self.pairs = law, keep, np.zeros(3), 0
        self.priors = [self.shares(c, law.chance) for c in range(len(law.columns))]

    def shares(self, column: int, vectors: np.ndarray) -> np.ndarray:
        block, value_of = self.law.columns[column]
        return np.bincount(
            value_of[self.law.vectors[:, block]], weights=vectors, minlength=value_of.max() + 1
        )

    def add(self, row: Row) -> None:
        for column, ((block, value_of), prior) in enumerate(zip(self.law.columns, self.priors)):
            low = prior < 0.5
            after = self.shares(column, row.vectors)
            over_prior = (after - prior)[low] / (1 - prior[low])
            shows_low = low[value_of[row.shown[block]]]
            self.counts += [
                shows_low and row.believed[block] > self.keep + 0.03,
                np.sum(over_prior > self.keep + 0.03),
                np.sum(over_prior > self.keep + 0.2),
            ]
            self.pairs += int(low.sum())

    def __str__(self) -> str:
        over = [f"{share:.5f}" for share in self.counts / self.pairs]
        return f"gains over R > p+.03: {over[0]}, over the prior > p+.03 / p+.2: {over[1]} / {over[2]}"


def entropy(chance: np.ndarray | float) -> np.ndarray:
    chance = np.clip(chance, 1e-12, 1 - 1e-12)
    return -(chance * np.log2(chance) + (1 - chance) * np.log2(1 - chance))


def report(title: str, law: Law, keep: float, rows: int, rng: np.random.Generator) -> None:
    gains, kept, believed = Gains(law, keep), [], []
    for _ in range(rows):
        row = one_row(law, keep, rng)
        gains.add(row)
        kept.append(row.kept)
        believed.append(row.believed)
    kept, believed = np.array(kept), np.array(believed)
    bits = entropy(keep) - entropy(believed).mean(axis=0)
    above = [f"{np.mean(believed > limit):.4f}" for limit in (0.5, 0.7, 0.9)]
    worst = law.names[int(bits.argmax())]
    print(
        f"{title}: {len(law.names)} blocks, {bits.mean():.4f} bits a coin (most {bits.max():.4f}, "
        f"{worst}); believed > 0.5 / 0.7 / 0.9: {' / '.join(above)}; rows with any > 0.7: "
        f"{np.mean((believed > 0.7).any(axis=1)):.4f}; kept {kept.mean():.3f}, "
        f"believed {believed.mean():.3f}; {gains}"
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

"""The plain swap gives the specification's figures (section 9), and its fast rounds the law of the slow ones.

Run: .deps/python/bin/python -m unittest discover -s tests/privacy -p '*_test.py'
"""

import unittest
from itertools import permutations, product

import numpy as np

from plain_swap import acceptance, exchange, exchange_one_by_one, splitmix64

Q = np.array([[0.7, 0.2, 0.1], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]])


def draws(q, rows, vectors):
    """(arrangement of vectors on rows, probability), each bijection by itself."""
    found = [
        (order, np.prod([q[r][v] for r, v in zip(rows, order)])) for order in permutations(vectors)
    ]
    total = sum(weight for _, weight in found)
    return [(order, weight / total) for order, weight in found]


def joint(q, vectors, p, belief=None):
    """(coins, true arrangement, shown arrangement, probability), with exact draws by q."""
    rows = range(len(vectors))
    for truth, weight in draws(q if belief is None else belief, rows, vectors):
        for coins in product([True, False], repeat=len(vectors)):
            chance = weight * np.prod([p if kept else 1 - p for kept in coins])
            moved = [r for r in rows if not coins[r]]
            for order, share in draws(q, moved, [truth[r] for r in moved]):
                shown = list(truth)
                for r, v in zip(moved, order):
                    shown[r] = v
                yield coins, truth, tuple(shown), chance * share


def posterior(q, vectors, p, shown, row, values, belief=None):
    """(belief in each value, the same when told that the row moved, belief that it kept its own)."""
    own, moved, kept = np.zeros(values), np.zeros(values), 0.0
    for coins, truth, seen, chance in joint(q, vectors, p, belief):
        if seen == tuple(shown):
            own[truth[row]] += chance
            kept += chance * coins[row]
            moved[truth[row]] += chance * (not coins[row])
    return own / own.sum(), moved / moved.sum(), kept / own.sum()


class Vectors(unittest.TestCase):
    def close(self, found, expected):
        np.testing.assert_allclose(found, expected, atol=1e-6)

    def test_a_what_rows_that_hold_0_1_2_show(self):
        law, truths = {}, 0.0
        for _, truth, shown, chance in joint(Q, (0, 1, 2), 1 / 3):
            if truth == (0, 1, 2):
                law[shown] = law.get(shown, 0) + chance
                truths += chance
        law = {shown: chance / truths for shown, chance in law.items()}
        expected = {
            (0, 1, 2): 0.849035625,
            (0, 2, 1): 0.093636017,
            (1, 0, 2): 0.037841533,
            (1, 2, 0): 0.005661713,
            (2, 0, 1): 0.005661713,
            (2, 1, 0): 0.008163400,
        }
        for shown, chance in expected.items():
            self.close(law[shown], chance)

    def test_a_posteriors_and_what_they_are_relative_to(self):
        own, moved, kept = posterior(Q, (0, 1, 2), 1 / 3, (0, 1, 2), 0, 3)
        self.close(own, (0.942671642, 0.043503245, 0.013825112))
        self.close(moved, (0.914007464, 0.065254868, 0.020737668))
        self.close(kept, 1 / 3)
        self.close(posterior(Q, (0, 1, 2), 1 / 3, (0, 1, 2), 1, 3)[0][1], 0.857199025)
        self.close(posterior(Q, (0, 1, 2), 1 / 3, (0, 1, 2), 2, 3)[1][2], 0.830315737)
        self.close(
            posterior(Q, (0, 1, 2), 1 / 3, (1, 0, 2), 0, 3)[0],
            (0.390561393, 0.569429171, 0.040009436),
        )

    def test_b_equal_vectors(self):
        q = [[0.5, 0.3, 0.2], [0.5, 0.3, 0.2], [0.2, 0.2, 0.6], [0.1, 0.6, 0.3]]
        own, moved, _ = posterior(q, (0, 0, 1, 2), 1 / 2, (0, 0, 1, 2), 0, 3)
        self.close(own, (0.918442859, 0.055695800, 0.025861340))
        self.close(moved[0], 0.836885719)
        own, moved, _ = posterior(q, (0, 0, 1, 2), 1 / 2, (0, 0, 1, 2), 2, 3)
        self.close(own, (0.116316691, 0.700401849, 0.183281459))
        self.close(moved, (0.232633383, 0.400803699, 0.366562919))

    def test_c_two_who_alone_can_have_a_value(self):
        q = [[0.5, 1 / 6, 1 / 6, 1 / 6]] * 2 + [
            [1e-6, (1 - 1e-6) / 3, (1 - 1e-6) / 3, (1 - 1e-6) / 3]
        ] * 2
        own, moved, _ = posterior(q, (0, 1, 2, 3), 1 / 3, (0, 1, 2, 3), 0, 4)
        self.close(own[0], 0.777777333)
        self.close(moved[0], 0.666666000)

    def test_d_acceptance(self):
        self.close(Q[0][2] * Q[2][0] / (Q[0][0] * Q[2][2]), 0.023809524)

    def test_e_a_better_model_sees_coins(self):
        better = [[0.9, 0.05, 0.05], [0.1, 0.6, 0.3], [0.05, 0.25, 0.7]]
        for row, expected in enumerate((0.350998777, 0.363047084, 0.350860773)):
            self.close(posterior(Q, (0, 1, 2), 1 / 3, (0, 1, 2), row, 3, better)[2], expected)

    def test_f_exchanges_in_integers(self):
        u = [[-365, -1648, -2358], [-1648, -710, -1233], [-2358, -1233, -523], [-710, -1233, -1648]]
        groups = [(0, 2), (0, 2), (2, 2), (2, 2)]
        trace: list = []
        holds, accepted = exchange_one_by_one(u, [0, 1, 2, 0], groups, splitmix64(42), 1000, trace)
        expected = [
            (2, 0, -3828),
            (0, 1, -2221),
            (1, 0, -2221),
            (2, 3, -2773),
            (0, 1, -2221),
            (3, 1, -1461),
        ]
        self.assertEqual([step[:3] for step in trace[:6]], expected)
        self.assertEqual(trace[6][:4] + (trace[6][4],), (0, 3, 0, True, [3, 1, 2, 0]))
        self.assertEqual(trace[9][:4] + (trace[9][4],), (0, 3, 0, True, [0, 1, 2, 3]))
        self.assertEqual((holds, accepted), ([1, 0, 2, 3], 355))
        self.assertEqual(acceptance()[1], 18428738468430479223)
        self.assertEqual(acceptance()[1024], 6786177901268885274)
        self.assertEqual(acceptance()[5000], 139746582999237088)

    def test_f_rounds_of_pairs_have_the_same_law(self):
        u = [
            np.array(
                [
                    [-365, -1648, -2358],
                    [-1648, -710, -1233],
                    [-2358, -1233, -523],
                    [-710, -1233, -1648.0],
                ]
            )
        ]
        values, group, rng = (
            np.array([[0], [1], [2], [0]]),
            np.array([0, 0, 1, 1]),
            np.random.default_rng(1),
        )
        ends = [values[exchange(u, values, group, 12, rng)[0], 0] for _ in range(6000)]
        shares = np.bincount(ends, minlength=3) / len(ends)
        np.testing.assert_allclose(shares, (0.893340217, 0.076960772, 0.029699011), atol=0.02)


if __name__ == "__main__":
    unittest.main()

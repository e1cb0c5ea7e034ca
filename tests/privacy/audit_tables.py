#!/usr/bin/env python3
"""Makes up tables that are hard on an audit, each with its policy (swap, l = 3):

    survey   1,615 rows, 90 public and 7 private columns
    visits   100,000 rows, 38 public and 12 private columns, two of these with 717 values
    two      100,000 rows, 2 public and 12 private columns, two of these with 717 values

    tests/privacy/audit_tables.py FOLDER

Columns hang together: a value is by the row's one hidden trait in a part of the cases, else by lot.
"""

import random
import sys


# What `protect` finds told by public columns, in the words that it proposes.
KNOWN_IN_VISITS = {"c38": ["c19", "c32"], "c42": ["c19", "c22"], "c44": ["c02", "c21"]}
KNOWN_IN_SURVEY = {
    "q0088": ["q0053", "q0062", "q0013", "q0044"],
    "q0089": ["q0025", "q0040", "q0034", "q0047"],
    "q0090": ["q0003", "q0046"],
    "q0091": ["q0008", "q0035", "q0038", "q0039"],
    "q0093": ["q0026", "q0062"],
    "q0095": ["q0020", "q0021", "q0082"],
    "q0096": ["q0021", "q0059", "q0001", "q0023"],
}


def policy(path, names, private, ladder, known=None):
    with open(path, "w", encoding="utf-8") as out:
        out.write(f'l = 3\nscheme = "swap"\nladder = {ladder}\n\n[column.id]\nrole = "id"\n')
        for name in names:
            role = "private" if name in private else "public"
            out.write(f'\n[column.{name}]\nrole = "{role}"\n')
            if known and name in known:
                listed = ", ".join(f'"{column}"' for column in known[name])
                out.write(f"known_from = [{listed}]\n")


def rows_of(path, names, count, row):
    with open(path, "w", encoding="utf-8") as out:
        out.write("id," + ",".join(names) + "\n")
        for number in range(1, count + 1):
            out.write(f"{number}," + ",".join(row()) + "\n")


def by_trait(lot, trait, part, domain, skew):
    chance = trait if lot.random() < part else lot.random()
    return min(domain - 1, int(domain * chance**skew * 0.9999))


def survey(folder):
    lot = random.Random(7)
    names = [f"q{number:04d}" for number in range(97)]
    domains = [lot.choice([2, 2, 3, 4, 5, 5, 5, 6, 7, 10, 12]) for _ in names]

    def row():
        trait = lot.random()
        return [f"a{by_trait(lot, trait, 0.5, domain, 2)}" for domain in domains]

    rows_of(f"{folder}/survey.csv", names, 1615, row)
    private = [name for name, domain in zip(names, domains) if domain >= 3][-7:]
    policy(f"{folder}/survey.toml", names, private, '[["q0000", "q0001"], ["q0000"]]', KNOWN_IN_SURVEY)


def visits(folder, called, columns, known=None):
    lot = random.Random(9)
    names = [f"c{number:02d}" for number in range(columns)]
    domains = [2, 10] + [lot.choice([2, 2, 3, 4, 4, 5, 8, 10, 15, 20, 70]) for _ in names[2:]]
    private = names[-12:]
    domains[-12:] = [max(domain, 4) for domain in domains[-12:]]
    domains[-2:] = [717, 717]

    def row():
        trait = lot.random()
        return [f"v{by_trait(lot, trait, 0.4, domain, 2.5)}" for domain in domains]

    rows_of(f"{folder}/{called}.csv", names, 100000, row)
    policy(f"{folder}/{called}.toml", names, private, '[["c00", "c01"], ["c00"]]', known)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    survey(sys.argv[1])
    visits(sys.argv[1], "visits", 50, KNOWN_IN_VISITS)
    visits(sys.argv[1], "two", 14)


main()

"""2,000 made-up people: what everybody may see of them, and what they hide."""

import random

COUNT = 2000
PUBLIC = ("handle", "name", "city", "age_band")
HIDDEN = ("religion", "income", "note")

_FIRST = ("Ada", "Bela", "Carmen", "Dario", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas",
          "Keiko", "Luca", "Mara", "Nils", "Olga", "Pavel", "Rosa", "Sami", "Tessa", "Yusuf")
_LAST = ("Abel", "Brandt", "Conti", "Dahl", "Egger", "Fuchs", "Garcia", "Haddad", "Ito", "Jansen",
         "Kaya", "Lopez", "Moreau", "Novak", "Okafor", "Perez", "Rossi", "Silva", "Toth", "Weber")
_CITIES = ("Basel", "Genoa", "Ghent", "Graz", "Lyon", "Malmo", "Porto", "Riga", "Seville", "Turku")
_AGES = ("18-29", "30-39", "40-49", "50-64", "65 and older")
_RELIGIONS = {"none": 40, "catholic": 22, "protestant": 15, "muslim": 10, "orthodox": 6,
              "buddhist": 3, "jewish": 2, "hindu": 2}
_NOTES = ("allergic to {}", "asked about {}", "does not want {}", "was late because of {}",
          "prefers {}", "complained about {}")
_THINGS = ("nuts", "night shifts", "the new office", "travel", "phone calls", "the canteen",
           "overtime", "a stay in hospital", "parking", "the lift")


def make_people(count=COUNT):
  """The same people on every call, as dictionaries."""
  chance = random.Random(2000)
  return [_make_person(number, chance) for number in range(1, count + 1)]


def _make_person(number, chance):
  note = chance.choice(_NOTES).format(chance.choice(_THINGS))
  return {
      "handle": f"person-{number:04d}",
      "name": f"{chance.choice(_FIRST)} {chance.choice(_LAST)}",
      "city": chance.choice(_CITIES),
      "age_band": chance.choice(_AGES),
      "religion": chance.choices(list(_RELIGIONS), list(_RELIGIONS.values()))[0],
      "income": round(chance.lognormvariate(10.5, 0.5)),
      "note": f"{note} on day {chance.randrange(1, 366)}",
  }

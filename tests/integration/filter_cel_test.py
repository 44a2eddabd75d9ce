"""Filters compared with another implementation of CEL, on random expressions and records.

Fields are guarded by has(), because a missing field is null only for Sash. A field has one type in
all records, as in a CEL environment with declared types. What cel-python computes otherwise than
the specification is not among the expressions: string(true), comparing an int with a double,
dividing a double by zero.
"""
import json
import os
import random
import subprocess
import unittest

import celpy

PROGRAM = os.environ.get("SASH_FILTER_ANSWERS", "build/release/tests/connectors/codec/filter/"
                                                "filter_answers")
EXPRESSIONS = int(os.environ.get("SASH_FILTER_EXPRESSIONS", "300"))
RECORDS = 6

FIELDS = {"int": ["/i", "/j", "/o/i"], "double": ["/d", "/o/d"], "string": ["/s", "/t"],
          "bool": ["/b"]}
INTS = [0, 1, 2, 3, -1, -7, 10, 42, 1000, 2 ** 31, 2 ** 62, 2 ** 63 - 1]
DOUBLES = [0.0, 1.0, -1.5, 2.5, 0.1, 1000.0, -0.25, 1e18, 1e300, 123456.789]
STRINGS = ["", "a", "abc", "TRANSFER", "CASH_OUT", "häß", "12", "-7", "1.5", "x'y", "a\"b", "\\n"]
PATTERNS = ["^a", "b", "^[A-Z_]+$", "^$", "c$", "[0-9]+", "(a|x).*", "."]


class Drawing:
    """Draws an expression, and writes it in both languages: fields as %0%, %1%, ..."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.fields = []

    def field(self, kind: str) -> str:
        name = self.dice.choice(FIELDS[kind])
        if name not in self.fields:
            self.fields.append(name)
        return f"%{self.fields.index(name)}%"

    def literal(self, kind: str) -> str:
        if kind == "int":
            return str(self.dice.choice(INTS))
        if kind == "double":
            return repr(self.dice.choice(DOUBLES))
        if kind == "string":
            return json.dumps(self.dice.choice(STRINGS), ensure_ascii=False)
        return self.dice.choice(["true", "false"])

    def value(self, kind: str, depth: int) -> str:
        if depth == 0 or self.dice.random() < 0.35:
            return self.field(kind) if self.dice.random() < 0.6 else self.literal(kind)
        if self.dice.random() < 0.1:
            return (f"({self.condition(depth - 1)} ? {self.value(kind, depth - 1)} : "
                    f"{self.value(kind, depth - 1)})")
        return getattr(self, kind)(depth - 1)

    def int(self, depth: int) -> str:
        shape = self.dice.randrange(7)
        if shape < 4:
            sign = self.dice.choice("+-*/%")
            return f"({self.value('int', depth)} {sign} {self.value('int', depth)})"
        if shape == 4:
            return f"int({self.value(self.dice.choice(['int', 'double', 'string']), depth)})"
        if shape == 5:
            return f"size({self.value('string', depth)})"
        return f"-({self.value('int', depth)})"

    def double(self, depth: int) -> str:
        if self.dice.random() < 0.7:
            sign = self.dice.choice("+-*/")
            divisor = repr(self.dice.choice([value for value in DOUBLES if value]))
            right = divisor if sign == "/" else self.value("double", depth)
            return f"({self.value('double', depth)} {sign} {right})"
        return f"double({self.value(self.dice.choice(['int', 'double', 'string']), depth)})"

    def string(self, depth: int) -> str:
        return f"string({self.value(self.dice.choice(['int', 'string']), depth)})"

    def bool(self, depth: int) -> str:
        return f"({self.condition(depth)})"

    def comparison(self, depth: int) -> str:
        kind = self.dice.choice(list(FIELDS))
        shape = self.dice.randrange(6)
        if shape == 0:
            text = self.value("string", depth)
            method = self.dice.choice(["startsWith", "endsWith", "contains"])
            return f"{text}.{method}({self.value('string', depth)})"
        if shape == 1:
            pattern = json.dumps(self.dice.choice(PATTERNS))
            return f"{self.value('string', depth)}.matches({pattern})"
        if shape == 2:
            elements = [self.value(kind, depth) for _ in range(self.dice.randint(1, 4))]
            return f"{self.value(kind, depth)} in [{', '.join(elements)}]"
        sign = self.dice.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"{self.value(kind, depth)} {sign} {self.value(kind, depth)}"

    def condition(self, depth: int) -> str:
        if depth == 0 or self.dice.random() < 0.3:
            return self.comparison(depth)
        shape = self.dice.randrange(8)
        if shape < 3:
            return f"{self.condition(depth - 1)} && {self.condition(depth - 1)}"
        if shape < 6:
            return f"({self.condition(depth - 1)} || {self.condition(depth - 1)})"
        if shape == 6:
            return f"!({self.condition(depth - 1)})"
        return (f"({self.condition(depth - 1)} ? {self.condition(depth - 1)} : "
                f"{self.condition(depth - 1)})")


def guarded(dice: random.Random) -> tuple:
    """One to three guarded conditions; for Sash and for CEL."""
    parts = []
    for _ in range(dice.randint(1, 3)):
        drawing = Drawing(dice)
        condition = drawing.condition(dice.randint(0, 3))
        guards = "".join(f"has(%{i}%) && " for i in range(len(drawing.fields)))
        text = f"({guards}({condition}))"
        ours, theirs = text, text
        for i, name in enumerate(drawing.fields):
            ours = ours.replace(f"%{i}%", name + " " if dice.random() < 0.5 else f"`{name}`")
            theirs = theirs.replace(f"%{i}%", "r" + name.replace("/", "."))
        parts.append((ours, theirs))
    signs = [dice.choice([" && ", " || "]) for _ in parts[1:]]
    return tuple(parts[0][side] + "".join(sign + part[side] for sign, part
                                          in zip(signs, parts[1:])) for side in (0, 1))


def record(dice: random.Random) -> dict:
    drawn = {"o": {}}
    for kind, values in (("int", INTS), ("double", DOUBLES), ("string", STRINGS),
                         ("bool", [True, False])):
        for name in FIELDS[kind]:
            if dice.random() < 0.2:
                continue
            *outer, last = name.split("/")[1:]
            (drawn[outer[0]] if outer else drawn)[last] = dice.choice(values)
    return drawn


def cel_answer(program, fields: dict) -> str:
    """What cel-python says of a record. Empty: it ends at the int of an infinity, also where && or
    || has a value."""
    try:
        answer = program.evaluate({"r": celpy.json_to_cel(fields)})
    except celpy.CELEvalError:
        return "fails"
    except OverflowError:
        return ""
    return "passes" if answer else "filtered"


class FilterCelTest(unittest.TestCase):
    def test_answers_are_those_of_cel(self) -> None:
        seed = int(os.environ.get("SASH_SEED", "20261125"))
        dice = random.Random(seed)
        environment = celpy.Environment()
        questions, expected = [], []
        for _ in range(EXPRESSIONS):
            ours, theirs = guarded(dice)
            records = [record(dice) for _ in range(RECORDS)]
            program = environment.program(environment.compile(theirs))
            questions.append(json.dumps({"filter": ours, "records": records}))
            expected.append([cel_answer(program, each) for each in records])
        run = subprocess.run([PROGRAM], input="\n".join(questions) + "\n", capture_output=True,
                             text=True, check=True)
        answers = [json.loads(line) for line in run.stdout.splitlines()]
        self.assertEqual(len(answers), len(questions))
        for question, answer, right in zip(questions, answers, expected):
            self.assertIsInstance(answer, list, f"{question}: {answer}")
            words = [each.split(":")[0] if known else "" for each, known in zip(answer, right)]
            self.assertEqual(words, right, f"seed {seed}: {question}: {answer}")
        counts = {kind: sum(row.count(kind) for row in expected)
                  for kind in ("passes", "filtered", "fails")}
        # Otherwise the expressions decide nothing.
        for kind, count in counts.items():
            self.assertGreater(count, len(expected) * RECORDS / 100, f"{kind}: {counts}")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Writes form-vectors.json: values, options, and the form that an encoder must make of them.

It implements the rules of forms independently of the library. Run it without arguments to write
the file next to it, or with `-` to print it.

A value is a list, whose first element is its kind:

    ["s", text] ["i", digits] ["f64", digits] ["f32", digits] ["dec", digits] ["b", bool] ["nil"]
    ["absent"]               a nil property, which synthesized types omit
    ["date", seconds]        since 2001, as text
    ["data", base64] ["url", text]
    ["list", [value…]]       an unkeyed container
    ["set", [text…]]
    ["obj", [[key, value]…]] a keyed container; a third element has the members of its superclass
    ["map", {key: value}]    a dictionary
"""

import base64
import datetime
import json
import pathlib
import random
import struct
import sys

DEFAULTS = {
    "sorted": True, "arrays": "brackets", "bools": "numeric", "data": "base64",
    "dates": "deferredToDate", "keys": "useDefaultKeys", "paths": "brackets", "nils": "dropKey",
    "spaces": "percentEscaped", "allowed": None,
}
CHOICES = {
    "sorted": [True, False],
    "arrays": ["brackets", "noBrackets", "indexInBrackets", "custom"],
    "bools": ["numeric", "literal"],
    "data": ["base64", "deferredToData", "custom"],
    "dates": ["deferredToDate", "secondsSince1970", "millisecondsSince1970", "iso8601", "custom"],
    "keys": ["useDefaultKeys", "convertToSnakeCase", "convertToKebabCase", "capitalized",
             "uppercased", "lowercased", "custom"],
    "paths": ["brackets", "dots", "custom"],
    "nils": ["dropKey", "dropValue", "null", "custom"],
    "spaces": ["percentEscaped", "plusReplaced"],
    "allowed": [None, "abcABC019[]", "abc %é", ""],
}
UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?"


# The first day of the Gregorian calendar, 15 October 1582, in days since 1970.
CUTOVER = -141_427


class Refused(Exception):
    pass


def julian(days):
    """Returns the date in the Julian calendar, by the formula of the Julian day number."""
    c = days + 2_440_588 + 32_082
    d = (4 * c + 3) // 1461
    e = c - 1461 * d // 4
    m = (5 * e + 2) // 153
    return f"{d - 4800 + m // 10:04}-{m + 3 - 12 * (m // 10):02}-{e - (153 * m + 2) // 5 + 1:02}"


def plain(digits, exponent, limit):
    """Returns `d.ddd` times ten to the exponent as Swift prints it below the limit."""
    if -4 <= exponent and limit:
        if exponent < 0:
            return "0." + "0" * (-exponent - 1) + digits
        whole = digits[:exponent + 1].ljust(exponent + 1, "0")
        return whole + "." + (digits[exponent + 1:] or "0")
    fraction = "." + digits[1:] if len(digits) > 1 else ""
    return f"{digits[0]}{fraction}e{'-' if exponent < 0 else '+'}{abs(exponent):02}"


def floating(value, shortest, limit):
    if value != value or value in (float("inf"), float("-inf")):
        raise Refused("value")
    sign = "-" if struct.pack(">d", value)[0] & 0x80 else ""
    if value == 0:
        return sign + "0.0"
    mantissa, _, exponent = shortest(abs(value)).partition("e")
    digits = mantissa.replace(".", "").rstrip("0")
    return sign + plain(digits, int(exponent), abs(value) <= limit)


def shortest64(value):
    for precision in range(17):
        text = f"{value:.{precision}e}"
        if float(text) == value:
            return text
    raise AssertionError(value)


def as32(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def shortest32(value):
    for precision in range(9):
        text = f"{value:.{precision}e}"
        if as32(float(text)) == value:
            return text
    raise AssertionError(value)


def double(value):
    return floating(value, shortest64, 2.0 ** 53)


def single(value):
    return floating(as32(value), shortest32, 2.0 ** 24)


def decimal(text):
    return text.rstrip("0").rstrip(".") if "." in text else text


class Form:
    def __init__(self, options):
        self.options = {**DEFAULTS, **options}

    def escaped(self, text):
        allowed = UNRESERVED if self.options["allowed"] is None else self.options["allowed"]
        result = ""
        for byte in text.encode():
            character = chr(byte)
            if character == " ":
                result += "+" if self.options["spaces"] == "plusReplaced" else "%20"
            elif byte < 0x80 and character in allowed:
                result += character
            else:
                result += f"%{byte:02X}"
        return result

    def spelled(self, key):
        style = self.options["keys"]
        if style == "convertToSnakeCase":
            return self.words(key, "_")
        if style == "convertToKebabCase":
            return self.words(key, "-")
        if style == "capitalized":
            return key[:1].upper() + key[1:]
        if style == "uppercased":
            return key.upper()
        if style == "lowercased":
            return key.lower()
        return f"<{key}>" if style == "custom" else key

    @staticmethod
    def words(key, separator):
        """Splits before a capital after a non-capital, and before the last capital of a run."""
        result = key[:1].lower()
        previous_is_capital = False
        for index in range(1, len(key)):
            is_capital = key[index].isupper()
            next_is_lower = index + 1 < len(key) and key[index + 1].islower()
            if is_capital and (not previous_is_capital or next_is_lower):
                result += separator
            result += key[index].lower()
            previous_is_capital = is_capital
        return result

    def pair(self, key, text):
        return [f"{self.escaped(self.spelled(key))}={self.escaped(text)}"]

    def date(self, seconds):
        since1970 = seconds + 978307200.0
        style = self.options["dates"]
        if style == "deferredToDate":
            return double(seconds)
        if style == "secondsSince1970":
            return double(since1970)
        if style == "millisecondsSince1970":
            return double(since1970 * 1000.0)
        if style == "iso8601":
            days, time = divmod(int(since1970 // 1), 86_400)
            date = datetime.date(1970, 1, 1) + datetime.timedelta(days=max(days, CUTOVER))
            clock = datetime.time(time // 3600, time // 60 % 60, time % 60).isoformat()
            return (julian(days) if days < CUTOVER else date.isoformat()) + f"T{clock}Z"
        return "@" + double(seconds)

    def element_key(self, key, index):
        return {"brackets": f"{key}[]", "noBrackets": key, "indexInBrackets": f"{key}[{index}]",
                "custom": f"{key}({index})"}[self.options["arrays"]]

    def member_key(self, path, key):
        return {"brackets": f"{path}[{key}]", "dots": f"{path}.{key}",
                "custom": f"{path}-{key}"}[self.options["paths"]]

    def elements(self, key, values):
        segments = []
        for value in values:
            segment = self.segments(self.element_key(key, len(segments)), value)
            if segment:
                segments.append("&".join(segment))
        return segments

    def members(self, pairs, name):
        joined = ["&".join(self.segments(name(key), value)) for key, value in pairs]
        joined = [text for text in joined if text]
        return sorted(joined) if self.options["sorted"] else joined

    @staticmethod
    def object_pairs(node):
        """Returns the members of a class and its superclass on one level. Later writes replace."""
        pairs = {}
        for key, value in node[1] + (node[2] if len(node) > 2 else []):
            pairs[key] = value
        return list(pairs.items())

    def segments(self, key, node):
        kind = node[0]
        if kind == "obj":
            return self.members(self.object_pairs(node), lambda inner: self.member_key(key, inner))
        if kind == "map":
            return self.members(sorted(node[1].items()), lambda inner: self.member_key(key, inner))
        if kind == "list":
            return self.elements(key, node[1])
        if kind == "set":
            texts = sorted(node[1], key=self.escaped)
            return self.elements(key, [["s", text] for text in texts])
        if kind in ("nil", "absent"):
            text = {"dropKey": None, "dropValue": "", "null": "null", "custom": "~none~"}[
                self.options["nils"]]
            return [] if text is None else self.pair(key, text)
        if kind == "data" and self.options["data"] == "deferredToData":
            numbers = [["i", str(byte)] for byte in base64.b64decode(node[1])]
            return self.elements(key, numbers)
        return self.pair(key, self.scalar(kind, node[1]))

    def scalar(self, kind, value):
        if kind == "b":
            return (("false", "true") if self.options["bools"] == "literal" else ("0", "1"))[value]
        if kind == "f64":
            return double(float(value))
        if kind == "f32":
            return single(float(value))
        if kind == "dec":
            return decimal(value)
        if kind == "date":
            return self.date(float(value))
        if kind == "data":
            data = base64.b64decode(value)
            return data.hex() if self.options["data"] == "custom" else value
        return value

    def root(self, node):
        check_depth(node, 0)
        if node[0] == "nil" or node[0] in ("list", "set") and not node[1]:
            return ""
        if node[0] == "obj":
            return "&".join(self.members(self.object_pairs(node), lambda key: key))
        if node[0] == "map":
            return "&".join(self.members(sorted(node[1].items()), lambda key: key))
        check_numbers(node)
        raise Refused("root")


def check_depth(node, depth):
    if node[0] not in ("obj", "map", "list"):
        return
    if depth >= 128:
        raise Refused("value")
    inner = node[1].values() if node[0] == "map" else node[1]
    for child in inner:
        check_depth(child[1] if node[0] == "obj" else child, depth + 1)


def check_numbers(node):
    if node[0] in ("f64", "f32"):
        double(float(node[1]))
    for child in node[1] if node[0] == "list" else []:
        check_numbers(child)


def vector(rule, node, **options):
    result = {"rule": rule, "options": options, "value": node}
    try:
        result["form"] = Form(options).root(node)
    except Refused as refusal:
        result["refusal"] = str(refusal)
    return result


# Chosen values


def s(text):
    return ["s", text]


def i(number):
    return ["i", str(number)]


def obj(**members):
    return ["obj", [[key, value] for key, value in members.items()]]


def arr(*values):
    return ["list", list(values)]


def nested(depth, wrap):
    node = i(1)
    for _ in range(depth):
        node = wrap(node)
    return node


def by_hand():
    # Roots.
    for node in [["nil"], arr(), ["set", []], obj(), ["map", {}], obj(a=["nil"]), arr(i(1)), s("x"),
                 i(1), ["b", True], ["f64", "1.5"], ["date", "0"], ["data", ""], ["set", ["a"]],
                 arr(obj(a=i(1))), ["map", {"1": s("x"), "0": s("y")}]]:
        yield vector("A-E5 roots", node)
    # Numbers.
    for digits in ["1", "-1", "0", "-0.0", "0.1", "1e-7", "1e20", "123456789", "1e15", "1e16",
                   "9007199254740991", "9007199254740992",
                   "9007199254740994", "18014398509481984", "0.0001", "0.00001", "5e-324",
                   "1.7976931348623157e308", "0.30000000000000004", "2.5e-5", "1e100", "nan", "inf",
                   "-inf"]:
        yield vector("A-E5 numbers", obj(n=["f64", digits]))
    for digits in ["1", "0.1", "1e-7", "1e20", "16777216", "16777218", "3.4028235e38", "0.3", "nan"]:
        yield vector("A-E5 numbers", obj(n=["f32", digits]))
    for digits in ["1", "1.50", "0.1", "100", "-2.500", "12345678901234567890.125", "0.000001"]:
        yield vector("A-E5 decimals", obj(n=["dec", digits]))
    for digits in ["0", "-1", "9223372036854775807", "-9223372036854775808"]:
        yield vector("A-E5 integers", obj(n=["i", digits]))
    # Nil.
    nils = obj(a=["nil"], b=["absent"], c=i(1), d=arr(["nil"], i(1), ["nil"], i(2)))
    for style in CHOICES["nils"]:
        for arrays in CHOICES["arrays"]:
            yield vector("A-E5 nil", nils, nils=style, arrays=arrays)
    # Empty values.
    empty = obj(a=arr(), b=obj(), c=s(""), d=arr(arr(), i(1), obj(), arr(i(2)), arr(arr())),
                e=obj(f=obj(), g=arr(obj())), h=["set", []], j=["map", {}])
    for arrays in CHOICES["arrays"]:
        yield vector("A-E5 empty", empty, arrays=arrays)
    # Superclasses.
    for is_sorted in [True, False]:
        own, inherited = [["b", i(1)], ["a", i(2)]], [["c", i(3)], ["b", i(4)]]
        yield vector("A-E5 super", ["obj", own, inherited], sorted=is_sorted)
        yield vector("A-E5 super", obj(x=["obj", own, inherited], y=i(0)), sorted=is_sorted)
    # Key encodings.
    keys = ["myURLProperty", "URLString", "userID", "a", "A", "AB", "aB", "ABc", "aBC", "aBCd",
            "already_snake", "a1B2", "HTMLParser", "ÜberÄnderung", "x-Y", "", "straße", "éa"]
    for style in CHOICES["keys"]:
        for key in keys:
            yield vector("A-E4 keys", ["obj", [[key, i(1)]]], keys=style)
        outer = obj(outerKey=obj(innerKey=arr(i(1), obj(deepKey=i(2)))))
        for paths in CHOICES["paths"]:
            yield vector("A-E5 key paths", outer, keys=style, paths=paths)
        yield vector("A-E5 key paths", outer, keys=style, arrays="custom")
    # Order.
    for is_sorted in [True, False]:
        for node in [obj(a=i(1), a1=i(2)), obj(b=arr(i(10), i(9), i(2)), a=i(1)),
                     obj(b=obj(z=i(1), y=i(2)), a=obj(d=i(3), c=arr(s("z"), s("a")))),
                     obj(a=obj(b=i(1)), aa=i(2), a0=i(3)), obj(B=i(1), a=i(2), C=i(3)),
                     arr(), obj(l=arr(obj(z=i(1), a=i(2)), obj(y=i(3), b=i(4)))),
                     obj(s=["set", ["b", "a", "c d", "Z"]])]:
            for arrays in ["brackets", "indexInBrackets"]:
                yield vector("A-E6 order", node, sorted=is_sorted, arrays=arrays)
    # Digit keys, and URLs.
    for paths in CHOICES["paths"]:
        digits = ["map", {"1": s("x"), "0": s("y"), "10": ["map", {"7": arr(i(1), i(2))}]}]
        yield vector("A-E7 digit keys", digits, paths=paths)
        yield vector("A-E7 digit keys", obj(a=digits), paths=paths)
        yield vector("A-E7 digit keys", ["obj", [["2", i(1)], ["1", obj(**{"0": i(2)})]]],
                     paths=paths)
    for text in ["https://h/a?b=c#d", "relative/path", "https://u:p@h/%20"]:
        yield vector("A-E7 URL", obj(u=["url", text], l=arr(["url", text])))
    # Booleans, data and dates.
    for style in CHOICES["bools"]:
        yield vector("A-E4 bools", obj(t=["b", True], f=["b", False], l=arr(["b", True])), bools=style)
    for style in CHOICES["data"]:
        for data in ["", "AA==", "/+7/", "aGVsbG8="]:
            for arrays in CHOICES["arrays"]:
                node = obj(d=["data", data], l=arr(["data", data]))
                yield vector("A-E4 data", node, data=style, arrays=arrays)
    for style in CHOICES["dates"]:
        for seconds in ["0", "123.456", "-978307200", "0.1", "-0.5", "700000000.75",
                        "252423993599", "-13197600001", "-13197600000", "-63113904000",
                        "-63114076800"]:
            yield vector("A-E4 dates", obj(d=["date", seconds]), dates=style)
    # Escaping.
    for spaces in CHOICES["spaces"]:
        for allowed in CHOICES["allowed"]:
            node = obj(**{" :#[]@!$&'()*+,;=/?": s(" :#[]@!$&'()*+,;=/?"), "aZ09-._~": s("é€😀\0\n%41"),
                          "c": s("abc ABC 019"), "d": ["f64", "1e20"]})
            yield vector("A-E4 escaping", node, spaces=spaces, allowed=allowed)
    # Depth.
    for wrap in [lambda node: arr(node), lambda node: obj(k=node), lambda node: ["map", {"k": node}]]:
        for depth in [127, 128]:
            yield vector("A-E5 depth", obj(r=nested(depth, wrap)))
    # A later write to a key replaces.
    twice = ["obj", [["a", obj(x=i(1))], ["b", i(2)], ["a", obj(y=i(3))]]]
    for is_sorted in [True, False]:
        yield vector("A-E5 replaced", twice, sorted=is_sorted)


# Random values


class Source:
    TEXT = "az09 -._~&=+%#;/?:@!$'()*,\"\\<>\t\n\r\x01\x7fé€😀\u0301[]"
    KEY = "abcxyzABCXYZ019_-. éÉ"

    def __init__(self, seed):
        self.random = random.Random(seed)

    def text(self, characters, most):
        return "".join(self.random.choice(characters) for _ in range(self.random.randint(0, most)))

    def key(self):
        return self.text(self.KEY, 8)

    def number(self):
        while True:
            value = struct.unpack("d", self.random.randbytes(8))[0]
            if self.random.random() < 0.7:
                value = self.random.choice([1.0, 0.5, -3.0, 1e16, 0.001]) * self.random.randint(0, 999)
            if value == value and abs(value) != float("inf"):
                return repr(value)

    def scalar(self):
        kind = self.random.choice(["s", "s", "s", "i", "f64", "dec", "b", "nil", "date", "data", "url"])
        if kind == "s":
            return s(self.text(self.TEXT, 10))
        if kind == "i":
            return i(self.random.randint(-2 ** 63, 2 ** 63 - 1) >> self.random.randint(0, 63))
        if kind == "f64":
            return ["f64", self.number()]
        if kind == "dec":
            return ["dec", f"{self.random.randint(-10 ** 9, 10 ** 9)}.{self.random.randint(0, 9999):04}"]
        if kind == "b":
            return ["b", self.random.random() < 0.5]
        if kind == "date":
            return ["date", repr(round(self.random.uniform(-1e9, 2e9), 3))]
        if kind == "data":
            return ["data", base64.b64encode(self.random.randbytes(self.random.randint(0, 9))).decode()]
        if kind == "url":
            return ["url", "https://h/" + self.text("abc/?=&", 6)]
        return ["nil"]

    def pairs(self, depth):
        pairs = [[self.key(), self.node(depth)] for _ in range(self.random.randint(0, 5))]
        return [[key, ["absent"] if node == ["nil"] and self.random.random() < 0.5 else node]
                for key, node in pairs]

    def node(self, depth):
        if depth == 0 or self.random.random() < 0.55:
            return self.scalar()
        kind = self.random.choice(["list", "obj", "map", "class", "set"])
        if kind == "list":
            return ["list", [self.node(depth - 1) for _ in range(self.random.randint(0, 4))]]
        if kind == "set":
            return ["set", sorted({self.text("abcXYZ &=", 3) for _ in range(self.random.randint(0, 4))})]
        return self.object(kind, depth)

    def object(self, kind, depth):
        if kind == "class":
            return ["obj", self.pairs(depth - 1), self.pairs(depth - 1)]
        if kind == "map":
            pairs = self.pairs(depth - 1)
            return ["map", {self.ascii(key): ["nil"] if node == ["absent"] else node
                            for key, node in pairs}]
        return ["obj", self.pairs(depth - 1)]

    @staticmethod
    def ascii(key):
        # The order of a dictionary's keys is that of Swift's strings, which differs outside ASCII.
        return "".join(character for character in key if character < "\x80")

    def options(self):
        return {name: self.random.choice(choices) for name, choices in CHOICES.items()
                if self.random.random() < 0.5}


def at_random():
    for seed in range(400):
        source = Source(seed)
        root = source.object(source.random.choice(["obj", "map", "class"]), 4)
        yield vector(f"random {seed}", root, **source.options())


def main():
    vectors = list(by_hand()) + list(at_random())
    lines = ",\n".join(json.dumps(vector, sort_keys=True) for vector in vectors)
    text = f"[\n{lines}\n]\n"
    if sys.argv[1:] == ["-"]:
        sys.stdout.write(text)
    else:
        pathlib.Path(__file__).with_name("form-vectors.json").write_text(text)


main()

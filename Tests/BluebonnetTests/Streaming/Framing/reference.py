"""Reads bodies as records, in the plainest way, from the whole body at once.

Reads lines of JSON, [kind, base64 of the body], and writes for each a line with the list of records:
texts for "lines" and "jsonLines", [type, data, id, retry] for "events", texts or null for an element
that may be cut for "jsonSequence", and base64 for "varint" and "bigEndian32", with null at the end if the
body ends within a message.
"""
import base64
import json
import re
import sys


def text(data):
    return data.decode("utf-8", "replace")


def lines(body):
    parts = re.split(b"\r\n|\n|\r", body)
    if parts[-1] == b"":
        parts.pop()
    return [text(part) for part in parts]


def json_lines(body):
    parts = [part[:-1] if part.endswith(b"\r") else part for part in body.split(b"\n")]
    return [text(part) for part in parts if part]


def events(body):
    stream = text(body)
    if stream.startswith("\ufeff"):
        stream = stream[1:]
    found, data, kind, last_id, retry = [], "", "", "", None
    parts = re.split("\r\n|\n|\r", stream)
    # What no line ending follows is discarded.
    for line in parts[:-1]:
        if line == "":
            if data != "":
                found.append([kind or "message", data[:-1], last_id, retry])
                retry = None
            data, kind = "", ""
            continue
        if line.startswith(":"):
            continue
        name, _, value = line.partition(":")
        if value.startswith(" "):
            value = value[1:]
        if name == "event":
            kind = value
        elif name == "data":
            data += value + "\n"
        elif name == "id":
            if "\0" not in value:
                last_id = value
        elif name == "retry":
            if re.fullmatch("[0-9]+", value):
                retry = int(value)
    return found


def json_sequence(body):
    found = []
    for part in body.split(b"\x1e"):
        if not part.strip(b" \t\r\n"):
            continue
        first, last = part.lstrip(b" \t\r\n")[:1], part[-1:]
        found.append(text(part) if first in b"{[\"" or last in b" \t\r\n" else None)
    return found


def messages(body, length):
    found = []
    while body:
        count, body = length(body)
        if count is None or len(body) < count:
            return found + [None]
        found.append(base64.b64encode(body[:count]).decode())
        body = body[count:]
    return found


def varint(body):
    value = 0
    for index, byte in enumerate(body):
        value |= (byte & 0x7F) << (7 * index)
        if byte < 0x80:
            return value, body[index + 1:]
    return None, b""


def big_endian(body):
    return (int.from_bytes(body[:4], "big"), body[4:]) if len(body) >= 4 else (None, b"")


readers = {
    "lines": lines, "jsonLines": json_lines, "events": events, "jsonSequence": json_sequence,
    "varint": lambda body: messages(body, varint),
    "bigEndian32": lambda body: messages(body, big_endian),
}
for line in sys.stdin:
    kind, body = json.loads(line)
    print(json.dumps(readers[kind](base64.b64decode(body))))

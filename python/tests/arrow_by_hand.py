"""Arrow streams made by hand with ctypes, as the specification of the C data interface lays them out: no package is needed."""

import ctypes as ct

import numpy as np


class Schema(ct.Structure):
    pass


class Array(ct.Structure):
    pass


class Stream(ct.Structure):
    pass


Schema._fields_ = [("format", ct.c_char_p), ("name", ct.c_char_p), ("metadata", ct.c_char_p), ("flags", ct.c_int64),
                   ("n_children", ct.c_int64), ("children", ct.POINTER(ct.POINTER(Schema))), ("dictionary", ct.POINTER(Schema)),
                   ("release", ct.CFUNCTYPE(None, ct.POINTER(Schema))), ("private_data", ct.c_void_p)]
Array._fields_ = [("length", ct.c_int64), ("null_count", ct.c_int64), ("offset", ct.c_int64), ("n_buffers", ct.c_int64),
                  ("n_children", ct.c_int64), ("buffers", ct.POINTER(ct.c_void_p)),
                  ("children", ct.POINTER(ct.POINTER(Array))), ("dictionary", ct.POINTER(Array)),
                  ("release", ct.CFUNCTYPE(None, ct.POINTER(Array))), ("private_data", ct.c_void_p)]
Stream._fields_ = [("get_schema", ct.CFUNCTYPE(ct.c_int, ct.POINTER(Stream), ct.POINTER(Schema))),
                   ("get_next", ct.CFUNCTYPE(ct.c_int, ct.POINTER(Stream), ct.POINTER(Array))),
                   ("get_last_error", ct.CFUNCTYPE(ct.c_void_p, ct.POINTER(Stream))),
                   ("release", ct.CFUNCTYPE(None, ct.POINTER(Stream))), ("private_data", ct.c_void_p)]
new_capsule = ct.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ct.py_object, [ct.c_void_p, ct.c_char_p, ct.c_void_p]
READ = []  # tables that have been read: what they gave may be released later than the last name of them goes
INTEGERS = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "f": "f4", "g": "f8",
            "tdD": "i4", "tdm": "i8", "tss:": "i8", "tsm:": "i8", "tsu:": "i8", "tsn:": "i8", "tsn:Europe/Berlin": "i8", "tts": "i4"}  # dates are counts


get_pointer = ct.pythonapi.PyCapsule_GetPointer
get_pointer.restype, get_pointer.argtypes = ct.c_void_p, [ct.py_object, ct.c_char_p]


def release(struct):
    struct.release(ct.pointer(struct))
    assert not struct.release  # as the specification asks for


def taken(struct):
    """Take a child out of its parent, which then does not release it."""
    own = type(struct).from_buffer_copy(struct)
    struct.release = type(struct.release)()
    return own


def read(table, late=False):
    """Return the columns that an object gives: {name: list}. late: stream, schema and rows are released before columns are read."""
    capsule = table.__arrow_c_stream__()
    stream = Stream.from_address(get_pointer(capsule, b"arrow_array_stream"))
    schema, rows, end = Schema(), Array(), Array()
    assert stream.get_schema(ct.pointer(stream), ct.pointer(schema)) == 0 and schema.format == b"+s"
    assert stream.get_next(ct.pointer(stream), ct.pointer(rows)) == 0 and rows.n_children == schema.n_children
    assert stream.get_next(ct.pointer(stream), ct.pointer(end)) == 0 and not end.release
    fields, arrays = ([taken(parent.children[i].contents) for i in range(parent.n_children)] for parent in (schema, rows))
    owners = [rows, schema, stream]
    if late:
        while owners:
            release(owners.pop())
    columns = {}
    for field, array in zip(fields, arrays):
        assert array.length == rows.length and array.offset == 0 and (array.null_count > 0) == bool(array.buffers[0])

        def buffer(i, kind, n):
            return np.frombuffer(ct.string_at(array.buffers[i], n * np.dtype(kind).itemsize) if n else b"", kind).tolist()

        if field.format == b"U":
            ends = buffer(1, "i8", array.length + 1)
            data = ct.string_at(array.buffers[2], ends[-1])
            columns[field.name.decode()] = [data[a:b].decode() for a, b in zip(ends, ends[1:])]
        else:
            columns[field.name.decode()] = buffer(1, INTEGERS[field.format.decode()], array.length)
        if array.null_count:
            bits = buffer(0, "u1", -(-array.length // 8))
            valid = [bits[row // 8] >> row % 8 & 1 for row in range(array.length)]
            assert valid.count(0) == array.null_count
            columns[field.name.decode()] = [value if is_valid else None for value, is_valid in zip(columns[field.name.decode()], valid)]
    for each in (*fields, *arrays, *owners):
        release(each)
    return columns


class Table:
    """A table of columns {name: (format, list of values)}; "dict:" before a format of texts makes a dictionary of them.

    cuts: where chunks end. offset: unused places before each chunk's values. rows_before: rows of the columns that the
    table's own offset skips. null_row: this row of each chunk is null as a whole. fail: get_next fails with this text.
    """

    def __init__(self, columns, cuts=(), offset=0, rows_before=0, null_row=None, fail=None):
        self.null_row = null_row
        self.columns, self.offset, self.rows_before, self.fail = columns, offset, rows_before, fail
        rows = max((len(values) for _, values in columns.values()), default=0)
        ends = [0, *cuts, rows]
        self.chunks = list(zip(ends, ends[1:]))
        self.kept, self.released, self.made = [], 0, 0

    def _keep(self, thing):
        self.kept.append(thing)
        return thing

    def _released(self, pointer):
        pointer.contents.release = type(pointer.contents.release)()
        self.released += 1

    def _pointers(self, kind, structs):
        return self._keep((ct.POINTER(kind) * max(1, len(structs)))(*(ct.pointer(self._keep(s)) for s in structs)))

    def _schema(self, text, name=b"", children=()):
        dictionary = None
        if text.startswith("dict:"):
            _, places, text = text.split(":")
            dictionary, text = ct.pointer(self._keep(self._schema(text))), places
        made = Schema(self._keep(text.encode()), name, None, 2, len(children), None, dictionary)
        made.children = self._pointers(Schema, children)
        return made

    def _array(self, text, values):
        values = list(values)
        is_number = text in INTEGERS or text == "b" or text.startswith("d:")
        padded = [next((v for v in values if v is not None), 0 if is_number else "")] * self.offset + values
        valid = np.packbits([v is not None for v in padded] or [0], bitorder="little")
        buffers, dictionary = [valid if None in values else None], None
        if text.startswith("dict:"):
            _, places, inner = text.split(":")
            words = sorted({v for v in padded if v is not None}, reverse=True)
            dictionary = ct.pointer(self._keep(self._array(inner, words)))
            buffers.append(np.array([0 if v is None else words.index(v) for v in padded], INTEGERS[places]))
        elif text == "b":
            buffers.append(np.packbits([bool(v) for v in padded] or [0], bitorder="little"))
        elif text.startswith("d:"):  # decimals, given as integers without their point
            buffers.append(np.frombuffer(b"".join((v or 0).to_bytes(16, "little", signed=True) for v in padded) or b"\0", np.uint8))
        elif text in INTEGERS:
            buffers.append(np.array([0 if v is None else v for v in padded], INTEGERS[text]))
        elif text in ("u", "U"):
            encoded = [(v or "").encode() for v in padded]
            buffers.append(np.cumsum([0, *map(len, encoded)]).astype("i4" if text == "u" else "i8"))
            buffers.append(np.frombuffer(b"".join(encoded), np.uint8) if any(encoded) else None)  # null, as it may be
        elif text == "vu":
            views, data = b"", b""
            for v in padded:
                if v is None:  # the words of a null may be anything
                    views += (100).to_bytes(4, "little") + b"null" + (2**28).to_bytes(4, "little") + (5).to_bytes(4, "little")
                    continue
                encoded = v.encode()
                views += len(encoded).to_bytes(4, "little")
                if len(encoded) <= 12:
                    views += encoded.ljust(12, b"\0")
                else:
                    views += encoded[:4] + (0).to_bytes(4, "little") + len(data).to_bytes(4, "little")
                    data += encoded
            buffers += [np.frombuffer(each or b"\0", np.uint8) for each in (views, data)] + [np.array([len(data)], "i8")]
        addresses = [None if b is None else self._keep(b).ctypes.data for b in buffers]
        made = Array(len(values), sum(v is None for v in values), self.offset, len(buffers), 0)
        made.buffers = self._keep((ct.c_void_p * len(buffers))(*addresses))
        if dictionary is not None:
            made.dictionary = dictionary
        return made

    def __arrow_c_stream__(self, requested_schema=None):
        left = list(self.chunks)
        READ.append(self)

        def get_schema(_, out):
            columns = [self._schema(text, name.encode()) for name, (text, _) in self.columns.items()]
            out[0] = self._schema("+s", children=columns)
            out.contents.release = self._keep(type(out.contents.release)(self._released))
            self.made += 1
            return 0

        def get_next(_, out):
            if self.fail:
                return 5
            if not left:
                out.contents.release = type(out.contents.release)()
                return 0
            begin, end = left.pop(0)
            arrays = []
            for text, values in self.columns.values():
                part = values[begin:end]
                arrays.append(self._array(text, [*values[:1] * self.rows_before, *part]))
            made = Array(end - begin, 0 if self.null_row is None else 1, self.rows_before, 1, len(arrays))
            made.buffers = self._keep((ct.c_void_p * 1)())
            if self.null_row is not None:
                there = np.arange(self.rows_before + end - begin) != self.rows_before + self.null_row
                made.buffers[0] = self._keep(np.packbits(there, bitorder="little")).ctypes.data
            made.children = self._pointers(Array, arrays)
            out[0] = made
            out.contents.release = self._keep(type(out.contents.release)(self._released))
            self.made += 1
            return 0

        def release(pointer):
            pointer.contents.release = type(pointer.contents.release)()
            self.released += 1

        types = dict(Stream._fields_)
        why = self._keep(ct.create_string_buffer((self.fail or "").encode()))
        stream = self._keep(Stream(types["get_schema"](get_schema), types["get_next"](get_next),
                                   types["get_last_error"](lambda _: ct.addressof(why)), types["release"](release)))
        self.made += 1
        return new_capsule(ct.addressof(stream), self._keep(b"arrow_array_stream"), None)

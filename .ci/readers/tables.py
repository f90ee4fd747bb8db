"""The facts of a table of Arrow, for pyarrow and what is made of it."""

import pyarrow as pa
import pyarrow.compute as pc


def columns(table):
    out = {}
    for name, column in zip(table.column_names, table.columns):
        t = column.type
        if pa.types.is_list(t):
            flat = pc.list_flatten(column)
            out[name], out[name + "[]"] = pc.sum(flat, min_count=0).as_py(), len(flat)
        elif pa.types.is_string(t) or pa.types.is_binary(t):
            out[name] = pc.sum(pc.binary_length(column), min_count=0).as_py()
        else:
            out[name] = pc.sum(column, min_count=0).as_py()
    return table.num_rows, out

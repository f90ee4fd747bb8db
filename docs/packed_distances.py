"""Reads packed distances with the standard library alone, as docs/distances.md describes them.

    shard = PackedDistances("release/distances/distances-0000.packed")
    shard.at(3, 1000)  # the links from node 1000 to the target of column 3; 255: there is no way
    shard.column(3)    # the distances of all nodes to it, as bytes

columns.arrow says which target has which column of which shard. Or in a terminal:
packed_distances.py FILE COLUMN NODE
"""

import mmap
import struct
import sys

HEAD, BLOCK, BITS = 64, 64, 480  # bytes before the columns and of a block, and the bits of a block


class PackedDistances:
    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
        magic, self.nodes, self.columns = struct.unpack_from("<16sQQ", self.data)
        if magic != b"wikinav.packed/1":
            raise ValueError(f"{path}: it begins with {magic}")
        self.graph_sha256 = self.data[32:HEAD].hex()
        ends = self.columns + 1
        self.begins = struct.unpack_from(f"<{ends}Q", self.data, len(self.data) - 8 * ends)

    def planes(self, column):
        """The planes of a column, as the distance, where the bits are, how many there are and how many
        of them are 1; then the distance of the nodes that no plane has, or 256, and where their bytes
        are."""
        (count,) = struct.unpack_from("<I", self.data, self.begins[column])
        numbers = struct.unpack_from(f"<{2 * count + 1}I", self.data, self.begins[column] + 4)
        place, nodes, planes = self.begins[column] + 8 + 8 * count, self.nodes, []
        for distance, ones in zip(numbers[:-1:2], numbers[1::2]):
            planes.append((distance, place, nodes, ones))
            blocks, left = divmod(nodes, BITS)
            place += blocks * BLOCK + (4 + 4 * -(-left // 32) if left else 0)
            nodes -= ones
        return planes, numbers[-1], place

    def at(self, column, node):
        """The distance of a node in a column; nothing else of the column is unpacked."""
        if not 0 <= node < self.nodes:
            raise IndexError(node)
        planes, last, rest = self.planes(column)
        for distance, place, _, _ in planes:
            before, word = self.block(place, node // BITS)
            bit = node % BITS
            if word >> bit & 1:
                return distance
            node -= before + (word & (1 << bit) - 1).bit_count()
        return self.data[rest + node] if last == 256 else last

    def block(self, place, i):
        """The number of ones before the i-th block of a plane, and its bits as one number. What stands
        behind the last block of a plane is not asked for."""
        at = place + i * BLOCK
        (before,) = struct.unpack_from("<I", self.data, at)
        return before, int.from_bytes(self.data[at + 4 : at + BLOCK], "little")

    def column(self, column):
        """The distances of all nodes to the target of a column."""
        planes, last, rest = self.planes(column)
        found, left = bytearray(self.nodes), range(self.nodes)
        for distance, place, nodes, _ in planes:
            none = []
            for i in range(-(-nodes // BITS)):
                _, word = self.block(place, i)
                for node in left[i * BITS : min(nodes, (i + 1) * BITS)]:
                    if word & 1:
                        found[node] = distance
                    else:
                        none.append(node)
                    word >>= 1
            left = none
        for i, node in enumerate(left):
            found[node] = self.data[rest + i] if last == 256 else last
        return bytes(found)


if __name__ == "__main__":
    print(PackedDistances(sys.argv[1]).at(int(sys.argv[2]), int(sys.argv[3])))

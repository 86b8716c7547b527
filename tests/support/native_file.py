"""Changes native files (docs/native-format.md) and corrects their checksums, which would find any change."""
import struct

ALL = (1 << 64) - 1
BLOCK, DATA = 262144, 4096
GOLDEN = 0x9e3779b97f4a7c15


def mix(x):
    x = (x + GOLDEN) & ALL
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9 & ALL
    x = (x ^ x >> 27) * 0x94d049bb133111eb & ALL
    return x ^ x >> 31


def checksum(data):
    lanes = [mix(lane) for lane in range(8)]
    for i, (word,) in enumerate(struct.iter_unpack("<Q", data + bytes(-len(data) % 64))):
        lane = lanes[i % 8] ^ word
        lanes[i % 8] = (lane << 31 | lane >> 33) * GOLDEN & ALL
    result = mix(len(data))
    for lane in lanes:
        result = mix(result ^ lane)
    return result


def changed(whole, section, place, form, *values):
    """The file with other values of a struct form in a section, from a place on."""
    data = bytearray(whole)
    begin, = struct.unpack_from("<Q", data, 80 + 16 * section)
    struct.pack_into(f"<{len(values)}{form}", data, begin + place * struct.calcsize(form), *values)
    end, size = struct.unpack_from("<QQ", data, 216)
    for block in range(size // 8):
        at = DATA + block * BLOCK
        struct.pack_into("<Q", data, end + 8 * block, checksum(bytes(data[at:min(at + BLOCK, end)])))
    struct.pack_into("<Q", data, 232, checksum(bytes(data[end:end + size])))
    struct.pack_into("<Q", data, 272, checksum(bytes(data[:272])))
    return bytes(data)

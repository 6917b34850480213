// A zip file of some bytes, the same for the same bytes: no times, no owners, names in order.

import { crc32 as zlibCrc32, deflateRawSync } from "node:zlib";

/** The checksum of zip files (CRC-32, reflected, polynomial 0xEDB88320). */
function crc32(bytes) {
  if (zlibCrc32) return zlibCrc32(bytes);
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** Midnight of 1 January 1980, the first time that the format knows. */
const time = 0;
const date = (1 << 5) | 1;
/** Names are UTF-8. */
const flags = 1 << 11;
const version = 20;

/** What the header of a file and its entry in the list at the end both have. */
function common({ method, crc, packed, size, name }) {
  const head = Buffer.alloc(26);
  head.writeUInt16LE(version, 0);
  head.writeUInt16LE(flags, 2);
  head.writeUInt16LE(method, 4);
  head.writeUInt16LE(time, 6);
  head.writeUInt16LE(date, 8);
  head.writeUInt32LE(crc, 10);
  head.writeUInt32LE(packed.length, 14);
  head.writeUInt32LE(size, 18);
  head.writeUInt16LE(name.length, 22);
  return head;
}

/**
 * @param {Map<string, Buffer>} files by their paths, with slashes
 * @returns {Buffer} at most 4 GiB and 65,535 files, as the format without its extensions has it
 */
export function zip(files) {
  const parts = [];
  const list = [];
  let offset = 0;
  const names = [...files.keys()].sort();
  for (const path of names) {
    const bytes = files.get(path);
    const deflated = deflateRawSync(bytes, { level: 9 });
    const smaller = deflated.length < bytes.length;
    const packed = smaller ? deflated : bytes;
    const entry = {
      method: smaller ? 8 : 0,
      crc: crc32(bytes),
      packed,
      size: bytes.length,
      name: Buffer.from(path),
    };
    const head = common(entry);
    const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), head, entry.name, packed]);
    parts.push(local);
    const place = Buffer.alloc(14);
    // A file that its owner may write and everybody read, as Unix says it.
    place.writeUInt32LE((0o100644 << 16) >>> 0, 6);
    place.writeUInt32LE(offset, 10);
    const unix = Buffer.from([version, 3]);
    list.push(Buffer.concat([Buffer.from("PK\x01\x02", "latin1"), unix, head, place, entry.name]));
    offset += local.length;
  }
  const directory = Buffer.concat(list);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}

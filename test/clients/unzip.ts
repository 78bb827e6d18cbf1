/** Takes one file out of a zip archive: the format's directory, then inflate. */
import { readFileSync } from "node:fs";
import { inflateRawSync } from "node:zlib";

const END_OF_DIRECTORY = 0x06054b50;
const STORED = 0;

export function fileFromZip(path: string, name: string): Buffer {
  const zip = readFileSync(path);
  let end = zip.length - 22;
  while (zip.readUInt32LE(end) !== END_OF_DIRECTORY) end--;
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((o) => zip.readUInt16LE(at + o));
    const entry = zip.toString("utf8", at + 46, at + 46 + nameSize!);
    if (entry === name) return contentAt(zip, at);
    at += 46 + nameSize! + extraSize! + commentSize!;
  }
  throw new Error(`${path} holds no ${name}`);
}

function contentAt(zip: Buffer, entry: number): Buffer {
  const method = zip.readUInt16LE(entry + 10);
  const size = zip.readUInt32LE(entry + 20);
  const header = zip.readUInt32LE(entry + 42);
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
  const packed = zip.subarray(start, start + size);
  return method === STORED ? packed : inflateRawSync(packed);
}

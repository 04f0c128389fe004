/**
 * A snapshot as a file: a header of 60 bytes (16 bytes magic, u32 version, u32 zero, u64 last record, u64 length of the
 * state, 16 bytes hash in ASCII, u32 CRC-32 of these 56 bytes), the state, u32 CRC-32 of the state.
 */
import { crc32 } from 'node:zlib';
import { FileFault } from '../domain/index.ts';
import type { Snapshot } from '../exchange/index.ts';
import type { Disk } from './disk.ts';
import { getU64, putU64 } from './frame.ts';

const HEADER = 60;
const TRAILER = 4;
const MAGIC = new TextEncoder().encode('halfspread snap\n');
const VERSION = 1;
const HASH = /^[0-9a-f]{16}$/;
const NAME = /^state-(\d{16})\.snapshot$/;
/** What a snapshot is called until it is whole. */
const PARTIAL = '.partial';
const REMEDY = 'Recovery uses the snapshot before it; put back a good copy to use this one';

/** The name of the snapshot that ends with a record. */
export function snapshotName(sequence: number): string {
  return `state-${String(sequence).padStart(16, '0')}.snapshot`;
}

/** The last record of a snapshot, by its name; undefined for other files, with a number that no record has, too. */
export function snapshotOf(name: string): number | undefined {
  const record = Number(NAME.exec(name)?.[1]);
  return Number.isSafeInteger(record) ? record : undefined;
}

/** Whether a file is a snapshot that was never finished. */
export function isPartial(name: string): boolean {
  return name.endsWith(PARTIAL) && snapshotOf(name.slice(0, -PARTIAL.length)) !== undefined;
}

/** Writes a snapshot under its own name, whole and durable or not at all. @throws FileFault */
export async function writeSnapshot(disk: Disk, snapshot: Snapshot): Promise<void> {
  const name = snapshotName(snapshot.sequence);
  const partial = `${name}${PARTIAL}`;
  if (disk.list().includes(partial)) disk.remove(partial);
  const file = await disk.create(partial);
  try {
    await file.write([header(snapshot)]);
    let crc = 0;
    for (const piece of snapshot.pieces) {
      crc = crc32(piece, crc);
      await file.write([piece]);
    }
    const trailer = new Uint8Array(TRAILER);
    new DataView(trailer.buffer).setUint32(0, crc, true);
    await file.write([trailer]);
    await file.sync();
  } finally {
    await file.close();
  }
  disk.rename(partial, name);
  await disk.syncFolder();
}

/** Reads a snapshot whole. @throws FileFault when anything in it is not as it was written */
export function readSnapshot(disk: Disk, sequence: number): Snapshot {
  const name = snapshotName(sequence);
  const bytes = disk.read(name);
  const { length, hash } = readHeader(disk, name, bytes, sequence);
  if (bytes.length !== HEADER + length + TRAILER) {
    throw fault(
      disk,
      name,
      bytes.length,
      `${HEADER + length + TRAILER} bytes are announced, ${bytes.length} are there`,
    );
  }
  const state = bytes.subarray(HEADER, HEADER + length);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (crc32(state) !== view.getUint32(HEADER + length, true)) throw fault(disk, name, HEADER, 'the state is damaged');
  return { sequence, hash, pieces: [state] };
}

/** Whether a snapshot has a good header, which says that all records up to its own were durable once. */
export function hasGoodHeader(disk: Disk, sequence: number): boolean {
  const name = snapshotName(sequence);
  try {
    readHeader(disk, name, disk.read(name, HEADER), sequence);
    return true;
  } catch (cause) {
    if (cause instanceof FileFault) return false;
    throw cause;
  }
}

function header({ sequence, hash, pieces }: Snapshot): Uint8Array<ArrayBuffer> {
  if (!HASH.test(hash)) throw new RangeError(`Invariant: ${hash} is no hash of a state`);
  const bytes = new Uint8Array(HEADER);
  const view = new DataView(bytes.buffer);
  bytes.set(MAGIC);
  view.setUint32(16, VERSION, true);
  putU64(view, 24, sequence);
  putU64(
    view,
    32,
    pieces.reduce((sum, { length }) => sum + length, 0),
  );
  bytes.set(new TextEncoder().encode(hash), 40);
  view.setUint32(56, crc32(bytes.subarray(0, 56)), true);
  return bytes;
}

function readHeader(
  disk: Disk,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
  sequence: number,
): { readonly length: number; readonly hash: string } {
  if (bytes.length < HEADER) throw fault(disk, name, bytes.length, 'the header is incomplete');
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEADER);
  if (crc32(bytes.subarray(0, 56)) !== view.getUint32(56, true)) throw fault(disk, name, 0, 'the header is damaged');
  if (!MAGIC.every((byte, at) => bytes[at] === byte)) throw fault(disk, name, 0, 'this is no snapshot of halfspread');
  const version = view.getUint32(16, true);
  if (version !== VERSION) {
    throw fault(disk, name, 16, `it is of version ${version}, this program reads version ${VERSION}`);
  }
  const said = getU64(view, 24);
  if (said !== sequence) throw fault(disk, name, 24, `it ends with record ${said}, not with the one of its name`);
  return { length: getU64(view, 32), hash: new TextDecoder().decode(bytes.subarray(40, 56)) };
}

function fault({ folder }: Disk, name: string, offset: number, problem: string): FileFault {
  return new FileFault(`${folder}/${name}`, `byte ${offset}`, problem, REMEDY);
}

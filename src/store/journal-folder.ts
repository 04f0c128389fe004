/** What is found in a journal's folder, and the repair of a torn end. */
import { FileFault } from '../domain/index.ts';
import type { JournalBatch } from '../exchange/index.ts';
import type { Disk } from './disk.ts';
import { FRAME_KIND } from './frame.ts';
import { readSegmentHeader, SEGMENT_HEADER, type SegmentEnd, scanFrames, segmentName, segmentOf } from './segment.ts';
import { hasGoodHeader, isPartial, snapshotOf } from './snapshot-file.ts';

/** What was cut off the end of a segment. Nothing of it was ever acknowledged, unless the disk has lost what it had. */
export interface Cut {
  /** Path of the segment. */
  readonly file: string;
  /** Where the good part ends. */
  readonly offset: number;
  readonly bytes: number;
  readonly problem: string;
}

/** A folder as it is after the repair. */
export interface Folder {
  /** First records of the segments, ascending. */
  readonly segments: readonly number[];
  /** Last records of the snapshots, newest first. */
  readonly snapshots: readonly number[];
  /** The last record, in a segment or in a snapshot. */
  readonly last: number;
  readonly cut: Cut | undefined;
}

const REMEDY =
  'Put back a good copy of this file; without one, what it and all later files of records hold from there on is lost: ' +
  'move them away to start with what is before';

/** Looks at a folder, removes what was never finished, cuts a torn end off. @throws FileFault on damage */
export async function openFolder(disk: Disk): Promise<Folder> {
  const names = disk.list();
  const partial = names.filter(isPartial);
  for (const name of partial) disk.remove(name);
  const segments = names.flatMap((name) => segmentOf(name) ?? []).sort((a, b) => a - b);
  const snapshots = names.flatMap((name) => snapshotOf(name) ?? []).sort((a, b) => b - a);
  const { next, cut } = endOfRecords(disk, segments);
  await disk.syncFolder();
  const [newest = 0] = snapshots;
  const isAhead = newest >= next && hasGoodHeader(disk, newest);
  return { segments, snapshots, last: isAhead ? newest : next - 1, cut };
}

/**
 * Shows the batches of a segment that has no torn end.
 * @param size how much of it counts; undefined for all
 * @returns the record that comes after it
 * @throws FileFault on damage
 */
export function readSegment(
  disk: Disk,
  first: number,
  size: number | undefined,
  visit: (batch: JournalBatch) => void,
): number {
  const { end } = scan(disk, first, size, visit);
  if (end.problem !== undefined) throw damaged(disk, segmentName(first), end.offset, end.problem);
  return end.next;
}

/**
 * Finds the last record. Takes away the last segments as long as nothing is in them, and the torn end of the very last
 * one: those before it were whole and durable when it was begun. The segment with the last record is durable then, too.
 */
function endOfRecords(disk: Disk, segments: number[]): { readonly next: number; readonly cut: Cut | undefined } {
  let cut: Cut | undefined;
  let next = 1;
  for (let isLast = true, first = segments.at(-1); first !== undefined; isLast = false, first = segments.at(-1)) {
    const name = segmentName(first);
    const { length, end } = scan(disk, first, undefined, () => {});
    if (end.problem !== undefined) {
      if (!(isLast && end.isTorn)) throw damaged(disk, name, end.offset, end.problem);
      cut = { file: `${disk.folder}/${name}`, offset: end.offset, bytes: length - end.offset, problem: end.problem };
    }
    next = end.next;
    if (next > first) {
      // Of a whole one nothing is cut: what a killed process wrote last may be only in the system's memory so far.
      disk.cut(name, end.problem === undefined ? length : end.offset);
      break;
    }
    disk.remove(name);
    segments.pop();
  }
  return { next, cut };
}

function scan(
  disk: Disk,
  first: number,
  size: number | undefined,
  visit: (batch: JournalBatch) => void,
): { readonly length: number; readonly end: SegmentEnd } {
  const name = segmentName(first);
  const bytes = disk.read(name, size);
  const head = readSegmentHeader(bytes);
  if (!head.isGood) {
    // Frames are written only behind a header that is durable.
    const isTorn = bytes.length <= SEGMENT_HEADER;
    return { length: bytes.length, end: { offset: 0, next: first, problem: head.problem, isTorn } };
  }
  if (head.first !== first) throw damaged(disk, name, 24, `it begins with record ${head.first}, not as its name says`);
  const end = scanFrames(bytes, head, (frame) => {
    if (frame.kind === FRAME_KIND.records) visit(frame);
  });
  return { length: bytes.length, end };
}

function damaged(disk: Disk, name: string, offset: number, problem: string): FileFault {
  return new FileFault(`${disk.folder}/${name}`, `byte ${offset}`, problem, REMEDY);
}

import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  encodeSegmentHeader,
  FRAME_HEADER,
  putFrameHeader,
  readSegmentHeader,
  SEGMENT_HEADER,
  scanFrames,
} from '../../../src/store/bot/segment.ts';

const SALT = 0xdead_beef;
const FIRST = 5;
const TEXTS = ['', 'a', 'second entry', 'the third one is longer than the others', 'x'.repeat(70)];

/** A segment with one entry per frame, and the end of each frame. */
function makeSegment(salt = SALT) {
  const frames = TEXTS.map((text, at) => {
    const frame = Buffer.alloc(FRAME_HEADER + text.length);
    frame.write(text, FRAME_HEADER, 'ascii');
    putFrameHeader(frame, FIRST + at, salt);
    return frame;
  });
  const ends = [SEGMENT_HEADER];
  for (const { length } of frames) ends.push((ends.at(-1) ?? 0) + length);
  return { bytes: Uint8Array.from(Buffer.concat([encodeSegmentHeader(FIRST, salt), ...frames])), ends };
}

/** The texts of the complete frames, and the reason of the end. */
function read(bytes: Uint8Array<ArrayBuffer>) {
  const head = readSegmentHeader(bytes);
  if (!head.isValid) return { head, texts: [], end: undefined };
  const texts: string[] = [];
  const end = scanFrames(bytes, head, (_record, entry) => texts.push(Buffer.from(entry).toString('ascii')));
  return { head, texts, end };
}

function flippedCopy(bytes: Uint8Array<ArrayBuffer>, bit: number): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice();
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

describe('a segment of the log', () => {
  it('returns what was written', () => {
    const { bytes } = makeSegment();
    expect(read(bytes)).toEqual({
      head: { isValid: true, salt: SALT, first: FIRST },
      texts: TEXTS,
      end: { offset: bytes.length, next: FIRST + TEXTS.length, problem: undefined, isTorn: false },
    });
  });

  it('has its complete frames after any truncation, and the rest is an unfinished end', () => {
    const { bytes, ends } = makeSegment();
    for (let length = 0; length < bytes.length; length += 1) {
      const { head, texts, end } = read(bytes.slice(0, length));
      if (length < SEGMENT_HEADER) {
        expect(head, `at ${length}`).toEqual({ isValid: false, problem: 'the header is incomplete' });
        continue;
      }
      const whole = ends.findLastIndex((end) => end <= length);
      expect(texts, `at ${length}`).toEqual(TEXTS.slice(0, whole));
      expect([end?.offset, end?.next], `at ${length}`).toEqual([ends[whole], FIRST + whole]);
      expect(end?.isTorn, `at ${length}`).toBe(length !== ends[whole]);
    }
  });

  it('with any flipped bit is damaged, except in its last frame, which counts as unfinished', () => {
    const { bytes, ends } = makeSegment();
    const last = ends.at(-2) ?? 0;
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const { head, texts, end } = read(flippedCopy(bytes, bit));
      if (bit >> 3 < SEGMENT_HEADER) {
        expect(head, `bit ${bit}`).toEqual({ isValid: false, problem: 'the header is damaged' });
        continue;
      }
      const frame = ends.findLastIndex((end) => end <= bit >> 3);
      expect(texts, `bit ${bit}`).toEqual(TEXTS.slice(0, frame));
      expect(end?.offset, `bit ${bit}`).toBe(ends[frame]);
      expect(end?.problem, `bit ${bit}`).toBeDefined();
      expect(end?.isTorn, `bit ${bit}`).toBe(bit >> 3 >= last);
    }
  });

  it('is damaged when an entry is missing between two others', () => {
    const { bytes, ends } = makeSegment();
    const [, second = 0, third = 0] = ends;
    const { texts, end } = read(Uint8Array.from([...bytes.subarray(0, second), ...bytes.subarray(third)]));
    expect(texts).toEqual(TEXTS.slice(0, 1));
    expect(end).toMatchObject({
      offset: second,
      problem: `found record ${FIRST + 2} where record ${FIRST + 1} was expected`,
      isTorn: false,
    });
  });

  it('refuses a frame of another segment', () => {
    const other = makeSegment(SALT + 1).bytes.subarray(SEGMENT_HEADER);
    const { texts, end } = read(Uint8Array.from([...encodeSegmentHeader(FIRST, SALT), ...other]));
    expect([texts, end?.offset]).toEqual([[], SEGMENT_HEADER]);
  });

  it('is refused when another version or another program wrote it', () => {
    const { bytes } = makeSegment();
    const changed = (change: (view: DataView) => void) => {
      const copy = bytes.slice();
      const view = new DataView(copy.buffer);
      change(view);
      view.setUint32(32, crc32(copy.subarray(0, 32)), true);
      return readSegmentHeader(copy);
    };
    expect(changed((view) => view.setUint32(16, 2, true))).toEqual({
      isValid: false,
      problem: 'it is of version 2, but this program reads version 1',
    });
    expect(changed((view) => view.setUint8(0, 0))).toEqual({
      isValid: false,
      problem: 'this is not a journal of halfspread',
    });
  });
});

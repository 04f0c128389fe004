import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FileFault } from '../../../src/domain/index.ts';
import { FrameLog, readFrames } from '../../../src/history/index.ts';
import type { RecordedFrame } from '../../../src/history/recording/read-frames.ts';
import { scratchFolder } from '../scratch.ts';

function newPath(): string {
  return join(scratchFolder(), 'session.frames');
}

function throwFault(fault: FileFault): void {
  throw fault;
}

/** All frames, and the number of bytes at the end that belong to no frame. */
function readAll(path: string): { readonly frames: readonly RecordedFrame[]; readonly cutBytes: number } {
  const reading = readFrames(path).frames();
  const frames: RecordedFrame[] = [];
  for (;;) {
    const { done, value } = reading.next();
    if (done === true) return { frames, cutBytes: value.cutBytes };
    frames.push(value);
  }
}

function frameOf(at: number, length: number, text: string): Buffer {
  const head = Buffer.alloc(16);
  head.writeDoubleLE(at, 0);
  head.writeUInt32LE(1, 8);
  head.writeUInt32LE(length, 12);
  return Buffer.concat([head, Buffer.from(text)]);
}

const large = `"${'x'.repeat(700_000)}"`;
const FRAMES: readonly RecordedFrame[] = [
  { at: 1_000, socket: 1, text: '{"type":"connection_ack"}' },
  { at: 1_000.5, socket: 2, text: '{"ü":"é"}' },
  { at: 1_001, socket: 1, text: large },
  { at: 1_002, socket: 1, text: '' },
  ...Array.from({ length: 5_000 }, (_, no) => ({ at: 2_000 + no, socket: 1, text: `{"no":${no}}` })),
];

async function writeLog(path: string, frames = FRAMES): Promise<void> {
  const log = new FrameLog({ path, head: { of: 'a test' }, onFault: throwFault });
  for (const [no, { at, socket, text }] of frames.entries()) {
    const bytes = Buffer.from(text);
    log.append(bytes, socket, at);
    // The owner may reuse the bytes.
    bytes.fill(0);
    if (no % 1_000 === 0) log.flush();
  }
  await log.close();
  // Neither a second close nor a late frame has an effect.
  await log.close();
  log.append(Buffer.from('late'), 1, 0);
  expect([log.frames, log.lost]).toEqual([frames.length, 0]);
}

describe('the recorded frames of a session', () => {
  it('are read as they arrived, with time and socket, and are small on disk', async () => {
    const path = newPath();
    await writeLog(path);
    expect(readFrames(path).head).toEqual({ of: 'a test' });
    expect(readAll(path)).toEqual({ frames: FRAMES, cutBytes: 0 });
    expect(readFileSync(path).length).toBeLessThan(100_000);
  });

  it('are complete up to the last chunk after a cut, and damage is reported with its position', async () => {
    const path = newPath();
    await writeLog(path);
    const bytes = readFileSync(path);
    truncateSync(path, bytes.length - 3);
    const { frames, cutBytes } = readAll(path);
    expect(cutBytes).toBeGreaterThan(0);
    expect(frames.length).toBeGreaterThan(0);
    expect(frames).toEqual(FRAMES.slice(0, frames.length));

    bytes[bytes.length - 2] = 255 - (bytes.at(-2) ?? 0);
    writeFileSync(path, bytes);
    expect(() => readAll(path)).toThrow(/byte \d+: the chunk that begins there is damaged/);
    writeFileSync(path, 'nothing of the kind');
    expect(() => readFrames(path)).toThrow(/this is not a log of frames/);
    expect(() => readFrames(scratchFolder())).toThrow(/this is a folder, not a file/);
  });

  it('are reported as damaged, not as cut off, when the length of a chunk was changed', async () => {
    const path = newPath();
    // This log has few frames, because each of the many damaged copies below is read up to its damage.
    await writeLog(path, [...FRAMES.slice(0, 300), { at: 3_000, socket: 1, text: large }, ...FRAMES.slice(-1)]);
    const original = readFileSync(path);
    let chunks = 0;
    for (let at = original.indexOf(0x0a) + 1; at < original.length; at += 8 + original.readUInt32LE(at)) {
      chunks += 1;
      for (let bit = 0; bit < 32; bit += 1) {
        const bytes = Buffer.from(original);
        bytes.writeUInt32LE((bytes.readUInt32LE(at) ^ (1 << bit)) >>> 0, at);
        writeFileSync(path, bytes);
        expect(() => readAll(path), `bit ${bit} at ${at}`).toThrow(/byte \d+: .*(damaged|a chunk of \d+ bytes)/);
      }
    }
    expect(chunks).toBeGreaterThan(2);
  });

  it('are not read from another kind of file', () => {
    const path = newPath();
    const bytes = Buffer.from('no deflated bytes');
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length);
    head.writeUInt32LE(crc32(bytes), 4);
    writeFileSync(path, Buffer.concat([Buffer.from('{}\n'), head, bytes]));
    expect(() => readAll(path)).toThrow(/byte 3: the chunk that begins there holds no frames.*Name the \.frames file/s);
  });

  it.each([
    ['a chunk that unpacks to 17 MB', deflateRawSync(Buffer.alloc(17 * 1024 * 1024)), /holds no frames/],
    [
      'a frame without an end',
      deflateRawSync(frameOf(1_000, 5, 'four')),
      /byte 3: a frame of the chunk .* is incomplete/,
    ],
    ['half of a frame’s head', deflateRawSync(Buffer.alloc(7)), /byte 3: a frame of the chunk .* is incomplete/],
    [
      'a frame without a time',
      deflateRawSync(frameOf(Number.NaN, 4, 'four')),
      /byte 3: a frame of .* has the invalid time NaN/,
    ],
  ])('are refused when the file has %s under a valid checksum', (_, body, expected) => {
    const path = newPath();
    const head = Buffer.alloc(8);
    head.writeUInt32LE(body.length);
    head.writeUInt32LE(crc32(body), 4);
    writeFileSync(path, Buffer.concat([Buffer.from('{}\n'), head, body]));
    expect(() => readAll(path)).toThrow(FileFault);
    expect(() => readAll(path)).toThrow(expected);
  });

  it('are omitted, counted and noted when they arrive faster than they can be written', async () => {
    const path = newPath();
    const log = new FrameLog({ path, head: {}, onFault: throwFault, maxQueuedBytes: 200_000 });
    const frame = Buffer.from('y'.repeat(1_000));
    for (let no = 0; no < 500; no += 1) log.append(frame, 1, no);
    expect(log.lost).toBeGreaterThan(0);
    expect(log.frames + log.lost).toBe(500);
    // There is space again after the write.
    await new Promise((resolve) => setTimeout(resolve, 200));
    log.append(Buffer.from('after'), 1, 1_000);
    await log.close();
    const { frames } = readAll(path);
    expect(frames.slice(-2)).toEqual([
      { at: 1_000, socket: 0, text: JSON.stringify({ lost: log.lost }) },
      { at: 1_000, socket: 1, text: 'after' },
    ]);
    expect(frames).toHaveLength(log.frames + 1);
  });

  it('are not written when the file cannot be created', () => {
    expect(() => new FrameLog({ path: '/nowhere/at/all.frames', head: {}, onFault: throwFault })).toThrow(
      /could not be written/,
    );
  });
});

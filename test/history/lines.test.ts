import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { newReadProgress, readLines } from '../../src/history/lines.ts';
import { marketIdFromName } from '../../src/runtime/index.ts';
import { scratchFolder } from './scratch.ts';

async function read(path: string, progress = newReadProgress()): Promise<string[]> {
  const lines: string[] = [];
  for await (const { text, number } of readLines(path, progress)) lines.push(`${number} ${text}`);
  return lines;
}

describe('lines of a file', () => {
  it('are numbered, with and without a final line end, compressed or not', async () => {
    const folder = scratchFolder();
    const path = join(folder, 'a');
    for (const [text, lines] of [
      ['a\nb\n', ['1 a', '2 b']],
      ['a\n\nb', ['1 a', '2 ', '3 b']],
      ['', []],
    ] as const) {
      writeFileSync(path, text);
      expect(await read(path)).toEqual(lines);
      writeFileSync(path, gzipSync(text));
      expect(await read(path)).toEqual(lines);
    }
  });

  it('are complete when chunks of the file end anywhere, also within a character', async () => {
    const path = join(scratchFolder(), 'a');
    const lines = Array.from({ length: 40_000 }, (_, i) => `${'é€😀'.repeat(i % 7)}${i}`);
    writeFileSync(path, lines.join('\n'));
    expect(await read(path)).toEqual(lines.map((line, i) => `${i + 1} ${line}`));
  });

  it('report bytes and sha256 of the file on disk', async () => {
    const path = join(scratchFolder(), 'a.gz');
    const bytes = gzipSync('a\nb\n');
    writeFileSync(path, bytes);
    const progress = newReadProgress();
    await read(path, progress);
    expect(progress).toEqual({ bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') });
  });

  it('need not be read to the end', async () => {
    const path = join(scratchFolder(), 'a.gz');
    writeFileSync(path, gzipSync('x\n'.repeat(500_000)));
    for await (const { number } of readLines(path)) if (number === 3) break;
    expect(await read(path)).toHaveLength(500_000);
  });

  it('are decompressed to at most a hundred times the size of the file, and 64 MB', async () => {
    const path = join(scratchFolder(), 'a.gz');
    const line = `${'x'.repeat(1_000_000)}\n`;
    writeFileSync(path, gzipSync(line.repeat(120)));
    let unpacked = 0;
    const reading = async () => {
      for await (const { text } of readLines(path)) unpacked += text.length;
    };
    await expect(reading()).rejects.toThrow(/the file cannot be read \(it unpacks to more than 100 times its size/);
    expect(unpacked).toBeLessThan(90_000_000);
  });

  it('of more than 16 Mi characters are refused', async () => {
    const path = join(scratchFolder(), 'a');
    writeFileSync(path, 'x'.repeat(17 * 1024 * 1024));
    await expect(read(path)).rejects.toThrow(/a line of more than 16777216 characters/);
  });

  it('of bytes that are not text are refused with the number of the previous line', async () => {
    const path = join(scratchFolder(), 'a');
    writeFileSync(path, Buffer.concat([Buffer.from('a\n'), Buffer.from([0xff, 0xfe])]));
    await expect(read(path)).rejects.toThrow(/, after line 0: the file is not UTF-8 text\. .*fetch it again/);
    await expect(read(scratchFolder())).rejects.toThrow(/: this is a folder, not a file/);
  });
});

describe('a market id made from a name', () => {
  it('is a UUID of version 8, the same for the same name', () => {
    expect(marketIdFromName('betfair-1.200806927')).toBe('e9b5f8c4-a96e-8e97-abde-d919647529fe');
    const ids = Array.from({ length: 1000 }, (_, i) => marketIdFromName(`m${i}`));
    expect(new Set(ids).size).toBe(1000);
    expect(ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id))).toBe(
      true,
    );
  });
});

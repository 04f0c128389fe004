import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileFault } from '../../src/domain/index.ts';
import { readLatencyFile } from '../../src/history/index.ts';
import { scratchFolder } from './scratch.ts';

function read(text: string) {
  const path = join(scratchFolder(), 'latency.csv');
  writeFileSync(path, text);
  return readLatencyFile(path);
}

describe('a file of measured latency', () => {
  it('may have columns in any order, empty cells, and decimals, which round up', () => {
    const { feed, entry, response } = read('response_ms,entry_ms\r\n41,83.2\r\n,79\n\n40,\n');
    expect({ feed, entry, response }).toEqual({ feed: [], entry: [84, 79], response: [41, 40] });
    expect(read('feed_ms,entry_ms,response_ms\n5,6,7').feed).toEqual([5]);
  });

  it.each([
    ['entry_ms,response_ms\n80,40\n-3,40', 'line 3, entry_ms', /"-3" is not a number of ms/],
    ['entry_ms,response_ms\n80,fast', 'line 2, response_ms', /"fast" is not a number of ms/],
    ['entry_ms,response_ms\n3600001,40', 'line 2, entry_ms', /is not a number of ms/],
    ['entry_ms,response_ms\n80,40,5', 'line 2', /3 cells under 2 columns/],
    ['entry_ms,answer_ms\n80,40', 'line 1', /"answer_ms" is unknown/],
    ['entry_ms,entry_ms\n80,40', 'line 1', /repeated/],
    ['entry_ms,response_ms\n80,\n', 'response_ms', /no measurement/],
    ['entry_ms\n80', 'response_ms', /no measurement/],
  ])('is refused with the position of the error: %j', (text, where, problem) => {
    const reading = () => read(text);
    expect(reading).toThrow(FileFault);
    expect(reading).toThrow(problem);
    expect(reading).toThrow(where);
  });

  it('is refused with the key that names it when it is missing', () => {
    expect(() => readLatencyFile(join(scratchFolder(), 'none.csv'))).toThrow(/latency\.file/);
  });
});

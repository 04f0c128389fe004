import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readMarketFile } from '../../../src/history/captures/market-file.ts';
import { ImportCounts } from '../../../src/history/import/counts.ts';
import { readKalshiMarketRecord } from '../../../src/protocol/kalshi/index.ts';
import { readPolymarketMarketRecord } from '../../../src/protocol/polymarket/index.ts';
import { MARKET, NO, YES } from '../../protocol/polymarket/frames.ts';
import { scratchFolder } from '../scratch.ts';
import { reasons } from './capture.ts';

const RECORD = JSON.stringify({
  condition_id: MARKET,
  tokens: [
    { token_id: YES, outcome: 'Yes', winner: false },
    { token_id: NO, outcome: 'No', winner: false },
  ],
});

describe('a file of market metadata', () => {
  it('has its lines that are no record counted, but not its empty lines', () => {
    const path = join(scratchFolder(), 'markets.jsonl');
    writeFileSync(path, `${RECORD}\n{"condition_id": \n\n5\n["text"]\n`);
    const counts = new ImportCounts();
    expect(readMarketFile(path, readPolymarketMarketRecord, counts)).toHaveLength(1);
    expect(reasons(counts.dropped)).toEqual([`market record, message: expected object 3 (${path}:2)`]);
  });

  it.each([
    ['Polymarket', readPolymarketMarketRecord],
    ['Kalshi', readKalshiMarketRecord],
  ])('is refused with its text if it has no record of %s', (_, read: (json: unknown) => unknown) => {
    const path = join(scratchFolder(), 'markets.jsonl');
    writeFileSync(path, '<html>\n');
    const problem = /the file has no market record \(.*expected object, got "<html>"\)/;
    expect(() => readMarketFile(path, read, new ImportCounts())).toThrow(problem);
  });
});

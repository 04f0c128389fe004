import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { checkTape, importBetfair, TapeFile } from '../../../src/history/index.ts';
import { scratchFolder } from '../scratch.ts';
import {
  type Change,
  definition,
  line,
  NO,
  OPEN,
  recordingOf,
  rowsOf,
  rowTexts,
  runnerChanges,
  YES,
} from './recording.ts';

describe('an import of a market of many runners', () => {
  const threeRunners = (statuses: string[] = ['ACTIVE', 'ACTIVE', 'ACTIVE'], change: Change = {}) =>
    definition({ marketType: 'PLACE', numberOfWinners: 2, ...change }, statuses);

  it('gives each runner a tape, pays each winner, and voids removed runners', async () => {
    const folder = scratchFolder();
    const recording = recordingOf(folder, [
      line(1, { marketDefinition: threeRunners() }),
      line(2, runnerChanges({ id: 11, atb: [[2, 10]] }, { id: 33, atl: [[2, 10]] })),
      line(3, { marketDefinition: threeRunners(['ACTIVE', 'REMOVED', 'ACTIVE']) }),
      line(4, runnerChanges({ id: 22, atb: [[2, 10]] })),
      line(5, { marketDefinition: threeRunners(['WINNER', 'REMOVED', 'LOSER'], { status: 'CLOSED' }) }),
    ]);
    const tapes = await importBetfair({ recording, folder });
    expect(tapes.map(({ path }) => rowTexts(path))).toEqual([
      ['1 OPEN', '2 ask 5000 = 20', '5 pays 10000'],
      ['1 OPEN', '3 pays 65535'],
      ['1 OPEN', '2 bid 5000 = 20', '5 pays 0'],
    ]);
    expect(tapes.map(({ manifest }) => manifest.name)).toEqual(['betfair-1.1-11', 'betfair-1.1-22', 'betfair-1.1-33']);
    expect(tapes[0]!.manifest.markets[0]).toMatchObject({
      question: 'Betfair PLACE 1.1: will runner 11 be one of the 2 winners?',
      outcomes: ['runner 11', 'not runner 11'],
    });
    expect(new Set(tapes.map(({ manifest }) => manifest.markets[0]?.id)).size).toBe(3);
  });

  it('halves a trade unless the runner’s own level shows all of it', async () => {
    const rows = await rowsOf([
      line(1, { marketDefinition: threeRunners() }),
      line(2, runnerChanges({ id: 11, atb: [[2, 100]], atl: [[2.5, 100]] })),
      line(3, runnerChanges({ id: 11, atb: [[2, 90]], trd: [[2, 20]] })),
      line(4, runnerChanges({ id: 11, atl: [[2.5, 80]], trd: [[2.5, 20]] })),
      line(5, runnerChanges({ id: 11, trd: [[2, 30]] })),
    ]);
    expect(rows.slice(2)).toEqual([
      '3 print buy 5000 x 20 | ask 5000 = 180',
      '4 print sell 4000 x 50 | bid 4000 = 200',
      // no level shrank: above the mid of 4500
      '5 print buy 5000 x 10',
    ]);
  });

  it('drops the trades of all runners when the total of one falls', async () => {
    const folder = scratchFolder();
    const recording = recordingOf(folder, [
      line(1, { marketDefinition: threeRunners() }),
      line(2, runnerChanges({ id: 11, trd: [[2, 20]] }, { id: 22, trd: [[2, 20]] })),
      line(3, runnerChanges({ id: 11, trd: [[2, 30]] }, { id: 22, trd: [[2, 19]] })),
    ]);
    const tapes = await importBetfair({ recording, folder });
    expect(tapes.map(({ counts }) => counts.prints.count)).toEqual([1, 1, 0]);
  });

  it('accepts a runner that is named later', async () => {
    const folder = scratchFolder();
    const recording = recordingOf(folder, [
      line(1, { marketDefinition: threeRunners() }),
      line(2, { marketDefinition: threeRunners(['ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE']) }),
      line(3, runnerChanges({ id: 44, atb: [[2, 10]] })),
    ]);
    const tapes = await importBetfair({ recording, folder });
    expect(rowTexts(tapes[3]!.path)).toEqual(['2 OPEN', '3 ask 5000 = 20']);
  });

  it('separates two markets of one recording', async () => {
    const folder = scratchFolder();
    const twoMarkets = (publishedAt: number, first: Change, second: Change) =>
      JSON.stringify({
        op: 'mcm',
        pt: publishedAt,
        mc: [
          { id: '1.1', ...first },
          { id: '1.2', ...second },
        ],
      });
    const recording = recordingOf(folder, [
      twoMarkets(1, { marketDefinition: definition() }, { marketDefinition: threeRunners() }),
      twoMarkets(2, runnerChanges({ id: YES, atb: [[2, 10]] }), runnerChanges({ id: YES, atl: [[2, 10]] })),
    ]);
    const tapes = await importBetfair({ recording, folder });
    expect(tapes.map(({ manifest }) => manifest.name)).toEqual([
      'betfair-1.1',
      'betfair-1.2-11',
      'betfair-1.2-22',
      'betfair-1.2-33',
    ]);
    expect(tapes.slice(0, 2).map(({ path }) => rowTexts(path).at(-1))).toEqual(['2 ask 5000 = 20', '2 bid 5000 = 20']);
  });
});

describe('displayed positions', () => {
  it('serve as the book when the recording has no full depth, and a moved position moves its level', async () => {
    const rows = await rowsOf([
      OPEN,
      line(
        2,
        runnerChanges(
          {
            id: YES,
            bdatb: [
              [0, 2, 10],
              [1, 1.9, 5],
            ],
            bdatl: [[0, 2.2, 10]],
          },
          { id: NO, bdatb: [[0, 1.8, 7]] },
        ),
      ),
      line(
        3,
        runnerChanges({
          id: YES,
          bdatb: [
            [0, 1.9, 6],
            [1, 0, 0],
          ],
        }),
      ),
    ]);
    expect(rows.slice(1)).toEqual([
      '2 bid 4545 = 22 | ask 5000 = 20 | ask 5264 = 9.5',
      '3 ask 5000 = 0 | ask 5264 = 11.4',
    ]);
  });

  it('are reset at an image', async () => {
    const rows = await rowsOf([
      OPEN,
      line(
        2,
        runnerChanges({
          id: YES,
          bdatb: [
            [0, 2, 10],
            [1, 1.9, 5],
          ],
        }),
      ),
      line(3, { img: true, marketDefinition: definition(), rc: [{ id: YES, bdatb: [[0, 2, 10]] }] }),
      line(4, runnerChanges({ id: YES, bdatb: [[0, 2, 20]] })),
    ]);
    expect(rows.slice(2)).toEqual(['3 clear | ask 5000 = 20', '4 ask 5000 = 40']);
  });

  it('are replaced by full depth as soon as it exists', async () => {
    const rows = await rowsOf([
      OPEN,
      line(2, runnerChanges({ id: YES, bdatb: [[0, 2, 10]] })),
      line(3, runnerChanges({ id: YES, atb: [[2.5, 10]], bdatb: [[0, 2.5, 30]] })),
      line(4, runnerChanges({ id: YES, bdatb: [[0, 2.5, 40]] })),
    ]);
    expect(rows.slice(1)).toEqual(['2 ask 5000 = 20', '3 ask 5000 = 0 | ask 4000 = 25']);
  });

  it('of a recorded race give books of at most ten levels per side', async () => {
    const folder = scratchFolder();
    const lines = gunzipSync(readFileSync('test/fixtures/betfair/1.197931750.gz')).toString().trim().split('\n');
    const stripped = lines.map((text) => text.replace(/"at[bl]":\[(\[[^\]]*\],?)*\],?/g, ''));
    expect(stripped.join('')).not.toMatch(/"at[bl]"/);
    const tapes = await importBetfair({ recording: recordingOf(folder, stripped), folder });
    expect(tapes).toHaveLength(6);
    for (const { path } of tapes) {
      const [market] = checkTape(TapeFile.open(path)).markets;
      expect(market!.rows.level).toBeGreaterThan(100);
      expect(market!.spreadBps?.p50).toBeLessThan(400);
    }
  });
});

describe('the recorded greyhound race', () => {
  it('becomes six markets with names from the catalogue, one of which wins', async () => {
    const folder = scratchFolder();
    const tapes = await importBetfair({
      recording: 'test/fixtures/betfair/1.197931750.gz',
      catalogue: 'test/fixtures/betfair/catalogue-1.197931750.json',
      folder,
      licence: 'MIT',
    });
    const markets = tapes.map(({ manifest }) => manifest.markets[0]!);
    expect(markets[1]).toMatchObject({
      question: 'Sheffield 19th Apr, OR 280m: will 2. Sandwood Jet win?',
      slug: 'sheffield-19th-apr-or-280m-2-sandwood-jet',
      outcomes: ['2. Sandwood Jet', 'not 2. Sandwood Jet'],
      commissionBps: 500,
    });
    const quality = tapes.map(({ path }) => checkTape(TapeFile.open(path)).markets[0]!);
    expect(quality.map(({ payout }) => payout)).toEqual([0, 10_000, 0, 0, 0, 0]);
    expect(quality.map(({ crossed }) => crossed)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(quality.map(({ prints }) => prints.count).every((count) => count > 20)).toBe(true);
    // Totals of the first image were traded before the recording.
    expect(tapes.map(({ counts }) => counts.imageTotals > 0)).toEqual([true, true, true, true, true, true]);
  });

  it('has two winners in its place market', async () => {
    const folder = scratchFolder();
    const tapes = await importBetfair({ recording: 'test/fixtures/betfair/1.197931751.gz', folder });
    const payouts = tapes.map(({ path }) => checkTape(TapeFile.open(path)).markets[0]?.payout);
    expect(payouts).toEqual([0, 10_000, 0, 0, 0, 10_000]);
  });
});

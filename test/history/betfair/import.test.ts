import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { FileFault } from '../../../src/domain/index.ts';
import { checkTape, importBetfair, TapeFile } from '../../../src/history/index.ts';
import { scratchFolder } from '../scratch.ts';
import { type Change, CLOSED, definition, line, NO, recordingOf, told, YES } from './recording.ts';

const OPEN = line(1, { img: true, marketDefinition: definition() });

/** Imports a recording of one market made by hand and tells the rows of its first tape. */
async function rowsOf(lines: readonly string[]): Promise<string[]> {
  const folder = scratchFolder();
  const [tape] = await importBetfair({ recording: recordingOf(folder, lines), folder });
  return told(tape!.path);
}

async function faultOf(lines: readonly string[], name?: string): Promise<FileFault> {
  const folder = scratchFolder();
  const recording = recordingOf(folder, lines, name);
  try {
    await importBetfair({ recording, folder: join(folder, 'out') });
  } catch (error) {
    expect(existsSync(join(folder, 'out')) ? readdirSync(join(folder, 'out')) : []).toEqual([]);
    if (error instanceof FileFault) return error;
    throw error;
  }
  throw new Error('the import went through');
}

const rc = (...changes: Change[]): Change => ({ rc: changes });

describe('an import of a two-runner market', () => {
  it('makes one book of both runners’ offers: the example of models 9', async () => {
    const rows = await rowsOf([
      OPEN,
      line(
        2,
        rc({ id: YES, atb: [[1.23, 493.95]], atl: [[1.26, 51.14]] }, { id: NO, atb: [[4.7, 22.86]], atl: [[6, 0.11]] }),
      ),
    ]);
    expect(rows).toEqual([
      '1 clear | OPEN',
      // 1/1.26 down, 1 - 1/4.7 down; 1/1.23 up; 1 - 1/6 up (11 pence at 6 are 0.66 shares)
      '2 bid 7936 = 64.43 | bid 7872 = 107.44 | ask 8131 = 607.55 | ask 8334 = 0.66',
    ]);
  });

  it('adds up exactly what falls on one price and rounds down to lots once', async () => {
    const rows = await rowsOf([
      OPEN,
      // 10^6/97000 and 10^6/96000 both round down to 10
      line(
        2,
        rc({
          id: YES,
          atl: [
            [970, 0.01],
            [960, 0.01],
          ],
        }),
      ),
      line(3, rc({ id: YES, atl: [[960, 0]] })),
      line(4, rc({ id: YES, atl: [[970, 0]] })),
    ]);
    expect(rows).toEqual(['1 clear | OPEN', '2 bid 10 = 19.3', '3 bid 10 = 9.7', '4 bid 10 = 0']);
  });

  it('leaves out levels below one lot, and messages that change nothing shown', async () => {
    const rows = await rowsOf([
      OPEN,
      line(2, rc({ id: YES, atb: [[1.5, 0]] })),
      line(3, rc({ id: YES, atb: [[2, 1]] })),
      line(4, rc({ id: YES, atb: [[2, 1]], ltp: 2, tv: 5 })),
      line(5, {}),
    ]);
    expect(rows).toEqual(['1 clear | OPEN', '3 ask 5000 = 2']);
  });

  it('halves a trade inside of a runner', async () => {
    const rows = await rowsOf([
      OPEN,
      line(2, rc({ id: YES, atb: [[2, 30]], atl: [[2.5, 10]] })),
      line(3, rc({ id: YES, atb: [[2, 20]], trd: [[2, 20]] })),
      line(4, rc({ id: YES, atl: [[2.5, 4]], trd: [[2.5, 12]] })),
    ]);
    expect(rows.slice(2)).toEqual(['3 print buy 5000 x 20 | ask 5000 = 40', '4 print sell 4000 x 15 | bid 4000 = 10']);
  });

  it('does not halve a cross-match, and prints it once', async () => {
    const rows = await rowsOf([
      OPEN,
      line(2, rc({ id: YES, atl: [[1.6, 10]] }, { id: NO, atl: [[5, 20]] })),
      // 100 shares on each side: who rests with a back of NO at 5 meets a backer of YES at 1.25
      line(3, rc({ id: YES, trd: [[1.25, 80]] }, { id: NO, atl: [[5, 0]], trd: [[5, 20]] })),
    ]);
    expect(rows.slice(1)).toEqual(['2 bid 6250 = 16 | ask 8000 = 100', '3 print buy 8000 x 100 | ask 8000 = 0']);
  });

  it('splits a message with both kinds by the formula of models 9', async () => {
    // S1 = 300 shares, S2 = 100: X = 100. Runner 1: 300 (300+100)/(2 300) = 200; runner 2: 100 (100-100)/(2 100) = 0.
    const more = await rowsOf([
      OPEN,
      line(2, rc({ id: YES, atb: [[2, 500]] })),
      line(3, rc({ id: YES, atb: [[2, 300]], trd: [[2, 150]] }, { id: NO, trd: [[2, 50]] })),
    ]);
    expect(more.at(-1)).toBe('3 print buy 5000 x 200 | ask 5000 = 600');
    // The other way round: runner 1 prints 100 whole, runner 2 100 of its 300.
    const less = await rowsOf([
      OPEN,
      line(2, rc({ id: YES, atb: [[2, 500]] }, { id: NO, atb: [[2, 500]] })),
      line(3, rc({ id: YES, atb: [[2, 450]], trd: [[2, 50]] }, { id: NO, atb: [[2, 400]], trd: [[2, 150]] })),
    ]);
    expect(less.at(-1)).toBe('3 print buy 5000 x 100 | print sell 5000 x 100 | bid 5000 = 800 | ask 5000 = 900');
  });

  it('reads the taker’s side off the mid where no level shrank, exactly', async () => {
    const book = rc({ id: YES, atb: [[1.9, 10]], atl: [[2.1, 10]] }); // 5264 / 4761, mid 5012.5
    const print = async (id: number, odds: number) =>
      (await rowsOf([OPEN, line(2, book), line(3, rc({ id, trd: [[odds, 10]] }))])).at(-1);
    expect(await print(YES, 1.99)).toBe('3 print buy 5026 x 9.95');
    expect(await print(YES, 2)).toBe('3 print sell 5000 x 10');
    expect(await print(NO, 2)).toBe('3 print sell 5000 x 10');
    expect(await print(NO, 2.02)).toBe('3 print buy 5050 x 10.1');
    const none = await rowsOf([OPEN, line(3, rc({ id: YES, trd: [[2, 10]] }))]);
    expect(none.at(-1)).toBe('3 print ? 5000 x 10');
  });

  it('takes a message with a falling total as the new base', async () => {
    const folder = scratchFolder();
    const recording = recordingOf(folder, [
      OPEN,
      line(2, rc({ id: YES, trd: [[2, 20]] })),
      line(3, rc({ id: YES, trd: [[2, 19]] }, { id: NO, trd: [[3, 8]] })),
      line(4, rc({ id: YES, trd: [[2, 21]] }, { id: NO, trd: [[3, 8.01]] })),
      line(5, rc({ id: YES, trd: [[2, 0]] })),
    ]);
    const [tape] = await importBetfair({ recording, folder });
    expect(told(tape!.path)).toEqual([
      '1 clear | OPEN',
      '2 print ? 5000 x 20',
      // S1 = 4, S2 = 0.03: 4.03/2 and nothing of runner 2
      '4 print ? 5000 x 2.01',
    ]);
    expect(tape!.counts.revaluations).toEqual({ messages: [2, 4], entries: 2, plusPence: 800, minusPence: -100 });
    expect(tape!.counts.resets).toEqual({ entries: 1, pence: -2100 });
  });

  it('empties the book at an image, whose totals are a base', async () => {
    const folder = scratchFolder();
    const recording = recordingOf(folder, [
      OPEN,
      line(2, rc({ id: YES, atb: [[2, 10]], trd: [[2, 10]] })),
      line(3, { img: true, marketDefinition: definition(), rc: [{ id: YES, atb: [[4, 10]], trd: [[2, 50]] }] }),
      line(4, rc({ id: YES, trd: [[2, 52]] })),
    ]);
    const [tape] = await importBetfair({ recording, folder });
    expect(told(tape!.path)).toEqual([
      '1 clear | OPEN',
      '2 print ? 5000 x 10 | ask 5000 = 20',
      '3 clear | ask 2500 = 40',
      '4 print ? 5000 x 2',
    ]);
    expect(tape!.counts).toMatchObject({ images: 2, imageTotals: 1 });
  });

  it('tells prints and levels before the halt of their message, and the delay with the status', async () => {
    const rows = await rowsOf([
      OPEN,
      line(2, rc({ id: YES, atb: [[2, 10]] })),
      line(3, {
        marketDefinition: definition({ status: 'SUSPENDED' }),
        rc: [{ id: YES, atb: [[2, 0]], trd: [[2, 20]] }],
      }),
      line(4, { marketDefinition: definition({ inPlay: true, betDelay: 5 }) }),
      line(5, { marketDefinition: definition({ inPlay: true, betDelay: 5 }) }),
      line(6, { marketDefinition: definition({ inPlay: true, betDelay: 0, status: 'INACTIVE' }) }),
    ]);
    expect(rows.slice(2)).toEqual([
      '3 print buy 5000 x 20 | ask 5000 = 0 | HALTED',
      '4 OPEN | delay 5000',
      '6 HALTED | delay 0',
    ]);
  });

  it('pays the winner, half in a dead heat, and is void when a runner is removed or nobody wins', async () => {
    const end = async (yes: string, no: string, status = 'CLOSED') =>
      (
        await rowsOf([
          OPEN,
          line(9, { marketDefinition: definition({ status }, [yes, no]) }),
          line(10, rc({ id: YES, atb: [[2, 9]] })),
        ])
      ).at(-1);
    expect(await end('WINNER', 'LOSER')).toBe('9 pays 10000');
    expect(await end('LOSER', 'WINNER')).toBe('9 pays 0');
    expect(await end('WINNER', 'WINNER')).toBe('9 pays 5000');
    expect(await end('ACTIVE', 'ACTIVE')).toBe('9 pays 65535');
    expect(await end('LOSER', 'LOSER')).toBe('9 pays 65535');
    expect(await end('ACTIVE', 'REMOVED', 'OPEN')).toBe('9 pays 65535');
    expect(await end('REMOVED_VACANT', 'WINNER')).toBe('9 pays 65535');
  });

  it('takes the runner that the market lists first as YES, whatever its id and whoever wins', async () => {
    const folder = scratchFolder();
    const runners = [
      { id: 5, sortPriority: 2, status: 'ACTIVE' },
      { id: 99, sortPriority: 1, status: 'ACTIVE' },
    ];
    const recording = recordingOf(folder, [line(1, { marketDefinition: definition({ runners }) })]);
    const [tape] = await importBetfair({ recording, folder });
    expect(tape!.manifest.markets[0]?.outcomes).toEqual(['runner 99', 'runner 5']);
    expect(tape!.resolved).toBe(false);
  });

  it('says how far it is', async () => {
    const folder = scratchFolder();
    const lines = [OPEN, ...Array.from({ length: 2500 }, (_, i) => line(i + 2, rc({ id: YES, atb: [[2, i]] })))];
    const shares: number[] = [];
    await importBetfair({ recording: recordingOf(folder, lines), folder, onProgress: (share) => shares.push(share) });
    expect(shares).toHaveLength(2);
    expect(shares.every((share) => share > 0 && share <= 1)).toBe(true);
  });
});

describe('an import of a market of many runners', () => {
  const three = (statuses: string[] = ['ACTIVE', 'ACTIVE', 'ACTIVE'], over: Change = {}) =>
    definition({ marketType: 'PLACE', numberOfWinners: 2, ...over }, statuses);

  it('gives each runner a tape, pays each winner, voids who is removed', async () => {
    const folder = scratchFolder();
    const recording = recordingOf(folder, [
      line(1, { marketDefinition: three() }),
      line(2, rc({ id: 11, atb: [[2, 10]] }, { id: 33, atl: [[2, 10]] })),
      line(3, { marketDefinition: three(['ACTIVE', 'REMOVED', 'ACTIVE']) }),
      line(4, rc({ id: 22, atb: [[2, 10]] })),
      line(5, { marketDefinition: three(['WINNER', 'REMOVED', 'LOSER'], { status: 'CLOSED' }) }),
    ]);
    const tapes = await importBetfair({ recording, folder });
    expect(tapes.map(({ path }) => told(path))).toEqual([
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

  it('halves a trade unless the runner’s own level shows the whole of it', async () => {
    const rows = await rowsOf([
      line(1, { marketDefinition: three() }),
      line(2, rc({ id: 11, atb: [[2, 100]], atl: [[2.5, 100]] })),
      line(3, rc({ id: 11, atb: [[2, 90]], trd: [[2, 20]] })),
      line(4, rc({ id: 11, atl: [[2.5, 80]], trd: [[2.5, 20]] })),
      line(5, rc({ id: 11, trd: [[2, 30]] })),
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
      line(1, { marketDefinition: three() }),
      line(2, rc({ id: 11, trd: [[2, 20]] }, { id: 22, trd: [[2, 20]] })),
      line(3, rc({ id: 11, trd: [[2, 30]] }, { id: 22, trd: [[2, 19]] })),
    ]);
    const tapes = await importBetfair({ recording, folder });
    expect(tapes.map(({ counts }) => counts.prints.count)).toEqual([1, 1, 0]);
  });

  it('takes in a runner that is named later', async () => {
    const folder = scratchFolder();
    const recording = recordingOf(folder, [
      line(1, { marketDefinition: three() }),
      line(2, { marketDefinition: three(['ACTIVE', 'ACTIVE', 'ACTIVE', 'ACTIVE']) }),
      line(3, rc({ id: 44, atb: [[2, 10]] })),
    ]);
    const tapes = await importBetfair({ recording, folder });
    expect(told(tapes[3]!.path)).toEqual(['2 OPEN', '3 ask 5000 = 20']);
  });

  it('keeps two markets of one recording apart', async () => {
    const folder = scratchFolder();
    const both = (pt: number, one: Change, other: Change) =>
      JSON.stringify({
        op: 'mcm',
        pt,
        mc: [
          { id: '1.1', ...one },
          { id: '1.2', ...other },
        ],
      });
    const recording = recordingOf(folder, [
      both(1, { marketDefinition: definition() }, { marketDefinition: three() }),
      both(2, rc({ id: YES, atb: [[2, 10]] }), rc({ id: YES, atl: [[2, 10]] })),
    ]);
    const tapes = await importBetfair({ recording, folder });
    expect(tapes.map(({ manifest }) => manifest.name)).toEqual([
      'betfair-1.1',
      'betfair-1.2-11',
      'betfair-1.2-22',
      'betfair-1.2-33',
    ]);
    expect(tapes.slice(0, 2).map(({ path }) => told(path).at(-1))).toEqual(['2 ask 5000 = 20', '2 bid 5000 = 20']);
  });
});

describe('displayed positions', () => {
  it('serve as the book where the recording has no full depth, and a moved position moves its level', async () => {
    const rows = await rowsOf([
      OPEN,
      line(
        2,
        rc(
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
        rc({
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

  it('give way to full depth as soon as it is there', async () => {
    const rows = await rowsOf([
      OPEN,
      line(2, rc({ id: YES, bdatb: [[0, 2, 10]] })),
      line(3, rc({ id: YES, atb: [[2.5, 10]], bdatb: [[0, 2.5, 30]] })),
      line(4, rc({ id: YES, bdatb: [[0, 2.5, 40]] })),
    ]);
    expect(rows.slice(1)).toEqual(['2 ask 5000 = 20', '3 ask 5000 = 0 | ask 4000 = 25']);
  });

  it('of a recorded race give books of at most ten levels a side', async () => {
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
  it('is six markets of which one wins, with names from the catalogue', async () => {
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
    // Totals that stand in the first image were traded before the recording.
    expect(tapes.map(({ counts }) => counts.imageTotals > 0)).toEqual([true, true, true, true, true, true]);
  });

  it('has two winners in its place market', async () => {
    const folder = scratchFolder();
    const tapes = await importBetfair({ recording: 'test/fixtures/betfair/1.197931751.gz', folder });
    const payouts = tapes.map(({ path }) => checkTape(TapeFile.open(path)).markets[0]?.payout);
    expect(payouts).toEqual([0, 10_000, 0, 0, 0, 10_000]);
  });
});

describe('a recording that cannot be used', () => {
  it('is named with its line when a line is garbled, and leaves no tape', async () => {
    const fault = await faultOf([OPEN, line(2, {}), '{"op":"mcm","pt":3,"mc":[{"id":"1.1","rc":[{"i']);
    expect(fault.message).toMatch(
      /1\.1\.gz, line 3: .*JSON.*Fetch the recording again, or cut it off before this line/,
    );
  });

  it('is named with its line and field when a value is none', async () => {
    const at = async (change: Change) => (await faultOf([OPEN, '', line(2, change)])).message;
    expect(await at(rc({ id: YES, atb: [[2, 1.005]] }))).toMatch(
      /line 3: mc\.0\.rc\.0\.atb\.0\.1: expected a stake from 0 to .* with at most two decimals, got 1\.005/,
    );
    expect(await at(rc({ id: YES, atl: [[1, 5]] }))).toMatch(/atl\.0\.0: expected odds from 1\.01 to 1000 .*, got 1\./);
    expect(await at(rc({ id: YES, trd: [[1.234, 5]] }))).toMatch(/trd\.0\.0: expected odds/);
    expect(await at(rc({ id: YES, atb: [[2, -1]] }))).toMatch(/expected a stake/);
    expect(await at(rc({ id: YES, atb: 'x' }))).toMatch(/mc\.0\.rc\.0\.atb: /);
    expect(await at(rc({ id: 77, atb: [[2, 1]] }))).toMatch(
      /line 3: market 1\.1, runner: expected a runner of the marketDefinition, got 77/,
    );
    expect(await at({ marketDefinition: definition({ bettingType: 'LINE' }) })).toMatch(
      /bettingType: only markets with/,
    );
    expect(await at({ marketDefinition: definition({ priceLadderDefinition: { type: 'FINEST' } }) })).toMatch(
      /CLASSIC/,
    );
    expect(await at({ marketDefinition: definition({}, ['PLACED', 'ACTIVE']) })).toMatch(/runners\.0\.status/);
    expect(await at({ marketDefinition: definition({}, ['ACTIVE', 'ACTIVE', 'ACTIVE']) })).toMatch(/no third runner/);
  });

  it('is refused when time runs back, when markets are never described, when messages come in segments', async () => {
    expect((await faultOf([OPEN, line(9, {}), line(8, {})])).message).toMatch(
      /line 3: pt: expected no earlier time than the 9/,
    );
    expect((await faultOf([line(1, rc({ id: YES }))])).message).toMatch(/a marketDefinition first/);
    const segment = JSON.stringify({ op: 'mcm', pt: 5, segmentType: 'SEG_START', mc: [] });
    expect((await faultOf([OPEN, segment])).message).toMatch(
      /line 2: segmentType: messages in segments cannot be read/,
    );
  });

  it('is refused when there is no market in it', async () => {
    expect((await faultOf(['{"op":"connection"}', '{"op":"mcm","pt":5,"ct":"HEARTBEAT"}'])).message).toMatch(
      /no market in it/,
    );
    expect((await faultOf([])).message).toMatch(/no market in it/);
  });

  it('is refused when it is missing, cut short, not gzip, or packed in another way', async () => {
    const folder = scratchFolder();
    const out = join(folder, 'out');
    const path = recordingOf(folder, [
      OPEN,
      ...Array.from({ length: 5000 }, (_, i) => line(i + 2, rc({ id: YES, atb: [[2, (i * 7919) % 997]] }))),
    ]);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, whole.length - 2000));
    await expect(importBetfair({ recording: path, folder: out })).rejects.toThrow(
      /after line \d+: .*unexpected end of file.*fetch it again/,
    );
    const flipped = Buffer.from(whole);
    flipped[whole.length - 6]! ^= 1;
    writeFileSync(path, flipped);
    await expect(importBetfair({ recording: path, folder: out })).rejects.toThrow(/after line \d+: .*fetch it again/);
    writeFileSync(path, 'BZh91AY');
    await expect(importBetfair({ recording: path, folder: out })).rejects.toThrow(/bunzip2/);
    await expect(importBetfair({ recording: join(folder, 'none.gz'), folder: out })).rejects.toThrow(
      /none\.gz: there is no such file/,
    );
    expect(existsSync(out) ? readdirSync(out) : []).toEqual([]);
  });

  it('is read as plain text too', async () => {
    const folder = scratchFolder();
    const [tape] = await importBetfair({
      recording: recordingOf(folder, [OPEN, line(2, CLOSED('WINNER', 'LOSER'))], '1.1.txt'),
      folder,
    });
    expect(told(tape!.path)).toEqual(['1 clear | OPEN', '2 pays 10000']);
  });

  it('is not helped by a catalogue that is none', async () => {
    const folder = scratchFolder();
    const recording = recordingOf(folder, [OPEN]);
    await expect(importBetfair({ recording, folder, catalogue: recording })).rejects.toThrow(
      /no market catalogue .*listMarketCatalogue/,
    );
  });
});

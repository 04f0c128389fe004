import { describe, expect, it } from 'vitest';
import { importBetfair } from '../../../src/history/index.ts';
import { scratchFolder } from '../scratch.ts';
import { definition, line, NO, OPEN, recordingOf, rowsOf, rowTexts, runnerChanges, YES } from './recording.ts';

describe('an import of a two-runner market', () => {
  it('merges the offers of both runners into one book, as in docs/spec/models.md#union-of-both-runners', async () => {
    const rows = await rowsOf([
      OPEN,
      line(
        2,
        runnerChanges(
          { id: YES, atb: [[1.23, 493.95]], atl: [[1.26, 51.14]] },
          { id: NO, atb: [[4.7, 22.86]], atl: [[6, 0.11]] },
        ),
      ),
    ]);
    expect(rows).toEqual([
      '1 clear | OPEN',
      // 1/1.26 down, 1 - 1/4.7 down; 1/1.23 up; 1 - 1/6 up (11 pence at 6 are 0.66 shares)
      '2 bid 7936 = 64.43 | bid 7872 = 107.44 | ask 8131 = 607.55 | ask 8334 = 0.66',
    ]);
  });

  it('adds sizes at one price exactly and rounds their sum down to lots', async () => {
    const rows = await rowsOf([
      OPEN,
      // 10^6/97000 and 10^6/96000 both round down to 10
      line(
        2,
        runnerChanges({
          id: YES,
          atl: [
            [970, 0.01],
            [960, 0.01],
          ],
        }),
      ),
      line(3, runnerChanges({ id: YES, atl: [[960, 0]] })),
      line(4, runnerChanges({ id: YES, atl: [[970, 0]] })),
    ]);
    expect(rows).toEqual(['1 clear | OPEN', '2 bid 10 = 19.3', '3 bid 10 = 9.7', '4 bid 10 = 0']);
  });

  it('omits levels below one lot, and messages without a visible change', async () => {
    const rows = await rowsOf([
      OPEN,
      line(2, runnerChanges({ id: YES, atb: [[1.5, 0]] })),
      line(3, runnerChanges({ id: YES, atb: [[2, 1]] })),
      line(4, runnerChanges({ id: YES, atb: [[2, 1]], ltp: 2, tv: 5 })),
      line(5, {}),
    ]);
    expect(rows).toEqual(['1 clear | OPEN', '3 ask 5000 = 2']);
  });

  it('halves a trade within one runner', async () => {
    const rows = await rowsOf([
      OPEN,
      line(2, runnerChanges({ id: YES, atb: [[2, 30]], atl: [[2.5, 10]] })),
      line(3, runnerChanges({ id: YES, atb: [[2, 20]], trd: [[2, 20]] })),
      line(4, runnerChanges({ id: YES, atl: [[2.5, 4]], trd: [[2.5, 12]] })),
    ]);
    expect(rows.slice(2)).toEqual(['3 print buy 5000 x 20 | ask 5000 = 40', '4 print sell 4000 x 15 | bid 4000 = 10']);
  });

  it('does not halve a cross-match, and prints it once', async () => {
    const rows = await rowsOf([
      OPEN,
      line(2, runnerChanges({ id: YES, atl: [[1.6, 10]] }, { id: NO, atl: [[5, 20]] })),
      // 100 shares on each side: a resting back of NO at 5 matches a back of YES at 1.25
      line(3, runnerChanges({ id: YES, trd: [[1.25, 80]] }, { id: NO, atl: [[5, 0]], trd: [[5, 20]] })),
    ]);
    expect(rows.slice(1)).toEqual(['2 bid 6250 = 16 | ask 8000 = 100', '3 print buy 8000 x 100 | ask 8000 = 0']);
  });

  it('splits a message with both kinds by the formula of docs/spec/models.md#trades', async () => {
    // S1 = 300 shares, S2 = 100: X = 100. Runner 1: 300 (300+100)/(2 300) = 200; runner 2: 100 (100-100)/(2 100) = 0.
    const more = await rowsOf([
      OPEN,
      line(2, runnerChanges({ id: YES, atb: [[2, 500]] })),
      line(3, runnerChanges({ id: YES, atb: [[2, 300]], trd: [[2, 150]] }, { id: NO, trd: [[2, 50]] })),
    ]);
    expect(more.at(-1)).toBe('3 print buy 5000 x 200 | ask 5000 = 600');
    // The reverse: runner 1 prints all 100, runner 2 100 of its 300.
    const less = await rowsOf([
      OPEN,
      line(2, runnerChanges({ id: YES, atb: [[2, 500]] }, { id: NO, atb: [[2, 500]] })),
      line(
        3,
        runnerChanges({ id: YES, atb: [[2, 450]], trd: [[2, 50]] }, { id: NO, atb: [[2, 400]], trd: [[2, 150]] }),
      ),
    ]);
    expect(less.at(-1)).toBe('3 print buy 5000 x 100 | print sell 5000 x 100 | bid 5000 = 800 | ask 5000 = 900');
  });

  it('derives the side of a taker from the exact mid when no level shrank', async () => {
    const book = runnerChanges({ id: YES, atb: [[1.9, 10]], atl: [[2.1, 10]] }); // 5264 / 4761, mid 5012.5
    const print = async (id: number, odds: number) =>
      (await rowsOf([OPEN, line(2, book), line(3, runnerChanges({ id, trd: [[odds, 10]] }))])).at(-1);
    expect(await print(YES, 1.99)).toBe('3 print buy 5026 x 9.95');
    expect(await print(YES, 2)).toBe('3 print sell 5000 x 10');
    expect(await print(NO, 2)).toBe('3 print sell 5000 x 10');
    expect(await print(NO, 2.02)).toBe('3 print buy 5050 x 10.1');
    const none = await rowsOf([OPEN, line(3, runnerChanges({ id: YES, trd: [[2, 10]] }))]);
    expect(none.at(-1)).toBe('3 print ? 5000 x 10');
  });

  it('uses a message with a falling total as the new base', async () => {
    const folder = scratchFolder();
    const recording = recordingOf(folder, [
      OPEN,
      line(2, runnerChanges({ id: YES, trd: [[2, 20]] })),
      line(3, runnerChanges({ id: YES, trd: [[2, 19]] }, { id: NO, trd: [[3, 8]] })),
      line(4, runnerChanges({ id: YES, trd: [[2, 21]] }, { id: NO, trd: [[3, 8.01]] })),
      line(5, runnerChanges({ id: YES, trd: [[2, 0]] })),
    ]);
    const [tape] = await importBetfair({ recording, folder });
    expect(rowTexts(tape!.path)).toEqual([
      '1 clear | OPEN',
      '2 print ? 5000 x 20',
      // S1 = 4, S2 = 0.03: 4.03/2 for runner 1 and nothing for runner 2
      '4 print ? 5000 x 2.01',
    ]);
    expect(tape!.counts.revaluations).toEqual({ messages: [2, 4], entries: 2, plusPence: 800, minusPence: -100 });
    expect(tape!.counts.resets).toEqual({ entries: 1, pence: -2100 });
  });

  it('prints the trades of changes that follow an image in the same message', async () => {
    const image = { id: '1.1', img: true, rc: [{ id: YES, atb: [[2, 10]], trd: [[2, 50]] }] };
    const changes = [runnerChanges({ id: YES, atb: [[2, 7]] }), runnerChanges({ id: YES, trd: [[2, 56]] })];
    const markets = [image, ...changes.map((change) => ({ id: '1.1', ...change }))];
    const rows = await rowsOf([OPEN, JSON.stringify({ op: 'mcm', pt: 2, mc: markets })]);
    expect(rows).toEqual(['1 clear | OPEN', '2 clear | ask 5000 = 20', '2 print buy 5000 x 6 | ask 5000 = 14']);
  });

  it('clears the book at an image and uses its totals as the base', async () => {
    const folder = scratchFolder();
    const recording = recordingOf(folder, [
      OPEN,
      line(
        2,
        runnerChanges({
          id: YES,
          atb: [[2, 10]],
          trd: [
            [2, 10],
            [3, 9],
          ],
        }),
      ),
      line(3, { img: true, marketDefinition: definition(), rc: [{ id: YES, atb: [[4, 10]], trd: [[2, 50]] }] }),
      // Totals that the image lacks start at 0.
      line(
        4,
        runnerChanges({
          id: YES,
          trd: [
            [2, 52],
            [3, 4],
          ],
        }),
      ),
    ]);
    const [tape] = await importBetfair({ recording, folder });
    expect(rowTexts(tape!.path)).toEqual([
      '1 clear | OPEN',
      '2 print ? 5000 x 10 | print ? 3333 x 13.5 | ask 5000 = 20',
      '3 clear | ask 2500 = 40',
      '4 print ? 5000 x 2 | print ? 3333 x 6',
    ]);
    expect(tape!.counts).toMatchObject({ images: 2, imageTotals: 1 });
  });

  it('writes no row when a size moves to other odds with the same price', async () => {
    const rows = await rowsOf([
      OPEN,
      line(2, runnerChanges({ id: YES, atl: [[970, 0.96]] })),
      line(
        3,
        runnerChanges({
          id: YES,
          atl: [
            [970, 0],
            [960, 0.97],
          ],
        }),
      ),
      line(4, runnerChanges({ id: YES, atl: [[960, 0]] })),
    ]);
    expect(rows.slice(1)).toEqual(['2 bid 10 = 931.2', '4 bid 10 = 0']);
  });

  it('writes prints and levels before the halt of their message, and the delay with the status', async () => {
    const rows = await rowsOf([
      OPEN,
      line(2, runnerChanges({ id: YES, atb: [[2, 10]] })),
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

  it('pays the winner, half in a dead heat, and voids the market when a runner is removed or there is no winner', async () => {
    const end = async (yes: string, no: string, status = 'CLOSED') =>
      (
        await rowsOf([
          OPEN,
          line(9, { marketDefinition: definition({ status }, [yes, no]) }),
          line(10, runnerChanges({ id: YES, atb: [[2, 9]] })),
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

  it('uses the runner that the market lists first as YES, whatever its id and the winner', async () => {
    const folder = scratchFolder();
    const runners = [
      { id: 5, sortPriority: 2, status: 'ACTIVE' },
      { id: 99, sortPriority: 1, status: 'ACTIVE' },
    ];
    const recording = recordingOf(folder, [line(1, { marketDefinition: definition({ runners }) })]);
    const [tape] = await importBetfair({ recording, folder });
    expect(tape!.manifest.markets[0]?.outcomes).toEqual(['runner 99', 'runner 5']);
    expect(tape!.isResolved).toBe(false);
  });

  it('reports its progress', async () => {
    const folder = scratchFolder();
    const lines = [
      OPEN,
      ...Array.from({ length: 2500 }, (_, i) => line(i + 2, runnerChanges({ id: YES, atb: [[2, i]] }))),
    ];
    const shares: number[] = [];
    await importBetfair({ recording: recordingOf(folder, lines), folder, onProgress: (share) => shares.push(share) });
    expect(shares).toHaveLength(2);
    expect(shares.every((share) => share > 0 && share <= 1)).toBe(true);
  });
});

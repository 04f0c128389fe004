/** Messages that are split into their parts give the same tape, and every increment is counted. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { makeCounts } from '../../../src/history/betfair/counts.ts';
import {
  type BetfairCounts,
  checkTape,
  computeRoundingLoss,
  importBetfair,
  TapeFile,
} from '../../../src/history/index.ts';
import { IS_SHORT } from '../../runs.ts';
import { scratchFolder } from '../scratch.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures/betfair/', import.meta.url));

const LARGE = [
  ['1.200806927', true],
  ['1.200806927', false],
] as const;

interface Part {
  readonly id: number | string;
  readonly [field: string]: unknown;
}
interface Message {
  readonly mc?: readonly (Part & { readonly rc?: readonly Part[] })[];
}

/** Splits a runner's change into one change per field, with trades last. */
function fieldByField(message: Message): Message {
  const split = ({ id, ...fields }: Part): Part[] =>
    Object.entries(fields).map(([key, value]) => ({ id, [key]: value }));
  const changes = message.mc?.map((change) => ({ ...change, ...(change.rc && { rc: change.rc.flatMap(split) }) }));
  return { ...message, ...(changes && { mc: changes }) };
}

/** Splits a message into one market change per runner change, the first with the definition. Images stay whole. */
function changeByChange(message: Message): Message {
  const changes = fieldByField(message).mc?.flatMap((whole) => {
    const { rc, ...change } = whole;
    if (change['img'] === true) return [whole];
    const [first, ...later] = rc ?? [];
    return [{ ...change, ...(first && { rc: [first] }) }, ...later.map((each) => ({ id: change.id, rc: [each] }))];
  });
  return { ...message, ...(changes && { mc: changes }) };
}

async function importChanged(name: string, merge: boolean, change: (message: Message) => Message) {
  const folder = scratchFolder();
  const recording = join(folder, `${name}.gz`);
  const text = gunzipSync(readFileSync(join(FIXTURES, `${name}.gz`))).toString('utf8');
  const lines = text.split('\n').map((line) => (line === '' ? '' : JSON.stringify(change(JSON.parse(line)))));
  writeFileSync(recording, gzipSync(lines.join('\n')));
  const tapes = await importBetfair({ recording, folder, merge });
  return tapes.map(({ path, manifest, counts }) => ({ path, hash: manifest.contentHash, counts }));
}

describe('a message split into its parts', () => {
  it.each([...(IS_SHORT ? [] : LARGE), ['1.197931750', true], ['1.197931751', true]] as const)(
    'gives the same tapes of %s, with every print and its side (merged: %s)',
    async (name, merge) => {
      const whole = await importChanged(name, merge, (message) => message);
      for (const change of [fieldByField, changeByChange]) {
        const parts = await importChanged(name, merge, change);
        expect(parts.map(({ hash, counts }) => ({ hash, counts }))).toEqual(
          whole.map(({ hash, counts }) => ({ hash, counts })),
        );
      }
      for (const { path, counts } of whole) {
        const [market] = checkTape(TapeFile.open(path)).markets;
        expect(market?.prints).toMatchObject({ count: counts.prints.count, microShares: counts.prints.lots * 10_000 });
      }
    },
  );

  it('has as many shares in increments as in prints and dropped trades', async () => {
    const [tape] = await importChanged('1.200806927', true, fieldByField);
    const { increments, grownMicroShares, prints } = tape!.counts;
    expect({ increments, ...prints }).toMatchObject({
      increments: 11_205,
      count: 8_758,
      belowOneLot: 770,
      otherSide: 1_677,
    });
    expect(grownMicroShares).toBe(2 * 316_637_530_050);
    expect(prints.lots * 10_000 + prints.belowOneLotMicroShares + computeRoundingLoss(tape!.counts)).toBe(
      316_637_530_050,
    );
  });
});

describe('counts that do not add up', () => {
  const validCounts = (): BetfairCounts => {
    const counts = makeCounts();
    Object.assign(counts, { increments: 3, grownMicroShares: 60_000 });
    Object.assign(counts.prints, { count: 2, buy: 2, lots: 2, belowOneLot: 1, otherSideMicroShares: 30_000 });
    return counts;
  };

  it('fail the import', () => {
    expect(computeRoundingLoss(validCounts())).toBe(10_000);
    for (const change of [
      (counts: BetfairCounts) => Object.assign(counts, { increments: 4 }),
      (counts: BetfairCounts) => Object.assign(counts, { grownMicroShares: 49_999 }),
      (counts: BetfairCounts) => Object.assign(counts, { grownMicroShares: 100_000 }),
      (counts: BetfairCounts) => Object.assign(counts, { grownMicroShares: 2 ** 60 }),
      (counts: BetfairCounts) => Object.assign(counts.prints, { unknown: 1 }),
      (counts: BetfairCounts) => Object.assign(counts.prints, { lots: 4 }),
      (counts: BetfairCounts) => Object.assign(counts.prints, { belowOneLot: 0 }),
    ]) {
      const counts = validCounts();
      change(counts);
      expect(() => computeRoundingLoss(counts)).toThrow(/^Invariant: .* do not add up to/);
    }
  });
});

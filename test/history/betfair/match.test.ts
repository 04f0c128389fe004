import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { LOT } from '../../../src/domain/index.ts';
import type { BetfairTape } from '../../../src/history/betfair/import.ts';
import { BetfairMarket } from '../../../src/history/betfair/market.ts';
import { parseMessage } from '../../../src/history/betfair/message.ts';
import type { OutcomeTape } from '../../../src/history/betfair/outcome-tape.ts';
import type { RunnerBook } from '../../../src/history/betfair/runner-book.ts';
import { checkTape, importBetfair, TapeFile, type TapeQuality } from '../../../src/history/index.ts';
import { readLines } from '../../../src/history/lines.ts';
import { BLOCK_ROWS, BlockWriter, KIND, makeBlock } from '../../../src/tape/index.ts';
import expected from '../../fixtures/betfair/expected.json' with { type: 'json' };
import { makeScratch } from '../scratch.ts';

const RECORDING = 'test/fixtures/betfair/1.200806927.gz';
const SHIPPED = 'config/tapes/betfair-1.200806927.tape';
const IN_PLAY = Date.parse('2022-07-11T11:00:20.540Z');

/** The state of a message in the form of `books` in expected.json. */
function snapshot(tape: OutcomeTape) {
  const odds = (runner: RunnerBook) => {
    const sorted = (side: 'atb' | 'atl') =>
      [...runner.levels(side)].sort(([a], [b]) => (side === 'atb' ? b - a : a - b)).map(([b, a]) => [b / 100, a / 100]);
    const [atb, atl] = [sorted('atb'), sorted('atl')];
    return { atb: atb.slice(0, 3), atl: atl.slice(0, 3), levels: [atb.length, atl.length] };
  };
  const side = (name: 'bid' | 'ask') =>
    tape.book.shown.depth(name, 10_000).map(({ price, shares }): [number, number] => [price, shares / LOT]);
  const [bids, asks] = [side('bid'), side('ask')];
  const total = (levels: [number, number][]) => levels.reduce((sum, [, lots]) => sum + lots, 0);
  const ids = [expected.runners.yes, expected.runners.no];
  const byRunner = <T>(value: (runner: RunnerBook) => T) =>
    Object.fromEntries(ids.map((id) => [String(id), value(tape.runners.find((runner) => runner.id === id)!)]));
  return {
    odds: byRunner(odds),
    yes: {
      bids: bids.slice(0, 3),
      asks: asks.slice(0, 3),
      levels: [bids.length, asks.length],
      totalLots: [total(bids), total(asks)],
      doubleMidBps: tape.book.shown.doubleMid() ?? null,
    },
    printsSoFar: tape.counts.prints.count,
    printedLotsSoFar: tape.counts.prints.lots,
    matchedGbp: tape.runners.reduce((sum, runner) => sum + runner.tradedPence, 0) / 100,
  };
}

describe('the recorded match, message by message', () => {
  it('has the states, books, prints and totals of expected.json at each listed message', async () => {
    const market = new BetfairMarket('1.200806927', () => new BlockWriter(() => {}));
    const snapshots: unknown[] = [];
    const states: { at: string; message: number; status: string; inPlay: boolean; betDelaySeconds: number }[] = [];
    for await (const { text, number } of readLines(RECORDING)) {
      const message = parseMessage(text)!;
      const at = new Date(message.publishedAt).toISOString();
      for (const change of message.changes) {
        market.apply(change, number - 1, message.publishedAt);
        const { status, inPlay, betDelay } = change.marketDefinition ?? {};
        if (status === undefined || inPlay === undefined || betDelay === undefined) continue;
        if (states.at(-1)?.status === status) continue;
        states.push({ at, message: number - 1, status, inPlay, betDelaySeconds: betDelay });
      }
      const book = expected.books.find((each) => each.message === number - 1);
      if (book === undefined) continue;
      snapshots.push({ at: book.at, message: number - 1, publishedAt: at, ...snapshot(market.tapes[0]!) });
    }
    expect(snapshots).toEqual(expected.books.map(({ lastTradedOdds: _, ...book }) => book));
    expect(states).toEqual(expected.status);
  });
});

describe('the imported match', () => {
  const folder = makeScratch();
  let tape: BetfairTape;
  let quality: TapeQuality;
  let inPlay: TapeQuality;

  beforeAll(async () => {
    const [only, ...others] = await importBetfair({ recording: RECORDING, folder: folder.path });
    if (only === undefined || others.length > 0) throw new Error('two runners and one winner are one tape');
    tape = only;
    const file = TapeFile.open(tape.path);
    quality = checkTape(file);
    inPlay = checkTape(file, { from: IN_PLAY });
  });

  it('equals the shipped tape', () => {
    expect(tape.manifest.contentHash).toBe(TapeFile.open(SHIPPED).manifest.contentHash);
    expect(tape.manifest.contentHash).toBe('550aba34f4f25683ee93788fce350d07e78cd3961eecd0fa9f80f09a2ba1e9d9');
    expect(readFileSync('config/tapes/LICENSE-betfair.txt', 'utf8')).toContain('MIT License');
    expect(TapeFile.open(SHIPPED).manifest.source.licence).toBe('MIT');
  });

  it('has a description without the result', () => {
    const { manifest } = tape;
    expect(manifest.source.files).toEqual([{ name: expected.file, sha256: expected.sha256 }]);
    expect(manifest.receiveTime).toBe('missing');
    expect(manifest.name).toBe('betfair-1.200806927');
    const [market] = manifest.markets;
    expect(market).toMatchObject({
      id: 'e9b5f8c4-a96e-8e97-abde-d919647529fe',
      slug: 'betfair-match-odds-1-200806927-runner-228749',
      question: 'Betfair MATCH_ODDS 1.200806927: will runner 228749 win?',
      outcomes: ['runner 228749', 'runner 2857977'],
      scheduledResolution: undefined,
      commissionBps: 500,
    });
    if (market?.grid.type !== 'list') throw new Error('a ladder of odds is a list');
    expect([market.grid.bids.length, market.grid.asks.length]).toEqual([589, 589]);
    expect(market.grid.bids.map((price) => 10_000 - price).reverse()).toEqual(market.grid.asks);
  });

  it('has read every message and entry', () => {
    const { counts } = tape;
    expect(counts.messages).toBe(expected.messages);
    expect(new Date(counts.firstAt).toISOString()).toBe(expected.firstPublishedAt);
    expect(new Date(counts.lastAt).toISOString()).toBe(expected.lastPublishedAt);
    expect(counts.sameMillisecond).toBe(expected.sameMillisecond);
    expect(counts.images).toBe(expected.images);
    expect(counts.conflated).toBe(expected.conflated);
    expect(counts.changes).toEqual(expected.runnerChangesWith);
    expect(counts.entries).toEqual(expected.entries);
    expect(counts.offLadder).toBe(0);
    expect(counts.matchedPence / 100).toBe(expected.matchedGbp);
    expect(quality.messages + counts.withoutRows).toBe(expected.messages);
  });

  it('halts, delays and resolves at the times of the market', () => {
    const file = TapeFile.open(tape.path);
    const feed = file.feed();
    const block = makeBlock(BLOCK_ROWS);
    const rows: unknown[] = [];
    while (feed.fill(block) > 0) {
      for (let row = 0; row < block.count; row += 1) {
        const [kind, at] = [block.kind[row]!, new Date(block.tx[row]!).toISOString()];
        if (kind === KIND.status) rows.push([at, ['OPEN', 'SUSPENDED'][block.price[row]!]]);
        if (kind === KIND.placeDelay) rows.push([at, block.shares[row]! / 1000]);
        if (kind === KIND.resolution) rows.push([at, 'CLOSED', block.price[row]]);
      }
    }
    feed.close();
    let delay = 0;
    const stated = expected.status.flatMap(({ at, status, betDelaySeconds }) => {
      const changed = betDelaySeconds !== delay;
      delay = betDelaySeconds;
      return [status === 'CLOSED' ? [at, status, 10_000] : [at, status], ...(changed ? [[at, betDelaySeconds]] : [])];
    });
    expect(rows).toEqual(stated);
    expect([expected.resolution, expected.winner]).toEqual(['RESOLVED_YES', expected.runners.yes]);
    expect(tape.isResolved).toBe(true);
  });

  it('distinguishes trades from revaluations', () => {
    const { increments, revaluations, resets } = tape.counts;
    expect({
      counted: increments,
      revaluationMessages: revaluations.messages,
      revaluationEntries: revaluations.entries,
      revaluationPlusGbp: revaluations.plusPence / 100,
      revaluationMinusGbp: revaluations.minusPence / 100,
    }).toEqual(expected.tradedIncrements);
    // The second to last message sets quality totals to 0.
    expect(resets).toEqual({ entries: 160, pence: -45_650_362 });
  });

  it('has exactly the prints of expected.json', () => {
    const { prints } = tape.counts;
    expect({
      count: prints.count,
      lots: prints.lots,
      belowOneLot: prints.belowOneLot,
      exactMicroShares: prints.exactMicroShares,
      buy: prints.buy,
      sell: prints.sell,
      unknown: prints.unknown,
      inPlay: inPlay.markets[0]?.prints.count,
      inPlayLots: (inPlay.markets[0]?.prints.microShares ?? 0) / LOT,
      largestLots: prints.largestLots,
    }).toEqual(expected.prints);
    const { count, microShares, largestMicroShares, buy, sell, unknown } = quality.markets[0]!.prints;
    expect({ count, buy, sell, unknown, lots: microShares / LOT, largestLots: largestMicroShares / LOT }).toEqual({
      count: prints.count,
      buy: prints.buy,
      sell: prints.sell,
      unknown: prints.unknown,
      lots: prints.lots,
      largestLots: prints.largestLots,
    });
  });

  it('is never crossed, and the second runner improves on the first as often as expected', () => {
    const { count, crossed, secondImprovesAsk, secondImprovesBid } = tape.counts.openStates;
    expect({ count, crossed, noRunnerImprovesAsk: secondImprovesAsk, noRunnerImprovesBid: secondImprovesBid }).toEqual(
      expected.openStates,
    );
    expect(quality.markets[0]?.crossed).toBe(0);
  });

  it('has the time-weighted spread of the union, and the first runner’s own spread alone', async () => {
    const spread = ({ markets: [market] }: TapeQuality) => ({
      ...market?.spreadBps,
      noMidMs: market?.oneSidedMs,
      ms: (market?.openMs ?? 0) - (market?.oneSidedMs ?? 0),
    });
    expect(spread(inPlay)).toEqual(expected.spreadInPlayBps.union);
    const tapes = await importBetfair({ recording: RECORDING, folder: folder.path, merge: false });
    expect(tapes.map(({ manifest }) => manifest.name)).toEqual([
      'betfair-1.200806927-228749',
      'betfair-1.200806927-2857977',
    ]);
    const alone = checkTape(TapeFile.open(tapes[0]!.path), { from: IN_PLAY });
    expect(spread(alone)).toEqual(expected.spreadInPlayBps.oneRunner);
    expect(tapes.map(({ path }) => checkTape(TapeFile.open(path)).markets[0]?.payout)).toEqual([10_000, 0]);
  });

  it('has the longest silence, the variation and the makers’ earnings of expected.json in play', () => {
    const [market] = inPlay.markets;
    const [silence] = market!.quietPeriods.longest;
    expect({ ms: silence?.ms, from: new Date(silence?.from ?? 0).toISOString() }).toEqual(expected.longestGapInPlay);
    const { everyMs, steps, first, last, sumSquares } = market!.variation;
    expect({
      everyMs,
      from: new Date(IN_PLAY).toISOString(),
      steps,
      firstDoubleMidBps: first,
      lastDoubleMidBps: last,
      sumSquaredDoubleMidSteps: sumSquares,
    }).toEqual(expected.quadraticVariationInPlay);
    const { prints, shares, effectiveBps, horizons } = market!.takerFlow;
    const cents = (value: number | null | undefined) => Math.round((value ?? Number.NaN) * 100) / 100;
    const names = ['1s', '5s', '30s', '1m', '5m', '15m', '1h', 'resolution'];
    const realized = horizons.map((each, i) => [names[i], cents(each.realisedBps)]);
    expect({
      prints,
      lots: shares / LOT,
      effectiveHalfSpreadBps: cents(effectiveBps),
      realisedHalfSpreadBps: Object.fromEntries(realized),
    }).toMatchObject(expected.takerFlowInPlay);
    // The last prints before the final halt.
    expect(horizons.map(({ censored }) => censored)).toEqual([1, 1, 1, 1, 17, 137, 1_138, 0]);
  });

  it('is named after the recording in the requested folder', () => {
    expect(tape.path).toBe(join(folder.path, 'betfair-1.200806927.tape'));
  });
});

/** Streams send the books of recorded markets as single deltas, without new snapshots. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { FULL_BPS, unchecked } from '../../../src/domain/index.ts';
import type { ExchangeEvent, ExchangeView } from '../../../src/exchange/index.ts';
import { TapeFile } from '../../../src/history/index.ts';
import { encodeRows, TapeMessageReader } from '../../../src/replay/index.ts';
import type { BookHistory } from '../../../src/server/streams/book/book-history.ts';
import { BookProjection } from '../../../src/server/streams/book/book-projection.ts';
import { Harness } from '../../exchange/engine/harness.ts';

const TAPE = TapeFile.open(fileURLToPath(new URL('../../../config/tapes/betfair-1.200806927.tape', import.meta.url)));
const FROM = Date.parse('2022-07-11T13:40:00Z');
const MESSAGES = 3_000;

/** All levels of the exchange's book, best first: price in bps, micro-shares, number of orders. */
function exchangeLevels(view: ExchangeView): readonly (readonly number[])[] {
  const book = view.book(0);
  const levels: number[][] = [];
  if (book === undefined) return levels;
  const add = (price: number) => levels.push([price, book.sharesAt(price), book.orderCountAt(price)]);
  for (let price = book.bestBid; price > 0; price = book.priceBelow(price)) add(price);
  for (let price = book.bestAsk; price < FULL_BPS; price = book.priceAbove(price)) add(price);
  return levels;
}

function streamLevels(history: BookHistory | undefined): readonly (readonly number[])[] {
  const levels = [...(history?.bids.levels ?? []), ...(history?.asks.levels ?? [])];
  return levels.map(({ price, shares, orders }) => [price, shares, orders]);
}

/** Replays a recording with random orders and sends all events to the projection. */
function replayRecording(
  harness: Harness,
  projection: BookProjection,
): { readonly trades: number; readonly steps: number } {
  const random = seededRandom(3);
  let [trades, steps] = [0, 0];
  const receive = (events: readonly ExchangeEvent[]): void => {
    for (const event of events) if (event.type === 'traded') trades += 1;
    steps += projection.onCommitted(events, unchecked.time(harness.time)).length;
    expect(projection.onBatchEnd()).toEqual([]);
  };
  const reader = new TapeMessageReader(TAPE.feed());
  const images = reader.skipUntil(FROM);
  const [market] = TAPE.manifest.markets;
  const follow = { tape: 'abc', grid: market?.grid, models: { queue: { model: 'risk-averse' } } };
  const rows = encodeRows(images.toRows(0));
  receive(harness.send('followTape', { ...follow, market: 0, account: 3, row: reader.row, recordedAt: FROM, rows }));
  for (let at = 0; at < MESSAGES; at += 1) {
    const message = reader.next();
    const [part] = message?.parts ?? [];
    if (message === undefined || part === undefined) break;
    harness.time += 10;
    receive(harness.send('playTape', { market: 0, row: message.row, recordedAt: message.time, rows: part.rows }));
    const { bestBid, bestAsk } = harness.view.book(0) ?? { bestBid: 0, bestAsk: 0 };
    if (bestBid > 0 && bestAsk < FULL_BPS && random.int(3) === 0) {
      const isBid = random.int(2) === 0;
      const price = random.int(3) === 0 ? bestBid : bestAsk;
      const outcome = isBid ? 'YES' : 'NO';
      const timeInForce = random.int(4) === 0 ? 'FAK' : 'GTC';
      const order = {
        outcome,
        price: isBid ? price : FULL_BPS - price,
        size: 1 + random.int(80),
        timeInForce,
      } as const;
      receive(harness.place(1 + random.int(2), order));
    }
    if (at % 400 === 200) receive(harness.send('cancelAllOrders', { account: 1 }));
    if (at % 50 === 0) {
      expect(streamLevels(projection.history(0))).toEqual(exchangeLevels(harness.view));
      expect(projection.history(0)?.seq).toBe(harness.view.market(0)?.bookSeq);
    }
  }
  reader.close();
  return { trades, steps };
}

describe('the book of a recorded market', () => {
  it('has the same levels in the stream as in the query', () => {
    const harness = new Harness();
    for (let trader = 0; trader < 2; trader += 1) harness.account(1_000_000);
    harness.unlimitedAccount();
    harness.market({ tickBps: 1 });
    const { trades, steps } = replayRecording(harness, new BookProjection(harness.view));
    expect(trades).toBeGreaterThan(200);
    expect(steps).toBeGreaterThan(1_000);
  });

  it('is empty while the market is not open and returns when it opens', () => {
    const harness = new Harness();
    harness.account(1_000);
    harness.unlimitedAccount();
    harness.market();
    const projection = new BookProjection(harness.view);
    const receive = (events: readonly ExchangeEvent[]): readonly (readonly number[])[] => {
      projection.onCommitted(events, unchecked.time(harness.time));
      expect(projection.onBatchEnd()).toEqual([]);
      return streamLevels(projection.history(0));
    };
    const grid = { type: 'tick', tickBps: 10 };
    const follow = { tape: 'abc', grid, models: { queue: { model: 'risk-averse' } }, recordedAt: 0, row: 0 };
    const level = [6000, 5_000_000, 1];
    expect(
      receive(harness.send('followTape', { ...follow, market: 0, account: 2, rows: [0, 0, 6000, 5_000_000] })),
    ).toEqual([level]);
    expect(receive(harness.send('closeEarly', { market: 0 }))).toEqual([]);
    const play = { market: 0, row: 1, recordedAt: 1, rows: [0, 1, 6100, 7_000_000] };
    expect(receive(harness.send('playTape', play))).toEqual([]);
    // A projection created while the market is not open has the same levels later.
    const late = new BookProjection(harness.view);
    const date = harness.time + 1_000;
    const openEvents = harness.send('moveDate', { market: 0, by: 'operator', resolutionDate: date });
    expect(receive(openEvents)).toEqual([level, [6100, 7_000_000, 1]]);
    late.onCommitted(openEvents, unchecked.time(harness.time));
    expect([late.onBatchEnd(), streamLevels(late.history(0))]).toEqual([[], [level, [6100, 7_000_000, 1]]]);
  });

  it('has its old seq until the end of the batch, also after a refused command', () => {
    const harness = new Harness();
    harness.account(1_000);
    harness.unlimitedAccount();
    harness.market();
    const projection = new BookProjection(harness.view);
    const grid = { type: 'tick', tickBps: 10 };
    const follow = { tape: 'abc', grid, models: { queue: { model: 'risk-averse' } }, recordedAt: 0, row: 0 };
    projection.onCommitted(
      harness.send('followTape', { ...follow, market: 0, account: 2, rows: [0, 0, 6000, 5_000_000] }),
      unchecked.time(harness.time),
    );
    projection.onBatchEnd();
    const before = projection.history(0)?.seq ?? 0;
    expect(before).toBeGreaterThan(0);
    const playEvents = harness.send('playTape', { market: 0, row: 1, recordedAt: 1, rows: [0, 1, 6100, 7_000_000] });
    const refused = harness.send('closeEarly', { market: 9 });
    expect(refused).toMatchObject([{ type: 'refused' }]);
    projection.onCommitted([...playEvents, ...refused], unchecked.time(harness.time));
    expect(projection.history(0)?.seq).toBe(before);
    expect(projection.onBatchEnd()).toEqual([]);
    expect(projection.history(0)?.seq).toBe(harness.view.market(0)?.bookSeq);
  });
});

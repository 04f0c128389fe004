/**
 * Writes a month of a bot's trading to its database within minutes. In each cycle the bot replaces its quotes on both
 * sides of one market. The venue accepts them, and in every eighth cycle fills the YES order. Bought shares are sold at
 * the same price, so that the bot's cash still equals that at the venue, which has no record of these orders. Runs
 * until it is killed.
 *
 * After the month no order is open, and later orders are rejected. A kill leaves at most one order unanswered.
 *
 * Prints `<cycles> <steps> <orders> <fills>` regularly. Arguments: file, cycles of the month.
 */
import { writeSync } from 'node:fs';
import process from 'node:process';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import {
  type EpochMs,
  type MarketNo,
  type OrderCommand,
  type PlaceOrder,
  priceBps,
  unchecked,
  type VenueEvent,
} from '../../src/domain/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../../src/risk/index.ts';
import { recover } from '../../src/runtime/index.ts';
import { BotStore } from '../../src/store/index.ts';

const MONTH_MS = 30 * 86_400_000;
/** Time in ms since the month's end. It exceeds every clock skew that a venue allows. */
const UNTIL_MS = 300_000;
const CYCLES_PER_TURN = 4;
/** Number of cycles at the end of the month that sell positions and buy nothing. */
const CLOSING_CYCLES = 200;
const [file = '', cycles = '0'] = process.argv.slice(2);
const cycleCount = Number(cycles);
const SHARES = unchecked.shares(20_000_000);

const claimed = new Database(file, { readonly: true });
const { name, spec } = claimed.prepare<[], { name: string; spec: string }>('SELECT name, spec FROM bot').get() ?? {
  name: '',
  spec: '',
};
claimed.close();
const store = BotStore.open({ file, name, spec });
const stored = store.storedRun();
if (stored === undefined) throw new Error('a bot has to have traded with it before');
const before = recover(stored);
const { state, assignments } = before;
const gate = createRiskGate(riskLimits(riskSchema.parse({})), before.risk);
const begin = Date.now() - MONTH_MS - UNTIL_MS;
const counters = { cycles: 0, steps: 0, orders: 0, fills: 0 };
const openOrders = new Map<MarketNo, readonly PlaceOrder[]>();
/** Bought orders that were not sold yet. */
const held = new Map<MarketNo, PlaceOrder>();
let seq: number = before.nextSeq;
let nextOrder: number = before.nextOrder;

store.setSource(
  {
    account: state,
    risk: () => gate.snapshot(),
    snapshot: () => ({
      seq: unchecked.seq(seq - 1),
      rows: seq,
      nextOrder: unchecked.order(nextOrder),
      account: state.snapshot(),
      risk: gate.snapshot(),
      roster: assignments.entries,
    }),
  },
  unchecked.time(begin),
);

for (;;) {
  for (let left = CYCLES_PER_TURN; left > 0; left -= 1) cycle();
  if (counters.cycles === cycleCount) closeAll();
  if (counters.cycles % 1_000 === 0) store.storeState();
  if (counters.cycles % 1_000 === 0) {
    writeSync(1, `${counters.cycles} ${counters.steps} ${counters.orders} ${counters.fills}\n`);
  }
  await setImmediate();
}

/** Requotes the next market. The venue accepts the orders, and in every eighth cycle fills the YES order. */
function cycle(): void {
  counters.cycles += 1;
  const time = unchecked.time(begin + Math.floor((MONTH_MS * Math.min(counters.cycles, cycleCount)) / cycleCount));
  const market = state.markets[counters.cycles % state.markets.length]?.info.market;
  if (market === undefined) throw new Error('a bot has markets');
  const price = 3_000 + 100 * (counters.cycles % 30);
  const bought = held.get(market);
  const own = bought === undefined ? place(market, 'BUY', price) : place(market, 'SELL', bought.price);
  const places = [own, { ...place(market, 'BUY', 9_000 - price), outcome: 'NO' as const }];
  const before = counters.cycles > cycleCount ? [] : (openOrders.get(market) ?? []);
  const cancels = before.map(({ order, shares }) => ({ order, remaining: shares }));
  const command: OrderCommand = { type: 'replace', market, cancels, places };
  state.applyCommand(command, time);
  store.appendDeferred([step(undefined, [command], time)]);
  store.addSigned(places.map((order) => record(order, time)));
  counters.orders += places.length;
  if (counters.cycles > cycleCount) {
    for (const { order } of places) {
      storeEvent({ type: 'orderRejected', time, venueTime: time, order, market, reason: 'INSUFFICIENT_BALANCE' });
    }
    return;
  }
  storeEvent({
    type: 'ordersReplaced',
    time,
    venueTime: time,
    market,
    closed: cancels.map(({ order }) => order),
    accepted: places.map(({ order }) => order),
  });
  openOrders.set(market, places);
  const isLate = counters.cycles > cycleCount - CLOSING_CYCLES;
  if (bought !== undefined ? isLate || counters.cycles % 8 === 0 : !isLate && counters.cycles % 8 === 0) {
    fill(own, time, places);
  }
}

function closeAll(): void {
  const time = unchecked.time(begin + MONTH_MS);
  for (const { order, market } of [...openOrders.values()].flat()) {
    storeEvent({ type: 'orderClosed', time, venueTime: time, order, market, reason: 'EXPIRED' });
  }
}

function fill(own: PlaceOrder, time: EpochMs, places: readonly PlaceOrder[]): void {
  const { order, market, side, price, shares } = own;
  counters.fills += 1;
  storeEvent({
    type: 'orderFilled',
    time,
    venueTime: time,
    order,
    market,
    side,
    price,
    shares,
    outcome: 'YES',
    remaining: unchecked.shares(0),
    fee: unchecked.usd(0),
    liquidity: 'maker',
    basis: 'real',
    inside: false,
  });
  if (side === 'BUY') held.set(market, own);
  else held.delete(market);
  openOrders.set(
    market,
    places.filter((each) => each !== own),
  );
}

function storeEvent(event: VenueEvent): void {
  state.apply(event);
  gate.checkLosses(state);
  store.append([step(event, [], event.time)]);
}

function step(event: VenueEvent | undefined, commands: readonly OrderCommand[], time: EpochMs) {
  seq += 1;
  counters.steps += 1;
  return { seq: unchecked.seq(seq - 1), time, row: seq, event, refused: [], commands };
}

function place(market: MarketNo, side: 'BUY' | 'SELL', price: number): PlaceOrder {
  nextOrder += 1;
  return {
    type: 'place',
    order: unchecked.order(nextOrder - 1),
    bot: unchecked.instance(0),
    market,
    outcome: 'YES',
    side,
    price: priceBps(price),
    shares: SHARES,
    timeInForce: 'GTC',
    postOnly: true,
    expiration: 0,
  };
}

function record(command: PlaceOrder, timestampMs: number) {
  const { order, market } = command;
  const hash = `0x${order.toString(16).padStart(64, '0')}`;
  const wire = JSON.stringify({ ...command, hash, signature: '0x'.padEnd(132, '7'), salt: '0x'.padEnd(66, '3') });
  const marketId = String(state.market(market).info.id);
  return { order, market, marketId, hash, timestampMs, epoch: store.epoch, wire, command };
}

/** What happens in a chaos run, fixed by its seed alone: nothing of it depends on answers or on time. */
import { type Random, seededRandom } from '../../../src/clock/index.ts';
import { counted, microShares, type PlaceOrder, priceBps, SHARE } from '../../../src/domain/index.ts';

/** How bad the line is, as in `ChaosProxy`. */
export interface LineSettings {
  readonly rate: number;
  readonly delayMs: number;
  readonly balanceMs: number;
  readonly staleMs: number;
}

/** An order without its number. */
export type Template = Omit<PlaceOrder, 'order'>;

export type ChaosStep =
  | { readonly type: 'place'; readonly orders: readonly Template[] }
  /** @param pick which of those that are open, 0 to 1 */
  | { readonly type: 'cancel'; readonly pick: number }
  | { readonly type: 'cancelAll'; readonly everyone: boolean }
  | {
      readonly type: 'stranger';
      readonly isBid: boolean;
      readonly price: number;
      readonly size: number;
      readonly goes: boolean;
    }
  /** Of the venue: for a time, or a number of times. */
  | { readonly type: 'fault'; readonly fault: string; readonly for_ms?: number; readonly times?: number }
  | ({ readonly type: 'line' } & LineSettings)
  | { readonly type: 'cut' }
  | { readonly type: 'version' }
  /** The venue cannot be reached for longer than an order may be sent again. */
  | { readonly type: 'away' }
  /** @param isLost the database is gone, too */
  | { readonly type: 'crash'; readonly leftovers: 'adopt' | 'cancel'; readonly isLost: boolean };

export interface ChaosPlan {
  readonly steps: readonly (ChaosStep & { readonly pauseMs: number })[];
  readonly isGrouped: boolean;
  readonly dust: number;
}

/** A bid that nobody takes. */
export const CHEAP: Template = {
  type: 'place',
  bot: counted.bot(0),
  market: counted.market(0),
  outcome: 'YES',
  side: 'BUY',
  price: priceBps(1_000),
  shares: microShares(5 * SHARE),
  timeInForce: 'GTC',
  postOnly: true,
  expiration: 0,
};

export const LASTING = ['restart', 'post-only', 'delay', 'silence', 'double'];
export const COUNTED = ['lose-answer', 'retry', 'fail', 'wrong-beat'];

export function chaosPlan(seed: number, count: number): ChaosPlan {
  const random = seededRandom(seed).fork('plan');
  const isGrouped = random.int(3) > 0;
  const dust = random.int(5);
  const steps = Array.from({ length: count }, () => ({ ...stepOf(random), pauseMs: random.int(30) }));
  return { steps, isGrouped, dust };
}

function stepOf(random: Random): ChaosStep {
  const what = random.int(1_000);
  if (what < 350) return { type: 'place', orders: someOrders(random, 1 + random.int(3)) };
  if (what < 355) return { type: 'place', orders: someOrders(random, 30) };
  if (what < 450) return { type: 'cancel', pick: random.uniform() };
  if (what < 470) return { type: 'cancelAll', everyone: random.int(2) === 0 };
  if (what < 765) return strangerTrades(random);
  if (what < 865) return fault(random);
  if (what < 915) {
    const pick = (...values: readonly number[]): number => values[random.int(values.length)] ?? 0;
    return {
      type: 'line',
      rate: pick(0.05, 0.1, 0.3),
      delayMs: pick(0, 20, 20, 200, 800),
      balanceMs: pick(0, 300),
      staleMs: pick(0, 0, 700),
    };
  }
  if (what < 935) return { type: 'cut' };
  if (what < 948) return { type: 'version' };
  if (what < 952) return { type: 'away' };
  return { type: 'crash', leftovers: random.int(2) === 0 ? 'adopt' : 'cancel', isLost: random.int(10) === 0 };
}

function someOrders(random: Random, count: number): readonly Template[] {
  return Array.from({ length: count }, () => orderOf(random));
}

/** Bids of YES up to 0.48, and what is as good as asks from 0.52 on. */
function orderOf(random: Random): Template {
  const isBid = random.int(2) === 0;
  const taking = random.int(6) === 0;
  const yes = isBid ? 4_400 + 100 * random.int(5) : 5_600 - 100 * random.int(5);
  const sells = random.int(4) === 0;
  const outcome = isBid === sells ? 'NO' : 'YES';
  return {
    type: 'place',
    bot: counted.bot(0),
    market: counted.market(0),
    outcome,
    side: sells ? 'SELL' : 'BUY',
    price: priceBps(outcome === 'YES' ? yes : 10_000 - yes),
    shares: microShares((1 + random.int(6)) * SHARE),
    timeInForce: taking ? 'FAK' : 'GTC',
    postOnly: !taking && random.int(2) === 0,
    expiration: 0,
  };
}

/** Somebody takes what he can. */
function strangerTrades(random: Random): ChaosStep {
  const isBid = random.int(2) === 0;
  const price = isBid ? 5_200 + 100 * random.int(5) : 4_800 - 100 * random.int(5);
  return { type: 'stranger', isBid, price, size: 1 + random.int(12), goes: random.int(3) > 0 };
}

function fault(random: Random): ChaosStep {
  const pick = (names: readonly string[]): string => names[random.int(names.length)] ?? 'fail';
  if (random.int(2) === 0) return { type: 'fault', fault: pick(LASTING), for_ms: 50 + random.int(400) };
  return { type: 'fault', fault: pick([...COUNTED, 'fail', 'fail']), times: 1 + random.int(3) };
}

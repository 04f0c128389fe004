/** The steps of a chaos run. They depend on its seed alone, not on responses or time. */
import { type Random, seededRandom } from '../../../src/clock/index.ts';
import { microShares, type PlaceOrder, priceBps, SHARE, unchecked } from '../../../src/domain/index.ts';

/** Faults and delays of the network, as in `ChaosProxy`. */
export interface NetworkSettings {
  readonly rate: number;
  readonly delayMs: number;
  readonly balanceMs: number;
  readonly staleMs: number;
}

/** An order without its number. */
export type Template = Omit<PlaceOrder, 'order'>;

export type ChaosStep =
  | { readonly type: 'place'; readonly orders: readonly Template[] }
  /** @param pick position among the open orders, 0 to 1 */
  | { readonly type: 'cancel'; readonly pick: number }
  | { readonly type: 'cancelAll'; readonly everyone: boolean }
  | {
      readonly type: 'otherTrader';
      readonly isBid: boolean;
      readonly price: number;
      readonly size: number;
      readonly cancelsRest: boolean;
    }
  /** A fault of the venue, for a time or a number of times. */
  | { readonly type: 'fault'; readonly fault: string; readonly for_ms?: number; readonly times?: number }
  | ({ readonly type: 'network' } & NetworkSettings)
  | { readonly type: 'cut' }
  | { readonly type: 'version' }
  /** The venue is unreachable for longer than an order may be resent. */
  | { readonly type: 'outage' }
  /** @param isLost the database is lost, too */
  | { readonly type: 'crash'; readonly leftovers: 'adopt' | 'cancel'; readonly isLost: boolean };

export interface ChaosPlan {
  readonly steps: readonly (ChaosStep & { readonly pauseMs: number })[];
  readonly isGrouped: boolean;
  readonly dust: number;
}

/** A bid that does not fill. */
export const CHEAP: Template = {
  type: 'place',
  bot: unchecked.instance(0),
  market: unchecked.market(0),
  outcome: 'YES',
  side: 'BUY',
  price: priceBps(1_000),
  shares: microShares(5 * SHARE),
  timeInForce: 'GTC',
  postOnly: true,
  expiration: 0,
};

export const TIMED_FAULTS = ['restart', 'post-only', 'delay', 'silence', 'double'];
export const COUNTED_FAULTS = ['lose-answer', 'retry', 'fail', 'wrong-beat'];

export function chaosPlan(seed: number, count: number): ChaosPlan {
  const random = seededRandom(seed).fork('plan');
  const isGrouped = random.int(3) > 0;
  const dust = random.int(5);
  const steps = Array.from({ length: count }, () => ({ ...stepOf(random), pauseMs: random.int(30) }));
  return { steps, isGrouped, dust };
}

function stepOf(random: Random): ChaosStep {
  const draw = random.int(1_000);
  if (draw < 350) return { type: 'place', orders: randomOrders(random, 1 + random.int(3)) };
  if (draw < 355) return { type: 'place', orders: randomOrders(random, 30) };
  if (draw < 450) return { type: 'cancel', pick: random.uniform() };
  if (draw < 470) return { type: 'cancelAll', everyone: random.int(2) === 0 };
  if (draw < 765) return otherTraderStep(random);
  if (draw < 865) return fault(random);
  if (draw < 915) {
    const pick = (...values: readonly number[]): number => values[random.int(values.length)] ?? 0;
    return {
      type: 'network',
      rate: pick(0.05, 0.1, 0.3),
      delayMs: pick(0, 20, 20, 200, 800),
      balanceMs: pick(0, 300),
      staleMs: pick(0, 0, 700),
    };
  }
  if (draw < 935) return { type: 'cut' };
  if (draw < 948) return { type: 'version' };
  if (draw < 952) return { type: 'outage' };
  return { type: 'crash', leftovers: random.int(2) === 0 ? 'adopt' : 'cancel', isLost: random.int(10) === 0 };
}

function randomOrders(random: Random, count: number): readonly Template[] {
  return Array.from({ length: count }, () => orderOf(random));
}

/** Returns a bid of YES up to 0.48, or the equivalent of an ask from 0.52 on. */
function orderOf(random: Random): Template {
  const isBid = random.int(2) === 0;
  const isTaker = random.int(6) === 0;
  const yes = isBid ? 4_400 + 100 * random.int(5) : 5_600 - 100 * random.int(5);
  const sells = random.int(4) === 0;
  const outcome = isBid === sells ? 'NO' : 'YES';
  return {
    type: 'place',
    bot: unchecked.instance(0),
    market: unchecked.market(0),
    outcome,
    side: sells ? 'SELL' : 'BUY',
    price: priceBps(outcome === 'YES' ? yes : 10_000 - yes),
    shares: microShares((1 + random.int(6)) * SHARE),
    timeInForce: isTaker ? 'FAK' : 'GTC',
    postOnly: !isTaker && random.int(2) === 0,
    expiration: 0,
  };
}

/** An order of another trader, which may fill orders of the bot. */
function otherTraderStep(random: Random): ChaosStep {
  const isBid = random.int(2) === 0;
  const price = isBid ? 5_200 + 100 * random.int(5) : 4_800 - 100 * random.int(5);
  return { type: 'otherTrader', isBid, price, size: 1 + random.int(12), cancelsRest: random.int(3) > 0 };
}

function fault(random: Random): ChaosStep {
  const pick = (names: readonly string[]): string => names[random.int(names.length)] ?? 'fail';
  if (random.int(2) === 0) return { type: 'fault', fault: pick(TIMED_FAULTS), for_ms: 50 + random.int(400) };
  return { type: 'fault', fault: pick([...COUNTED_FAULTS, 'fail', 'fail']), times: 1 + random.int(3) };
}

/** Measures the time to add one step to the event log's hash. */
import { priceBps, sharesOfLots, unchecked } from '../src/domain/index.ts';
import { HashStore, type Step } from '../src/runtime/index.ts';
import { type Bench, elapsedMs, row, sideBySide } from './harness.ts';

const STEPS = 500_000;
const ROUNDS = 7;
const MARKET = unchecked.market(0);
const SHARES = sharesOfLots(10_000);

const bench: Bench = async () => {
  const measure = (step: (seq: number) => Step) => {
    const steps = Array.from({ length: STEPS }, (_, at) => [step(at + 1)]);
    return () => nanosPerStep(steps);
  };
  const samples = await sideBySide(ROUNDS, { acks: measure(acceptance), fills: measure(fill), quotes: measure(quote) });
  return {
    results: [
      row('an acceptance', samples.acks, 'ns'),
      row('a fill', samples.fills, 'ns'),
      row('a replace of two orders', samples.quotes, 'ns'),
    ],
    ratios: {},
    values: { nanosPerFill: samples.fills.median, nanosPerQuote: samples.quotes.median },
    notes: ['steps are encoded, hashed with sha256 and appended one by one, as in a run'],
  };
};
export default bench;

function nanosPerStep(steps: readonly (readonly Step[])[]): number {
  const store = new HashStore({ spec: '{}', tapes: [] });
  const ms = elapsedMs(() => {
    for (const step of steps) store.append(step);
    store.eventLogHash();
  });
  return (ms * 1e6) / steps.length;
}

function step(seq: number, fields: Partial<Step>): Step {
  const time = unchecked.time(1_700_000_000_000 + seq);
  return { seq: unchecked.seq(seq), time, row: 20 * seq, event: undefined, refused: [], commands: [], ...fields };
}

function orderFields(seq: number) {
  const time = unchecked.time(1_700_000_000_000 + seq);
  return { time, venueTime: time, order: unchecked.order(seq), market: MARKET };
}

function acceptance(seq: number): Step {
  return step(seq, { event: { type: 'orderAccepted', ...orderFields(seq) } });
}

function fill(seq: number): Step {
  return step(seq, {
    event: {
      type: 'orderFilled',
      ...orderFields(seq),
      outcome: 'YES',
      side: 'BUY',
      price: priceBps(5_000),
      shares: SHARES,
      remaining: unchecked.shares(0),
      fee: unchecked.usd(0),
      liquidity: 'maker',
      basis: 'queue',
      inside: false,
    },
  });
}

function quote(seq: number): Step {
  const cancels = [0, 1].map((at) => ({ order: unchecked.order(2 * seq + at), remaining: SHARES }));
  const places = [2, 3].map((at) => ({
    type: 'place' as const,
    order: unchecked.order(2 * seq + at),
    bot: unchecked.instance(0),
    market: MARKET,
    outcome: 'YES' as const,
    side: 'BUY' as const,
    price: priceBps(5_000),
    shares: SHARES,
    timeInForce: 'GTC' as const,
    postOnly: true,
    expiration: 0 as const,
  }));
  return step(seq, { commands: [{ type: 'replace', market: MARKET, cancels, places }] });
}

import { repeatEvery, withTimeout } from '../../clock/index.ts';
import { InputFault, type MarketNo, type OrderNo } from '../../domain/index.ts';
import type { LiveBotDeps } from './live-bot-deps.ts';

export interface CancelOrderDeps extends Pick<LiveBotDeps, 'clock' | 'venueCommandLine'> {
  readonly state: {
    readonly markets: readonly {
      readonly info: { readonly market: MarketNo; readonly slug: string };
      readonly orders: readonly { readonly order: OrderNo; readonly phase: string }[];
    }[];
  };
  readonly run: Pick<LiveBotDeps['run'], 'submit'>;
}

const CHECK_MS = 20;
const TIMEOUT_MS = 10_000;

type Outcome = 'gone' | 'refused' | 'late';

/** Cancels an order, waits for the venue, and returns a text for the operator. @throws InputFault if it is not open */
export async function cancelOrder(deps: CancelOrderDeps, number: number): Promise<string> {
  const { state, run, clock, venueCommandLine } = deps;
  const tradedMarket = state.markets.find(({ orders }) => orders.some(({ order }) => order === number));
  const openOrder = tradedMarket?.orders.find(({ order }) => order === number);
  if (tradedMarket === undefined || openOrder === undefined)
    throw new InputFault('order', number, 'the number of an open order, as `halfspread orders` shows it');
  const { market, slug } = tradedMarket.info;
  const { order } = openOrder;
  run.submit({ type: 'cancelCommanded', market, order });
  const readOutcome = (): Outcome | undefined => {
    const open = tradedMarket.orders.find((other) => other.order === order);
    if (open === undefined) return 'gone';
    return open.phase === 'cancelling' ? undefined : 'refused';
  };
  const outcome = Promise.withResolvers<Outcome>();
  const stop = repeatEvery(clock, CHECK_MS, () => {
    const current = readOutcome();
    if (current !== undefined) outcome.resolve(current);
  });
  const result = readOutcome() ?? (await withTimeout(clock, TIMEOUT_MS, outcome.promise, () => 'late'));
  stop();
  const check = `\`${venueCommandLine('orders')}\` shows what is open`;
  return {
    gone: `order ${number} in ${slug} is no longer open; the venue confirmed it`,
    refused: `the venue did not cancel order ${number} in ${slug}: ${check}`,
    late: `the cancel of order ${number} in ${slug} was sent, and the venue has not confirmed it yet: ${check}`,
  }[result];
}

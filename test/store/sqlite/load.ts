/** Random trading by a few accounts in two markets, until the child process is killed. */
import type { Random } from '../../../src/clock/index.ts';
import { type MarketNo, unchecked } from '../../../src/domain/index.ts';
import type { ExchangeCommand, ExchangeView } from '../../../src/exchange/index.ts';
import { OPENING } from '../../exchange/properties/sequence.ts';

const ACCOUNTS = 3;

/** The next command: first the commands that open the markets, then random ones. */
export function nextCommand(view: ExchangeView, random: Random, done: number): ExchangeCommand {
  const opening = OPENING[done];
  if (opening !== undefined) return opening;
  const time = unchecked.time(view.now + random.int(20));
  const account = unchecked.account(1 + random.int(ACCOUNTS));
  const requests = { time, account, credential: unchecked.credential(account) };
  const market = unchecked.market(random.int(2));
  const open = view.openOrders(account);
  const kind = random.int(10);
  if (kind === 0) return { type: 'transfer', time, account, amount: unchecked.usd(100_000_000) };
  if (kind === 1) return { ...requests, type: 'split', market, shares: unchecked.shares(10_000_000) };
  const old = open[random.int(Math.max(1, open.length))];
  if (old !== undefined && (kind < 5 || open.length > 30)) {
    return { ...requests, type: 'cancel', orders: [unchecked.order(old.order)] };
  }
  return { ...requests, type: 'place', ...terms(view, random, market, time) };
}

function terms(view: ExchangeView, random: Random, market: MarketNo, time: number) {
  const digest = random.int(1_000_000_000).toString(16).padStart(8, '0');
  return {
    market,
    outcome: random.int(2) === 0 ? 'YES' : 'NO',
    side: random.int(2) === 0 ? 'BUY' : 'SELL',
    price: unchecked.price(4000 + 100 * random.int(20)),
    shares: unchecked.shares(1_000_000 * (1 + random.int(5))),
    timeInForce: random.int(4) === 0 ? 'FAK' : 'GTC',
    postOnly: false,
    expiration: 0,
    timestampMs: unchecked.time(time),
    epoch: 0,
    maxFeeBps: 1000,
    replaces: 0,
    selfTrade: 'CANCEL_TAKER',
    group: unchecked.group(0),
    restriction: undefined,
    hash: `0x${`${view.orderCount + 1}`.padStart(56, '0')}${digest}`,
    clientOrderId: random.int(3) === 0 ? `c${view.orderCount + 1}` : undefined,
  } as const;
}

/** Converts a flow of orders to exchange commands, and creates the accounts and the market that they need. */
import { createHash } from 'node:crypto';
import { DOLLAR, unchecked } from '../../src/domain/index.ts';
import {
  DEFAULT_CONFIG,
  Exchange,
  type ExchangeCommand,
  type ExchangeOptions,
  ORDER_KINDS,
} from '../../src/exchange/index.ts';
import { createMarket } from './exchange-harness.ts';
import { accountAt, isCancel, kindIn, type OrderFlow, orderAt, priceIn, sharesAt, termsAt } from './order-flow.ts';

/** Half of the accounts bid and half ask, so that none trades with itself. */
const ACCOUNTS = 1000;
const START = unchecked.time(1_790_000_000_000);
/** Enough micro-USD for ten million commands. */
const ACCOUNT_MICRO_USD = 2_900_000 * DOLLAR;
const PAIRS = unchecked.shares(1_400_000 * DOLLAR);

/** Options of the exchange of these benches. */
export const EXCHANGE_OPTIONS: ExchangeOptions = {
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
  config: { ...DEFAULT_CONFIG, minBet: unchecked.usd(1), maxExposurePerMarket: unchecked.usd(ACCOUNT_MICRO_USD) },
  capacity: { accounts: ACCOUNTS, holdings: ACCOUNTS, orders: 20_000 },
};

export function createExchange(): Exchange {
  return new Exchange(EXCHANGE_OPTIONS);
}

/** Creates accounts with money and pairs, and one open market. */
export function* openingCommands(): Iterable<ExchangeCommand> {
  const [time, credential, market] = [START, unchecked.credential(0), unchecked.market(0)];
  const accounts = Array.from({ length: ACCOUNTS }, (_, at) => unchecked.account(at + 1));
  for (const account of accounts) {
    yield { type: 'openAccount', time, address: `0x${account.toString(16)}`, unlimited: false };
    yield { type: 'transfer', time, account, amount: unchecked.usd(ACCOUNT_MICRO_USD) };
  }
  yield createMarket(0, time);
  const confirmed = { type: 'chainConfirmed', step: 'DEPLOY', attempt: 1, transactionHash: '0x00', note: '' } as const;
  yield { ...confirmed, time, market };
  for (const account of accounts) yield { type: 'split', time, account, credential, market, shares: PAIRS };
}

/** Converts the rows of a flow to commands. */
export class FlowCommands {
  readonly #flow: OrderFlow;
  readonly #isSigned: boolean;

  /** @param isSigned adds a digest of 32 bytes to each order, as clients do */
  constructor(flow: OrderFlow, { isSigned }: { readonly isSigned: boolean }) {
    this.#flow = flow;
    this.#isSigned = isSigned;
  }

  /** Returns the command of a row. Call it once per row, in order. */
  command(row: number): ExchangeCommand {
    const flow = this.#flow;
    const number = orderAt(flow, row);
    const time = unchecked.time(START + Math.floor(row / 100));
    const account = unchecked.account(accountAt(flow, row));
    if (isCancel(flow, row)) {
      const credential = unchecked.credential(account);
      return { type: 'cancel', time, account, credential, orders: [unchecked.order(number)] };
    }
    const terms = termsAt(flow, row);
    const { outcome = 'YES', side = 'BUY' } = ORDER_KINDS[kindIn(terms)] ?? {};
    return {
      type: 'place',
      time,
      account,
      credential: unchecked.credential(account),
      market: unchecked.market(0),
      outcome,
      side,
      price: unchecked.price(priceIn(terms)),
      shares: unchecked.shares(sharesAt(flow, row)),
      timeInForce: 'GTC',
      postOnly: false,
      expiration: 0,
      timestampMs: time,
      epoch: 0,
      maxFeeBps: 1000,
      replaces: 0,
      selfTrade: 'CANCEL_TAKER',
      group: unchecked.group(0),
      restriction: undefined,
      hash: this.#isSigned ? `0x5${number.toString(16).padStart(63, '0')}` : undefined,
      clientOrderId: undefined,
    };
  }
}

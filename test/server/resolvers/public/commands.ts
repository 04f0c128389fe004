/** Commands of accounts, with defaults for tests. */
import {
  type AccountNo,
  credentialNo,
  epochMs,
  groupNo,
  type MarketNo,
  marketId,
  microShares,
  priceBps,
} from '../../../../src/domain/index.ts';
import type { CreateMarket, ExchangeCommand, OrderTerms } from '../../../../src/exchange/index.ts';
import type { ModelVote } from '../../../../src/exchange/market-command.ts';
import { type Hex, NO_HASH, type OrderMessage } from '../../../../src/signing/index.ts';
import { vectors } from '../../../signing/harness.ts';
import type { Venue } from './venue.ts';

export const DAY = 86_400_000;

export function creationCommand(
  venue: Pick<Venue, 'clock' | 'view'>,
  account: AccountNo,
  changes: Partial<CreateMarket> = {},
): CreateMarket {
  const no = venue.view.markets.length;
  return {
    type: 'createMarket',
    time: venue.clock.now(),
    account,
    credential: credentialNo(0),
    id: marketId(idOf(no)),
    question: `Will it rain on day ${no}?`,
    rules: 'By the gauge.',
    description: undefined,
    categorySlug: 'weather',
    topicSlugs: ['rain'],
    resolutionDate: epochMs(venue.clock.now() + DAY),
    tickBps: undefined,
    feeRateBps: undefined,
    minOrderShares: undefined,
    eventId: undefined,
    initialOrder: undefined,
    restriction: undefined,
    ...changes,
  };
}

interface UnsignedOrder extends Pick<OrderTerms, 'market' | 'side' | 'outcome'> {
  readonly account: AccountNo;
  readonly price: number;
  /** In micro-shares. */
  readonly shares: number;
}

/** The command of an unsigned GTC order. */
export function orderCommand(
  venue: Pick<Venue, 'clock' | 'view'>,
  { account, market, side, outcome, price, shares }: UnsignedOrder,
): ExchangeCommand {
  const terms: OrderTerms = {
    market,
    outcome,
    side,
    price: priceBps(price),
    shares: microShares(shares),
    timeInForce: 'GTC',
    postOnly: false,
    expiration: 0,
    timestampMs: venue.clock.now(),
    epoch: 0,
    maxFeeBps: 1_000,
    replaces: 0,
    selfTrade: 'CANCEL_TAKER',
    group: groupNo(0),
    restriction: undefined,
    hash: undefined,
    clientOrderId: undefined,
  };
  return { type: 'place', time: venue.clock.now(), account, credential: credentialNo(0), ...terms };
}

/** The command of a split or merge. @param shares pairs, micro-shares */
export function convertCommand(
  venue: Pick<Venue, 'clock' | 'view'>,
  type: 'split' | 'merge',
  account: AccountNo,
  market: MarketNo,
  shares: number,
): ExchangeCommand {
  const common = { time: venue.clock.now(), account, credential: credentialNo(0) };
  return { type, ...common, market, shares: microShares(shares) };
}

/** The command that claims the payouts of all final markets. */
export function claimCommand(venue: Pick<Venue, 'clock' | 'view'>, account: AccountNo): ExchangeCommand {
  return { type: 'claim', time: venue.clock.now(), account, credential: credentialNo(0), market: undefined };
}

/** The command of one vote in the current round. */
export function voteCommand(
  venue: Pick<Venue, 'clock' | 'view'>,
  market: MarketNo,
  { model, vote, confidenceBps }: Pick<ModelVote, 'model' | 'vote' | 'confidenceBps'>,
): ExchangeCommand {
  const round = venue.view.market(market)?.round ?? 0;
  const [rationale, sources] = [`"${model}" saw\n it – 5 €`, ['https://x.example/?a=1&b=2']];
  const ballot = { id: `${model}-${round}`, model, vote, confidenceBps, rationale, sources };
  return { type: 'castVote', time: venue.clock.now(), market, note: '', round, vote: ballot };
}

/** A signed order as clients send it. @param key index of the test key */
export function signedOrder(
  { clock, messages }: Pick<Venue, 'clock' | 'messages'>,
  key: 0 | 1,
  changes: Partial<OrderMessage> & Pick<OrderMessage, 'marketId'>,
): Record<string, unknown> {
  const secret = messages.signer.key(vectors.keys[key]?.privateKey ?? '');
  const message: OrderMessage = {
    salt: 7n,
    maker: address(key),
    signer: address(key),
    outcome: 'YES',
    side: 'BUY',
    priceBps: 5_000,
    shares: 10_000_000n,
    timeInForce: 'GTC',
    postOnly: false,
    expiration: 0n,
    timestampMs: BigInt(clock.now()),
    epoch: 0n,
    maxFeeBps: 0,
    replaces: NO_HASH,
    ...changes,
  };
  const { signature } = messages.order.sign(message, secret);
  return { ...messages.order.wire(message), signature };
}

/** Address of a test key. */
export function address(key: 0 | 1): Hex {
  const found = vectors.keys[key]?.address;
  if (found === undefined) throw new Error(`no key ${key}`);
  return `0x${found.slice(2)}`;
}

/** UUID of market `no`. The ids are not sorted like the numbers. */
export function idOf(no: number): string {
  const mixed = Math.imul(no + 1, 0x9e3779b1) >>> 0;
  return `${mixed.toString(16).padStart(8, '0')}-5a7d-4e90-8b6f-${no.toString(16).padStart(12, '0')}`;
}

/** What own orders traded in a trade of the account (docs/spec/polymarket.md#trades). */
import {
  column,
  complement,
  type EpochMs,
  InputFault,
  LOT,
  type MicroShares,
  type Outcome,
  type PriceBps,
  type Side,
  takerFee,
  ZERO_USD,
} from '../../domain/index.ts';
import type { readPolymarketOrderRecord, readPolymarketOwnTrade } from '../../protocol/polymarket/index.ts';
import type { SignedRecord } from '../../runtime/index.ts';
import { checkFill, type ExecutionReporter, type OwnFill, type ReporterDeps } from '../base/index.ts';
import type { MarketTable } from './market-table.ts';

export type OrderRecord = ReturnType<typeof readPolymarketOrderRecord>;
export type OwnTrade = ReturnType<typeof readPolymarketOwnTrade>;

export interface OwnFillDeps {
  readonly records: Pick<ReporterDeps['records'], 'find'>;
  readonly markets: Pick<MarketTable, 'ofToken'>;
  /** Fee rate of takers in a market, bps; 0 outside of this run. */
  readonly feeRateOf: (marketId: string) => number;
  /** Id of the account's API key: trades name the owners of their orders by it. */
  readonly owner: () => string;
}

/** The same in a run, which knows its markets. */
export interface RunFillDeps extends Pick<ReporterDeps, 'records' | 'view'>, Pick<OwnFillDeps, 'markets' | 'owner'> {
  readonly reporter: ExecutionReporter;
}

export function feeRatesOf({ reporter, view }: Pick<RunFillDeps, 'reporter' | 'view'>): OwnFillDeps['feeRateOf'] {
  return (marketId) => {
    const market = reporter.markets.find(marketId);
    return market === undefined ? 0 : view.market(market).limits.feeRateBps;
  };
}

/** Own parts of a trade. A maker's part alone says what a maker traded; the rest is the taker's. */
export function ownFillsOf(trade: OwnTrade, at: EpochMs, deps: OwnFillDeps): readonly OwnFill[] {
  const fills: OwnFill[] = [];
  for (const { order, owner, asset, side, price, size } of trade.makers) {
    if (!isOurs(order, owner, deps)) continue;
    const record = deps.records.find(order);
    const own = record?.command.side ?? side;
    if (own === undefined) continue;
    const fill = fillOf(`${trade.id} ${order}`, order, { asset, side: own, price, size, liquidity: 'maker', at }, deps);
    if (fill !== undefined) fills.push(fill);
  }
  if (trade.role === 'TAKER' || deps.records.find(trade.takerOrder) !== undefined) {
    for (const [index, part] of takerParts(trade).entries()) {
      const key = `${trade.id} ${trade.takerOrder}${index === 0 ? '' : ` ${index}`}`;
      const fill = fillOf(key, trade.takerOrder, { ...part, liquidity: 'taker', at }, deps);
      if (fill !== undefined) fills.push(fill);
    }
  }
  return fills;
}

function isOurs(order: string, owner: string, deps: OwnFillDeps): boolean {
  return deps.records.find(order) !== undefined || (owner !== '' && owner === deps.owner());
}

/** @throws InputFault naming the field in which it contradicts what was signed */
function fillOf(
  tradeId: string,
  hash: string,
  { asset, side, price, size, liquidity, at }: TradePart & Pick<OwnFill, 'liquidity' | 'at'>,
  { markets, records, feeRateOf }: OwnFillDeps,
): OwnFill | undefined {
  const token = markets.ofToken(asset);
  const shares: MicroShares = column.shares(size - (size % LOT));
  if (shares === 0) return undefined;
  // A market outside of this run: only cash moves.
  const marketId = token?.market.id ?? asset;
  const outcome: Outcome = token?.outcome ?? 'YES';
  const fee = liquidity === 'maker' ? ZERO_USD : takerFee(feeRateOf(marketId), shares, price);
  const fill = { tradeId, hash, marketId, outcome, side, price, shares, fee, liquidity, seq: 0, at };
  const signed = records.find(hash);
  if (signed !== undefined) checkFill({ fill }, signed.command, signed.marketId, 0);
  return fill;
}

/** @throws InputFault naming the field in which an order of the venue is not the one that was signed */
export function checkOrder(record: OrderRecord, signed: SignedRecord, markets: Pick<MarketTable, 'ofToken'>): void {
  const { outcome, side, price, shares, timeInForce } = signed.command;
  const token = markets.ofToken(record.asset);
  const isSameToken = token?.market.id === signed.marketId && token.outcome === outcome;
  if (!isSameToken) throw new InputFault('order.asset_id', record.asset, `the token of ${outcome}, as signed`);
  if (record.side !== side) throw new InputFault('order.side', record.side, `${side}, as signed`);
  // Those that take are signed with the decimals that the venue allows.
  if (timeInForce === 'FAK' || timeInForce === 'FOK') return;
  if (record.price !== price) throw new InputFault('order.price', record.price, `${price}, as signed`);
  if (record.size > shares) throw new InputFault('order.size', record.size, `at most ${shares}, as signed`);
}

interface TradePart {
  readonly asset: string;
  readonly side: Side;
  readonly price: PriceBps;
  readonly size: number;
}

/** What the taker traded with each maker, where the parts come to the whole: their prices are exact, the trade's is an average. */
function takerParts({ asset, side, price, size, makers }: OwnTrade): readonly TradePart[] {
  const whole = makers.reduce((sum, part) => sum + part.size, 0);
  if (whole !== size) return [{ asset, side, price, size }];
  return makers.map((part) => ({
    asset,
    side,
    price: part.asset === asset ? part.price : complement(part.price),
    size: part.size,
  }));
}

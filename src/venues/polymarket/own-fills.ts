/** Derives the fills of own orders from a trade of the account (docs/spec/polymarket.md#trades). */
import {
  complement,
  type EpochMs,
  InputFault,
  LOT,
  type MicroShares,
  type Outcome,
  type PriceBps,
  type Side,
  takerFee,
  unchecked,
  ZERO_USD,
} from '../../domain/index.ts';
import type { readPolymarketOrderRecord, readPolymarketOwnTrade } from '../../protocol/polymarket/index.ts';
import type { SignedRecord } from '../../runtime/index.ts';
import { checkFill, type ExecutionReporter, marketNumber, type OwnFill, type ReporterDeps } from '../base/index.ts';
import type { MarketTable } from './market-table.ts';

export type OrderRecord = ReturnType<typeof readPolymarketOrderRecord>;
export type OwnTrade = ReturnType<typeof readPolymarketOwnTrade>;

export interface OwnFillDeps {
  readonly records: Pick<ReporterDeps['records'], 'findByHash'>;
  readonly markets: Pick<MarketTable, 'findByToken'>;
  /** Taker fee rate of a market, bps; 0 for a market outside of this run. */
  readonly feeRateOf: (marketId: string) => number;
  /** Id of the account's API key, by which trades name the owner of an order. */
  readonly owner: () => string;
}

/** Dependencies from which `OwnEventTranslator` builds `OwnFillDeps`. */
export interface RunFillDeps extends Pick<ReporterDeps, 'records' | 'view'>, Pick<OwnFillDeps, 'markets' | 'owner'> {
  readonly reporter: ExecutionReporter;
}

export function feeRateLookup({ view }: Pick<RunFillDeps, 'view'>): OwnFillDeps['feeRateOf'] {
  return (marketId) => {
    const market = marketNumber(view, marketId);
    return market === undefined ? 0 : view.market(market).limits.feeRateBps;
  };
}

/** Returns the own fills in a trade. A maker's fill comes from its entry in `makers`, a taker's from the trade. */
export function ownFills(trade: OwnTrade, at: EpochMs, deps: OwnFillDeps): readonly OwnFill[] {
  const fills: OwnFill[] = [];
  for (const { order, owner, asset, side, price, size } of trade.makers) {
    if (!isOwnOrder(order, owner, deps)) continue;
    const record = deps.records.findByHash(order);
    const ownSide = record?.command.side ?? side;
    if (ownSide === undefined) continue;
    const part = { asset, side: ownSide, price, size };
    const fill = toFill(`${trade.id} ${order}`, order, { ...part, liquidity: 'maker', at }, deps);
    if (fill !== undefined) fills.push(fill);
  }
  if (trade.role === 'TAKER' || deps.records.findByHash(trade.takerOrder) !== undefined) {
    for (const [index, part] of splitByMaker(trade).entries()) {
      const key = `${trade.id} ${trade.takerOrder}${index === 0 ? '' : ` ${index}`}`;
      const fill = toFill(key, trade.takerOrder, { ...part, liquidity: 'taker', at }, deps);
      if (fill !== undefined) fills.push(fill);
    }
  }
  return fills;
}

function isOwnOrder(order: string, owner: string, deps: OwnFillDeps): boolean {
  return deps.records.findByHash(order) !== undefined || (owner !== '' && owner === deps.owner());
}

/** Returns undefined for less than a lot. @throws InputFault naming the field that contradicts the signed order */
function toFill(
  tradeId: string,
  hash: string,
  { asset, side, price, size, liquidity, at }: TradePart & Pick<OwnFill, 'liquidity' | 'at'>,
  { markets, records, feeRateOf }: OwnFillDeps,
): OwnFill | undefined {
  const token = markets.findByToken(asset);
  const shares: MicroShares = unchecked.shares(size - (size % LOT));
  if (shares === 0) return undefined;
  // A market outside of this run has no token in the table, so its fills only change cash.
  const marketId = token?.market.id ?? asset;
  const outcome: Outcome = token?.outcome ?? 'YES';
  const fee = liquidity === 'maker' ? ZERO_USD : takerFee(feeRateOf(marketId), shares, price);
  const fill = { tradeId, hash, marketId, outcome, side, price, shares, fee, liquidity, seq: 0, at };
  const signed = records.findByHash(hash);
  if (signed !== undefined) checkFill(fill, signed.command, signed.marketId, 0);
  return fill;
}

/** Compares an order at the venue with the signed order. @throws InputFault naming the first field that differs */
export function checkOrder(record: OrderRecord, signed: SignedRecord, markets: Pick<MarketTable, 'findByToken'>): void {
  const { outcome, side, price, shares, timeInForce } = signed.command;
  const token = markets.findByToken(record.asset);
  const isSameToken = token?.market.id === signed.marketId && token.outcome === outcome;
  if (!isSameToken) throw new InputFault('order.asset_id', record.asset, `the token of ${outcome}, as signed`);
  if (record.side !== side) throw new InputFault('order.side', record.side, `${side}, as signed`);
  // The signer rounds taking orders to the decimals that the venue allows.
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

/** Splits the taker's trade by maker, at exact prices. If sizes do not add up, returns the average price. */
function splitByMaker({ asset, side, price, size, makers }: OwnTrade): readonly TradePart[] {
  const total = makers.reduce((sum, part) => sum + part.size, 0);
  if (total !== size) return [{ asset, side, price, size }];
  return makers.map((part) => ({
    asset,
    side,
    price: part.asset === asset ? part.price : complement(part.price),
    size: part.size,
  }));
}

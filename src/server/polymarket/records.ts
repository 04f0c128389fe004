/** Presents orders and trades in Polymarket's form, for REST and the user channel. */
import { createHash } from 'node:crypto';
import type { EpochMs } from '../../domain/index.ts';
import type { Archive, FillRow, OrderRow } from '../../exchange/index.ts';
import { type PolymarketTradeStatus, priceText, sharesText } from '../../protocol/polymarket/index.ts';
import { fillsOfTrade } from '../presenters/order-presenter.ts';
import type { PolymarketShared } from './shared.ts';

export interface RecordsDeps extends PolymarketShared {
  getStatus(seq: number, at: EpochMs): PolymarketTradeStatus;
}

const OUTCOMES = { YES: 'Yes', NO: 'No' } as const;
const SECOND_MS = 1_000;
/** Polymarket expires an order this number of seconds before its signed expiration. */
export const EXPIRES_EARLY_S = 60;
const NO_HASH = `0x${'0'.repeat(64)}`;
const TRADE_ID = /^00000000-0000-4000-8000-([0-9a-f]{12})$/;

/** Formats a trade's `seq` as a UUID. */
export function tradeId(seq: number): string {
  return `00000000-0000-4000-8000-${seq.toString(16).padStart(12, '0')}`;
}

/** Returns the `seq` in a trade's id; undefined for another text. */
export function parseTradeId(id: string): number | undefined {
  const digits = TRADE_ID.exec(id)?.[1];
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

/** Computes the simulated hash of a trade's transaction. */
export function computeTransactionHash(seq: number): string {
  return `0x${createHash('sha256').update(`polymarket transaction ${seq}`).digest('hex')}`;
}

export type PolymarketRecords = ReturnType<typeof createPolymarketRecords>;

export function createPolymarketRecords({ archive, markets, ids, accounts, getStatus }: RecordsDeps) {
  /** Returns an order's public id; zeros for an order that was recorded on a replayed tape. */
  const orderId = (order: number): string => (order === 0 ? NO_HASH : ids.orderId(order));

  const presentParty = (account: number) => {
    const address = ids.address(account);
    return { owner: accounts.newestKeyId(address), maker_address: accounts.shownMaker(address) };
  };

  const presentMakerOrder = (maker: FillRow): object => ({
    order_id: orderId(maker.order),
    ...presentParty(maker.account),
    matched_amount: sharesText(maker.shares),
    price: priceText(maker.price),
    fee_rate_bps: '0',
    asset_id: markets.tokenId(markets.getMarket(maker.market), maker.outcome),
    outcome: OUTCOMES[maker.outcome],
    side: maker.side,
  });

  return {
    /** Presents an order of `/data/orders`. */
    order(row: OrderRow): Readonly<Record<string, unknown>> {
      const market = markets.getMarket(row.market);
      return {
        id: row.id,
        status: toOrderStatus(row),
        ...presentParty(row.account),
        market: market.condition,
        asset_id: markets.tokenId(market, row.outcome),
        side: row.side,
        original_size: sharesText(row.shares),
        size_matched: sharesText(row.filled),
        price: priceText(row.price),
        associate_trades: row.filled === 0 ? [] : unreversedTrades(row.order, archive),
        outcome: OUTCOMES[row.outcome],
        created_at: Math.floor(row.createdAt / SECOND_MS),
        expiration: row.expiration === 0 ? '0' : String(Math.ceil(row.expiration / SECOND_MS) + EXPIRES_EARLY_S),
        order_type: row.timeInForce,
      };
    },

    /** Presents a trade of `/data/trades` to the fill's owner. Returns undefined if the taker's fill is missing. */
    trade(fill: FillRow): Readonly<Record<string, unknown>> | undefined {
      const [taker, maker] = fillsOfTrade(fill.seq, archive);
      if (taker === undefined) return undefined;
      const market = markets.getMarket(fill.market);
      return {
        id: tradeId(fill.seq),
        taker_order_id: orderId(taker.order),
        market: market.condition,
        asset_id: markets.tokenId(market, taker.outcome),
        side: taker.side,
        size: sharesText(taker.shares),
        fee_rate_bps: String(markets.record(market).feeRateBps),
        price: priceText(taker.price),
        status: getStatus(fill.seq, fill.at),
        match_time: String(Math.floor(fill.at / SECOND_MS)),
        match_time_nano: `${fill.at}000000`,
        last_update: String(Math.floor(fill.at / SECOND_MS)),
        outcome: OUTCOMES[taker.outcome],
        bucket_index: 0,
        ...presentParty(taker.account),
        transaction_hash: computeTransactionHash(fill.seq),
        trader_side: fill.role,
        maker_orders: maker === undefined ? [] : [presentMakerOrder(maker)],
      };
    },
  };
}

/** Returns the ids of the order's trades, except reversed trades. */
function unreversedTrades(order: number, archive: Archive): readonly string[] {
  const fills = archive.fillsOfOrder(order);
  return fills.flatMap(({ seq }) => (archive.reversalSeqOf(seq) === undefined ? [tradeId(seq)] : []));
}

function toOrderStatus({ status, cancelReason }: OrderRow): string {
  if (status === 'LIVE' || status === 'PARTIALLY_FILLED') return 'LIVE';
  if (status === 'FILLED') return 'MATCHED';
  return cancelReason === 'MARKET_NOT_OPEN' ? 'CANCELED_MARKET_RESOLVED' : 'CANCELED';
}

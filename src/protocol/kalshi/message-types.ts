/**
 * Public messages of Kalshi's streams in whole units and YES terms: a NO bid at p is a YES ask at 10000 - p.
 *
 * `sid` and `seq` number the messages of a subscription (sequence.ts); undefined where a recording leaves the envelope away.
 */
import type { EpochMs, PriceBps, Side } from '../../domain/index.ts';

interface Envelope {
  readonly sid: number | undefined;
  readonly seq: number | undefined;
  /** Exchange time; undefined where the venue sends none, as with snapshots. */
  readonly at: EpochMs | undefined;
}

export interface KalshiLevel {
  /** YES terms. */
  readonly price: PriceBps;
  /** Micro-shares. */
  readonly size: number;
}

/** The whole book of a market; it replaces what was known. */
export interface KalshiSnapshot extends Envelope {
  readonly type: 'orderbook_snapshot';
  readonly market: string;
  readonly bids: readonly KalshiLevel[];
  readonly asks: readonly KalshiLevel[];
}

export interface KalshiDelta extends Envelope {
  readonly type: 'orderbook_delta';
  readonly market: string;
  readonly side: 'bid' | 'ask';
  /** YES terms. */
  readonly price: PriceBps;
  /** Micro-shares that the level gains, or loses if negative. */
  readonly change: number;
}

export interface KalshiTrade extends Envelope {
  readonly type: 'trade';
  readonly market: string;
  readonly id: string | undefined;
  /** YES terms. */
  readonly price: PriceBps;
  /** Micro-shares. */
  readonly size: number;
  /** Of the taker, in YES terms. */
  readonly side: Side | undefined;
  /** Agreed away from the book: no resting order took part. */
  readonly isBlock: boolean;
}

export interface KalshiTicker extends Envelope {
  readonly type: 'ticker';
  readonly market: string;
  readonly bestBid: PriceBps | undefined;
  readonly bestAsk: PriceBps | undefined;
}

export interface KalshiLifecycle extends Envelope {
  readonly type: 'lifecycle';
  readonly market: string;
  /** `activated`, `deactivated`, `determined`, `settled` …; later ones may come. */
  readonly event: string;
  /** What a YES share pays, bps, where the event says so. */
  readonly payout: PriceBps | undefined;
}

/** A command of the client that stands in a recording too. */
export interface KalshiCommand {
  readonly type: 'command';
  /** What the subscription asked for: NO levels in YES prices. */
  readonly usesYesPrices: boolean | undefined;
}

/** Replies, private messages, and kinds that this version does not know; those of a subscription count in its sequence. */
interface KalshiOther extends Envelope {
  readonly type: 'other';
  readonly name: string;
}

export type KalshiMessage =
  | KalshiSnapshot
  | KalshiDelta
  | KalshiTrade
  | KalshiTicker
  | KalshiLifecycle
  | KalshiCommand
  | KalshiOther;

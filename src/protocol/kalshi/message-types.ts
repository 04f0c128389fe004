/**
 * Public messages of Kalshi's streams in whole units and YES terms: a NO bid at p is a YES ask at 10000 - p.
 *
 * `sid` and `seq` number the messages of a subscription (sequence.ts); undefined if a recording lacks the envelope.
 */
import type { EpochMs, PriceBps, Side } from '../../domain/index.ts';

interface Envelope {
  readonly sid: number | undefined;
  readonly seq: number | undefined;
  /** Exchange time; undefined if the venue sends none, as for snapshots. */
  readonly at: EpochMs | undefined;
}

export interface KalshiLevel {
  /** YES terms. */
  readonly price: PriceBps;
  /** Micro-shares. */
  readonly size: number;
}

/** The whole book of a market, which replaces the known book. */
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
  /** Side of the taker, in YES terms. */
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
  /** Such as `activated`, `deactivated`, `determined` or `settled`. */
  readonly event: string;
  /** Payout of a YES share, bps, if the event has it. */
  readonly payout: PriceBps | undefined;
}

/** A command of the client in a recording. */
export interface KalshiCommand {
  readonly type: 'command';
  /** Whether the subscription requests NO levels in YES prices. */
  readonly usesYesPrices: boolean | undefined;
}

/** Replies, private messages and unknown kinds. They count in the sequence of their subscription. */
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

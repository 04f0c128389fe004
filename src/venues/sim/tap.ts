import type {
  BotNo,
  DoubleMid,
  EpochMs,
  FillTag,
  MarketNo,
  MicroShares,
  MicroUsd,
  OrderNo,
  Outcome,
  PriceBps,
  Side,
  Sign,
} from '../../domain/index.ts';

/** One own fill as the venue sees it, at exchange time. */
export interface SimFill {
  readonly market: MarketNo;
  readonly time: EpochMs;
  readonly order: OrderNo;
  readonly bot: BotNo;
  readonly outcome: Outcome;
  readonly side: Side;
  /** In YES terms. */
  readonly sign: Sign;
  readonly yesPrice: PriceBps;
  readonly shares: MicroShares;
  readonly fee: MicroUsd;
  readonly liquidity: 'maker' | 'taker';
  readonly tag: FillTag;
  readonly inside: boolean;
  /** Double mid strictly before the message or command that caused it; before the first mark twice its own price. */
  readonly mark: DoubleMid;
  /** When the order was accepted. */
  readonly acceptedAt: EpochMs;
  /** Outside micro-shares before the order when it was accepted, and just before this fill; 0 for takers. */
  readonly frontAtArrival: number;
  readonly front: number;
  readonly remaining: MicroShares;
}

/** A recorded print. **Reused**: valid during the call. */
export interface SimPrint {
  readonly market: MarketNo;
  /** Exchange time. */
  readonly time: EpochMs;
  /** `SIDE` of the taker: bid bought, ask sold, unknown. */
  readonly taker: number;
  readonly yesPrice: PriceBps;
  readonly shares: MicroShares;
  /** Double mid strictly before its message; undefined before the first mark. */
  readonly mark: DoubleMid | undefined;
}

/** When the present step happens. **Live**: to be read during the call; a double that is handed over is allocated first. */
export interface StepTime {
  /** Exchange time. */
  readonly now: EpochMs;
}

/**
 * What a report wants to know, in the order of exchange time. Sees everything and changes nothing; a missing method costs
 * nothing.
 */
export interface SimTap {
  onFill?(fill: SimFill): void;
  /** A new double mid is in force; not called when it stayed the same. The ledger knows it already. */
  onMark?(market: MarketNo, at: StepTime, mark: DoubleMid): void;
  onPrint?(print: SimPrint): void;
  /**
   * The recorded touch, own orders and what they took left aside, has another double mid; undefined while a side is empty
   * or the market does not accept orders. What the makers on the tape are measured by.
   */
  onRecordedMid?(market: MarketNo, at: StepTime, mid: DoubleMid | undefined): void;
}

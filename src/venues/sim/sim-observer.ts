import {
  type DoubleMid,
  type EpochMs,
  type InstanceNo,
  type MarketNo,
  type MicroShares,
  type OrderFilled,
  type PlaceOrder,
  type PriceBps,
  type Sign,
  type StepTime,
  unchecked,
  yesSign,
} from '../../domain/index.ts';
import type { Replay } from '../../replay/index.ts';
import type { Block } from '../../tape/index.ts';
import type { SimMarket } from './sim-market.ts';

type OrderFillFields =
  | 'market'
  | 'order'
  | 'outcome'
  | 'side'
  | 'shares'
  | 'remaining'
  | 'fee'
  | 'liquidity'
  | 'basis'
  | 'inside';

export interface SimFill extends Pick<OrderFilled, OrderFillFields> {
  readonly time: EpochMs;
  readonly bot: InstanceNo;
  /** In YES terms. */
  readonly sign: Sign;
  readonly yesPrice: PriceBps;
  /** Double mid strictly before the message or command of the fill; twice the fill's price before the first mark. */
  readonly mark: DoubleMid;
  readonly acceptedAt: EpochMs;
  /** Outside micro-shares ahead of the order when it was accepted, and just before this fill; 0 for takers. */
  readonly sharesAheadAtArrival: number;
  readonly sharesAhead: number;
  /** Id of a trade that the venue may still reverse; undefined if fills are final at once. */
  readonly trade: string | undefined;
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
  /** Double mid strictly before the print's message; undefined before the first mark and in a gap of the recording. */
  readonly mark: DoubleMid | undefined;
}

/** Receives a simulation's events for a report, in the order of exchange time. An absent method costs nothing. */
export interface SimObserver {
  onFill?(fill: SimFill): void;
  onFillSettled?(trade: string): void;
  onFillReversed?(trade: string, at: StepTime): void;
  /** The double mid changed. The ledger already has the new mid. */
  onMark?(market: MarketNo, at: StepTime, mark: DoubleMid): void;
  onPrint?(print: SimPrint): void;
  /**
   * The double mid of the recorded touch changed, without the effects of own orders. Undefined while a side is empty or
   * the market does not accept orders. Reports measure the tape's makers by this mid.
   */
  onRecordedMid?(market: MarketNo, at: StepTime, mid: DoubleMid | undefined): void;
}

/** The object that observers receive for every print. HOT: reused, so that nothing is allocated (bench/replay.ts). */
export class ReusedPrint implements SimPrint {
  market = unchecked.market(0);
  time = unchecked.time(0);
  taker = 0;
  yesPrice = unchecked.price(0);
  shares = unchecked.shares(0);
  mark: DoubleMid | undefined;

  set(market: SimMarket, at: StepTime, block: Block, row: number): this {
    this.market = market.number;
    this.time = at.now;
    this.taker = block.side[row]!;
    this.yesPrice = unchecked.price(block.price[row]!);
    this.shares = unchecked.shares(block.shares[row]!);
    this.mark = market.mark > 0 && !market.outside.isInGap ? unchecked.mid(market.mark) : undefined;
    return this;
  }
}

/** Describes one own fill for an observer. @param now exchange time */
export function toSimFill(
  place: PlaceOrder,
  market: SimMarket,
  { positions, slot }: Replay,
  now: EpochMs,
  fill: Pick<SimFill, 'yesPrice' | 'shares' | 'remaining' | 'fee' | 'basis' | 'inside' | 'trade'>,
): SimFill {
  const isTaker = fill.basis === 'taker';
  // An object spread would take longer than the rest of the function.
  return {
    market: market.number,
    time: now,
    order: place.order,
    bot: place.bot,
    outcome: place.outcome,
    side: place.side,
    sign: yesSign(place.outcome, place.side),
    yesPrice: fill.yesPrice,
    shares: fill.shares,
    fee: fill.fee,
    liquidity: isTaker ? 'taker' : 'maker',
    basis: fill.basis,
    inside: fill.inside,
    mark: unchecked.mid(market.mark > 0 ? market.mark : 2 * fill.yesPrice),
    acceptedAt: isTaker ? now : unchecked.time(positions.since[slot]!),
    sharesAheadAtArrival: isTaker ? 0 : positions.frontAtArrival[slot]!,
    sharesAhead: isTaker ? 0 : positions.front[slot]!,
    remaining: fill.remaining,
    trade: fill.trade,
  };
}

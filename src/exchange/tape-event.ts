/** What tapes do, as events. */
import type { MarketNo } from '../domain/index.ts';

/** Of a market that follows a tape. */
export type TapeEvent =
  | {
      /** A message was played, or the first place taken. */
      readonly type: 'tapePlayed';
      readonly market: MarketNo;
      /** What the outside shows at levels that may have changed: 1 for a bid, 0 for an ask; YES price; micro-shares. */
      readonly levels: readonly number[];
    }
  | {
      /** A trade among those on the tape: the part of a print that met no order. Nobody's money moved. */
      readonly type: 'printed';
      readonly market: MarketNo;
      /** Whether the taker bought YES; else NO. */
      readonly buysYes: boolean;
      readonly yesPrice: number;
      readonly shares: number;
    };

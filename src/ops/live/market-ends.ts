/** Reports markets that close or end while a bot runs: the outcome, the holdings and their payout. */
import { isFinal, type MarketStatus } from '../../domain/index.ts';
import type { AccountState, MarketWorld } from '../../state/index.ts';
import type { SendAlert } from '../alerts/alert.ts';
import type { Log } from '../log/log.ts';
import { worthOf } from './bot-view.ts';

export class MarketEnds {
  readonly #state: AccountState;
  readonly #log: Log;
  readonly #alert: SendAlert;
  readonly #reported = new Map<number, MarketStatus>();
  #isOver = false;

  /** @param alert is called when a market with holdings ends */
  constructor(state: AccountState, log: Log, alert: SendAlert) {
    this.#state = state;
    this.#log = log;
    this.#alert = alert;
  }

  /** Reports changes since the last call; the first call reports markets that have ended before. */
  check(): void {
    for (const market of this.#state.markets) {
      const { status } = market.state;
      const before = this.#reported.get(market.info.market) ?? 'OPEN';
      if (status === before) continue;
      this.#reported.set(market.info.market, status);
      this.#report(market);
    }
    const isOver = this.#state.markets.length > 0 && this.#state.markets.every(({ state }) => isFinal(state.status));
    if (isOver && !this.#isOver) this.#log.warn({}, 'every market has ended: nothing is left to trade');
    this.#isOver = isOver;
  }

  #report(market: MarketWorld): void {
    const { info, state, position } = market;
    const paid = worthOf(market);
    const { status } = state;
    const held = { yes: position.yes, no: position.no, worth: paid };
    const fields = { market: info.slug, status, ...held };
    const outcome = STATUS_TEXTS[status];
    if (outcome === undefined) {
      this.#log.info(fields, 'a market is open again');
      return;
    }
    const isHeld = position.yes > 0 || position.no > 0;
    if (isFinal(status)) this.#log.warn(fields, `a market has ended: ${outcome}`);
    else this.#log.warn(fields, `a market is not traded now: ${outcome}`);
    if (isFinal(status) && isHeld) {
      const worth = `$${(paid / 1_000_000).toFixed(2)}`;
      this.#alert(
        'market',
        `halfspread: ${info.slug} has ended: ${outcome}. The holdings there are worth ${worth}`,
        fields,
      );
    }
  }
}

const STATUS_TEXTS: Readonly<Partial<Record<MarketStatus, string>>> = {
  PENDING_RESOLUTION: 'its outcome is being decided',
  RESOLVED: 'its outcome is decided, the payout is still to come',
  RESOLVED_YES: 'YES won, NO pays nothing',
  RESOLVED_NO: 'NO won, YES pays nothing',
  RESOLVED_UNCERTAIN: 'it has no winner, YES and NO pay half',
  RESOLUTION_FAILED: 'its outcome could not be decided',
  CANCELLED: 'it was cancelled, what was paid is refunded',
  PENDING_BLOCKCHAIN: 'the payout is being reported',
};

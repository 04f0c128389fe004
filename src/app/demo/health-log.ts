/** Health of a bot over time from regular checks: the worst values, and the series of the report's charts. */
import { ExtremesLine } from '../../analytics/index.ts';
import { type BotStatus, oldestBookMs } from '../../ops/index.ts';

/** Worst values before the first check; times in ms. */
const NO_CHECKS = {
  samples: 0,
  /** Checks during which the venue was not connected. */
  linkDownSamples: 0,
  /** A missing book is as old as the bot's process. */
  oldestBookMs: 0,
  clockSkewMs: 0,
  mostOpenOrders: 0,
  /** Largest |YES - NO|, micro-shares. */
  mostHeld: 0,
};

export class HealthLog {
  /** Cash plus holdings at the exit side, micro-USD (docs/spec/models.md#risk-marks). */
  readonly equity = new ExtremesLine();
  /** Mid of the outside book, bps; the last known value when a side is empty. */
  readonly price = new ExtremesLine();
  /** YES - NO, micro-shares. */
  readonly inventory = new ExtremesLine();
  #firstAt: number | undefined;
  #lastAt = 0;
  worst: Readonly<typeof NO_CHECKS> = NO_CHECKS;

  /** Time between the first and the last check, ms. */
  get tradedMs(): number {
    return this.#lastAt - (this.#firstAt ?? this.#lastAt);
  }

  record(status: BotStatus, doubleMid: number | undefined): void {
    const { now, equity, link, clockSkewMs, openOrders, markets } = status;
    const worst = this.worst;
    this.#firstAt ??= now;
    this.#lastAt = now;
    this.equity.add(now, equity);
    const inventory = markets.reduce((sum, { position }) => sum + position, 0);
    this.inventory.add(now, inventory);
    if (doubleMid !== undefined) this.price.add(now, doubleMid / 2);
    this.worst = {
      samples: worst.samples + 1,
      linkDownSamples: worst.linkDownSamples + (link === 'DOWN' ? 1 : 0),
      oldestBookMs: Math.max(worst.oldestBookMs, oldestBookMs(status)),
      clockSkewMs: Math.max(worst.clockSkewMs, clockSkewMs),
      mostOpenOrders: Math.max(worst.mostOpenOrders, openOrders),
      mostHeld: Math.max(worst.mostHeld, ...markets.map(({ position }) => Math.abs(position))),
    };
  }
}

import { column, formatUsd } from '../../domain/index.ts';
import type { Step } from '../../runtime/index.ts';
import type { OrderCounts } from '../run-result.ts';

/** Counts what was sent and answered, from the steps of the run. */
export class OrderTally {
  #placed = 0;
  #cancelled = 0;
  #reduced = 0;
  #rejected = 0;
  #refused = 0;
  #killed: string | undefined;

  /** The loss limit that ended the trading, with the numbers compared; undefined if none did. */
  get killed(): string | undefined {
    return this.#killed;
  }

  take(steps: readonly Step[]): void {
    for (const { event, refused, commands } of steps) {
      this.#refused += refused.length;
      for (const { code, limit, was } of refused) {
        if (code === 'DAILY_LOSS' || code === 'DRAWDOWN')
          this.#killed ??= `${code}, ${dollars(was)} against a limit of ${dollars(limit)}`;
      }
      for (const command of commands) {
        if (command.type === 'place') this.#placed += 1;
        else if (command.type === 'replace') this.#placed += command.places.length;
      }
      switch (event?.type) {
        case 'orderClosed':
          if (event.reason !== 'FILLED') this.#cancelled += 1;
          break;
        case 'orderReduced':
          this.#reduced += 1;
          break;
        case 'orderRejected':
        case 'cancelRejected':
        case 'conversionRejected':
          this.#rejected += 1;
          break;
        default:
      }
    }
  }

  counts(): OrderCounts {
    return {
      placed: this.#placed,
      cancelled: this.#cancelled,
      reduced: this.#reduced,
      rejected: this.#rejected,
      refused: this.#refused,
    };
  }
}

function dollars(micros: number): string {
  return formatUsd(column.usd(micros));
}

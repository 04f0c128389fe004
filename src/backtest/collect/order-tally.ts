import { formatUsd, type InputEvent, type RejectReason, type RiskCode, unchecked } from '../../domain/index.ts';
import type { Step } from '../../runtime/index.ts';
import type { OrderCounts, OrderReasons } from '../run-result.ts';

/** Counts a run's orders, and the reasons of the venue's rejections and of the refusals by the bot's risk checks. */
export class OrderTally {
  readonly #counts = { placed: 0, cancelled: 0, reduced: 0, rejected: 0, refused: 0 };
  readonly #rejections = new Map<RejectReason, number>();
  readonly #refusals = new Map<RiskCode, number>();
  /** The loss limit that ended trading, with the compared numbers; undefined if no loss limit was exceeded. */
  endedBy: string | undefined;

  add(steps: readonly Step[]): void {
    for (const { event, refused, commands } of steps) {
      this.#counts.refused += refused.length;
      for (const { code, limit, actual } of refused) {
        count(this.#refusals, code);
        if (code === 'DAILY_LOSS' || code === 'DRAWDOWN')
          this.endedBy ??= `${code}, ${formatDollars(actual)} against a limit of ${formatDollars(limit)}`;
      }
      for (const command of commands) {
        if (command.type === 'place') this.#counts.placed += 1;
        else if (command.type === 'replace') this.#counts.placed += command.places.length;
      }
      if (event !== undefined) this.#countEvent(event);
    }
  }

  counts(): OrderCounts {
    return { ...this.#counts };
  }

  reasons(): OrderReasons {
    return { rejected: byFrequency(this.#rejections), refused: byFrequency(this.#refusals) };
  }

  #countEvent(event: InputEvent): void {
    switch (event.type) {
      case 'orderClosed':
        if (event.reason !== 'FILLED') this.#counts.cancelled += 1;
        return;
      case 'ordersReplaced':
        this.#counts.cancelled += event.closed.length;
        return;
      case 'orderReduced':
        this.#counts.reduced += 1;
        return;
      case 'orderRejected':
      case 'cancelRejected':
      case 'conversionRejected':
        this.#counts.rejected += 1;
        count(this.#rejections, event.reason);
        return;
      default:
    }
  }
}

function count<Code>(counts: Map<Code, number>, code: Code): void {
  counts.set(code, (counts.get(code) ?? 0) + 1);
}

/** Sorts by count, most frequent first, then by code. */
function byFrequency(counts: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  const byCode = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(byCode.sort(([, a], [, b]) => b - a));
}

export function formatDollars(micros: number): string {
  return formatUsd(unchecked.usd(micros));
}

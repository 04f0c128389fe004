import { formatUsd, type InputEvent, type RejectReason, type RiskCode, unchecked } from '../../domain/index.ts';
import type { Step } from '../../runtime/index.ts';
import type { OrderCounts, OrderReasons } from '../run-result.ts';

export class OrderTally {
  #placed = 0;
  #cancelled = 0;
  #reduced = 0;
  #rejected = 0;
  #refused = 0;
  readonly #rejections = new Map<RejectReason, number>();
  readonly #refusals = new Map<RiskCode, number>();
  #endedBy: string | undefined;

  /** The loss limit that ended trading, with the compared numbers; undefined if no loss limit was exceeded. */
  get endedBy(): string | undefined {
    return this.#endedBy;
  }

  add(steps: readonly Step[]): void {
    for (const { event, refused, commands } of steps) {
      this.#refused += refused.length;
      for (const { code, limit, actual } of refused) {
        count(this.#refusals, code);
        if (code === 'DAILY_LOSS' || code === 'DRAWDOWN')
          this.#endedBy ??= `${code}, ${dollars(actual)} against a limit of ${dollars(limit)}`;
      }
      for (const command of commands) {
        if (command.type === 'place') this.#placed += 1;
        else if (command.type === 'replace') this.#placed += command.places.length;
      }
      if (event !== undefined) this.#countEvent(event);
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

  reasons(): OrderReasons {
    return { rejected: byFrequency(this.#rejections), refused: byFrequency(this.#refusals) };
  }

  #countEvent(event: InputEvent): void {
    switch (event.type) {
      case 'orderClosed':
        if (event.reason !== 'FILLED') this.#cancelled += 1;
        return;
      case 'ordersReplaced':
        this.#cancelled += event.closed.length;
        return;
      case 'orderReduced':
        this.#reduced += 1;
        return;
      case 'orderRejected':
      case 'cancelRejected':
      case 'conversionRejected':
        this.#rejected += 1;
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
  return Object.fromEntries([...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)));
}

export function dollars(micros: number): string {
  return formatUsd(unchecked.usd(micros));
}

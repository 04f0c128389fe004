/**
 * Reports a repeated refusal once. A strategy quotes at each message, so a refusal by mode or by fee would repeat.
 * - PAUSED, KILLED and a fee above the limit are reported once for each different quote set.
 * - REDUCE_ONLY is reported once, even for changed quotes, until a quote set passes without this refusal.
 */
import type { QuoteIntent, Refused, RiskCode } from '../domain/index.ts';

const BLOCKING: ReadonlySet<RiskCode> = new Set(['PAUSED', 'KILLED', 'FEE_ABOVE_MAX', 'FEE_ROSE']);
const NOTHING: readonly Refused[] = [];

export class RefusalFilter {
  /** The last reported refusal, by the executor's key of instance and market. */
  readonly #reported = new Map<number, { readonly code: RiskCode; readonly quotes: QuoteIntent['quotes'] }>();
  /** Keys for which REDUCE_ONLY was reported. */
  readonly #reduceOnlyKeys = new Set<number>();

  /** Returns the refusals of a quote set to report. */
  newRefusals(key: number, intent: QuoteIntent, refused: readonly Refused[]): readonly Refused[] {
    if (this.#isReported(key, intent, refused)) return NOTHING;
    const hasReduceOnly = refused.length > 0 && refused.some(isReduceOnly);
    if (!hasReduceOnly) {
      if (this.#reduceOnlyKeys.size > 0) this.#reduceOnlyKeys.delete(key);
      return refused;
    }
    if (this.#reduceOnlyKeys.has(key)) return refused.filter((refusal) => !isReduceOnly(refusal));
    this.#reduceOnlyKeys.add(key);
    return refused;
  }

  /** Reports every refusal again, after all quotes were withdrawn. */
  clear(): void {
    this.#reported.clear();
    this.#reduceOnlyKeys.clear();
  }

  /** Returns whether the same refusal of the same quotes was reported. If not, stores the refusal as reported. */
  #isReported(key: number, { quotes }: QuoteIntent, [first]: readonly Refused[]): boolean {
    if (first === undefined || !BLOCKING.has(first.code)) {
      if (this.#reported.size > 0) this.#reported.delete(key);
      return false;
    }
    const before = this.#reported.get(key);
    if (before?.code === first.code && areSame(before.quotes, quotes)) return true;
    this.#reported.set(key, { code: first.code, quotes });
    return false;
  }
}

function isReduceOnly({ code }: Refused): boolean {
  return code === 'REDUCE_ONLY';
}

function areSame(quotes: QuoteIntent['quotes'], others: QuoteIntent['quotes']): boolean {
  if (quotes.length !== others.length) return false;
  return quotes.every(({ side, price, shares }, index) => {
    const other = others[index];
    return other !== undefined && side === other.side && price === other.price && shares === other.shares;
  });
}

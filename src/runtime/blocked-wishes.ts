/**
 * Quote sets that are refused because nothing may be sent at all (PAUSED, KILLED): a strategy wishes them again at each message,
 * and the refusal is told once for each change of the wish.
 */
import type { QuoteIntent, Refused, RiskCode } from '../domain/index.ts';

const BLOCKING: ReadonlySet<RiskCode> = new Set(['PAUSED', 'KILLED']);

export class BlockedWishes {
  /** By bot and market, as the desk numbers them. */
  readonly #told = new Map<number, { readonly code: RiskCode; readonly quotes: QuoteIntent['quotes'] }>();

  /** Whether this is still the wish of which the refusal was told; from now on it is. */
  isKnown(place: number, { quotes }: QuoteIntent, [first]: readonly Refused[]): boolean {
    if (first === undefined || !BLOCKING.has(first.code)) {
      if (this.#told.size > 0) this.#told.delete(place);
      return false;
    }
    const before = this.#told.get(place);
    if (before?.code === first.code && areSame(before.quotes, quotes)) return true;
    this.#told.set(place, { code: first.code, quotes });
    return false;
  }

  /** All wishes were taken back. */
  clear(): void {
    this.#told.clear();
  }
}

function areSame(some: QuoteIntent['quotes'], others: QuoteIntent['quotes']): boolean {
  if (some.length !== others.length) return false;
  return some.every((one, at) => {
    const other = others[at];
    return other !== undefined && one.side === other.side && one.price === other.price && one.shares === other.shares;
  });
}

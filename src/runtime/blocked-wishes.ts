/**
 * Quote sets that are refused because of the mode or the market's fee: a strategy wishes them again at each message, and is told
 * - where nothing may be sent at all (PAUSED, KILLED, a fee too high), once for each change of the wish;
 * - where only what shrinks a position may (REDUCING), once until a wish has nothing that is refused so: as quotes move with
 *   the book, each would be another one.
 */
import type { QuoteIntent, Refused, RiskCode } from '../domain/index.ts';

const BLOCKING: ReadonlySet<RiskCode> = new Set(['PAUSED', 'KILLED', 'FEE_ABOVE_MAX', 'FEE_ROSE']);
const NOTHING: readonly Refused[] = [];

export class BlockedWishes {
  /** By bot and market, as the desk numbers them. */
  readonly #told = new Map<number, { readonly code: RiskCode; readonly quotes: QuoteIntent['quotes'] }>();
  /** Where it was told that a wish does not only shrink the position. */
  readonly #reducing = new Set<number>();

  /** What of these refusals was not told yet. */
  news(place: number, intent: QuoteIntent, refused: readonly Refused[]): readonly Refused[] {
    if (this.#isKnown(place, intent, refused)) return NOTHING;
    const some = refused.length > 0 && refused.some(isReduceOnly);
    if (!some) {
      if (this.#reducing.size > 0) this.#reducing.delete(place);
      return refused;
    }
    if (this.#reducing.has(place)) return refused.filter((line) => !isReduceOnly(line));
    this.#reducing.add(place);
    return refused;
  }

  /** All wishes were taken back. */
  clear(): void {
    this.#told.clear();
    this.#reducing.clear();
  }

  /** Whether this is still the wish of which the refusal was told; from now on it is. */
  #isKnown(place: number, { quotes }: QuoteIntent, [first]: readonly Refused[]): boolean {
    if (first === undefined || !BLOCKING.has(first.code)) {
      if (this.#told.size > 0) this.#told.delete(place);
      return false;
    }
    const before = this.#told.get(place);
    if (before?.code === first.code && areSame(before.quotes, quotes)) return true;
    this.#told.set(place, { code: first.code, quotes });
    return false;
  }
}

function isReduceOnly({ code }: Refused): boolean {
  return code === 'REDUCE_ONLY';
}

function areSame(some: QuoteIntent['quotes'], others: QuoteIntent['quotes']): boolean {
  if (some.length !== others.length) return false;
  return some.every((one, at) => {
    const other = others[at];
    return other !== undefined && one.side === other.side && one.price === other.price && one.shares === other.shares;
  });
}

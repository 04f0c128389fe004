/**
 * Whether an answer of a handler is made of intents. Strategies run without a type check, so a slip shows here first:
 * a promise from an `async` handler, a misspelt side, a market that the bot was not put on. Whether a number may be traded
 * on (off the grid, too large, NaN) is for `risk/` to say, with a refusal.
 */
import type { Intent, MarketNo, Quote } from '../domain/index.ts';

/** Most wishes in one answer, and most quotes in one wish: beyond any ladder, so that a loop gone wild is told, not run. */
const MOST = 1_000;

/**
 * @param reach the markets the bot was put on
 * @throws TypeError that says which wish is wrong, and how
 */
export function checkWishes(wishes: readonly Intent[], reach: ReadonlySet<MarketNo>): void {
  // Whatever it comes to, the answer is wrong already: a rejection must not end the process before that is told.
  if (wishes instanceof Promise) wishes.catch(() => {});
  if (!Array.isArray(wishes))
    throw new TypeError(`answered ${describe(wishes)} instead of a list of intents or nothing`);
  if (wishes.length > MOST) throw new TypeError(`answered ${tooMany(wishes.length, 'wishes')}`);
  for (let at = 0; at < wishes.length; at += 1) {
    const intent = wishes[at];
    if (typeof intent !== 'object' || intent === null) throw wrong(at, `${describe(intent)} is no intent`);
    const problem = problemOf(intent);
    if (problem !== undefined) throw wrong(at, problem);
    if (!reach.has(intent.market)) {
      throw wrong(at, `market ${String(intent.market)} is not one of those the strategy was put on`);
    }
  }
}

function problemOf(intent: Intent): string | undefined {
  switch (intent.type) {
    case 'quote':
      return quotesProblem(intent.quotes);
    case 'take':
      if (intent.outcome !== 'YES' && intent.outcome !== 'NO')
        return `outcome ${show(intent.outcome)} is not YES or NO`;
      if (intent.side !== 'BUY' && intent.side !== 'SELL') return `side ${show(intent.side)} is not BUY or SELL`;
      return numberProblem('limit', intent.limit) ?? numberProblem('shares', intent.shares);
    case 'split':
    case 'merge':
      return numberProblem('shares', intent.shares);
    case 'claim':
      return undefined;
    default:
      return unknownType(intent);
  }
}

function quotesProblem(quotes: readonly Quote[]): string | undefined {
  if (!Array.isArray(quotes)) return `quotes are ${describe(quotes)} instead of a list`;
  if (quotes.length > MOST) return tooMany(quotes.length, 'quotes');
  for (let at = 0; at < quotes.length; at += 1) {
    const problem = quoteProblem(quotes[at]);
    if (problem !== undefined) return `quote ${at}: ${problem}`;
  }
  return undefined;
}

function quoteProblem(quote: Quote | undefined): string | undefined {
  if (typeof quote !== 'object' || quote === null) return `${describe(quote)} is no quote`;
  if (quote.side !== 'bid' && quote.side !== 'ask') return `side ${show(quote.side)} is not bid or ask`;
  return numberProblem('price', quote.price) ?? numberProblem('shares', quote.shares);
}

function numberProblem(name: string, value: unknown): string | undefined {
  return typeof value === 'number' ? undefined : `${name} ${describe(value)} is no number`;
}

function unknownType(intent: { readonly type?: unknown }): string {
  return `type ${show(intent.type)} is not quote, take, split, merge or claim`;
}

function wrong(at: number, problem: string): TypeError {
  return new TypeError(`answered a wrong wish, number ${at} of its list: ${problem}`);
}

function tooMany(count: number, what: string): string {
  return `${count} ${what}, more than the ${MOST} that one list may have`;
}

function describe(value: unknown): string {
  if (value instanceof Promise) return 'a promise (handlers are synchronous: no async)';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : show(value);
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

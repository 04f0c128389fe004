/**
 * Checks that a handler returned intents. Strategies run without a type check, so mistakes show here first: a promise from
 * an `async` handler, a misspelt side, a market that the bot does not trade. Whether a number is valid (on the grid, within
 * limits, not NaN) is checked by `risk/`, which refuses the intent.
 */
import type { Intent, MarketNo, Quote } from '../domain/index.ts';
import type { StrategyHandlers } from '../strategy/index.ts';

/** Most intents that a handler may return, and most quotes in one intent. A runaway loop shows as an error. */
const MOST = 1_000;

/**
 * @param handler name of the handler that returned them
 * @param markets the markets that the bot trades
 * @throws TypeError that names the index of the first invalid intent, and the problem
 */
export function checkIntents(
  intents: readonly Intent[],
  handler: keyof StrategyHandlers,
  markets: ReadonlySet<MarketNo>,
): void {
  // The promise itself is the error: its rejection must not end the process before that error is reported.
  if (intents instanceof Promise) intents.catch(() => {});
  if (!Array.isArray(intents)) {
    throw new TypeError(`\`${handler}\` returned ${describe(intents)}; expected a list of intents or undefined`);
  }
  if (intents.length > MOST) throw new TypeError(`\`${handler}\` returned ${tooMany(intents.length, 'intents')}`);
  for (let at = 0; at < intents.length; at += 1) {
    const intent = intents[at];
    if (typeof intent !== 'object' || intent === null) {
      throw invalid(handler, at, `expected an object, got ${describe(intent)}`);
    }
    const problem = problemOf(intent);
    if (problem !== undefined) throw invalid(handler, at, problem);
    if (!markets.has(intent.market)) {
      throw invalid(handler, at, `market ${String(intent.market)} is not one that the strategy trades`);
    }
  }
}

function problemOf(intent: Intent): string | undefined {
  switch (intent.type) {
    case 'quote':
      return quotesProblem(intent.quotes);
    case 'take':
      if (intent.outcome !== 'YES' && intent.outcome !== 'NO')
        return `outcome must be YES or NO, got ${show(intent.outcome)}`;
      if (intent.side !== 'BUY' && intent.side !== 'SELL') return `side must be BUY or SELL, got ${show(intent.side)}`;
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
  if (!Array.isArray(quotes)) return `quotes must be a list, got ${describe(quotes)}`;
  if (quotes.length > MOST) return tooMany(quotes.length, 'quotes');
  for (let at = 0; at < quotes.length; at += 1) {
    const problem = quoteProblem(quotes[at]);
    if (problem !== undefined) return `quote ${at}: ${problem}`;
  }
  return undefined;
}

function quoteProblem(quote: Quote | undefined): string | undefined {
  if (typeof quote !== 'object' || quote === null) return `expected an object, got ${describe(quote)}`;
  if (quote.side !== 'bid' && quote.side !== 'ask') return `side must be bid or ask, got ${show(quote.side)}`;
  return numberProblem('price', quote.price) ?? numberProblem('shares', quote.shares);
}

function numberProblem(name: string, value: unknown): string | undefined {
  return typeof value === 'number' ? undefined : `${name} must be a number, got ${describe(value)}`;
}

function unknownType(intent: { readonly type?: unknown }): string {
  return `type must be quote, take, split, merge or claim, got ${show(intent.type)}`;
}

function invalid(handler: string, at: number, problem: string): TypeError {
  return new TypeError(`\`${handler}\` returned an invalid intent at index ${at}: ${problem}`);
}

function tooMany(count: number, what: string): string {
  return `${count} ${what}; at most ${MOST} are allowed`;
}

function describe(value: unknown): string {
  if (value instanceof Promise) return 'a promise (handlers are synchronous: no async)';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : show(value);
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

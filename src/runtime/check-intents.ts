/**
 * Checks that a handler returned intents. Strategies run without a type check, so mistakes first appear here: a promise
 * of an `async` handler, a misspelt side, a market that it does not trade. `risk/` later refuses invalid numbers
 * (off the grid, beyond limits, NaN).
 */
import { type Intent, type MarketNo, type Quote, thrownText } from '../domain/index.ts';
import type { AccountView } from '../state/index.ts';
import type { Intents, StrategyHandlers, Intent as StrategyIntent } from '../strategy/index.ts';

/** Maximum number of intents per call and of quotes per intent. The limit turns an endless loop into an error. */
const MAX_ITEMS = 1_000;
const MAX_TAG_LENGTH = 64;

/** The handler that returned the intents. */
export interface Caller {
  readonly handler: keyof StrategyHandlers;
  /** The markets that the instance trades. */
  readonly markets: ReadonlySet<MarketNo>;
  readonly view: AccountView;
}

/**
 * Returns the intents with market numbers instead of ids and slugs. Returns the same list if all intents have numbers.
 * @throws TypeError that names the index of the first invalid intent, and the problem
 */
export function checkIntents(intents: NonNullable<Intents>, caller: Caller): readonly Intent[] {
  const { handler, markets, view } = caller;
  // A rejection must not end the process before the promise is reported.
  if (intents instanceof Promise) intents.catch(() => {});
  if (!Array.isArray(intents)) {
    throw new TypeError(`\`${handler}\` returned ${describe(intents)}; expected a list of intents or undefined`);
  }
  if (intents.length > MAX_ITEMS) throw new TypeError(`\`${handler}\` returned ${tooMany(intents.length, 'intents')}`);
  let haveMarketNumbers = true;
  for (let index = 0; index < intents.length; index += 1) {
    const intent = intents[index];
    if (typeof intent !== 'object' || intent === null) {
      throw invalid(handler, index, `expected an object, got ${describe(intent)}`);
    }
    const problem = findProblem(intent);
    if (problem !== undefined) throw invalid(handler, index, problem);
    if (typeof intent.market !== 'number') haveMarketNumbers = false;
    else if (!markets.has(intent.market)) throw invalid(handler, index, notTraded(intent.market, view));
  }
  return haveMarketNumbers ? intents : intents.map((intent, index) => withMarketNumber(intent, index, caller));
}

/** @throws TypeError for a market that the run or the instance does not trade */
function withMarketNumber(intent: StrategyIntent, index: number, { handler, markets, view }: Caller): Intent {
  let market: MarketNo;
  try {
    market = view.market(intent.market).info.market;
  } catch (error) {
    throw invalid(handler, index, error instanceof Error ? error.message : thrownText(error));
  }
  if (!markets.has(market)) throw invalid(handler, index, notTraded(market, view));
  return { ...intent, market };
}

function notTraded(market: MarketNo, view: AccountView): string {
  const slug = view.markets[market]?.info.slug;
  return `market ${slug === undefined ? String(market) : JSON.stringify(slug)} is not one that the strategy trades`;
}

function findProblem(intent: StrategyIntent): string | undefined {
  switch (intent.type) {
    case 'quote':
      return quotesProblem(intent.quotes);
    case 'take':
      if (intent.outcome !== 'YES' && intent.outcome !== 'NO')
        return `outcome must be YES or NO, got ${show(intent.outcome)}`;
      if (intent.side !== 'BUY' && intent.side !== 'SELL') return `side must be BUY or SELL, got ${show(intent.side)}`;
      return numberProblem('limit', intent.limit) ?? numberProblem('shares', intent.shares) ?? tagProblem(intent.tag);
    case 'split':
    case 'merge':
      return numberProblem('shares', intent.shares);
    case 'claim':
      return undefined;
    default: {
      const { type }: { readonly type?: unknown } = intent;
      return `type must be quote, take, split, merge or claim, got ${show(type)}`;
    }
  }
}

function quotesProblem(quotes: readonly Quote[]): string | undefined {
  if (!Array.isArray(quotes)) return `quotes must be a list, got ${describe(quotes)}`;
  if (quotes.length > MAX_ITEMS) return tooMany(quotes.length, 'quotes');
  for (let index = 0; index < quotes.length; index += 1) {
    const problem = quoteProblem(quotes[index]);
    if (problem !== undefined) return `quote ${index}: ${problem}`;
  }
  return undefined;
}

function quoteProblem(quote: Quote | undefined): string | undefined {
  if (typeof quote !== 'object' || quote === null) return `expected an object, got ${describe(quote)}`;
  if (quote.side !== 'bid' && quote.side !== 'ask') return `side must be bid or ask, got ${show(quote.side)}`;
  return numberProblem('price', quote.price) ?? numberProblem('shares', quote.shares) ?? tagProblem(quote.tag);
}

function tagProblem(tag: unknown): string | undefined {
  if (tag === undefined || (typeof tag === 'string' && tag !== '' && tag.length <= MAX_TAG_LENGTH)) return undefined;
  const got = typeof tag === 'string' ? `${tag.length} characters` : describe(tag);
  return `tag must be a text of 1 to ${MAX_TAG_LENGTH} characters, got ${got}`;
}

function numberProblem(name: string, value: unknown): string | undefined {
  return typeof value === 'number' ? undefined : `${name} must be a number, got ${describe(value)}`;
}

function invalid(handler: string, index: number, problem: string): TypeError {
  return new TypeError(`\`${handler}\` returned an invalid intent at index ${index}: ${problem}`);
}

function tooMany(count: number, what: string): string {
  return `${count} ${what}; at most ${MAX_ITEMS} are allowed`;
}

function describe(value: unknown): string {
  if (value instanceof Promise) return 'a promise (handlers are synchronous: no async)';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : show(value);
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

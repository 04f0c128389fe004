/** Parts of a live bot as `halfspread run` assembles them: venue, file, state, core. */
import { join } from 'node:path';
import { seededRandom, wallClock } from '../../src/clock/index.ts';
import { gridAbove, gridBelow, microShares, unchecked, ZERO_USD } from '../../src/domain/index.ts';
import { createPlanner, type RateBudget } from '../../src/execution/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../../src/risk/index.ts';
import { StrategyAssignments, type StrategyInstance, TradingCore } from '../../src/runtime/index.ts';
import { AccountState, type MarketSetup } from '../../src/state/index.ts';
import { BotStore } from '../../src/store/index.ts';
import type { StrategyHandlers } from '../../src/strategy/index.ts';
import {
  createTransport,
  OperationTexts,
  parseEndpoint,
  readTerms,
  type Transport,
} from '../../src/venues/service/index.ts';
import { ServiceDirectory } from '../../src/venues/service/market-data/index.ts';

export const SILENT = { debug: () => {}, info: () => {}, warn: console.warn, error: console.error };
/** Size of each quote. */
export const SIZE = microShares(1_000_000);

/** Opens a connection to a venue. */
export function openTransport(url: string): Transport {
  return createTransport({
    endpoint: parseEndpoint({ url }),
    operations: new OperationTexts(),
    clock: wallClock(),
    log: SILENT,
    random: seededRandom(1),
  });
}

export interface BotPartsOptions {
  /** Folder of the database. */
  readonly folder: string;
  readonly file: string;
  /** Changes to the defaults of `risk`. */
  readonly risk?: object;
  readonly budget?: RateBudget;
  /** As in `PlannerOptions`. */
  readonly cancelsFirst?: boolean;
  /** Handlers of the bot on each market. */
  readonly handlers: () => StrategyHandlers;
}

export interface LivePartsOptions extends BotPartsOptions {
  readonly transport: Transport;
  /** Ids of the markets. */
  readonly markets: readonly string[];
}

/** Opens one bot on each market of the service, with a new file. Nothing is sent yet. */
export async function liveParts({ transport, markets: ids, ...options }: LivePartsOptions) {
  const terms = await readTerms(transport);
  const markets = await new ServiceDirectory(transport, terms).select({ ids });
  return { terms, markets, ...botParts(markets, options) };
}

/** Opens one bot on each market, with a new file. */
export function botParts(
  markets: readonly MarketSetup[],
  { folder, file, risk = {}, budget, cancelsFirst = false, handlers }: BotPartsOptions,
) {
  const store = BotStore.open({ file: join(folder, file), name: 'bench', spec: '{}' });
  const state = new AccountState({ cash: ZERO_USD, markets });
  const gate = createRiskGate(riskLimits(riskSchema.parse(risk)));
  const planner = createPlanner({ firstOrder: unchecked.order(1), cancelsFirst });
  const instances = markets.map(({ info: { market } }, at): StrategyInstance => {
    const fields = { name: 'quoter', params: {}, timers: [], markets: [market] };
    return { bot: unchecked.instance(at), ...fields, handlers: handlers() };
  });
  const rateLimit = budget === undefined ? {} : { budget };
  const core = new TradingCore({ state, instances, risk: gate, planner, ...rateLimit, firstSeq: unchecked.seq(1) });
  const snapshot = () => ({
    seq: unchecked.seq(core.nextSeq - 1),
    rows: core.rows,
    nextOrder: planner.nextOrder,
    account: state.snapshot(),
    risk: gate.snapshot(),
    roster: new StrategyAssignments().entries,
  });
  const follow = (): void => store.setSource({ account: state, risk: () => gate.snapshot(), snapshot }, Date.now());
  return { store, state, gate, instances, core, follow };
}

/**
 * Returns a copy of an object with some members replaced, such as `send`. The copy resolves members once, because a
 * `Proxy` would resolve them at each measured call.
 */
export function withReplaced<T extends object>(target: T, others: Partial<T>): T {
  const copy: T = Object.create(Object.prototype);
  for (
    let level: object | null = target;
    level !== null && level !== Object.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (name === 'constructor' || Object.hasOwn(copy, name)) continue;
      const member =
        typeof value === 'function' ? { value: value.bind(target) } : { get: () => Reflect.get(target, name) };
      Object.defineProperty(copy, name, { ...member, configurable: true });
    }
  }
  for (const [name, value] of Object.entries(others)) Object.defineProperty(copy, name, { value });
  return copy;
}

/** Quotes two ticks behind the best price on both sides. */
export function quoter(minAgeMs: number): StrategyHandlers {
  return {
    onBook({ book, info: { grid, market } }) {
      const [bid, ask] = [book.bestBid(), book.bestAsk()];
      if (bid === undefined || ask === undefined) return undefined;
      const lower = gridBelow(grid, gridBelow(grid, bid) ?? bid);
      const upper = gridAbove(grid, gridAbove(grid, ask) ?? ask);
      if (lower === undefined || upper === undefined) return undefined;
      const quotes = [
        { side: 'bid', price: lower, shares: SIZE } as const,
        { side: 'ask', price: upper, shares: SIZE } as const,
      ];
      return [{ type: 'quote', market, quotes, tolerance: { minAgeMs } }];
    },
  };
}

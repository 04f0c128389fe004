/** State of a stopped bot, and fills of earlier runs, from its database. */
import { recoveryText } from '../../runtime/index.ts';
import type { BotReader } from '../../store/index.ts';
import type { BotFill, BotOrder, BotPosition, BotStatus } from '../control/bot-port.ts';

type StoredField = 'mode' | 'killReason' | 'modeReason' | 'nextStep' | 'cash' | 'openOrders' | 'fills' | 'recovery';

/** State of a bot at its last write. Amounts in micro-USD and micro-shares. */
export interface StoredStatus extends Pick<BotStatus, StoredField> {
  readonly running: false;
  /** Account and venue. */
  readonly name: string;
  /** Time of the last write, epoch ms. */
  readonly now: number;
  /** Start of the first run, epoch ms; null if unknown. `fills` covers all runs since then. */
  readonly since: number | null;
  readonly markets: readonly { readonly slug: string; readonly openOrders: number; readonly position: number }[];
}

const MAX_ORDERS = 1_000_000;
const NO_REASON = 'no reason was given';

/** Returns the next step for a stopped bot that is not ACTIVE. Modes survive restarts. */
export function storedNextStep(resumeCommand: string): string {
  return `start the bot, then ${resumeCommand}`;
}

/** @returns undefined before a bot's first write. @throws FileFault for an unreadable database */
export function storedStatus(reader: BotReader, resumeCommand: string): StoredStatus | undefined {
  const record = reader.progress();
  const balance = reader.balance();
  if (record === undefined || balance === undefined) return undefined;
  const open = reader.orders('open', MAX_ORDERS);
  const netPositions = new Map(reader.positions().map(({ market, yes, no }) => [market, yes - no]));
  const { mode = 'ACTIVE', reason = null } = record.risk ?? {};
  return {
    running: false,
    name: record.name,
    now: record.lastAt ?? balance.updatedAt,
    mode,
    killReason: mode === 'KILLED' ? (reason ?? NO_REASON) : null,
    modeReason: mode === 'PAUSED' || mode === 'REDUCING' ? (reason ?? NO_REASON) : null,
    nextStep: mode === 'ACTIVE' ? null : storedNextStep(resumeCommand),
    cash: balance.cash,
    openOrders: open.length,
    ...reader.history(),
    recovery: record.recovery === null ? null : { ...record.recovery, text: recoveryText(record.recovery) },
    markets: reader.markets().map(({ market, slug }) => ({
      slug,
      openOrders: open.filter((order) => order.market === market).length,
      position: netPositions.get(market) ?? 0,
    })),
  };
}

/** Returns orders that may still be open. @throws FileFault */
export function storedOrders(reader: BotReader): readonly BotOrder[] {
  const getSlug = slugLookup(reader);
  const orders = reader.orders('open', MAX_ORDERS).toReversed();
  const tags = reader.tags(orders[0]?.order ?? 0);
  return orders.map(({ order, market, outcome, side, price, remaining, status, sentAt }) => {
    const phase = status.toLowerCase();
    const tag = tags.get(order) ?? null;
    return { order, market: getSlug(market), outcome, side, priceBps: price, remaining, phase, since: sentAt, tag };
  });
}

/** Returns positions with holdings or a realized result. @throws FileFault */
export function storedPositions(reader: BotReader): readonly BotPosition[] {
  return reader
    .positions()
    .filter(({ yes, no, realized }) => yes !== 0 || no !== 0 || realized !== 0)
    .map(({ slug, yes, no, yesCost, noCost, realized, fees }) => {
      return { market: slug, yes, no, yesCost, noCost, worth: null, realized, fees };
    });
}

/** Returns fills, the newest first. @throws FileFault */
export function storedFills(reader: BotReader, limit: number): readonly BotFill[] {
  const getSlug = slugLookup(reader);
  const fills = reader.fills(limit);
  const orders = fills.map(({ order }) => order).filter((order) => order !== 0);
  const tags = reader.tags(orders.reduce((first, order) => Math.min(first, order), Number.MAX_SAFE_INTEGER));
  return fills.map(({ at, order, market, outcome, side, price, shares, fee, liquidity, trade }) => {
    const [slug, tag] = [getSlug(market), tags.get(order) ?? null];
    return { time: at, order, market: slug, outcome, side, priceBps: price, shares, fee, liquidity, trade, tag };
  });
}

/** Returns a function that returns a market's slug, or a text with its number if the database has no slug. */
export function slugLookup(reader: BotReader): (market: number) => string {
  const slugs = new Map(reader.markets().map(({ market, slug }) => [market, slug]));
  return (market) => slugs.get(market) ?? `market ${market}`;
}

/** State of a stopped bot, and fills of earlier runs, from its database. */
import { recoveryText } from '../../runtime/index.ts';
import type { BotReader } from '../../store/index.ts';
import type { BotFill, BotOrder, BotPosition, BotStatus } from '../control/bot-port.ts';

type Stored = 'mode' | 'killReason' | 'modeReason' | 'nextStep' | 'cash' | 'openOrders' | 'fills' | 'recovery';

/** State of a bot at its last write. Amounts in micro-USD and micro-shares. */
export interface StoredStatus extends Pick<BotStatus, Stored> {
  readonly running: false;
  /** Account and venue. */
  readonly name: string;
  /** Time of the last write, epoch ms. */
  readonly now: number;
  /** Start of the first run, epoch ms; null if unknown. `fills` count from then on. */
  readonly since: number | null;
  readonly markets: readonly { readonly slug: string; readonly openOrders: number; readonly position: number }[];
}

const ALL = 1_000_000;
const ALL_ORDERS = Number.MAX_SAFE_INTEGER;
const NO_REASON = 'no reason was given';

/** The next step for a stopped bot that is not ACTIVE: modes survive restarts. @param resume command line that ends the mode */
export function storedNextStep(resume: string): string {
  return `start the bot, then ${resume}`;
}

/** @returns undefined before a bot's first write. @throws FileFault for an unreadable database */
export function storedStatus(reader: BotReader, resume: string): StoredStatus | undefined {
  const standing = reader.lastRecord();
  const balance = reader.balance();
  if (standing === undefined || balance === undefined) return undefined;
  const open = reader.orders(true, ALL);
  const held = new Map(reader.positions().map(({ market, yes, no }) => [market, yes - no]));
  const { mode = 'ACTIVE', reason = null } = standing.risk ?? {};
  return {
    running: false,
    name: standing.name,
    now: standing.lastAt ?? balance.updatedAt,
    mode,
    killReason: mode === 'KILLED' ? (reason ?? NO_REASON) : null,
    modeReason: mode === 'PAUSED' || mode === 'REDUCING' ? (reason ?? NO_REASON) : null,
    nextStep: mode === 'ACTIVE' ? null : storedNextStep(resume),
    cash: balance.cash,
    openOrders: open.length,
    ...reader.history(),
    recovery: standing.recovery === null ? null : { ...standing.recovery, text: recoveryText(standing.recovery) },
    markets: reader.markets().map(({ market, slug }) => ({
      slug,
      openOrders: open.filter((order) => order.market === market).length,
      position: held.get(market) ?? 0,
    })),
  };
}

/** Orders that may still be open. @throws FileFault */
export function storedOrders(reader: BotReader): readonly BotOrder[] {
  const slugOf = slugs(reader);
  const orders = reader.orders(true, ALL).toReversed();
  const tags = reader.tags(orders[0]?.order ?? 0);
  return orders.map(({ order, market, outcome, side, price, remaining, status, sentAt }) => {
    const phase = status.toLowerCase();
    const tag = tags.get(order) ?? null;
    return { order, market: slugOf(market), outcome, side, priceBps: price, remaining, phase, since: sentAt, tag };
  });
}

/** Markets with holdings, or with a realized result. @throws FileFault */
export function storedPositions(reader: BotReader): readonly BotPosition[] {
  return reader
    .positions()
    .filter(({ yes, no, realized }) => yes !== 0 || no !== 0 || realized !== 0)
    .map(({ slug, yes, no, yesCost, noCost, realized, fees }) => {
      return { market: slug, yes, no, yesCost, noCost, worth: null, realized, fees };
    });
}

/** The newest first. @throws FileFault */
export function storedFills(reader: BotReader, limit: number): readonly BotFill[] {
  const slugOf = slugs(reader);
  const fills = reader.fills(limit);
  const tags = reader.tags(
    fills.reduce((least, { order }) => (order === 0 ? least : Math.min(least, order)), ALL_ORDERS),
  );
  return fills.map(({ at, order, market, outcome, side, price, shares, fee, liquidity, trade }) => {
    return {
      time: at,
      order,
      market: slugOf(market),
      outcome,
      side,
      priceBps: price,
      shares,
      fee,
      liquidity,
      trade,
      tag: tags.get(order) ?? null,
    };
  });
}

function slugs(reader: BotReader): (market: number) => string {
  const known = new Map(reader.markets().map(({ market, slug }) => [market, slug]));
  return (market) => known.get(market) ?? `market ${market}`;
}

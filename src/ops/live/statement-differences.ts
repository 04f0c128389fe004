import { DAY_MS, type EpochMs, formatDay } from '../../domain/index.ts';
import type { BotReader } from '../../store/index.ts';
import type { DayStatement } from './day-statement.ts';

/** A fill in the venue's records. Null for unknown fields. */
interface ListedFill {
  readonly trade: string;
  /** Time of the match, epoch ms. */
  readonly time: number;
  readonly outcome: string | null;
  readonly side: string;
  readonly priceBps: number;
  readonly shares: number;
  /** Micro-USD. */
  readonly fee: number | null;
  /** Null if the venue does not report reversals. */
  readonly isReversed: boolean | null;
}

/** A rebate or a reward in the venue's records. */
interface ListedEarning {
  readonly cause: 'rebate' | 'reward';
  /** Start of the day on which the cash was earned. */
  readonly day: EpochMs;
  /** The venue's id of the market; `marketId` is the bot's id. */
  readonly market: string;
  readonly marketId: string;
  readonly cash: number;
}

export interface ListedDay {
  /** Fills of the day and some time around it. */
  readonly fills: readonly ListedFill[];
  /** Earnings of `days`, which the venue may have paid on the statement's day. */
  readonly earnings: { readonly days: readonly EpochMs[]; readonly rows: readonly ListedEarning[] };
  /** Current cash, micro-USD. */
  readonly cash: number;
}

/** `bot` and `venue` are numbers in internal units, or texts; null for a missing record. */
interface StatementDifference {
  readonly what: 'fill' | 'rebate' | 'reward' | 'cash';
  /** Trade id for a fill; day and market for an earning; `now` for cash. */
  readonly id: string;
  readonly field: string;
  readonly bot: number | string | null;
  readonly venue: number | string | null;
}

export interface StatementComparison {
  readonly compared: number;
  readonly differences: readonly StatementDifference[];
}

const FIELDS = ['outcome', 'side', 'priceBps', 'shares', 'fee'] as const;

/** @param day start of the day, epoch ms */
export function compareStatement(
  reader: BotReader,
  { statement, day }: { readonly statement: DayStatement; readonly day: EpochMs },
  listed: ListedDay,
): StatementComparison {
  return reader.readConsistently(() => {
    const fills = fillDifferences(reader, statement, day, listed.fills);
    const earnings = earningDifferences(reader, listed.earnings);
    const cash = reader.balance()?.cash ?? 0;
    const cashDifferences = compareField('cash', 'now', 'cash', cash, listed.cash);
    const differences = [...fills.differences, ...earnings.differences, ...cashDifferences];
    return { compared: fills.compared + earnings.compared, differences };
  });
}

function fillDifferences(
  reader: BotReader,
  { fills, removedFills }: DayStatement,
  day: number,
  listed: readonly ListedFill[],
): StatementComparison {
  const byTrade = new Map(listed.map((fill) => [fill.trade, fill]));
  const differences: StatementDifference[] = [];
  const own = fills.filter(({ trade }) => trade !== null);
  for (const fill of own) {
    const trade = fill.trade ?? '';
    const other = byTrade.get(trade);
    if (other === undefined) differences.push({ what: 'fill', id: trade, field: 'cash', bot: fill.cash, venue: null });
    else {
      for (const field of FIELDS)
        if (other[field] !== null) differences.push(...compareField('fill', trade, field, fill[field], other[field]));
      const stateText = (isReversed: boolean): string => (isReversed ? 'reversed' : 'valid');
      if (other.isReversed === null) continue;
      const bot = stateText(reader.isReversed(trade));
      differences.push(...compareField('fill', trade, 'state', bot, stateText(other.isReversed)));
    }
  }
  const ownTrades = new Set(own.map(({ trade }) => trade));
  const { since } = reader.history();
  const others = listed.filter(
    ({ trade, time, isReversed }) =>
      !ownTrades.has(trade) && isReversed !== true && time >= Math.max(day, since ?? day) && time < day + DAY_MS,
  );
  for (const { trade, shares } of others) {
    // A fill of another day, a fill booked as outside cash, or a fill whose row was removed.
    const isKnown = removedFills > 0 || reader.findFill(trade) !== undefined || reader.isOutsideRun(trade);
    if (!isKnown) differences.push({ what: 'fill', id: trade, field: 'shares', bot: null, venue: shares });
  }
  return { compared: own.length + others.length, differences };
}

function earningDifferences(reader: BotReader, { days, rows }: ListedDay['earnings']): StatementComparison {
  const ids = new Map(reader.markets().map(({ market, id }) => [market, id]));
  const booked = days.flatMap((day) => reader.earnedOn(day));
  const missing = new Set(booked);
  const differences = rows.flatMap(({ cause, day, market, marketId, cash }) => {
    const id = `${formatDay(day)} ${market}`;
    const row = booked.find((each) => each.cause === cause && each.day === day && ids.get(each.market) === marketId);
    if (row !== undefined) missing.delete(row);
    else if (reader.isOutsideRun(`${cause} ${id}`)) return [];
    return compareField(cause, id, 'cash', row?.cash ?? null, cash);
  });
  for (const { cause, day, market, cash } of missing) {
    const id = `${formatDay(day ?? 0)} ${ids.get(market) ?? market}`;
    differences.push({ what: cause === 'rebate' ? 'rebate' : 'reward', id, field: 'cash', bot: cash, venue: null });
  }
  return { compared: rows.length + missing.size, differences };
}

function compareField(
  what: StatementDifference['what'],
  id: string,
  field: string,
  bot: StatementDifference['bot'],
  venue: StatementDifference['venue'],
): readonly StatementDifference[] {
  return bot === venue ? [] : [{ what, id, field, bot, venue }];
}

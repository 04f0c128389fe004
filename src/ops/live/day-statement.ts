/** Statement of a UTC day from a bot's database: cash at its start and end, and every cause of the change. */
import { costAt, type EpochMs, formatDay, InputFault, unchecked } from '../../domain/index.ts';
import type { BotReader } from '../../store/index.ts';
import type { BotFill } from '../control/bot-port.ts';
import { slugLookup } from './stored-view.ts';

/** A fill of the day. Amounts are in micro-USD and micro-shares. */
interface StatementFill extends Omit<BotFill, 'order' | 'tag'> {
  /** Cash without the fee; negative for a purchase. */
  readonly cash: number;
}

/** Cash that moved without a fill. */
interface StatementMove {
  readonly time: number;
  readonly cause: MoveCause;
  /** Slug; null for an adjustment. */
  readonly market: string | null;
  /** The day on which a rebate or reward was earned; else null. */
  readonly earned: string | null;
  readonly cash: number;
}

type MoveCause = 'reversal' | 'payout' | 'split' | 'merge' | 'rebate' | 'reward' | 'adjustment';

export interface DayStatement {
  /** `2026-11-27` */
  readonly day: string;
  /** Account and venue. */
  readonly name: string;
  readonly start: number;
  /** Cash without fees. */
  readonly trades: number;
  /** Negative for paid fees. */
  readonly fees: number;
  readonly reversals: number;
  readonly payouts: number;
  readonly conversions: number;
  readonly rebates: number;
  readonly rewards: number;
  readonly adjustments: number;
  /** `start` plus all sums. */
  readonly end: number;
  /** Cash that no row of the database explains; normally 0. */
  readonly unlisted: number;
  /** Number of fills whose rows were removed. Only the sums include these fills. */
  readonly removedFills: number;
  readonly fills: readonly StatementFill[];
  readonly moves: readonly StatementMove[];
}

/** @throws InputFault for a day before the bot's first day or after today, FileFault for damaged rows */
export function dayStatement(reader: BotReader, day: EpochMs, now: EpochMs): DayStatement | undefined {
  return reader.readConsistently(() => {
    const [record, balance] = [reader.progress(), reader.balance()];
    if (record === undefined || balance === undefined) return undefined;
    const rows = reader.day(day);
    const first = rows.firstDay ?? day;
    if (day < first || day > now)
      throw new InputFault('--day', formatDay(day), `a day (UTC) from ${formatDay(first)}, the bot's first, to today`);
    const getSlug = slugLookup(reader);
    const fills = rows.fills.map((row): StatementFill => {
      const { trade, at: time, outcome, side, price: priceBps, shares, fee, liquidity } = row;
      const market = getSlug(row.market);
      return { trade, time, market, outcome, side, priceBps, shares, fee, liquidity, cash: fillCash(row) };
    });
    const moves = listMoves(rows, getSlug);
    const sum = (cause: MoveCause): number =>
      total(moves.filter((move) => move.cause === cause).map(({ cash }) => cash));
    // `+ 0` avoids -0.
    const sums = {
      trades: rows.removed.cash + total(fills.map(({ cash }) => cash)),
      fees: -rows.removed.fees - total(fills.map(({ fee }) => fee)) + 0,
      reversals: sum('reversal'),
      payouts: sum('payout'),
      conversions: sum('split') + sum('merge'),
      rebates: sum('rebate'),
      rewards: sum('reward'),
      adjustments: sum('adjustment'),
    };
    const unlisted = balance.cash - rows.movedInTotal;
    const end = balance.cash - rows.movedSince;
    return {
      day: formatDay(day),
      name: record.name,
      start: end - total(Object.values(sums)),
      ...sums,
      end,
      unlisted,
      removedFills: rows.removed.fills,
      fills,
      moves,
    };
  });
}

function listMoves(rows: ReturnType<BotReader['day']>, getSlug: (market: number) => string): readonly StatementMove[] {
  const { reversals, adjustments, payments } = rows;
  const moves: readonly StatementMove[] = [
    ...reversals.map((row) => {
      const cash = row.fee - fillCash(row);
      return { time: row.at, cause: 'reversal' as const, market: getSlug(row.market), earned: null, cash };
    }),
    ...payments.map(({ at: time, cause, market, day, cash }) => {
      const name = cause === 'claim' ? ('payout' as const) : cause;
      return { time, cause: name, market: getSlug(market), earned: day === null ? null : formatDay(day), cash };
    }),
    ...adjustments.map(({ at: time, cash, trade }) => ({ time, ...parseOutsidePayment(trade), cash: cash ?? 0 })),
  ];
  return moves.toSorted((a, b) => a.time - b.time);
}

/** Reads cause, day and market from the trade id of a rebate or reward in a market that the bot does not trade. */
function parseOutsidePayment(trade: string | null): Pick<StatementMove, 'cause' | 'market' | 'earned'> {
  const [, cause, earned, market] = /^(rebate|reward) (\d{4}-\d\d-\d\d) (0x[0-9a-f]{64})$/.exec(trade ?? '') ?? [];
  if (market === undefined || earned === undefined) return { cause: 'adjustment', market: null, earned: null };
  return { cause: cause === 'rebate' ? 'rebate' : 'reward', market, earned };
}

function fillCash({ side, price, shares }: { readonly side: string; readonly price: number; readonly shares: number }) {
  const amount = costAt(unchecked.shares(shares), unchecked.price(price));
  return side === 'SELL' ? amount : 0 - amount;
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

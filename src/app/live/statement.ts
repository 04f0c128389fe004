import { DAY_MS, type EpochMs, formatTime, parseTime, SHARE, startOfUtcDay, timeAfter } from '../../domain/index.ts';
import {
  type AccountClient,
  compareStatement,
  type DayStatement,
  dayStatement,
  type ListedDay,
  type StatementComparison,
} from '../../ops/index.ts';
import { polymarketMarketId } from '../../runtime/index.ts';
import type { BotReader } from '../../store/index.ts';
import { type AccountOptions, withAccount } from '../venue-access.ts';
import { type PolymarketAccess, withPolymarket } from './polymarket.ts';
import { neverTradedFault, openBotReader } from './stored-bot.ts';

/** Records of a venue, and notes on data that the records lack. */
interface VenueRecords {
  readonly url: string;
  readonly listed: ListedDay;
  readonly notCompared: readonly string[];
}

export type ComparedDay = StatementComparison & Pick<VenueRecords, 'url' | 'notCompared'>;
const MAX_FILLS = 10_000;

/**
 * Reads a bot's statement of a day. @param access to the venue for a comparison; undefined reads only the database
 * @throws InputFault for a day without the bot, FileFault for an unusable database, Fault for a failed venue request
 */
export async function readStatement(
  db: string,
  { day, now }: { readonly day: EpochMs; readonly now: EpochMs },
  access: AccountOptions | undefined,
): Promise<{ readonly statement: DayStatement; readonly venue: ComparedDay | undefined }> {
  const reader = openBotReader(db);
  try {
    const statement = dayStatement(reader, day, now);
    if (statement === undefined) throw neverTradedFault(db);
    if (access === undefined) return { statement, venue: undefined };
    const { live, redactor } = access;
    const { url, listed, notCompared } = await (live.file.venue.polymarket === undefined
      ? withAccount(access, (client, { url }) => serviceRecords(client, url, day))
      : withPolymarket(live, redactor, (venue) => polymarketRecords(venue, { day, reader, statement })));
    return { statement, venue: { url, notCompared, ...compareStatement(reader, { statement, day }, listed) } };
  } finally {
    reader.close();
  }
}

async function polymarketRecords(
  { reader: venue, url }: PolymarketAccess,
  { day, reader, statement }: { day: EpochMs; reader: BotReader; statement: DayStatement },
): Promise<VenueRecords> {
  const startDay = startOfUtcDay(reader.history().since ?? 0);
  // Earnings of a day are paid on the next day or later.
  const earned = statement.moves.flatMap(({ earned: date }) => {
    return date === null ? [] : [parseTime('earned', `${date}T00:00:00Z`)];
  });
  const days = [...new Set([timeAfter(day, -DAY_MS), ...earned])].filter((each) => each >= startDay);
  const payments = await Promise.all(days.map((each) => venue.payments(each)));
  const fills = await venue.fillsOfDay(day);
  return {
    url,
    listed: {
      fills: fills.map(({ tradeId: trade, at: time, outcome = null, side, price, shares, status }) => {
        return { trade, time, outcome, side, priceBps: price, shares, fee: null, isReversed: status === 'FAILED' };
      }),
      earnings: {
        days,
        rows: payments.flat().map(({ cause, day: earnedDay, condition, amount }) => {
          return { cause, day: earnedDay, market: condition, marketId: polymarketMarketId(condition), cash: amount };
        }),
      },
      cash: await venue.balances.readBalance(),
    },
    notCompared: [
      "fees: the venue's trades do not contain the paid fee",
      'payouts, splits, merges and deposits: the venue does not list them; the cash contains them',
    ],
  };
}

async function serviceRecords(client: AccountClient, url: string, day: EpochMs): Promise<VenueRecords> {
  const fills = await client.fills(MAX_FILLS, formatTime(timeAfter(day, -MARGIN_MS)));
  const { availableMicros, reservedMicros } = await client.balance();
  return {
    url,
    listed: {
      fills: fills.map(({ tradeId, executedAt, outcome, side, priceBps, shares, feeMicros }) => ({
        trade: tradeId,
        time: parseTime('fills.executedAt', executedAt),
        outcome,
        side,
        priceBps,
        shares: Math.round(shares * SHARE),
        fee: Number(feeMicros),
        isReversed: null,
      })),
      earnings: { days: [], rows: [] },
      cash: Number(availableMicros) + Number(reservedMicros),
    },
    notCompared: [
      'payouts, splits, merges and deposits: only the resulting cash is compared',
      'whether a fill was reversed: the query `fills` does not read this; the cash contains it',
    ],
  };
}

/** Fills are read from an hour before the day, because the bot may receive a fill late. */
const MARGIN_MS = 3_600_000;

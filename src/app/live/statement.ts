/** What a day brought a bot, from its database, and what the venue's own records have of it. */
import type { LiveConfiguration } from '../../config/live-file.ts';
import { column, type EpochMs, FileFault, formatTime, parseTime, SHARE, timeAfter } from '../../domain/index.ts';
import {
  AccountClient,
  compareStatement,
  type DayStatement,
  dayStatement,
  type ListedDay,
  type Redactor,
  type StatementComparison,
} from '../../ops/index.ts';
import { BotReader, checkForLoss, isLocked } from '../../store/index.ts';
import { DAY_MS, dayOf, marketIdOf } from '../../venues/polymarket/index.ts';
import { logIn, logOut, openOwner, openVenue } from '../venue-access.ts';
import { openPolymarketAccess } from './polymarket.ts';

/** The records of a venue, and what they do not say. */
interface VenueRecords {
  readonly url: string;
  readonly listed: ListedDay;
  readonly notCompared: readonly string[];
}

export interface ComparedDay extends StatementComparison {
  readonly url: string;
  readonly notCompared: readonly string[];
}

/** Fills of one day that are read. */
const MOST_FILLS = 10_000;

/**
 * @param live with access to the venue; undefined for the database alone
 * @throws InputFault for a day that the bot does not have, FileFault for a database that cannot be used; Fault as the venue's reads
 */
export async function stateDay(
  db: string,
  { day, now }: { readonly day: EpochMs; readonly now: EpochMs },
  live: LiveConfiguration | undefined,
  redactor: Redactor,
): Promise<{ readonly statement: DayStatement; readonly venue: ComparedDay | undefined }> {
  // Skipped while a starting or ending bot writes to the files.
  if (!isLocked(`${db}.lock`)) checkForLoss(db, { unit: 'entry', mayLoseAtPowerCut: true });
  const reader = BotReader.open(db);
  try {
    const statement = dayStatement(reader, day, now);
    if (statement === undefined) {
      const remedy = 'Start one: `npx halfspread run <config.yaml>`';
      throw new FileFault(db, undefined, 'no bot has traded with it yet', remedy);
    }
    if (live === undefined) return { statement, venue: undefined };
    const read = live.file.venue.polymarket === undefined ? serviceRecords : polymarketRecords;
    const { url, listed, notCompared } = await read(live, redactor, { day, reader, statement });
    return { statement, venue: { url, notCompared, ...compareStatement(reader, { statement, day }, listed) } };
  } finally {
    reader.close();
  }
}

interface Wanted {
  readonly day: EpochMs;
  readonly reader: BotReader;
  readonly statement: DayStatement;
}

async function polymarketRecords(
  live: LiveConfiguration,
  redactor: Redactor,
  { day, reader, statement }: Wanted,
): Promise<VenueRecords> {
  const access = await openPolymarketAccess(live, redactor);
  try {
    const began = dayOf(reader.history().since ?? 0);
    // What a day earned is paid on the next one, or later.
    const earned = statement.moves.flatMap((move) => (move.earned === null ? [] : [dayNamed(move.earned)]));
    const days = [...new Set([timeAfter(day, -DAY_MS), ...earned])].filter((each) => each >= began);
    const payments = await Promise.all(days.map((each) => access.reader.payments(each)));
    const fills = await access.reader.fillsOfDay(day);
    return {
      url: access.url,
      listed: {
        fills: fills.map(({ tradeId: trade, at: time, outcome = null, side, price, shares, status }) => {
          return { trade, time, outcome, side, priceBps: price, shares, fee: null, isReversed: status === 'FAILED' };
        }),
        earnings: {
          days,
          rows: payments.flat().map(({ cause, day: of, condition, amount }) => {
            return { cause, day: of, market: condition, marketId: marketIdOf(condition), cash: amount };
          }),
        },
        cash: await access.reader.balances.of(),
      },
      notCompared: [
        'fees: the trades of the venue do not say what was paid',
        'payouts, splits, merges and deposits: the venue lists none. They are in its cash',
      ],
    };
  } finally {
    access.close();
  }
}

async function serviceRecords(live: LiveConfiguration, redactor: Redactor, { day }: Wanted): Promise<VenueRecords> {
  const access = await openVenue(live, redactor);
  const owner = openOwner(live, access.signer, redactor);
  const token = await logIn(access, owner, redactor);
  try {
    const client = new AccountClient(access.http);
    const fills = await client.fills(MOST_FILLS, formatTime(timeAfter(day, -MARGIN_MS)));
    const { availableMicros, reservedMicros } = await client.balance();
    return {
      url: access.http.base,
      listed: {
        fills: fills.map(({ tradeId: trade, executedAt, outcome, side, priceBps, shares, feeMicros, reversed }) => {
          return {
            trade,
            time: parseTime('fills.executedAt', executedAt),
            outcome,
            side,
            priceBps,
            shares: Math.round(shares * SHARE),
            fee: Number(feeMicros),
            isReversed: reversed === true,
          };
        }),
        earnings: { days: [], rows: [] },
        cash: Number(availableMicros) + Number(reservedMicros),
      },
      notCompared: ['payouts, splits, merges and deposits: only the cash that they leave is compared'],
    };
  } finally {
    await logOut(access, owner, token);
  }
}

/** A fill may be older than the day on which a bot learned of it. */
const MARGIN_MS = 3_600_000;

function dayNamed(date: string): EpochMs {
  return column.time(parseTime('earned', `${date}T00:00:00Z`));
}

/** Compares the bot's database with the venue's records at the end of a demo. */
import { formatMicros, type MicroShares, unchecked } from '../../domain/index.ts';
import type { AccountClient } from '../../ops/index.ts';
import { parseMicroShares, parseSafeUint } from '../../protocol/index.ts';
import { BotReader } from '../../store/index.ts';

type AccountDifference = Readonly<Record<'what' | 'bot' | 'venue', string>>;
const MAX_ROWS = 100_000;

/**
 * Compares open orders, shares by market and outcome, cash including reserves, and the number and fees of fills.
 * @param db database of a bot that has stopped
 * @throws FileFault, Fault LINK, VENUE when one side cannot be read
 */
export async function findDifferences(db: string, client: AccountClient): Promise<readonly AccountDifference[]> {
  const [bot, venue] = [readBotFacts(db), await readVenueFacts(client)];
  const subjects = [...new Set([...bot.keys(), ...venue.keys()])];
  return subjects.flatMap((what) => {
    const values = { bot: bot.get(what) ?? ZERO, venue: venue.get(what) ?? ZERO };
    return values.bot === values.venue ? [] : [{ what, ...values }];
  });
}

const ZERO = '0';
const ZERO_MICROS = formatMicros(unchecked.usd(0));

/** Values by subject, without zeros. */
type FactsBySubject = ReadonlyMap<string, string>;

function readBotFacts(db: string): FactsBySubject {
  const reader = BotReader.open(db);
  try {
    const fills = reader.fills(MAX_ROWS);
    const positions = reader.positions().flatMap(({ id, yes, no }) => {
      return [toSharesFact(id, 'YES', unchecked.shares(yes)), toSharesFact(id, 'NO', unchecked.shares(no))];
    });
    return toFacts([
      ['open orders', `${reader.orders('open', MAX_ROWS).length}`],
      ['cash', formatMicros(unchecked.usd(reader.balance()?.cash ?? 0))],
      ['fills', `${fills.length}`],
      ['fees', formatMicros(unchecked.usd(fills.reduce((sum, { fee }) => sum + fee, 0)))],
      ...positions,
    ]);
  } finally {
    reader.close();
  }
}

async function readVenueFacts(client: AccountClient): Promise<FactsBySubject> {
  const { availableMicros, reservedMicros } = await client.balance();
  const available = parseSafeUint('balance.availableMicros', availableMicros);
  const reserved = parseSafeUint('balance.reservedMicros', reservedMicros);
  const fills = await client.fills(MAX_ROWS);
  const fees = fills.reduce((sum, { feeMicros }) => sum + parseSafeUint('fill.feeMicros', feeMicros), 0);
  const positions = (await client.positions()).map(({ marketId, outcome, shares }) =>
    toSharesFact(marketId, outcome, parseMicroShares('position.shares', shares)),
  );
  return toFacts([
    ['open orders', `${await client.countOpenOrders()}`],
    ['cash', formatMicros(unchecked.usd(available + reserved))],
    ['fills', `${fills.length}`],
    ['fees', formatMicros(unchecked.usd(fees))],
    ...positions,
  ]);
}

function toSharesFact(market: string, outcome: string, shares: MicroShares): readonly [string, string] {
  return [`${outcome} shares in market ${market}`, formatMicros(shares)];
}

function toFacts(lines: readonly (readonly [string, string])[]): FactsBySubject {
  return new Map(lines.filter(([, value]) => value !== ZERO && value !== ZERO_MICROS));
}

/** What the bot's database says at the end against what the venue says: two books kept apart, compared to the last unit. */
import { column, formatMicros, type MicroShares, type MicroUsd } from '../../domain/index.ts';
import type { AccountClient } from '../../ops/index.ts';
import { microSharesOf, parseSafeUint } from '../../protocol/index.ts';
import { BotReader } from '../../store/index.ts';

/** One thing that both know, and say differently. */
export interface Disagreement {
  readonly what: string;
  readonly bot: string;
  readonly venue: string;
}

const MOST_FILLS = 100_000;

/**
 * Open orders, shares of each outcome in each market, cash with its reserves, and every fill's number and fees.
 * @param db of a bot that has ended
 * @throws FileFault, Fault LINK, VENUE when one of them cannot be read
 */
export async function disagreements(db: string, client: AccountClient): Promise<readonly Disagreement[]> {
  const [bot, venue] = [botSays(db), await venueSays(client)];
  const what = [...new Set([...bot.keys(), ...venue.keys()])];
  return what.flatMap((name) => {
    const [own, other] = [bot.get(name) ?? NOTHING, venue.get(name) ?? NOTHING];
    return own === other ? [] : [{ what: name, bot: own, venue: other }];
  });
}

const NOTHING = '0';
/** Of a unit that is split into a million. */
const NOTHING_EXACTLY = '0.000000';

/** By what it is about. What is nothing is left out. */
type FactsBySubject = ReadonlyMap<string, string>;

function botSays(db: string): FactsBySubject {
  const reader = BotReader.open(db);
  try {
    const fills = reader.fills(MOST_FILLS);
    const positions = reader
      .positions()
      .flatMap(({ id, yes, no }) => [held(id, 'YES', column.shares(yes)), held(id, 'NO', column.shares(no))]);
    return said([
      ['open orders', `${reader.orders(true, MOST_FILLS).length}`],
      ['cash', formatMicros(column.usd(reader.balance()?.cash ?? 0))],
      ['fills', `${fills.length}`],
      ['fees', formatMicros(column.usd(fills.reduce((sum, { fee }) => sum + fee, 0)))],
      ...positions,
    ]);
  } finally {
    reader.close();
  }
}

async function venueSays(client: AccountClient): Promise<FactsBySubject> {
  const { availableMicros, reservedMicros } = await client.balance();
  const fills = await client.fills(MOST_FILLS);
  const fees = fills.reduce((sum, { feeMicros }) => sum + parseSafeUint('fill.feeMicros', feeMicros), 0);
  const positions = (await client.positions()).map(({ marketId, outcome, shares }) =>
    held(marketId, outcome, microSharesOf('position.shares', shares)),
  );
  return said([
    ['open orders', `${await client.openOrders()}`],
    ['cash', formatMicros(sumOf(availableMicros, reservedMicros))],
    ['fills', `${fills.length}`],
    ['fees', formatMicros(column.usd(fees))],
    ...positions,
  ]);
}

function held(market: string, outcome: string, shares: MicroShares): readonly [string, string] {
  return [`${outcome} shares in market ${market}`, formatMicros(shares)];
}

function sumOf(one: string, other: string): MicroUsd {
  return column.usd(parseSafeUint('balance.availableMicros', one) + parseSafeUint('balance.reservedMicros', other));
}

function said(lines: readonly (readonly [string, string])[]): FactsBySubject {
  return new Map(lines.filter(([, value]) => value !== NOTHING && value !== NOTHING_EXACTLY));
}

/** Compares the account of a bot with the account at the venue. */
import { expect } from 'vitest';
import type { SigningKey } from '../../../src/signing/index.ts';
import { login, queryVenue } from '../../server/trader.ts';
import type { Bot } from './bot.ts';
import { type Harness, SHARE } from './harness.ts';

/** Queries an account at the venue: cash with reserves, open orders and positions. */
export async function accountAt(harness: Harness, key: SigningKey): Promise<AccountHoldings> {
  const token = await login(harness.url, harness.tools, key);
  const text = `query { balance { availableMicros reservedMicros }
    orders(input: { statuses: [LIVE, PARTIALLY_FILLED], first: 100 }) { edges { node { id remainingShares } } }
    positions(input: { openOnly: false, first: 100 }) { edges { node { marketId outcome shares amountMicros market { status } } } } }`;
  const { balance, orders, positions } = await queryVenue(harness.url, token, text, {});
  return {
    cash: Number(balance.availableMicros) + Number(balance.reservedMicros),
    open: new Map(
      orders.edges.map(({ node }: Edge<OpenOrderNode>) => [node.id, Math.round(node.remainingShares * SHARE)]),
    ),
    held: new Map(
      positions.edges.map(({ node }: Edge<PositionNode>) => [
        `${node.marketId} ${node.outcome}`,
        Math.round(node.shares * SHARE),
      ]),
    ),
  };
}

export interface AccountHoldings {
  readonly cash: number;
  readonly open: ReadonlyMap<string, number>;
  readonly held: ReadonlyMap<string, number>;
}

interface Edge<Node> {
  readonly node: Node;
}
interface OpenOrderNode {
  readonly id: string;
  readonly remainingShares: number;
}
interface PositionNode {
  readonly marketId: string;
  readonly outcome: string;
  readonly shares: number;
}

/** Returns the account as the bot's state has it. */
function accountOf(bot: Bot): AccountHoldings {
  const open = new Map<string, number>();
  const held = new Map<string, number>();
  for (const { info, orders, position } of bot.state.markets) {
    for (const { order, remaining } of orders)
      open.set(bot.records.findByNumber(order)?.hash ?? `order ${order}`, remaining);
    held.set(`${info.id} YES`, position.yes);
    held.set(`${info.id} NO`, position.no);
  }
  return { cash: bot.state.cash, open, held };
}

/** Returns the differences between bot and venue, as text. Empty positions do not count. */
export async function differences(harness: Harness, bot: Bot, owner = bot.key): Promise<readonly string[]> {
  const [venue, core] = [await accountAt(harness, owner), accountOf(bot)];
  const found: string[] = [];
  if (venue.cash !== core.cash) found.push(`cash ${core.cash}, at the venue ${venue.cash}`);
  for (const [kind, ofBot, ofVenue] of [
    ['order', core.open, venue.open],
    ['held', core.held, venue.held],
  ] as const) {
    for (const key of new Set([...ofBot.keys(), ...ofVenue.keys()])) {
      const [atBot, atVenue] = [ofBot.get(key) ?? 0, ofVenue.get(key) ?? 0];
      if (atBot !== atVenue) found.push(`${kind} ${key}: ${atBot}, at the venue ${atVenue}`);
    }
  }
  return found;
}

/** Waits until `open` orders are open and settled, and expects no differences. */
export async function expectAgreement(harness: Harness, bot: Bot, open: number): Promise<void> {
  await bot.until(() => bot.state.openOrderCount === open && bot.isSettled, `${open} open orders, all settled`);
  expect(await differences(harness, bot)).toEqual([]);
  expect(bot.faults).toEqual([]);
}

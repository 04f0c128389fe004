/** Random sequences: a fixed opening, then one command for each move, which depends on the events before it. */
import { marketId, unchecked } from '../../../src/domain/index.ts';
import { DEFAULT_CONFIG } from '../../../src/exchange/config.ts';
import type { ExchangeCommand, ExchangeConfig } from '../twin/exchange-types.ts';
import type { Call } from '../twin/world.ts';
import type { Move } from './kinds.ts';
import { marketCommand } from './market-commands.ts';
import { addressOf, Picks } from './picks.ts';
import { ReadModel } from './read-model.ts';
import { tradingCommand } from './trading-moves.ts';

const START = 1_795_000_000_000;
const SECOND = 1000;

/** Short windows for sequences to outlast, a coarse tick for orders to match, a fee for amounts to be rounded. */
export const CONFIG: ExchangeConfig = {
  ...DEFAULT_CONFIG,
  tickBps: 100,
  feeRateBps: 200,
  maxGroupWindow: unchecked.duration(2 * SECOND),
  disputeWindow: unchecked.duration(20 * SECOND),
  quorumTimeout: unchecked.duration(60 * SECOND),
  safetyPeriod: unchecked.duration(30 * SECOND),
  chainTimeout: unchecked.duration(45 * SECOND),
};

/** An implementation that executes a sequence. */
export interface Body {
  /** Executes a command and returns its events. */
  execute(command: ExchangeCommand): readonly Call[];
  /** The current tick of a market in bps. */
  tickOf(market: number): number | undefined;
  /** Is called before the model applies each event. */
  before?(call: Call, model: ReadModel): void;
  /** Is called after each command. */
  after?(command: ExchangeCommand, calls: readonly Call[], model: ReadModel): void;
}

/** Executes the opening and the moves, and returns all commands. */
export function runSequence(moves: readonly Move[], body: Body): readonly ExchangeCommand[] {
  const model = new ReadModel();
  const commands: ExchangeCommand[] = [];
  const step = (command: ExchangeCommand): void => {
    commands.push(command);
    const calls = body.execute(command);
    model.apply(calls, (call) => body.before?.(call, model));
    body.after?.(command, calls, model);
  };
  for (const command of OPENING) step(command);
  let now = START + 10 * SECOND;
  let created: ExchangeCommand | undefined;
  for (const move of moves) {
    now += move.wait;
    const picks = new Picks(model, now, (market) => body.tickOf(market));
    const next = tradingCommand(move, picks) ?? marketCommand(move, picks);
    if (next === undefined) throw new Error(`no command for ${move.kind}`);
    const isAgain = move.kind === 'createMarket' && move.details.isAgain;
    const command = isAgain && created !== undefined ? { ...created, time: unchecked.time(now) } : next;
    if (command.type === 'createMarket') created = command;
    step(command);
  }
  return commands;
}

const time = unchecked.time(START);
const ACCOUNTS = [1, 2, 3, 4];
const MARKETS = [0, 1];

/** Four accounts, the last one unlimited, with cash and pairs in two open markets. */
export const OPENING: readonly ExchangeCommand[] = [
  ...ACCOUNTS.map(
    (number): ExchangeCommand => ({
      type: 'openAccount',
      time,
      address: addressOf(number),
      unlimited: number === 4,
    }),
  ),
  ...ACCOUNTS.slice(0, 3).map(
    (account): ExchangeCommand => ({
      type: 'transfer',
      time,
      account: unchecked.account(account),
      // After the splits below the accounts have $60, $200 and $900.
      amount: unchecked.usd([0, 160_000_000, 400_000_000, 1_200_000_000][account] ?? 0),
    }),
  ),
  ...MARKETS.map(
    (market): ExchangeCommand => ({
      type: 'createMarket',
      time,
      account: unchecked.account(1),
      credential: unchecked.credential(0),
      id: marketId(`10000000-0000-4000-8000-00000000000${market}`),
      question: 'Will the sequence end well?',
      rules: 'Whoever is left says so.',
      description: undefined,
      categorySlug: 'proof',
      topicSlugs: [],
      resolutionDate: unchecked.time(START + 3600 * SECOND),
      tickBps: market === 0 ? undefined : 50,
      feeRateBps: market === 0 ? undefined : 0,
      minOrderShares: undefined,
      eventId: undefined,
      initialOrder: undefined,
      restriction: undefined,
    }),
  ),
  ...MARKETS.map(
    (market): ExchangeCommand => ({
      type: 'chainConfirmed',
      time,
      market: unchecked.market(market),
      note: '',
      step: 'DEPLOY',
      attempt: 1,
      transactionHash: `0xdeployed${market}`,
    }),
  ),
  ...MARKETS.flatMap((market) =>
    ACCOUNTS.map(
      (account): ExchangeCommand => ({
        type: 'split',
        time,
        account: unchecked.account(account),
        credential: unchecked.credential(0),
        market: unchecked.market(market),
        shares: unchecked.shares(50_000_000 * account),
      }),
    ),
  ),
];

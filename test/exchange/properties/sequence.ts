/** Random sequences: the same opening for all, then commands made of moves, each by what came of the ones before. */
import { column, counted, marketId } from '../../../src/domain/index.ts';
import { DEFAULT_CONFIG } from '../../../src/exchange/engine/defaults.ts';
import type { ExchangeCommand, ExchangeConfig } from '../twin/words.ts';
import type { Call } from '../twin/world.ts';
import type { Move } from './kinds.ts';
import { marketCommand } from './market-moves.ts';
import { addressOf, Picks } from './picks.ts';
import { ReadModel } from './read-model.ts';
import { tradingCommand } from './trading-moves.ts';

const START = 1_795_000_000_000;
const SECOND = 1000;

/** Waits that a sequence can live through; a coarse tick, so that orders meet; a fee, so that it rounds. */
export const CONFIG: ExchangeConfig = {
  ...DEFAULT_CONFIG,
  tickBps: 100,
  feeRateBps: 200,
  maxGroupWindow: column.duration(2 * SECOND),
  disputeWindow: column.duration(20 * SECOND),
  quorumTimeout: column.duration(60 * SECOND),
  safetyPeriod: column.duration(30 * SECOND),
  chainTimeout: column.duration(45 * SECOND),
};

/** What a sequence is played on. */
export interface Body {
  /** Executes a command and returns its events. */
  carryOut(command: ExchangeCommand): readonly Call[];
  /** A market's tick at present. */
  tickOf(market: number): number | undefined;
  /** Is shown each event before the model takes it in. */
  before?(call: Call, model: ReadModel): void;
  /** After each command; what it throws ends the sequence. */
  after?(command: ExchangeCommand, calls: readonly Call[], model: ReadModel): void;
}

/** Plays the opening and the moves. @returns all commands */
export function play(moves: readonly Move[], body: Body): readonly ExchangeCommand[] {
  const model = new ReadModel();
  const commands: ExchangeCommand[] = [];
  const step = (command: ExchangeCommand): void => {
    commands.push(command);
    const calls = body.carryOut(command);
    model.take(calls, (call) => body.before?.(call, model));
    body.after?.(command, calls, model);
  };
  for (const command of OPENING) step(command);
  let now = START + 10 * SECOND;
  let created: ExchangeCommand | undefined;
  for (const move of moves) {
    now += move.wait;
    const picks = new Picks(model, now, (market) => body.tickOf(market));
    const made = tradingCommand(move, picks) ?? marketCommand(move, picks);
    if (made === undefined) throw new Error(`no command for ${move.kind}`);
    const isAgain = move.kind === 'createMarket' && move.said.isAgain;
    const command = isAgain && created !== undefined ? { ...created, time: column.time(now) } : made;
    if (command.type === 'createMarket') created = command;
    step(command);
  }
  return commands;
}

const time = column.time(START);
const ACCOUNTS = [1, 2, 3, 4];
const MARKETS = [0, 1];

/** Four accounts, the last one without limits, with money and pairs in two open markets. */
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
      account: counted.account(account),
      // What the splits below leave: some dozens of dollars, some hundreds, enough.
      amount: column.usd([0, 160_000_000, 400_000_000, 1_200_000_000][account] ?? 0),
    }),
  ),
  ...MARKETS.map(
    (market): ExchangeCommand => ({
      type: 'createMarket',
      time,
      account: counted.account(1),
      credential: counted.credential(0),
      id: marketId(`10000000-0000-4000-8000-00000000000${market}`),
      question: 'Will the sequence end well?',
      rules: 'Whoever is left says so.',
      description: undefined,
      categorySlug: 'proof',
      topicSlugs: [],
      resolutionDate: column.time(START + 3600 * SECOND),
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
      market: counted.market(market),
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
        account: counted.account(account),
        credential: counted.credential(0),
        market: counted.market(market),
        shares: column.shares(50_000_000 * account),
      }),
    ),
  ),
];

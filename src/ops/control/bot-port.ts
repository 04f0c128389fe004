/** A running bot as its operators see it. Amounts are exact integers in the units of the house; the edge makes them readable. */
import type { OperatorCommand } from '../../domain/index.ts';

export interface BotStatus {
  readonly pid: number;
  readonly version: string;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly now: number;
  readonly account: string;
  readonly venue: string;
  readonly mode: 'ACTIVE' | 'REDUCING' | 'PAUSED' | 'KILLED';
  /** Why it was killed. */
  readonly killReason: string | null;
  /** Whether the venue said after the kill that nothing is open; null when there was none, or it is being asked. */
  readonly killVerified: boolean | null;
  readonly venueMode: string;
  readonly link: 'UP' | 'DOWN';
  readonly clockSkewMs: number;
  /** Micro-USD. */
  readonly cash: number;
  readonly available: number;
  readonly equity: number;
  /** Micro-USD since this process began. */
  readonly pnl: number;
  readonly openOrders: number;
  readonly fills: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly rejected: Readonly<Record<string, number>>;
  readonly markets: readonly MarketStatusLine[];
}

export interface MarketStatusLine {
  readonly slug: string;
  readonly id: string;
  readonly status: string;
  readonly acceptingOrders: boolean;
  readonly strategy: string | null;
  readonly bidBps: number | null;
  readonly askBps: number | null;
  /** ms since the book was heard of; null before the first. */
  readonly bookAgeMs: number | null;
  readonly openOrders: number;
  /** YES less NO, micro-shares. */
  readonly position: number;
  /** What the holdings get at the exit side; in a market that has ended, what it pays. Micro-USD. */
  readonly worth: number;
}

export interface BotOrder {
  readonly order: number;
  readonly market: string;
  readonly outcome: 'YES' | 'NO';
  readonly side: 'BUY' | 'SELL';
  readonly priceBps: number;
  /** Micro-shares. */
  readonly remaining: number;
  readonly phase: string;
  readonly since: number;
}

export interface BotPosition {
  readonly market: string;
  readonly yes: number;
  readonly no: number;
  readonly yesCost: number;
  readonly noCost: number;
  /** As in `MarketStatusLine`; null where the bot does not run, as its database has no prices. */
  readonly worth: number | null;
  readonly realized: number;
  readonly fees: number;
}

export interface BotFill {
  readonly time: number;
  readonly order: number;
  readonly market: string;
  readonly outcome: 'YES' | 'NO';
  readonly side: 'BUY' | 'SELL';
  readonly priceBps: number;
  readonly shares: number;
  readonly fee: number;
  readonly liquidity: 'maker' | 'taker';
}

/** What became of a command. */
export interface Obeyed {
  readonly mode: BotStatus['mode'];
  readonly text: string;
}

export interface ControlledBot {
  status(): BotStatus;
  orders(): readonly BotOrder[];
  positions(): readonly BotPosition[];
  /** The newest first. */
  fills(limit: number): readonly BotFill[];
  /** @throws Fault when it cannot be done now */
  operate(command: OperatorCommand, reason: string | undefined): Promise<Obeyed>;
  /** @throws InputFault for a market that the venue does not have, or parameters that the strategy refuses */
  addMarket(market: string, params: Readonly<Record<string, unknown>>): Promise<Obeyed>;
  removeMarket(market: string): Obeyed;
  setParameter(name: string, value: unknown, market: string | undefined): Obeyed;
}

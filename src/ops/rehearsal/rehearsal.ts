/**
 * A bot beside the bot, on a market that does not exist: each pass is one frame of a book, the requote that answers it, signed and
 * written down, and the venue's word about it, through the very code that trades. So that code is compiled before the first quote,
 * and stays at hand while the real markets are quiet (docs/decisions/0019).
 *
 * Invariants: nothing of it is seen anywhere: it has its own state, risk, planner, books and key, a connection to itself and a file
 * without a name where it was given them, and no socket, file, log, timer or strategy of anybody. What goes wrong in it ends it and
 * nothing else.
 */
import { type Clock, nextTurn, secureBytes } from '../../clock/index.ts';
import {
  column,
  counted,
  durationMs,
  gridAbove,
  gridBelow,
  marketId,
  microShares,
  microUsd,
  timeAfter,
} from '../../domain/index.ts';
import { createPlanner, RateBudget } from '../../execution/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../../risk/index.ts';
import { type Bot, createCore, Run } from '../../runtime/index.ts';
import type { SignedMessages, Signer } from '../../signing/index.ts';
import { AccountState, type MarketSetup } from '../../state/index.ts';
import { RehearsalStore, type ScratchFile } from '../../store/index.ts';
import type { StrategyHandlers } from '../../strategy/index.ts';
import { type Loopback, OperationTexts, RehearsalVenue } from '../../venues/remote/index.ts';
import type { Log } from '../ports.ts';

export interface RehearsalOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly signer: Signer;
  /** In the domains in which the bot signs, but not the ones that it signs with: those keep the words of the last order, and would be told others each time. */
  readonly messages: SignedMessages;
  /** Where its entries of a log and its requests are written; without them they are dropped. */
  readonly props?: RehearsalProps;
  /** How many orders went out for real so far: who has just sent one needs no rehearsal. */
  readonly sent?: () => number;
  /** How many rows of markets came in so far: while none does, an order is far, and rehearsals are rarer. Default: as ever. */
  readonly heard?: () => number;
}

/** Closed by who has opened them, after `end`. */
export interface RehearsalProps {
  readonly scratch?: ScratchFile | undefined;
  readonly loopback?: Loopback | undefined;
}

const KEY_BYTES = 32;
/** V8's second compiler takes what was called 400 times (`halfspread run` sets that); then some, for what it takes back. */
const TRAINING = 1_500;
/** Between two looks at what else there is to do. */
const SLICE = 10;
/** Then it begins anew, so that it does not grow: order numbers are remembered for long. */
const MOST_PASSES = 50_000;
const SIZE = microShares(10_000_000);
/** Where nothing has come in for so long, ms, … */
const QUIET_AFTER_MS = 1_000;
/** … so much lies between two at least, ms: 1 % of a core. */
const QUIET_MS = 100;

export class Rehearsal {
  readonly #options: RehearsalOptions;
  #stage: RehearsalVenue | undefined;
  #passes = 0;
  #orders = 0;
  /** Orders that had gone out for real at the last look. */
  #sent = 0;
  /** Rows that had come in at the last look, and when that was another number. */
  #heard = 0;
  #heardAt = Number.NEGATIVE_INFINITY;
  #isOver = false;
  #cancel: () => void = () => {};
  /** Another one with each `rest`. */
  #turn = 0;

  constructor(options: RehearsalOptions) {
    this.#options = options;
  }

  /** How many frames were answered so far. */
  get passes(): number {
    return this.#passes;
  }

  /** How many orders that led to. */
  get orders(): number {
    return this.#orders;
  }

  /** Runs until the code is compiled; others have their turn every millisecond. Never rejects. */
  async train(passes: number = TRAINING): Promise<void> {
    for (let done = 0; done < passes && !this.#isOver; done += SLICE) {
      await this.#run(Math.min(SLICE, passes - done));
      await nextTurn();
    }
  }

  /**
   * One pass every so many ms from now on, or every 100 where nothing comes in, until `rest` or `end`; none where an order has
   * gone out for real since the last.
   */
  keepWarm(everyMs: number): void {
    this.rest();
    if (!this.#isOver) this.#arm(everyMs, this.#turn);
  }

  /** Keeps nothing warm any more, until it is told to again. */
  rest(): void {
    this.#turn += 1;
    this.#cancel();
  }

  end(): void {
    this.#isOver = true;
    this.rest();
    this.#stage = undefined;
  }

  #arm(everyMs: number, turn: number): void {
    const { clock } = this.#options;
    const pause = this.#isQuiet() ? Math.max(everyMs, QUIET_MS) : everyMs;
    this.#cancel = clock.schedule(timeAfter(clock.now(), pause), () => {
      void this.#run(this.#hasSent() ? 0 : 1).then(() => {
        if (turn === this.#turn) this.#arm(everyMs, turn);
      });
    });
  }

  /** Whether nothing has come in for a while. */
  #isQuiet(): boolean {
    const { clock, heard } = this.#options;
    if (heard === undefined) return false;
    const [rows, now] = [heard(), clock.now()];
    if (rows !== this.#heard) {
      this.#heard = rows;
      this.#heardAt = now;
    }
    return now - this.#heardAt >= QUIET_AFTER_MS;
  }

  /** Whether an order has gone out for real since this was asked last. */
  #hasSent(): boolean {
    const before = this.#sent;
    this.#sent = this.#options.sent?.() ?? 0;
    return this.#sent !== before;
  }

  async #run(passes: number): Promise<void> {
    if (passes === 0) return;
    try {
      if (this.#stage === undefined || this.#passes % MOST_PASSES === 0) this.#stage = await staged(this.#options);
      for (let pass = 0; pass < passes && !this.#isOver; pass += 1) {
        this.#orders += this.#stage.pass();
        this.#passes += 1;
      }
    } catch (error) {
      this.end();
      this.#options.log.warn({ err: error }, 'the rehearsal is over: orders may be slower after a quiet time');
    }
  }
}

async function staged({ clock, signer, messages, props }: RehearsalOptions): Promise<RehearsalVenue> {
  const timeless: Clock = { now: () => clock.now(), schedule: () => () => {} };
  const market = theMarket();
  const state = new AccountState({ cash: microUsd(10_000_000_000), markets: [market] });
  const store = new RehearsalStore(props?.scratch);
  const bot: Bot = {
    bot: counted.bot(0),
    name: 'rehearsal',
    params: {},
    timers: [],
    markets: [market.info.market],
    handlers: quoter(),
  };
  const planner = createPlanner({ firstOrder: counted.order(1) });
  const core = createCore({
    state,
    bots: [bot],
    planner,
    risk: createRiskGate(riskLimits(riskSchema.parse({}))),
    isolateFailures: true,
    budget: new RateBudget(),
    firstSeq: counted.seq(1),
  });
  const venue = new RehearsalVenue({
    clock: timeless,
    market,
    signer,
    messages,
    key: signer.key(secureBytes(KEY_BYTES)),
    operations: new OperationTexts(),
    records: store,
    view: state,
    loopback: props?.loopback,
  });
  await new Run({ core, venue, store, clock: timeless, bots: [bot] }).start();
  return venue;
}

/** As the venue would show it. */
function theMarket(): MarketSetup {
  return {
    info: {
      market: counted.market(0),
      id: marketId('00000000-0000-4000-8000-000000000000'),
      slug: 'rehearsal',
      question: 'Does this market exist?',
      grid: { type: 'tick', tickBps: 10 },
      scheduledResolution: column.time(4_000_000_000_000),
    },
    limits: {
      minOrderShares: microShares(1_000_000),
      minBet: microUsd(1_000_000),
      maxBet: microUsd(10_000_000_000),
      maxExposure: microUsd(10_000_000_000),
      feeRateBps: 100,
      spreadBps: 200,
    },
    state: { status: 'OPEN', acceptingOrders: true, placeDelay: durationMs(0) },
  };
}

/** A step behind the best of both sides. */
function quoter(): StrategyHandlers {
  return {
    onBook({ book, info: { grid, market } }) {
      const [bid, ask] = [book.bestBid(), book.bestAsk()];
      if (bid === undefined || ask === undefined) return undefined;
      const [lower, upper] = [gridBelow(grid, bid), gridAbove(grid, ask)];
      if (lower === undefined || upper === undefined) return undefined;
      const quotes = [
        { side: 'bid', price: lower, shares: SIZE } as const,
        { side: 'ask', price: upper, shares: SIZE } as const,
      ];
      return [{ type: 'quote', market, quotes }];
    },
  };
}

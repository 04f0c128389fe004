/** The bot of a warm-up (warmup.ts). It quotes one price step behind the best prices of an imaginary market. */
import { type Clock, secureBytes } from '../../clock/index.ts';
import { durationMs, gridAbove, gridBelow, marketId, microShares, microUsd, unchecked } from '../../domain/index.ts';
import { createPlanner, RateBudget } from '../../execution/index.ts';
import { createRiskGate, riskLimits, riskSchema } from '../../risk/index.ts';
import { Run, type StrategyInstance, TradingCore } from '../../runtime/index.ts';
import type { SignedMessages, Signer } from '../../signing/index.ts';
import { AccountState, type MarketSetup } from '../../state/index.ts';
import { type ScratchFile, WarmupStore } from '../../store/index.ts';
import type { StrategyHandlers } from '../../strategy/index.ts';
import { OperationTexts, WarmupVenue } from '../../venues/service/index.ts';
import type { Loopback } from './loopback.ts';

export interface WarmupDeps {
  readonly clock: Clock;
  readonly signer: Signer;
  /** Messages in the bot's EIP-712 domains. Not the bot's own instance, which keeps fields of the last signed order. */
  readonly messages: SignedMessages;
  /** Destinations of the warm-up's log entries and requests. Default: none. */
  readonly outputs?: WarmupOutputs;
}

export interface WarmupOutputs {
  readonly scratch?: ScratchFile | undefined;
  readonly loopback?: Loopback | undefined;
}

const KEY_BYTES = 32;
const QUOTE_SHARES = microShares(10_000_000);

export async function createWarmupVenue({ clock, signer, messages, outputs }: WarmupDeps): Promise<WarmupVenue> {
  const timerlessClock: Clock = { now: () => clock.now(), schedule: () => () => {} };
  const market = createImaginaryMarket();
  const state = new AccountState({ cash: microUsd(10_000_000_000), markets: [market] });
  const store = new WarmupStore(outputs?.scratch);
  const instance: StrategyInstance = {
    bot: unchecked.instance(0),
    name: 'warm-up',
    params: {},
    timers: [],
    markets: [market.info.market],
    handlers: createQuoter(),
  };
  const planner = createPlanner({ firstOrder: unchecked.order(1) });
  const core = new TradingCore({
    state,
    instances: [instance],
    planner,
    risk: createRiskGate(riskLimits(riskSchema.parse({}))),
    isolateFailures: true,
    budget: new RateBudget(),
    firstSeq: unchecked.seq(1),
  });
  const venue = new WarmupVenue({
    clock: timerlessClock,
    market,
    signer,
    messages,
    key: signer.key(secureBytes(KEY_BYTES)),
    operations: new OperationTexts(),
    records: store,
    view: state,
    loopback: outputs?.loopback,
  });
  await new Run({ core, venue, store, clock: timerlessClock, instances: [instance] }).start();
  return venue;
}

function createImaginaryMarket(): MarketSetup {
  return {
    info: {
      market: unchecked.market(0),
      id: marketId('00000000-0000-4000-8000-000000000000'),
      slug: 'warm-up',
      question: 'Does this market exist?',
      grid: { type: 'tick', tickBps: 10 },
      scheduledResolution: unchecked.time(4_000_000_000_000),
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

function createQuoter(): StrategyHandlers {
  return {
    onBook({ book, info: { grid, market } }) {
      const [bid, ask] = [book.bestBid(), book.bestAsk()];
      if (bid === undefined || ask === undefined) return undefined;
      const [lower, upper] = [gridBelow(grid, bid), gridAbove(grid, ask)];
      if (lower === undefined || upper === undefined) return undefined;
      const quotes = [
        { side: 'bid', price: lower, shares: QUOTE_SHARES } as const,
        { side: 'ask', price: upper, shares: QUOTE_SHARES } as const,
      ];
      return [{ type: 'quote', market, quotes }];
    },
  };
}

/** A synthetic finished run with every section, for tests of its output. */
import type { FillPoint, Line } from '../../src/analytics/index.ts';
import type { BacktestRun, RunDetail, RunResult } from '../../src/backtest/index.ts';
import { seededRandom } from '../../src/clock/index.ts';
import type { FillBasis } from '../../src/domain/index.ts';

const START = Date.parse('2022-07-05T10:50:00Z');
const IN_PLAY = Date.parse('2022-07-11T11:00:20Z');
const END = Date.parse('2022-07-11T14:47:27Z');

export interface SampleOptions {
  readonly question?: string;
  readonly points?: number;
  readonly fills?: number;
}

export function sampleRun({
  question = 'Will the first player win?',
  points = 1_500,
  fills = 300,
}: SampleOptions = {}): BacktestRun {
  return { result: sampleResult(fills), detail: sampleDetail(question, points, fills) };
}

function sampleResult(fills: number): RunResult {
  const tape = {
    name: 'betfair-1.200806927',
    sha256: 'ab'.repeat(32),
    events: 41_234,
    from: '2022-07-05T10:50:12.979Z',
    to: '2022-07-11T14:47:27.332Z',
  };
  return {
    strategy: 'ladder',
    params: { order_amount: 100, order_levels: 3, nested: { a: [1, 2] } },
    seed: 7,
    tape,
    tapes: [tape],
    models: {
      mark: 'mid of the outside book',
      latency: 'Latency is constant: feed 50 ms, order entry 80 ms, response 40 ms; a busy market is no slower.',
      queue: 'Queue is risk-averse: only trades advance an order, every cancel at its price was behind it.',
      fees: 'No fees; commission of 5 % on net winnings.',
      liquidity: 'Liquidity taken by own orders is gone until the recorded level falls below what is left.',
    },
    orders: { placed: 4_000, cancelled: 3_600, reduced: 12, rejected: 206, refused: 20 },
    orderReasons: {
      rejected: { CONFLICT: 203, POST_ONLY_WOULD_CROSS: 3 },
      refused: { MAX_POSITION: 18, STALE_BOOK: 2 },
    },
    fills: { count: fills, maker: fills - 10, taker: 10, shares: 12_345_670_000 },
    strategies: [
      { name: 'ladder', fills, makerFills: fills - 10, shares: 12_345_670_000, feesMicros: 0, pnlMicros: -34_567_891 },
    ],
    pnl: {
      totalMicros: -34_567_891,
      realizedMicros: -34_567_891,
      unrealizedMicros: 0,
      feesMicros: -1_234_567,
      commissionMicros: 0,
      settlementMicros: 12_000_000,
    },
    split: {
      spreadMicros: 60_123_456,
      inventoryMicros: -80_456_782,
      settlementMicros: -13_000_000,
      feesMicros: -1_234_567,
      rewardsMicros: 0,
      roundingMicros: 2,
    },
    rewards: { rebatesMicros: 0, liquidityMicros: 0 },
    fillsByTag: {
      through: { count: 200, inside: 4, shares: 8_000_000_000, pnlMicros: -20_000_000 },
      queue: { count: 60, inside: 0, shares: 3_000_000_000, pnlMicros: 5_000_000 },
      taker: { count: 10, inside: 0, shares: 1_345_670_000, pnlMicros: -19_567_891 },
    },
    markouts: { effective: null, horizons: [] },
    markets: [],
    inSample: false,
    capitalInUse: { meanMicros: 120_000_000, maxMicros: 400_000_000, returnOnMean: -0.288, returnPerDay: -0.046 },
    volumeShare: 0.0389,
    maxDrawdownMicros: 91_234_567,
    maxInventoryShares: 1_200_000_000,
    eventLogHash: '1f'.repeat(32),
    stateHash: '2e'.repeat(32),
    wallMs: 1_234,
    eventsPerSecond: 33_415,
    peakRssMb: 180,
    report: null,
    quoting: null,
  };
}

function sampleDetail(question: string, points: number, fills: number): RunDetail {
  const random = seededRandom(7);
  const walk = (start: number, step: number): Line => {
    const time: number[] = [];
    const value: number[] = [];
    let at = start;
    for (let point = 0; point < points; point += 1) {
      const early = point < points / 20;
      time.push(
        early ? START + ((IN_PLAY - START) * point * 20) / points : IN_PLAY + ((END - IN_PLAY) * point) / points,
      );
      at += step * random.normal();
      value.push(Math.round(at));
    }
    return { time, value };
  };
  const price = walk(8_000, 12);
  const equity = walk(1_000_000_000, 1_500_000);
  const peak = { value: Number.NEGATIVE_INFINITY };
  const drawdown = equity.value.map((value) => {
    peak.value = Math.max(peak.value, value);
    return peak.value - value;
  });
  const mean = (bps: number) => ({
    bps,
    count: fills,
    shares: 12_000_000_000,
    censored: 3,
    interval: [bps - 12, bps + 9] as const,
  });
  return {
    kind: 'backtest',
    equity,
    drawdown: { time: equity.time, value: drawdown },
    capitalMicros: 1_000_000_000,
    effective: { own: mean(72.4), recorded: { ...mean(61.5), interval: undefined } },
    horizons: [
      { label: '1 s', own: mean(31), recorded: mean(7.8) },
      { label: '5 s', own: mean(14.2), recorded: mean(9.8) },
      { label: '30 s', own: mean(-4.4), recorded: mean(3.8) },
      { label: '1 m', own: mean(-20.2), recorded: mean(-16.2) },
      { label: '5 m', own: mean(-11), recorded: mean(0.5) },
      { label: 'resolution', own: { ...mean(-88), interval: undefined }, recorded: mean(-65.3) },
    ],
    atRecordedMid: {
      effective: { own: mean(70.4), recorded: mean(60.3) },
      horizons: [
        { label: '1 s', own: mean(29), recorded: mean(6.6) },
        { label: '30 s', own: mean(-6.4), recorded: mean(2.6) },
        { label: 'resolution', own: mean(-90), recorded: mean(-65.3) },
      ],
    },
    placed: [{ side: 'bid', level: 1, orders: 40, placedShares: 400_000_000, filledShares: 60_000_000 }],
    queueAhead: { count: 12, atPlacing: 240_000_000, atFill: 0 },
    events: [],
    levels: [
      { side: 'bid', level: 1, count: 120, shares: 6_000_000_000 },
      { side: 'bid', level: 2, count: 20, shares: 1_000_000_000 },
      { side: 'ask', level: 1, count: 100, shares: 5_000_000_000 },
      { side: 'ask', level: 3, count: 4, shares: 345_670_000 },
    ],
    markets: [
      {
        question,
        slug: 'first-player',
        outcomes: ['Player One', 'Player Two'],
        payout: 10_000,
        fills,
        ownShares: 12_345_670_000,
        recordedShares: 316_596_170_000,
        volumeShare: 0.0389,
        pnlMicros: -34_567_891,
        maxInventoryShares: 1_200_000_000,
        uptime: 0.83,
        atBest: { bid: 0.4, ask: 0.3, both: 0.2 },
        worstCaseMicros: 75_500_000,
        mergeableShares: 0,
        halfLifeMs: 394_700,
        lines: { price, inventory: walk(0, 20_000_000), fills: sampleFills(price, fills), storedEvery: 1 },
      },
    ],
    capital: {
      meanInUseMicros: 312_000_000,
      maxInUseMicros: 702_000_000,
      returnPerDollarDay: -0.0179,
      sharpe: undefined,
    },
    warnings: ['More than half of the volume rests on the queue model.', 'One market is a sample of one.'],
    facts: [
      { name: 'Strategy sources', value: 'sha256 '.concat('cd'.repeat(32)) },
      { name: 'Seed', value: '7' },
    ],
    settings: [{ name: 'risk max_position', value: '1,000 shares' }],
    version: '0.1.0',
  };
}

const BASES: readonly FillBasis[] = ['through', 'queue', 'cross'];

function sampleFills(price: Line, fills: number): readonly FillPoint[] {
  const random = seededRandom(8);
  return Array.from({ length: fills }, (_, index) => {
    const at = Math.floor((index * price.time.length) / fills);
    const sign = random.int(2) === 0 ? 1 : -1;
    return {
      time: price.time[at] ?? START,
      sign,
      price: (price.value[at] ?? 5_000) - sign * 40,
      shares: 1_000_000 * (1 + random.int(50)),
      liquidity: index % 30 === 0 ? 'taker' : 'maker',
      basis: BASES[random.int(BASES.length)] ?? 'through',
      inside: false,
    };
  });
}

/** What a bot may say: each report is checked when it comes in, as the bot may be of another version. */
import { z } from 'zod';

const text = z.string().max(10_000);
const maybeText = text.nullable();
const figure = z.number();
const maybe = figure.nullable();
const side = z.enum(['BID', 'ASK']);
const count = z.object({ name: text, count: figure });

const pnl = z.object({
  from: figure,
  total: figure,
  spread: figure,
  inventory: figure,
  settlement: figure,
  fees: figure,
  rewards: figure,
  rounding: figure,
});

const limitUse = z.object({
  name: text,
  scope: text,
  used: figure,
  limit: maybe,
  unit: z.enum(['USD', 'SHARES', 'COUNT', 'MS', 'BPS']),
  atBreach: z.enum(['refuse', 'kill']),
});

const line = z.object({
  slug: text,
  question: text,
  event: maybeText,
  status: text,
  acceptingOrders: z.boolean(),
  strategy: maybeText,
  bid: maybe,
  ask: maybe,
  doubleMid: maybe,
  ownBid: maybe,
  ownAsk: maybe,
  bookAgeMs: maybe,
  openOrders: figure,
  position: figure,
  worth: figure,
  ifYes: figure,
  ifNo: figure,
  worst: figure,
  stopped: maybeText,
  twoSided: maybe,
});

export const botReportSchema = z.object({
  kind: z.enum(['LIVE', 'PAPER', 'DEMO']),
  pid: figure,
  version: text,
  startedAt: figure,
  now: figure,
  account: text,
  venue: text,
  mode: z.enum(['ACTIVE', 'REDUCING', 'PAUSED', 'KILLED']),
  modeReason: maybeText,
  killReason: maybeText,
  killVerified: z.boolean().nullable(),
  venueMode: text,
  venueModeReason: maybeText,
  nextStep: maybeText,
  link: z.enum(['UP', 'DOWN']),
  reconciled: z.enum(['agrees', 'comparing', 'disagrees']),
  recovery: maybeText,
  clockSkewMs: figure,
  cash: figure,
  available: figure,
  equity: figure,
  pnl: figure,
  openOrders: figure,
  fills: figure,
  refused: z.array(count),
  rejected: z.array(count),
  today: pnl,
  worstCase: figure,
  twoSided: maybe,
  limits: z.array(limitUse),
  rates: z.array(z.object({ bucket: text, left: figure, capacity: figure, perSecond: figure })),
  acknowledgement: z.object({ count: figure, p50Ms: figure, p99Ms: figure }).nullable(),
  strategies: z.array(text),
  markets: z.array(line),
  alerts: z.array(
    z.object({
      id: text,
      kind: text,
      level: z.enum(['INFO', 'WARNING', 'CRITICAL']),
      text,
      time: figure,
      count: figure,
    }),
  ),
});
export type BotSays = z.output<typeof botReportSchema>;

const level = z.object({ price: figure, shares: figure, own: figure, ahead: maybe });

export const marketReportSchema = z.object({
  line,
  tickBps: figure,
  minShares: figure,
  feeBps: maybe,
  endsAt: maybe,
  averagePrice: maybe,
  bids: z.array(level),
  asks: z.array(level),
  trades: z.array(z.object({ time: figure, taker: side.nullable(), price: figure, shares: figure, own: z.boolean() })),
  orders: z.array(
    z.object({
      order: text,
      market: text,
      side,
      price: figure,
      outcome: text,
      remaining: figure,
      phase: text,
      since: figure,
      tag: maybeText,
    }),
  ),
  wants: z.array(
    z.object({
      side,
      level: figure,
      wantsPrice: maybe,
      wantsShares: maybe,
      standsPrice: maybe,
      standsShares: maybe,
      difference: text,
    }),
  ),
  today: pnl,
  run: pnl,
  markouts: z.array(z.object({ after: text, bps: maybe, low: maybe, high: maybe, fills: figure })),
  uptime: z
    .object({
      both: figure,
      bidOnly: figure,
      askOnly: figure,
      none: figure,
      bidAtBest: figure,
      askAtBest: figure,
    })
    .nullable(),
  parameters: z.array(
    z.object({
      strategy: text,
      name: text,
      value: z.unknown(),
      help: maybeText,
      minimum: maybe,
      maximum: maybe,
    }),
  ),
  limits: z.array(limitUse),
});
export type MarketSays = z.output<typeof marketReportSchema>;

/** An own order as the command `orders` answers. */
export const orderSchema = z.object({
  order: figure,
  market: text,
  outcome: z.enum(['YES', 'NO']),
  side: z.enum(['BUY', 'SELL']),
  priceBps: figure,
  remaining: figure,
  phase: text,
  since: figure,
  tag: maybeText,
});

export const fillSchema = z.object({
  time: figure,
  order: figure,
  market: text,
  outcome: z.enum(['YES', 'NO']),
  side: z.enum(['BUY', 'SELL']),
  priceBps: figure,
  shares: figure,
  fee: figure,
  liquidity: z.enum(['maker', 'taker']),
  trade: maybeText,
  tag: maybeText,
});

export const logLineSchema = z.object({
  seq: figure,
  time: figure,
  level: z.enum(['DEBUG', 'INFO', 'WARN', 'ERROR']),
  message: text,
  fields: text,
});

export const resultSchema = z.object({ mode: z.enum(['ACTIVE', 'REDUCING', 'PAUSED', 'KILLED']), text });

/** Risk checks as text: quotes as input, granted quotes and refusals as output. */

import { expect } from 'vitest';
import type { z } from 'zod';
import {
  type InstanceNo,
  type Intent,
  instanceNo,
  marketNo,
  type Outcome,
  priceBps,
  type QuoteTolerance,
  type Refused,
  type Side,
} from '../../src/domain/index.ts';
import {
  createRiskGate,
  LIMIT_UNITS,
  LIMITS,
  type RiskGate,
  type RiskMode,
  riskLimits,
  riskSchema,
} from '../../src/risk/index.ts';
import type { Verdict } from '../../src/risk/policy.ts';
import { type FakeAccount, type FakeMarket, fakeAccount, parseQuote, shares } from './fake-account.ts';

/** The YAML section. */
export type Limits = Readonly<z.input<typeof riskSchema>>;
/** The state before a check. The default market is 5900/6100. */
export type Before = FakeAccount & FakeMarket;

/** All limits that can be `none`, so that a test is restricted only by the limits that it sets. */
const NONE: Limits = Object.fromEntries(
  Object.entries(riskSchema.shape)
    .filter(([, limit]) => limit.safeParse('none').success)
    .map(([key]) => [key, 'none']),
);

/** Codes whose numbers are micro-shares or micro-USD; printed here in shares and dollars. */
const IN_MILLIONTHS: ReadonlySet<string> = new Set([
  ...Object.values(LIMITS).flatMap(({ code, unit }) => (LIMIT_UNITS[unit].scale === 1 ? [] : [code])),
  ...[
    'REDUCE_ONLY',
    'OFF_LOT',
    'BELOW_MIN',
    'ABOVE_MAX',
    'EXPOSURE_LIMIT',
    'INSUFFICIENT_BALANCE',
    'INSUFFICIENT_SHARES',
  ],
]);

/** A gate with these limits only. */
export function gateWith(limits: Limits = {}, mode: RiskMode = 'ACTIVE'): RiskGate {
  const gate = createRiskGate(riskLimits(riskSchema.parse({ ...NONE, ...limits })));
  gate.setMode(mode);
  return gate;
}

export function viewOf(before: Before) {
  return fakeAccount(before.markets === undefined ? { bid: 5900, ask: 6100, ...before } : before);
}

/** Checks a quote set (`bid 100 @ 5800`) with a new gate. Returns granted lines, refusals as `CODE limit/actual`. */
export function quotes(limits: Limits, before: Before, lines: readonly string[], mode: RiskMode = 'ACTIVE'): string[] {
  return verdictLines(gateWith(limits, mode).check(quoteOf(lines), instanceNo(0), viewOf(before)));
}

export function quoteOf(lines: readonly string[], tolerance?: QuoteTolerance, market = 0): Intent {
  const intent = { type: 'quote', market: marketNo(market), quotes: lines.map(parseQuote) } as const;
  return tolerance === undefined ? intent : { ...intent, tolerance };
}

/** Checks any intent. */
export function check(
  limits: Limits,
  before: Before,
  intent: Intent,
  mode: RiskMode = 'ACTIVE',
  instance: InstanceNo = instanceNo(0),
) {
  return verdictLines(gateWith(limits, mode).check(intent, instance, viewOf(before)));
}

export function verdictLines({ approved, refused }: Verdict): string[] {
  const granted = approved === undefined ? ['nothing approved'] : describe(approved);
  return [...granted, ...refused.map(describeRefused)];
}

export function describeRefused({ code, limit, actual }: Refused): string {
  const scale = IN_MILLIONTHS.has(code) ? 1_000_000 : 1;
  return `${code} ${limit / scale}/${actual / scale}`;
}

function describe(intent: Intent): string[] {
  switch (intent.type) {
    case 'quote':
      return intent.quotes.map(({ side, shares, price }) => `${side} ${shares / 1e6} @ ${price}`);
    case 'take':
      return [`take ${intent.side} ${intent.outcome} ${intent.shares / 1e6} @ ${intent.limit}`];
    case 'claim':
      return ['claim'];
    default:
      return [`${intent.type} ${intent.shares / 1e6}`];
  }
}

/** Returns a take of 100 shares or `size`. */
export function take(outcome: Outcome, side: Side, limit: number, size = 100): Intent {
  return { type: 'take', market: marketNo(0), outcome, side, limit: priceBps(limit), shares: shares(size) };
}

/** Returns a split or merge of `size` pairs. */
export function convert(type: 'split' | 'merge', size: number): Intent {
  return { type, market: marketNo(0), shares: shares(size) };
}

/** A line and its refusal, or the line alone when it is granted. */
type Edge = readonly [line: string, refusal?: string];

export function expectEdges(limits: Limits, before: Before, edges: readonly Edge[]): void {
  for (const [line, refusal] of edges) {
    expect(quotes(limits, before, [line]), line).toEqual(refusal === undefined ? [line] : [refusal]);
  }
}

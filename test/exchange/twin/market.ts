/** A market of the naive exchange and its queries. */
import { createHash } from 'node:crypto';
import type { MarketStatus } from '../../../src/domain/index.ts';
import type { ChainStep, RecordedVote, TransparencyStep } from './exchange-types.ts';

export interface NaiveMarket {
  readonly market: number;
  readonly id: string;
  readonly slug: string;
  readonly question: string;
  readonly rules: string;
  readonly description: string | undefined;
  readonly categorySlug: string;
  readonly topicSlugs: readonly string[];
  readonly eventId: string | undefined;
  readonly creator: number;
  readonly createdAt: number;
  readonly feeRateBps: number;
  readonly quorum: number;
  readonly panelSize: number;
  readonly questionHash: string;
  readonly inputDigest: string;
  status: MarketStatus;
  step: ChainStep | undefined;
  halted: boolean;
  tickBps: number;
  minOrderShares: number;
  bookEpoch: number;
  updatedAt: number;
  resolutionDate: number;
  /** Time at which the current state ends by itself. */
  deadline: number | undefined;
  initialOrder: number;
  round: number;
  attempts: number;
  requestedAt: number | undefined;
  votes: RecordedVote[];
  disputes: { readonly account: number; readonly round: number; readonly reason: string; readonly at: number }[];
  disputeWindowEndsAt: number | undefined;
  manualFrom: number | undefined;
  yesPayoutBps: number | undefined;
  decidedAt: number | undefined;
  finalAt: number | undefined;
  rationale: string | undefined;
  transactionHashes: string[];
  steps: TransparencyStep[];
  lastQuotes: { readonly reference: number; readonly yes: number; readonly no: number } | undefined;
  bookSeq: number;
  /** Its book has changed in the current step. */
  isTouched: boolean;
  lastTrade: number;
  volume: number;
  /** Pairs of a cancelled market at its end. */
  supply: number;
}

export function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex');
}

/** The subset of RFC 8785 that markets need: sorted keys, no white space. Undefined members are omitted. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`;
}

/** ISO 8601 with three decimals or none. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** Adds a step to the market's transparency record. */
export function addStep(
  market: NaiveMarket,
  at: number,
  details: {
    readonly actor: string;
    readonly from: MarketStatus | null;
    readonly note: string;
    readonly data: unknown;
  },
): TransparencyStep {
  const previousDigest = market.steps.at(-1)?.digest ?? market.questionHash;
  const link = {
    actor: details.actor,
    at: isoTime(at),
    data: canonicalJson(details.data),
    fromStatus: details.from,
    note: details.note,
    previousDigest,
    toStatus: market.status,
  };
  const step: TransparencyStep = { ...link, digest: `0x${sha256(canonicalJson(link))}` };
  market.steps.push(step);
  return step;
}

export function isFinal(market: NaiveMarket): boolean {
  return ['RESOLVED_YES', 'RESOLVED_NO', 'RESOLVED_UNCERTAIN', 'CANCELLED'].includes(market.status);
}

/**
 * The transparency record: a hash chain that anyone can recompute from the answer
 * (docs/spec/venue.md#resolution-and-transparency).
 */
import type { MarketStatus } from '../domain/index.ts';

/** A link of the chain, strings exactly as they are answered. */
export interface TransparencyStep {
  /** ISO 8601 with Z. */
  readonly at: string;
  readonly actor: string;
  /** null in the first step. */
  readonly fromStatus: MarketStatus | null;
  readonly toStatus: MarketStatus;
  readonly note: string;
  /** Canonical JSON of what the step records. */
  readonly data: string;
  /** 0x and 64 lower-case hex digits. */
  readonly digest: string;
  readonly previousDigest: string;
}

/** sha256 of a text's UTF-8 bytes as 64 lower-case hex digits; passed in, because the exchange imports nothing of Node. */
export type Sha256 = (text: string) => string;

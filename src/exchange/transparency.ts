/**
 * The transparency record: a hash chain that anyone can recompute from the API's answer
 * (docs/spec/venue.md#resolution-and-transparency).
 */
import type { MarketStatus } from '../domain/index.ts';

/** A link of the chain, with strings exactly as in the API's answer. */
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

/** Returns sha256 of a text's UTF-8 bytes as 64 lower-case hex digits. A parameter, as the exchange does not import Node. */
export type Sha256 = (text: string) => string;

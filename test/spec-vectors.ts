/** Worked values of the venue's specification; only the used parts, copied unchanged. */
import { readFileSync } from 'node:fs';

interface WireLevel {
  readonly priceBps: number;
  readonly shares: number;
}

export interface SpecVectors {
  readonly bookChecksum: readonly {
    readonly name: string;
    readonly bids: readonly WireLevel[];
    readonly asks: readonly WireLevel[];
    readonly text: string;
    readonly checksum: string;
  }[];
  readonly costs: readonly {
    readonly microShares: string;
    readonly priceBps: number;
    readonly feeRateBps: number;
    readonly costMicros: string;
    readonly feeMicros: string;
    readonly reserveMicros: string;
    readonly otherSideOfPairMicros: string;
  }[];
  readonly refunds: readonly {
    readonly name: string;
    readonly collateralMicros: string;
    readonly netPaidMicros: readonly string[];
    readonly refundMicros: readonly string[];
  }[];
}

export const vectors: SpecVectors = JSON.parse(
  readFileSync(new URL('./fixtures/spec/book-and-ledger.json', import.meta.url), 'utf8'),
);

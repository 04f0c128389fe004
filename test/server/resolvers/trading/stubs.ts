/** stubs for access and rate limits. */
import type { Clock } from '../../../../src/clock/index.ts';
import { credentialNo } from '../../../../src/domain/index.ts';
import type { Restriction } from '../../../../src/exchange/index.ts';
import type { ResolverDeps } from '../../../../src/server/resolvers/deps.ts';
import { NO_HASH } from '../../../../src/signing/index.ts';

/** State of the stubs, which tests may change. */
export interface Stubs {
  restriction: Restriction | undefined;
  /** Entries `<account> <signer>`. */
  readonly delegates: Set<string>;
  /** Remaining tokens; undefined for no limit. */
  readonly tokens: Record<'order' | 'cancel', number | undefined>;
  /** All token requests, such as `order 1, cancel 2`. */
  readonly taken: string[];
}

export function stubAccess(stubs: Stubs, clock: Pick<Clock, 'now'>): ResolverDeps['access'] {
  return {
    credentialNo: ({ credential }) => credentialNo(Number(credential)),
    getRestriction: (_, act) => (act === 'CREATE_MARKET' ? undefined : stubs.restriction),
    isDelegate: (account, delegate) => stubs.delegates.has(`${account} ${delegate}`),
    prepareWithdrawal: (_, { amountCents }) => ({
      kind: 'WITHDRAWAL',
      typedData: {},
      digest: NO_HASH,
      costCents: amountCents,
      worstCaseCents: amountCents,
      normalizedPriceBps: null,
      normalizedShares: null,
      expiresAt: clock.now(),
    }),
  };
}

export function stubBuckets(stubs: Stubs): ResolverDeps['buckets'] {
  return {
    consume: (_, bucket, count) => {
      stubs.taken.push(`${bucket} ${count}`);
      const left = bucket === 'order' || bucket === 'cancel' ? stubs.tokens[bucket] : undefined;
      if (left === undefined) return 0;
      if (left < count) return 40;
      Object.assign(stubs.tokens, { [bucket]: left - count });
      return 0;
    },
    consumeBoth: (_, orders, cancels) => {
      stubs.taken.push(`order ${orders}, cancel ${cancels}`);
      const { order = orders, cancel = cancels } = stubs.tokens;
      if (order < orders || cancel < cancels) return 40;
      for (const [bucket, left] of [
        ['order', order - orders],
        ['cancel', cancel - cancels],
      ] as const) {
        if (stubs.tokens[bucket] !== undefined) stubs.tokens[bucket] = left;
      }
      return 0;
    },
  };
}

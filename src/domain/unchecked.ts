import type { AccountNo, CredentialNo, GroupNo, InstanceNo, MarketNo, OrderNo, Seq } from './ids.ts';
import type { DoubleMid, DurationMs, EpochMs, MicroShares, MicroUsd, PriceBps } from './units.ts';

/** Brands numbers that need no check: constants, and numbers that were checked when they were computed or stored. */
export const unchecked = {
  price: (value: number): PriceBps => value as PriceBps,
  mid: (value: number): DoubleMid => value as DoubleMid,
  shares: (value: number): MicroShares => value as MicroShares,
  usd: (value: number): MicroUsd => value as MicroUsd,
  time: (value: number): EpochMs => value as EpochMs,
  duration: (value: number): DurationMs => value as DurationMs,
  market: (value: number): MarketNo => value as MarketNo,
  order: (value: number): OrderNo => value as OrderNo,
  instance: (value: number): InstanceNo => value as InstanceNo,
  seq: (value: number): Seq => value as Seq,
  account: (value: number): AccountNo => value as AccountNo,
  credential: (value: number): CredentialNo => value as CredentialNo,
  group: (value: number): GroupNo => value as GroupNo,
} as const;

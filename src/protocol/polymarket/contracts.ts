/** The venue's contracts on two chains (docs/spec/polymarket.md#contracts). Addresses are in lower case. */
import { InputFault } from '../../domain/index.ts';

export interface PolymarketContracts {
  /** For orders of version 2, except in neg-risk markets. */
  readonly exchangeV2: `0x${string}`;
  readonly negRiskExchangeV2: `0x${string}`;
  /** For orders of version 3, in markets of Protocol V2. */
  readonly exchangeV3: `0x${string}`;
  /** The venue's dollar, with six decimals. */
  readonly collateral: `0x${string}`;
  readonly conditionalTokens: `0x${string}`;
}

const POLYGON: PolymarketContracts = {
  exchangeV2: '0xe111180000d2663c0091e4f400237545b87b996b',
  negRiskExchangeV2: '0xe2222d279d744050d28e00520010520000310f59',
  exchangeV3: '0xe3333700ca9d93003f00f0f71f8515005f6c00aa',
  collateral: '0xc011a7e12a19f7b1f670d46f03b03f3342e82dfb',
  conditionalTokens: '0x4d97dcd97ec945f40cf65f87097ace5ea0476045',
};

/** Contracts by chain: 137 for Polygon, 80002 for its test chain. */
export const POLYMARKET_CONTRACTS: Readonly<Record<number, PolymarketContracts>> = {
  137: POLYGON,
  80002: {
    ...POLYGON,
    exchangeV3: '0x9fe6e61422adb6f610d8597f9684b16912d50c3d',
    conditionalTokens: '0x69308fb512518e39f9b16112fa8d994f4e2bf8bb',
  },
};

/** Gamma, the venue's market API, marks a market v1 if it needs orders of version 2, and v2 if version 3. */
export type PolymarketOrderVersion = 2 | 3;

export const POLYMARKET_EXCHANGES = ['exchangeV2', 'negRiskExchangeV2', 'exchangeV3'] as const;
export type PolymarketExchange = (typeof POLYMARKET_EXCHANGES)[number];

export function polymarketExchange(version: PolymarketOrderVersion, isNegRisk: boolean): PolymarketExchange {
  if (version === 3) return 'exchangeV3';
  return isNegRisk ? 'negRiskExchangeV2' : 'exchangeV2';
}

/** Returns the domain in which orders for a contract are signed. @throws InputFault for an unknown chain */
export function polymarketDomain(chainId: number, exchange: PolymarketExchange) {
  const contracts = POLYMARKET_CONTRACTS[chainId];
  if (contracts === undefined) throw new InputFault('chainId', chainId, '137 or 80002');
  return { chainId, version: exchange === 'exchangeV3' ? '3' : '2', verifyingContract: contracts[exchange] };
}

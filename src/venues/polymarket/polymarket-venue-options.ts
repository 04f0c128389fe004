/** Dependencies and callbacks of a Polymarket venue. */
import type { Clock, Random } from '../../clock/index.ts';
import type { PolymarketContracts, PolymarketOrderVersion, PolymarketTier } from '../../protocol/polymarket/index.ts';
import type { AccountState, AccountView } from '../../state/index.ts';
import type { AccountSettings, Log, MarketData, TradingVenueOptions } from '../base/index.ts';
import type { PolymarketMarketData } from './market-data.ts';
import type { MarketTable } from './market-table.ts';
import type { PolymarketSigner } from './order-signer.ts';
import type { SellableFrom } from './own-facts.ts';
import type { PolymarketCredentials, RestClient } from './rest-client.ts';

export interface PolymarketVenueOptions extends TradingVenueOptions {
  /** A client with the credentials of the account. */
  readonly rest: RestClient;
  readonly credentials: PolymarketCredentials;
  /** `wss://…/ws/user` */
  readonly userUrl: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly marketData: MarketData & Pick<PolymarketMarketData, 'setMode' | 'ownPrints' | 'statusOf' | 'offset'>;
  readonly table: MarketTable;
  readonly signer: PolymarketSigner;
  /** Reads the order version that the venue accepts now. @throws Fault */
  readonly readVersion: () => Promise<PolymarketOrderVersion>;
  /** Contract addresses, including the exchanges. */
  readonly contracts: PolymarketContracts;
  readonly signatureType: number;
  /** The core's state, built from the events that this venue reports. */
  readonly view: Pick<AccountState, 'market' | 'snapshot'> & AccountView;
  readonly settings?: Partial<PolymarketVenueSettings>;
}

/** Times in ms. Default of `auditMs`: 30,000. */
export interface PolymarketVenueSettings extends AccountSettings {
  /** Each sweep reads trades from this long before the last one, because the venue may list them late. Default 600,000. */
  readonly overlapMs: number;
  /** Trade status from which bought shares can be sold. Default `confirmed`. */
  readonly sellableFrom: SellableFrom;
  /** Rate limit tier of the account. Default Standard. */
  readonly tier: PolymarketTier;
}

export const POLYMARKET_VENUE_DEFAULTS: PolymarketVenueSettings = {
  leftovers: 'cancel',
  adopt: false,
  auditMs: 30_000,
  overlapMs: 600_000,
  sellableFrom: 'confirmed',
  tier: 'Standard',
};

/** Dependencies and callbacks of a service venue. */
import type { Conversion } from '../../domain/index.ts';
import type { Hex, SignedMessages, Signer, SigningKey } from '../../signing/index.ts';
import type { AccountSettings, LostTime, MarketData, TradingVenueOptions } from '../base/index.ts';
import type { Credential } from './account/account.ts';
import type { LoginPins } from './account/login.ts';
import type { ServiceMarketData, VenueTerms } from './market-data/index.ts';
import type { Transport } from './transport/index.ts';

export interface ServiceVenueOptions extends TradingVenueOptions {
  readonly transport: Transport;
  readonly marketData: Pick<ServiceMarketData, keyof MarketData>;
  readonly terms: VenueTerms;
  readonly signer: Signer;
  /** Messages in the pinned domains. */
  readonly messages: SignedMessages;
  /** Key of the account or of its delegate, which signs orders. */
  readonly key: SigningKey;
  /** Address of the account, lower case. */
  readonly address: Hex;
  readonly credential: Credential;
  /** Expected contents of logins. */
  readonly login: LoginPins;
  /** The highest taker fee rate that an order is signed for, `risk.max_fee_bps`; bps. */
  readonly maxFeeBps: number;
  /** Conversions of earlier runs without a reported end. */
  readonly unanswered?: readonly Conversion[];
  /** Period whose orders the records may lack, because the machine went down during an earlier run. */
  readonly lost?: LostTime | undefined;
  readonly settings?: Partial<ServiceVenueSettings>;
}

/** Times in ms. Default of `auditMs`: 15,000. */
export interface ServiceVenueSettings extends AccountSettings {
  /** The venue cancels our orders after this long without a heartbeat; 0 for no heartbeat. Default 10,000. */
  readonly heartbeatMs: number;
  /** Silence on the own stream after which its socket counts as frozen. Default 12,000. */
  readonly silenceMs: number;
  /** Time after which a split, merge or reduce with a lost answer can no longer be executed. Default 5,000. */
  readonly settleMs: number;
}

export const SERVICE_VENUE_DEFAULTS: ServiceVenueSettings = {
  heartbeatMs: 10_000,
  leftovers: 'cancel',
  adopt: false,
  silenceMs: 12_000,
  auditMs: 15_000,
  settleMs: 5_000,
};

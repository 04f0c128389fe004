/** Dependencies and callbacks of a service venue. */
import type { Conversion } from '../../domain/index.ts';
import type { Hex, SignedMessages, Signer, SigningKey } from '../../signing/index.ts';
import type { AccountSettings, LostTime, VenueRunOptions } from '../base/index.ts';
import type { Credential } from './account/account.ts';
import type { LoginPins } from './account/login.ts';
import type { ServiceMarketData, VenueTerms } from './market-data/index.ts';
import type { Transport } from './transport/index.ts';

export interface ServiceVenueOptions extends VenueRunOptions {
  readonly transport: Transport;
  readonly marketData: ServiceMarketData;
  readonly terms: VenueTerms;
  readonly signer: Signer;
  /** In the pinned domains. */
  readonly messages: SignedMessages;
  /** Signs orders; the account's, or its delegate's. */
  readonly key: SigningKey;
  /** The account, lower case. */
  readonly address: Hex;
  readonly credential: Credential;
  /** What logins have to say. */
  readonly login: LoginPins;
  /** The highest taker fee rate that an order is signed for, `risk.max_fee_bps`; bps. */
  readonly maxFeeBps: number;
  /** Conversions that an earlier run sent and whose end is unknown. */
  readonly unanswered?: readonly Conversion[];
  /** When the records may have lost orders: the machine went down under an earlier run. */
  readonly lost?: LostTime | undefined;
  readonly settings?: Partial<ServiceVenueSettings>;
}

/** How the account of a service venue is kept, and how often it is compared. Times in ms. Default of `auditMs`: 15,000. */
export interface ServiceVenueSettings extends AccountSettings {
  /** The venue cancels our orders after so long without a heartbeat; 0 for no heartbeat. Default 10,000. */
  readonly heartbeatMs: number;
  /** After so long without a message on the own stream its socket counts as frozen. Default 12,000. */
  readonly silenceMs: number;
  /** How long a split, merge or reduce whose answer was lost may still be carried out. Default 5,000. */
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

/** Dependencies and callbacks of a service venue. */
import type { Conversion, Fault, MarketNo } from '../../domain/index.ts';
import type { OrderRecords, RecoveryReport } from '../../runtime/index.ts';
import type { Hex, SignedMessages, Signer, SigningKey } from '../../signing/index.ts';
import type { AccountState, AccountView } from '../../state/index.ts';
import type { LostTime, Selected, StuckCommand } from '../base/index.ts';
import type { Credential } from './account/account.ts';
import type { LoginPins } from './account/login.ts';
import type { ServiceMarketData, VenueTerms } from './market-data/index.ts';
import type { Transport } from './transport/index.ts';

export interface ServiceVenueOptions {
  readonly transport: Transport;
  readonly marketData: ServiceMarketData;
  /** In the order of their numbers, as the core's state has them. */
  readonly markets: readonly Selected[];
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
  readonly records: OrderRecords;
  /** The core's state, which is folded from what is reported here. */
  readonly view: Pick<AccountState, 'market'> & AccountView;
  /** Conversions that an earlier run sent and whose end is unknown. */
  readonly unanswered?: readonly Conversion[];
  /** When the last process of this bot was last alive, epoch ms; undefined if unknown. */
  readonly lastAlive?: number | undefined;
  /** When the records may have lost orders: the machine went down under an earlier run. */
  readonly lost?: LostTime | undefined;
  readonly settings?: Partial<ServiceVenueSettings>;
  /** Something that ends the run: the venue is closed to us, or does not make sense. Called once. */
  readonly fault: (error: Error) => void;
  /** What a start or a recovery found and did. Default: ignored. */
  readonly recovered?: (report: RecoveryReport) => void;
  /** A command failed and is sent again. Default: ignored. */
  readonly repeated?: (command: string, problem: string) => void;
  /** A command was sent many times and does not get through. Default: ignored. */
  readonly stuck?: (command: StuckCommand) => void;
  /**
   * One market cannot go on: no row of it comes any more, its orders are to be withdrawn.
   * @param market undefined where a trade in a market outside of this run contradicts itself
   */
  readonly marketFailed: (market: MarketNo | undefined, fault: Fault) => void;
}

/** How the account of a service venue is kept, and how often it is compared. Times in ms. */
export interface ServiceVenueSettings {
  /** The venue cancels our orders after so long without a heartbeat; 0 for no heartbeat. Default 10,000. */
  readonly heartbeatMs: number;
  /** Own orders that an earlier run left standing. Default `cancel`. */
  readonly leftovers: 'cancel' | 'adopt';
  /** At the start, takes the venue's account where nothing explains what differs. Default false. */
  readonly adopt: boolean;
  /** After so long without a message on the own stream its socket counts as frozen. Default 12,000. */
  readonly silenceMs: number;
  /** Between two comparisons with the venue; 0 for never. Default 15,000. */
  readonly auditMs: number;
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

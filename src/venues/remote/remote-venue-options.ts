/** What a remote venue stands on, and whom it tells. */
import type { Conversion, Fault, MarketNo } from '../../domain/index.ts';
import type { OrderRecords } from '../../runtime/index.ts';
import type { Hex, SignedMessages, Signer, SigningKey } from '../../signing/index.ts';
import type { AccountView } from '../../state/index.ts';
import type { Credential } from './account/account.ts';
import type { MarketData, Selected, VenueTerms } from './market-data/index.ts';
import type { LostTime } from './reconcile/lost-orders.ts';
import type { RemoteSettings } from './remote-settings.ts';
import type { Transport } from './transport/index.ts';

export interface RemoteVenueOptions {
  readonly transport: Transport;
  readonly marketData: MarketData;
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
  /** The venue's public base URL without trailing slash: what logins are signed for. */
  readonly audience: string;
  /** What logins say to people; undefined takes any line of text. */
  readonly statement?: string;
  readonly records: OrderRecords;
  /** The core's world, which is folded from what is told here. */
  readonly view: AccountView;
  /** Conversions that an earlier run sent and was not told the end of. */
  readonly unanswered?: readonly Conversion[];
  /** When the records may have lost orders: the machine went down under an earlier run. */
  readonly lost?: LostTime | undefined;
  readonly settings?: Partial<RemoteSettings>;
  /** Something that ends the run: the venue is closed to us, or does not make sense. Told once. */
  readonly fault: (error: Error) => void;
  /** One market cannot go on: no row of it comes any more, its orders are to be withdrawn. */
  readonly marketFailed: (market: MarketNo, fault: Fault) => void;
}

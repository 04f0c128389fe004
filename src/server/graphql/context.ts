/** What a request brings with it besides its document. */
import type { EpochMs } from '../../domain/index.ts';
import type { ApiScope } from '../../protocol/index.ts';

/** Who asks, proven by a credential that is good at this moment. */
export interface Viewer {
  /** Address of the account, lower case. */
  readonly account: string;
  /** Names the session (across its refreshes) or the API key. */
  readonly credential: string;
  readonly kind: 'session' | 'key';
  /** What the credential may do; a session has all. */
  readonly scopes: readonly ApiScope[];
}

/** One request, as resolvers see it. */
export interface OperationContext {
  /** Undefined without credentials, and with such as do not hold. */
  readonly viewer: Viewer | undefined;
  /** Stands in logs and in the messages of internal faults. */
  readonly requestId: string;
  /** The client's address, behind trusted proxies the one they name. */
  readonly ip: string;
  /** When the request had arrived whole. */
  readonly now: EpochMs;
  /** A header of the request by its lower-case name; of a socket's handshake where it came over one. */
  header(name: string): string | undefined;
}

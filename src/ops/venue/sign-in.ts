/** Logs in and out over `VenueHttp`, with the bot's own login (`venues/service`). */
import { Fault } from '../../domain/index.ts';
import { OPERATIONS } from '../../protocol/index.ts';
import type { SigningKey } from '../../signing/index.ts';
import { type LoginChannel, type LoginPins, login } from '../../venues/service/index.ts';
import type { VenueHttp } from './venue-http.ts';

export interface Credentials {
  /** An API key, which needs no login. Default: a login with `key`. */
  readonly apiKey?: string | undefined;
  readonly key?: SigningKey | undefined;
  /** The account. Default: the key's own. */
  readonly address?: string | undefined;
}

/** Logs in. @returns the token. @throws Fault LOGIN that names the differing or missing field; any fault of `VenueHttp.request` */
export async function signIn(http: VenueHttp, credentials: Credentials, pins: LoginPins): Promise<string> {
  const { apiKey, key, address = key?.address } = credentials;
  if (apiKey !== undefined) {
    http.setToken(apiKey);
    return apiKey;
  }
  if (key === undefined || address === undefined) {
    throw new Fault(
      'LOGIN',
      'there is neither an API key nor a signing key to log in with. Set account.key or account.api_key',
    );
  }
  if (address !== key.address) {
    throw new Fault(
      'LOGIN',
      `the key is that of ${key.address}, not of account.address ${address}: only the account's own key can log in. Give an API key (account.api_key) for a delegate`,
    );
  }
  // A challenge is valid once, and a login without an answer may have used it. Each attempt requests a new one.
  const { accessToken } = await http.withRetries(() => login(channelOf(http), key, pins));
  http.setToken(accessToken);
  return accessToken;
}

/** Ends a session; does nothing for an API key. @returns why it could not be ended; never throws a Fault */
export async function signOut(http: VenueHttp, { apiKey }: Credentials, token: string): Promise<string | undefined> {
  if (apiKey !== undefined) return undefined;
  try {
    await http.withToken(token).request(OPERATIONS.revokeSession);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.message;
  }
}

/** Sends each request once: `signIn` repeats the whole login. */
function channelOf(http: VenueHttp): LoginChannel {
  return {
    now: () => http.now(),
    challenge: (address) => http.requestOnce(OPERATIONS.authChallenge, { address }),
    createSession: (input) => http.requestOnce(OPERATIONS.createSession, { input }),
  };
}

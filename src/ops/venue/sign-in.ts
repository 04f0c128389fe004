/** Logs in and out over the plain line. The login itself is the bot's own (`venues/service`). */
import { Fault } from '../../domain/index.ts';
import { OPERATIONS } from '../../protocol/index.ts';
import type { SigningKey } from '../../signing/index.ts';
import { type LoginChannel, type LoginPins, login } from '../../venues/service/index.ts';
import type { VenueLine } from './line.ts';

export interface Credentials {
  /** An API key, which needs no login; else the account's own key. */
  readonly apiKey?: string | undefined;
  readonly key?: SigningKey | undefined;
  /** The account; that of the key where it is left out. */
  readonly address?: string | undefined;
}

/** Logs the line in, answers the token. @throws Fault LOGIN naming the field that differs or is missing; as `VenueLine.ask` */
export async function signIn(line: VenueLine, credentials: Credentials, pins: LoginPins): Promise<string> {
  const { apiKey, key, address = key?.address } = credentials;
  if (apiKey !== undefined) {
    line.use(apiKey);
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
  // A challenge is good for one login, and one whose answer was lost may have used it up: each try asks for a new one.
  const { accessToken } = await line.patiently(() => login(channelOf(line), key, pins));
  line.use(accessToken);
  return accessToken;
}

/** Ends a session, no API key. @returns why it could not be ended; never rejects with a fault of the venue */
export async function signOut(line: VenueLine, { apiKey }: Credentials, token: string): Promise<string | undefined> {
  if (apiKey !== undefined) return undefined;
  try {
    await line.as(token).ask(OPERATIONS.revokeSession);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return error.message;
  }
}

/** Each call is one request: `signIn` repeats the whole login. */
function channelOf(line: VenueLine): LoginChannel {
  return {
    now: () => line.now(),
    challenge: (address) => line.askOnce(OPERATIONS.authChallenge, { address }),
    createSession: (input) => line.askOnce(OPERATIONS.createSession, { input }),
  };
}

/** A login over the plain line: the venue's challenge is compared with what is pinned, then signed. */
import { z } from 'zod';
import { Fault } from '../../domain/index.ts';
import { OPERATIONS } from '../../protocol/index.ts';
import type { SignedMessages, SigningKey } from '../../signing/index.ts';
import type { VenueLine } from './line.ts';

/** Who logs in. */
export interface Credentials {
  /** An API key, which needs no login; else the account's own key. */
  readonly apiKey?: string | undefined;
  readonly key?: SigningKey | undefined;
  /** The account; that of the key where it is left out. */
  readonly address?: string | undefined;
}

export interface SignInOptions {
  readonly messages: SignedMessages;
  /** The venue's public base URL, without trailing slash: what logins are signed for. */
  readonly audience: string;
}

const challengeSchema = z.object({ nonce: z.string(), typedData: z.unknown() });
const sessionSchema = z.object({ accessToken: z.string().min(1) });

/**
 * Makes the line speak for the account. Answers the token it uses.
 * @throws Fault SIGN_IN naming the field in which the challenge differs, or what is missing; and as `VenueLine.ask`
 */
export async function signIn(line: VenueLine, credentials: Credentials, options: SignInOptions): Promise<string> {
  const { apiKey, key, address = key?.address } = credentials;
  if (apiKey !== undefined) {
    line.use(apiKey);
    return apiKey;
  }
  if (key === undefined || address === undefined) {
    throw new Fault(
      'SIGN_IN',
      'there is neither an API key nor a signing key to log in with. Set account.key or account.api_key',
    );
  }
  if (address !== key.address) {
    throw new Fault(
      'SIGN_IN',
      `the key is that of ${key.address}, not of account.address ${address}: only the account's own key can log in. Give an API key (account.api_key) for a delegate`,
    );
  }
  const proof = await prove(line, key, options);
  // A challenge is good for one login, and one whose answer was lost may have used it up.
  const answer = await line.patiently(async (before) =>
    line.ask(OPERATIONS.createSession, { input: before === 0 ? proof : await prove(line, key, options) }),
  );
  const session = sessionSchema.safeParse(answer);
  if (!session.success) throw new Fault('SIGN_IN', 'the venue answered the login without a token');
  line.use(session.data.accessToken);
  return session.data.accessToken;
}

/**
 * Ends a session; an API key stays what it is.
 * @returns why it could not be ended: then it expires. Never rejects with a fault of the venue
 */
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

/** A challenge of the venue, signed: what `createSession` takes. @throws Fault SIGN_IN, and as `VenueLine.ask` */
async function prove(line: VenueLine, key: SigningKey, { messages, audience }: SignInOptions): Promise<object> {
  const { address } = key;
  const found = challengeSchema.safeParse(await line.ask(OPERATIONS.authChallenge, { address }));
  if (!found.success)
    throw new Fault('SIGN_IN', `the venue's login challenge is not as expected: ${z.prettifyError(found.error)}`);
  const compared = messages.login.compare(found.data.typedData, { account: address, audience });
  if (!compared.ok) {
    throw new Fault(
      'SIGN_IN',
      `nothing was signed: the venue's login differs in ${compared.field}: expected ${compared.expected}, offered ${compared.offered}. ${remedyFor(compared.field)}`,
    );
  }
  const { nonce, issuedAt, expiresAt } = compared.message;
  const { signature } = messages.login.sign(compared.message, key);
  return { address, nonce, issuedAt: String(issuedAt), expiresAt: String(expiresAt), signature };
}

/** What to change for a field of typed data that differs. */
export function remedyFor(field: string): string {
  if (field === 'domain.chainId') return 'Set venue.chain_id to the chain of the venue you mean';
  if (field === 'domain.verifyingContract') return "Set venue.contract to the exchange's contract on that chain";
  if (field === 'message.audience') return "Set venue.audience to the venue's public base URL, if you are sure of it";
  return 'Check that venue.url is the venue you mean';
}

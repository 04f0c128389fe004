/**
 * The login: the venue's challenge is compared with what a login at this venue has to say, then signed.
 *
 * Pinned are account, audience, domain and, where it is configured, the statement; nonce and times have to agree with
 * themselves, with the rest of the answer and with our clock. A page that offers something else to sign gets nothing.
 */
import { Fault, parseTime } from '../../../domain/index.ts';
import { OPERATIONS, parseSafeUint, type SessionFieldsFragment } from '../../../protocol/index.ts';
import type { LoginMessage, SignedMessage, SigningKey } from '../../../signing/index.ts';
import { problemOf, type Transport } from '../transport/index.ts';

/** What logins at this venue say. */
export interface LoginPins {
  /** Logins in the pinned domain. */
  readonly logins: SignedMessage<LoginMessage>;
  /** The venue's public base URL without trailing slash. */
  readonly audience: string;
  /** What people read when they sign; undefined takes any line of text. */
  readonly statement: string | undefined;
}

/** A nonce that lives longer is none that this venue gives, ms. */
const LONGEST_LIFE_MS = 900_000;
/** How far the challenge's time may be from our clock, ms. */
const MOST_SKEW_MS = 300_000;
const LONGEST_STATEMENT = 500;

/**
 * Logs the key's own account in.
 * @throws Fault `LOGIN` naming the field that differs, or saying that the venue refuses the signature; `LINK`, `BLOCKED`
 */
export async function login(transport: Transport, key: SigningKey, pins: LoginPins): Promise<SessionFieldsFragment> {
  const offered = await transport.query(OPERATIONS.authChallenge, { address: key.address }, { anonymous: true });
  const challenge = offered.type === 'data' ? offered.data.authChallenge : null;
  if (challenge === null) throw failed('authChallenge', offered);
  const intent: Partial<LoginMessage> = {
    account: key.address,
    audience: pins.audience,
    ...(pins.statement === undefined ? {} : { statement: pins.statement }),
  };
  const compared = pins.logins.compare(challenge.typedData, intent);
  if (!compared.ok) {
    const { field, expected, offered: found } = compared;
    throw new Fault(
      'LOGIN',
      `the venue offers a login to sign whose ${field} is ${found}, but ${expected} is expected. Nothing was signed: ` +
        'check url, audience and chain_id of the configuration',
    );
  }
  const { message } = compared;
  checkRest(message, challenge, transport.clock.now());
  const { signature } = pins.logins.sign(message, key);
  const { nonce, issuedAt, expiresAt } = message;
  const input = { address: key.address, nonce, issuedAt: String(issuedAt), expiresAt: String(expiresAt), signature };
  const answer = await transport.mutate(OPERATIONS.createSession, { input }, { anonymous: true, via: 'http' });
  if (answer.type !== 'data') throw failed('createSession', answer);
  return answer.data.createSession;
}

/** Nonce and times: ours to test, nobody has pinned them. */
function checkRest(
  message: LoginMessage,
  challenge: { readonly nonce: string; readonly expiresAt: string },
  now: number,
): void {
  const { nonce, statement } = message;
  const issuedAt = parseSafeUint('issuedAt', String(message.issuedAt));
  const expiresAt = parseSafeUint('expiresAt', String(message.expiresAt));
  differ('nonce', nonce.toLowerCase(), challenge.nonce.toLowerCase());
  differ('expiresAt', expiresAt, parseTime('expiresAt', challenge.expiresAt));
  if (statement.length > LONGEST_STATEMENT || /[\p{Cc}\p{Cf}]/u.test(statement)) {
    throw refusedField('statement', JSON.stringify(statement.slice(0, 80)), 'one line of readable text');
  }
  if (expiresAt <= issuedAt || expiresAt - issuedAt > LONGEST_LIFE_MS) {
    throw refusedField(
      'expiresAt',
      `${expiresAt - issuedAt} ms after issuedAt`,
      'at most a quarter of an hour after it',
    );
  }
  if (Math.abs(issuedAt - now) > MOST_SKEW_MS) {
    throw refusedField(
      'issuedAt',
      `${Math.abs(issuedAt - now)} ms away from our clock`,
      'now; set the clock of this machine',
    );
  }
}

function differ(field: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw refusedField(field, String(found), String(expected));
}

function refusedField(field: string, found: string, expected: string): Fault {
  return new Fault(
    'LOGIN',
    `the venue offers a login to sign whose ${field} is ${found}, expected ${expected}. Nothing was signed`,
  );
}

function failed(what: string, answer: Parameters<typeof problemOf>[0] | { readonly type: 'data' }): Fault {
  if (answer.type === 'data') return new Fault('LOGIN', `${what}: the venue answered nothing`);
  const problem = problemOf(answer);
  if (answer.type === 'blocked')
    return new Fault('BLOCKED', `${what}: ${problem}. Check url, headers, and whether this address may trade there`);
  if (answer.type === 'lost')
    return new Fault('LINK', `${what}: ${problem}. Check url and the network`, { retryable: true });
  return new Fault('LOGIN', `${what}: the venue refuses the login (${problem}). Check key, chain_id and audience`);
}

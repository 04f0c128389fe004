/**
 * Logs in the bot, the doctor, the kill switch and the commands with `--venue`.
 *
 * The venue writes the challenge. Each field is checked before anything is signed (docs/signing.md lists them): domain,
 * account, audience and statement must equal the configuration. Nonce and times must agree with the rest of the answer
 * and with this machine's clock.
 */
import { Fault, parseTime } from '../../../domain/index.ts';
import { getMember } from '../../../network/index.ts';
import { type CreateSessionInput, OPERATIONS, parseSafeUint } from '../../../protocol/index.ts';
import type { Hex, LoginMessage, SignedMessage, SigningKey } from '../../../signing/index.ts';
import { describeProblem, type Transport } from '../transport/index.ts';

/** Configured values that the venue's challenge must contain. */
export interface LoginPins {
  /** Compares and signs login messages in the pinned domain. */
  readonly logins: SignedMessage<LoginMessage>;
  /** The venue's public base URL without trailing slash. */
  readonly audience: string;
  readonly statement: string;
}

/** Sends a login to the venue. Both calls return the unchecked answer. */
export interface LoginChannel {
  /** Epoch ms. */
  now(): number;
  /** Sends `authChallenge`. @throws Fault */
  challenge(address: Hex): Promise<unknown>;
  /** Sends `createSession`. @throws Fault */
  createSession(input: CreateSessionInput): Promise<unknown>;
}

/** The tokens of a login. No message and no log contains them. */
export interface Session {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** Expiry of the access token, epoch ms by the venue's clock. */
  readonly expiresAt: number;
}

/** Longest accepted time between `issuedAt` and `expiresAt`, ms. The API specifies 5 minutes. */
const MAX_LIFETIME_MS = 900_000;
/** Largest distance of `issuedAt` from this machine's clock, ms. */
const MAX_SKEW_MS = 300_000;
/** Turns off the transport's checks, because this file checks each field of the answers. */
const UNCHECKED = { isAnonymous: true, isUnchecked: true };
/** Text that is valid in a header without escaping. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

/**
 * Logs in the account of the key: requests a challenge, checks it, signs it and sends it.
 * @throws Fault `LOGIN` naming the unexpected field, without signing anything; the channel's errors
 */
export async function login(channel: LoginChannel, key: SigningKey, pins: LoginPins): Promise<Session> {
  const challenge = await channel.challenge(key.address);
  const input = signChallenge(challenge, { ...pins, key, now: channel.now() });
  return readSession(await channel.createSession(input));
}

/** Uses the bot's own transport as the channel, whose calls throw Fault `LINK` (retryable), `BLOCKED` or `LOGIN`. */
export function transportChannel(transport: Transport): LoginChannel {
  return {
    now: () => transport.clock.now(),
    async challenge(address) {
      const answer = await transport.query(OPERATIONS.authChallenge, { address }, UNCHECKED);
      if (answer.type !== 'data') throw loginFault('authChallenge', answer);
      return answer.data.authChallenge;
    },
    async createSession(input) {
      const answer = await transport.mutate(OPERATIONS.createSession, { input }, { ...UNCHECKED, via: 'http' });
      if (answer.type !== 'data') throw loginFault('createSession', answer);
      return answer.data.createSession;
    },
  };
}

/** @throws Fault `LOGIN` for an answer without usable tokens */
export function readSession(answer: unknown): Session {
  const accessToken = getMember(answer, 'accessToken');
  const refreshToken = getMember(answer, 'refreshToken');
  const expiresAt = tryParseTime(getMember(answer, 'expiresAt'));
  if (!isToken(accessToken) || !isToken(refreshToken) || expiresAt === undefined) {
    const problem = 'the venue answered the login without tokens that can be used';
    throw new Fault('LOGIN', `${problem}. Run \`npx halfspread doctor <config.yaml>\``);
  }
  return { accessToken, refreshToken, expiresAt };
}

/** Returns what to change in the configuration if this field of the typed data differs. */
export function remedyFor(field: string): string {
  if (field === 'domain.chainId') return 'Set venue.chain_id to the chain of the venue you mean';
  if (field === 'domain.verifyingContract') return "Set venue.contract to the exchange's contract on that chain";
  if (field === 'message.audience') return "Set venue.audience to the venue's public base URL, if you are sure of it";
  if (field === 'message.statement') return 'Set venue.login_statement to that text, if you agree to it';
  return 'Check that venue.url is the venue you mean';
}

type SignOptions = LoginPins & { readonly key: SigningKey; readonly now: number };

function signChallenge(challenge: unknown, { key, now, logins, audience, statement }: SignOptions): CreateSessionInput {
  const typedData = getMember(challenge, 'typedData');
  if (typedData === undefined)
    throw new Fault('LOGIN', 'the venue sent no login challenge. Run `npx halfspread doctor <config.yaml>`');
  const compared = logins.compare(typedData, { account: key.address, audience, statement });
  if (!compared.ok) throw unsignedFault(compared.field, compared.offered, compared.expected, remedyFor(compared.field));
  const { message } = compared;
  checkNonce(message, challenge);
  checkTimes(message, challenge, now);
  const { signature } = logins.sign(message, key);
  const { nonce, issuedAt, expiresAt } = message;
  return { address: key.address, nonce, issuedAt: String(issuedAt), expiresAt: String(expiresAt), signature };
}

function checkNonce({ nonce }: LoginMessage, challenge: unknown): void {
  const stated = getMember(challenge, 'nonce');
  if (typeof stated === 'string' && stated.toLowerCase() === nonce.toLowerCase()) return;
  throw unsignedFault('message.nonce', nonce, `the challenge's nonce, ${toShownText(stated)}`);
}

function checkTimes(message: LoginMessage, challenge: unknown, now: number): void {
  const issuedAt = parseSafeTime('message.issuedAt', message.issuedAt);
  const expiresAt = parseSafeTime('message.expiresAt', message.expiresAt);
  const stated = getMember(challenge, 'expiresAt');
  if (expiresAt !== tryParseTime(stated))
    throw unsignedFault('message.expiresAt', `${expiresAt} ms`, `the challenge's expiresAt, ${toShownText(stated)}`);
  const lifetimeMs = expiresAt - issuedAt;
  if (lifetimeMs <= 0 || lifetimeMs > MAX_LIFETIME_MS)
    throw unsignedFault('message.expiresAt', `${lifetimeMs} ms after issuedAt`, `1 to ${MAX_LIFETIME_MS} ms after it`);
  const skew = Math.abs(issuedAt - now);
  if (skew > MAX_SKEW_MS) {
    const expected = `at most ${MAX_SKEW_MS} ms away`;
    throw unsignedFault('message.issuedAt', `${skew} ms away from this machine's clock`, expected, 'Set that clock');
  }
}

/** @throws Fault `LOGIN` for more than 2^53 ms */
function parseSafeTime(field: string, value: LoginMessage['issuedAt']): number {
  try {
    return parseSafeUint(field, String(value));
  } catch (cause) {
    throw new Fault('LOGIN', `${describeField(field, String(value), 'a time in ms')}. Nothing was signed`, { cause });
  }
}

function tryParseTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    return parseTime('expiresAt', value);
  } catch {
    return undefined;
  }
}

function unsignedFault(field: string, found: string, expected: string, remedy = remedyFor(field)): Fault {
  return new Fault('LOGIN', `${describeField(field, found, expected)}. Nothing was signed. ${remedy}`);
}

function describeField(field: string, found: string, expected: string): string {
  return `in the venue's login, ${field} is ${found}, but ${expected} is expected`;
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && TOKEN.test(value);
}

function toShownText(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 100);
}

function loginFault(operation: string, answer: Parameters<typeof describeProblem>[0]): Fault {
  const problem = `${operation}: ${describeProblem(answer)}`;
  const remedy = 'Check url, headers, and whether this address may trade there';
  if (answer.type === 'blocked') return new Fault('BLOCKED', `${problem}. ${remedy}`);
  if (answer.type === 'malformed') return new Fault('LOGIN', problem, { retryable: true });
  if (answer.type === 'lost') return new Fault('LINK', `${problem}. Check url and the network`, { retryable: true });
  const refusal = `${operation}: the venue refuses the login (${describeProblem(answer)})`;
  return new Fault('LOGIN', `${refusal}. Check key, chain_id and audience`);
}

/**
 * Sends requests to the CLOB. Signs private ones with an API key's secret (docs/spec/polymarket.md#authentication).
 *
 * The client does not retry requests. Messages contain no keys or secrets.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import { boundedWait, HttpClient, shortLine, tryParseJson } from '../../network/index.ts';
import {
  l2SecretBytes,
  l2Signature,
  type PolymarketOrderVersion,
  readPolymarketError,
} from '../../protocol/polymarket/index.ts';
import type { PolymarketSignIns, SigningKey } from '../../signing/index.ts';
import type { ClockOffset } from '../base/index.ts';

/** An API key of an account. Secret. */
export interface PolymarketCredentials {
  /** Address of the signing key, lower case, even if a wallet holds the money. */
  readonly address: string;
  readonly apiKey: string;
  /** Base64 or base64url. */
  readonly secret: string;
  readonly passphrase: string;
}

export type PolymarketError = ReturnType<typeof readPolymarketError>;

export type RestOutcome =
  | { readonly type: 'done'; readonly json: unknown }
  /** The venue did not carry out the request. */
  | { readonly type: 'refused'; readonly error: PolymarketError; readonly json: unknown }
  /** `isSent` is false if the request cannot have reached the venue. */
  | { readonly type: 'unknown'; readonly problem: string; readonly isSent: boolean };

export interface RestRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Relative to the base, such as `/order`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** The exact text to sign and send. */
  readonly body?: string;
  readonly timeoutMs?: number;
}

export interface RestClientOptions {
  /** Base of the CLOB, such as `https://clob.polymarket.com`. */
  readonly clobUrl: string;
  readonly clock: Clock;
  /** Offset of the venue's clock, because requests are signed with the venue's time. */
  readonly offset: Pick<ClockOffset, 'offsetMs'>;
  readonly timeoutMs: number;
}

const OK = 200;
const LAST_OK = 299;

export class RestClient {
  readonly #options: RestClientOptions;
  readonly #base: string;
  readonly #http: HttpClient;
  #credentials: (PolymarketCredentials & { readonly hmacKey: KeyObject }) | undefined;

  constructor(options: RestClientOptions) {
    this.#options = options;
    this.#base = options.clobUrl.replace(/\/+$/, '');
    this.#http = new HttpClient({ clock: options.clock, keepAlive: true });
  }

  get credentials(): PolymarketCredentials | undefined {
    return this.#credentials;
  }

  /** Seconds since 1970 by the venue's clock. */
  get venueSeconds(): number {
    const { clock, offset } = this.#options;
    return Math.floor((clock.now() + offset.offsetMs) / 1_000);
  }

  setCredentials(credentials: PolymarketCredentials): void {
    this.#credentials = { ...credentials, hmacKey: createSecretKey(l2SecretBytes(credentials.secret)) };
  }

  /** Sends a public request. Never rejects. */
  sendPublic(request: RestRequest, headers: Readonly<Record<string, string>> = {}): Promise<RestOutcome> {
    return this.#send(request, headers);
  }

  /** Sends a signed request of the account. Never rejects. */
  sendPrivate(request: RestRequest): Promise<RestOutcome> {
    return this.#send(request, this.#signatureHeaders(request));
  }

  /**
   * Sends a signed request and returns its JSON.
   * @throws Fault LINK without an answer, LOGIN for a refused API key, BLOCKED for a blocked address, else VENUE
   */
  async read(request: RestRequest): Promise<unknown> {
    const outcome = await this.sendPrivate(request);
    if (outcome.type === 'done') return outcome.json;
    throw toFault(request.path, outcome);
  }

  close(): void {
    this.#http.close();
  }

  #signatureHeaders({ method = 'GET', path, body = '' }: RestRequest): Readonly<Record<string, string>> {
    if (this.#credentials === undefined) throw new Error('Invariant: a private request without an API key');
    const { address, apiKey, passphrase, hmacKey } = this.#credentials;
    const timestamp = String(this.venueSeconds);
    const signature = l2Signature({ timestamp, method, path, body }, (text) =>
      createHmac('sha256', hmacKey).update(text).digest('base64'),
    );
    return {
      POLY_ADDRESS: address,
      POLY_SIGNATURE: signature,
      POLY_TIMESTAMP: timestamp,
      POLY_API_KEY: apiKey,
      POLY_PASSPHRASE: passphrase,
    };
  }

  async #send(request: RestRequest, headers: Readonly<Record<string, string>>): Promise<RestOutcome> {
    const { method = 'GET', path, query = {}, body, timeoutMs = this.#options.timeoutMs } = request;
    const queryText = new URLSearchParams(query).toString();
    const answer = await this.#http.send({
      url: new URL(`${this.#base}${path}${queryText === '' ? '' : `?${queryText}`}`),
      headers,
      timeoutMs,
      ...(body === undefined ? {} : { body }),
      ...(method === 'GET' ? {} : { method }),
    });
    if (answer.type === 'failed') return { type: 'unknown', problem: answer.problem, isSent: answer.isSent };
    const json = tryParseJson(answer.text);
    if (answer.status >= OK && answer.status <= LAST_OK && json !== undefined) return { type: 'done', json };
    const error = readPolymarketError(answer.status, json ?? answer.text);
    const waitMs = boundedWait(error.retryAfterMs ?? answer.retryAfterMs ?? 0);
    if (error.kind !== 'UNKNOWN') return { type: 'refused', error: { ...error, retryAfterMs: waitMs }, json };
    return {
      type: 'unknown',
      problem: `${path} was answered ${answer.status}: ${shortLine(error.text)}`,
      isSent: true,
    };
  }
}

/** Returns the fault for a required request that failed. @param what the request, as named in the message */
export function toFault(what: string, outcome: Exclude<RestOutcome, { type: 'done' }>): Fault {
  if (outcome.type === 'unknown') {
    const problem = `no usable answer to ${what}: ${outcome.problem}. Check venue.url and the network`;
    return new Fault('LINK', problem, { retryable: true });
  }
  const { kind, text } = outcome.error;
  const reason = shortLine(text === '' ? 'without a reason' : text);
  if (kind === 'FORBIDDEN') return blockedFault(reason);
  if (kind === 'UNAUTHORIZED') {
    const remedy = "Check account.key, venue.polymarket.wallet if a wallet holds the money, and this machine's clock";
    return new Fault('LOGIN', `Polymarket rejects the API key for ${what} (${reason}). ${remedy}`);
  }
  return new Fault('VENUE', `Polymarket refuses ${what}: ${reason}`, {
    retryable: kind === 'RATE_LIMITED' || kind === 'RESTARTING' || kind === 'DISABLED',
  });
}

export function blockedFault(reason: string): Fault {
  const remedy = 'The bot stops and does not try again';
  return new Fault('BLOCKED', `Polymarket does not let this address or region trade (${reason}). ${remedy}`);
}

/** Reads the order version that the venue accepts. @throws Fault LINK, VENUE */
export async function readOrderVersion(rest: RestClient): Promise<PolymarketOrderVersion> {
  const outcome = await rest.sendPublic({ path: '/version' });
  if (outcome.type !== 'done') throw toFault('/version', outcome);
  const version: unknown = Reflect.get(Object(outcome.json), 'version');
  if (version === 2 || version === 3) return version;
  const problem = `Polymarket accepts orders of version ${shortLine(String(version))}, which this release cannot sign`;
  throw new Fault('VENUE', `${problem}. Install a newer release`);
}

/** The same nonce derives the same API key. */
const NONCE = 0;
const HEADER_TEXT = z.string().regex(/^[\x21-\x7e]{1,200}$/);
const BASE64 = z.string().regex(/^[\w+/-]{1,198}={0,2}$/);
const CREDENTIALS = z.object({ apiKey: HEADER_TEXT, secret: BASE64, passphrase: HEADER_TEXT });

/**
 * Derives the API key of a signing key, or creates one at the first start (docs/spec/polymarket.md#authentication).
 * @throws Fault LINK without an answer, LOGIN if the venue refuses both requests, BLOCKED for a blocked address
 */
export async function openApiKey(
  rest: RestClient,
  signIns: PolymarketSignIns,
  key: SigningKey,
): Promise<PolymarketCredentials> {
  const headers = (): Readonly<Record<string, string>> => {
    const timestamp = String(rest.venueSeconds);
    return {
      POLY_ADDRESS: key.address,
      POLY_SIGNATURE: signIns.sign({ address: key.address, timestamp, nonce: NONCE }, key),
      POLY_TIMESTAMP: timestamp,
      POLY_NONCE: String(NONCE),
    };
  };
  const derived = await rest.sendPublic({ path: '/auth/derive-api-key' }, headers());
  const isNew = derived.type === 'refused' && derived.error.kind === 'REFUSED';
  const answer = isNew ? await rest.sendPublic({ method: 'POST', path: '/auth/api-key' }, headers()) : derived;
  const found = answer.type === 'done' ? CREDENTIALS.safeParse(answer.json).data : undefined;
  if (found !== undefined) return { address: key.address, ...found };
  if (answer.type !== 'done') throw signInFault(answer);
  throw new Fault('LOGIN', 'Polymarket answered the sign-in without a valid API key. Try again later');
}

function signInFault(outcome: Exclude<RestOutcome, { type: 'done' }>): Fault {
  const fault = toFault('the sign-in', outcome);
  return fault.code === 'VENUE' ? new Fault('LOGIN', `${fault.message}. Check account.key and venue.url`) : fault;
}

/**
 * Requests to the CLOB. Private ones are signed with the secret of an API key (docs/spec/polymarket.md#authentication).
 *
 * One request, one answer: nothing is tried again here. Keys and secrets are in no message.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Clock } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import { boundedWait, HttpClient, shownText, tryParseJson } from '../../network/index.ts';
import {
  l2SecretBytes,
  l2Signature,
  type PolymarketOrderVersion,
  readPolymarketError,
} from '../../protocol/polymarket/index.ts';
import type { ClockOffset } from '../base/index.ts';

/** An API key of an account. Secret. */
export interface PolymarketCredentials {
  /** Of the signing key, lower case, also where a wallet holds the money. */
  readonly address: string;
  readonly apiKey: string;
  /** Base64, of either letters. */
  readonly secret: string;
  readonly passphrase: string;
}

export type PolymarketError = ReturnType<typeof readPolymarketError>;

/** Done, surely not done, or unknown. */
export type RestOutcome =
  | { readonly type: 'done'; readonly json: unknown }
  /** Nothing was carried out. */
  | { readonly type: 'refused'; readonly error: PolymarketError; readonly json: unknown }
  /** @param sent false when the venue cannot have seen it */
  | { readonly type: 'unknown'; readonly problem: string; readonly sent: boolean };

export interface RestRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Below the base, such as `/order`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** The bytes to send and to sign. */
  readonly body?: string;
  readonly timeoutMs?: number;
}

export interface RestClientOptions {
  /** Base of the CLOB, such as `https://clob.polymarket.com`. */
  readonly clobUrl: string;
  readonly clock: Clock;
  /** The venue's clock against ours: requests are signed with its time. */
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

  /** Signs private requests from now on. */
  use(credentials: PolymarketCredentials): void {
    this.#credentials = { ...credentials, hmacKey: createSecretKey(l2SecretBytes(credentials.secret)) };
  }

  /** A request that everybody may send. Never rejects. */
  ask(request: RestRequest, headers: Readonly<Record<string, string>> = {}): Promise<RestOutcome> {
    return this.#send(request, headers);
  }

  /** A request of the account. Never rejects. */
  askPrivate(request: RestRequest): Promise<RestOutcome> {
    return this.#send(request, this.#signed(request));
  }

  /**
   * Reads something of the account that has to be there.
   * @throws Fault LINK without an answer, VENUE when the venue refuses, BLOCKED where it is closed to us
   */
  async read(request: RestRequest): Promise<unknown> {
    const outcome = await this.askPrivate(request);
    if (outcome.type === 'done') return outcome.json;
    throw faultOf(request.path, outcome);
  }

  close(): void {
    this.#http.close();
  }

  #signed({ method = 'GET', path, body = '' }: RestRequest): Readonly<Record<string, string>> {
    if (this.#credentials === undefined) throw new Error('Invariant: a private request before there is an API key');
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
    const text = new URLSearchParams(query).toString();
    const answer = await this.#http.send({
      url: new URL(`${this.#base}${path}${text === '' ? '' : `?${text}`}`),
      headers,
      timeoutMs,
      ...(body === undefined ? {} : { body }),
      ...(method === 'GET' ? {} : { method }),
    });
    if (answer.type === 'failed') return { type: 'unknown', problem: answer.problem, sent: answer.sent };
    const json = tryParseJson(answer.text);
    if (answer.status >= OK && answer.status <= LAST_OK && json !== undefined) return { type: 'done', json };
    const error = readPolymarketError(answer.status, json ?? answer.text);
    const waitMs = boundedWait(error.retryAfterMs ?? answer.retryAfterMs ?? 0);
    if (error.kind !== 'UNKNOWN') return { type: 'refused', error: { ...error, retryAfterMs: waitMs }, json };
    return { type: 'unknown', problem: `${path} was answered ${answer.status}: ${shownText(error.text)}`, sent: true };
  }
}

/** The fault of something that is needed and did not succeed. */
export function faultOf(what: string, outcome: Exclude<RestOutcome, { type: 'done' }>): Fault {
  if (outcome.type === 'unknown') {
    const problem = `no usable answer to ${what}: ${outcome.problem}. Check venue.url and the network`;
    return new Fault('LINK', problem, { retryable: true });
  }
  const { kind, text } = outcome.error;
  const said = shownText(text === '' ? 'without a reason' : text);
  if (kind === 'FORBIDDEN') return blocked(said);
  if (kind === 'UNAUTHORIZED') {
    const remedy = 'Check account.key, and venue.polymarket.wallet where a wallet holds the money; set this clock';
    return new Fault('LOGIN', `Polymarket does not take the API key for ${what} (${said}). ${remedy}`);
  }
  return new Fault('VENUE', `Polymarket refuses ${what}: ${said}`, {
    retryable: kind === 'RATE_LIMITED' || kind === 'RESTARTING' || kind === 'DISABLED',
  });
}

/** The region or the address may not trade. There is no way around it. */
export function blocked(said: string): Fault {
  const remedy = 'The venue decides who may trade: the bot stops and does not try again';
  return new Fault('BLOCKED', `Polymarket does not let this address or place trade (${said}). ${remedy}`);
}

/** The version of orders that the venue takes. @throws Fault LINK, VENUE */
export async function readOrderVersion(rest: RestClient): Promise<PolymarketOrderVersion> {
  const outcome = await rest.ask({ path: '/version' });
  if (outcome.type !== 'done') throw faultOf('/version', outcome);
  const version: unknown = Reflect.get(Object(outcome.json), 'version');
  if (version === 2 || version === 3) return version;
  const problem = `Polymarket takes orders of version ${shownText(String(version))}, which this release cannot sign`;
  throw new Fault('VENUE', `${problem}. Look for a newer one`);
}

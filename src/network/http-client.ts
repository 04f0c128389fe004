/**
 * The HTTP client of everything that asks a venue or a webhook: Node's own, as `fetch` follows redirects with headers and
 * bodies, decompresses without a bound, and costs 80 us more a request.
 *
 * Invariants: a redirect is never followed; an answer is refused where it is compressed (none is asked for) or longer than
 * its bound; each exchange ends by its deadline, however slowly bytes come; nothing is tried again.
 */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Clock } from '../clock/index.ts';
import { timeAfter } from '../domain/index.ts';
import { boundedWait, NETWORK_LIMITS } from './limits.ts';

export interface HttpClientOptions {
  readonly clock: Clock;
  /** Connections stay open for the next request. Default false. */
  readonly keepAlive?: boolean;
  /** Requests to one origin at one time; more wait. Default: no bound. */
  readonly maxSockets?: number;
}

export interface HttpRequest {
  readonly url: URL;
  /** Sent as JSON. Default: none. */
  readonly body?: string;
  /** Default: POST with a body, else GET. */
  readonly method?: 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** To the last byte of the answer, ms. */
  readonly timeoutMs: number;
  /** Longest answer that is taken. Default `NETWORK_LIMITS.answerBytes`. */
  readonly maxBytes?: number;
}

/** An answer, read to its end. Its status is any but a redirect. */
export interface HttpAnswer {
  readonly type: 'answer';
  readonly status: number;
  readonly body: Buffer;
  /** The body as UTF-8. */
  readonly text: string;
  readonly contentRange: string | undefined;
  /** ms of the header `Retry-After`, where there is one in seconds, at most `NETWORK_LIMITS.longestRetryMs`. */
  readonly retryAfterMs: number | undefined;
}

export interface HttpFailure {
  readonly type: 'failed';
  /** `tooLong` and `encoded`: the answer came and is not taken. */
  readonly reason: 'redirect' | 'tooLong' | 'encoded' | 'timeout' | 'network';
  /** What happened, for people; names origins and no path, header or body. */
  readonly problem: string;
  /** Without the origin that was asked, for URLs that are secrets themselves. */
  readonly detail: string;
  /** False when no byte of the request has left. */
  readonly sent: boolean;
  readonly status: number | undefined;
  /** Of Node or the system, such as ECONNREFUSED. */
  readonly code: string | undefined;
}

/** Faults before a connection stood: no byte of the request has left. */
const NOT_SENT: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'],
  // The request could not be made: a header has characters that no header may have.
  ...['ERR_INVALID_CHAR', 'ERR_INVALID_HTTP_TOKEN', 'ERR_UNESCAPED_CHARACTERS'],
]);
const FIRST_REDIRECT = 300;
const LAST_REDIRECT = 399;

type Result = HttpAnswer | HttpFailure;

export class HttpClient {
  readonly #clock: Clock;
  readonly #http: HttpAgent;
  readonly #https: HttpsAgent;
  readonly #running = new Set<ClientRequest>();

  constructor({ clock, keepAlive = false, maxSockets = Number.POSITIVE_INFINITY }: HttpClientOptions) {
    const options = { keepAlive, maxSockets, scheduling: 'lifo' } as const;
    this.#clock = clock;
    this.#http = new HttpAgent(options);
    this.#https = new HttpsAgent(options);
  }

  /** Sends once. Never rejects. */
  send(wanted: HttpRequest): Promise<Result> {
    return new Promise((resolve) => {
      const { url, timeoutMs } = wanted;
      let request: ClientRequest | undefined;
      let status: number | undefined;
      let isSettled = false;
      const settle = (result: Result): void => {
        if (isSettled) return;
        isSettled = true;
        cancel();
        if (request !== undefined) this.#running.delete(request);
        resolve(result);
        // Whatever else would come is not read.
        if (result.type === 'failed') request?.destroy();
      };
      const fail = (reason: HttpFailure['reason'], detail: string, { sent = true, code = '' } = {}): void =>
        settle({
          type: 'failed',
          reason,
          problem: `${url.host} ${detail}`,
          detail,
          sent,
          status,
          code: code === '' ? undefined : code,
        });
      const broken = (error: NodeJS.ErrnoException): void => {
        const { code = '' } = error;
        const what = NOT_SENT.has(code) ? 'cannot be reached' : 'broke the connection';
        fail('network', `${what} (${code === '' ? error.message : code})`, { sent: !NOT_SENT.has(code), code });
      };
      const cancel = this.#clock.schedule(timeAfter(this.#clock.now(), timeoutMs), () =>
        fail('timeout', `did not answer within ${timeoutMs} ms`),
      );
      try {
        request = this.#request(wanted);
      } catch (error) {
        // A URL or a header that cannot be sent; Node's message names the header and not its value.
        broken(error instanceof Error ? error : new Error(String(error)));
        return;
      }
      this.#running.add(request);
      request.on('error', broken);
      request.on('close', () => fail('network', 'ended the connection without an answer'));
      request.on('response', (response) => {
        status = response.statusCode ?? 0;
        response.on('error', broken);
        read(response, wanted, settle, fail);
      });
      request.end(wanted.body);
    });
  }

  /** Cuts off what runs. */
  close(): void {
    for (const request of [...this.#running]) request.destroy(new Error('closed'));
    this.#http.destroy();
    this.#https.destroy();
  }

  #request({ url, body, headers, method }: HttpRequest): ClientRequest {
    const common = { maxHeaderSize: NETWORK_LIMITS.headerBytes };
    const posted =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const all = { accept: 'application/json', ...headers, 'accept-encoding': 'identity', ...posted };
    const options = { ...common, method: method ?? (body === undefined ? 'GET' : 'POST'), headers: all };
    return url.protocol === 'https:'
      ? httpsRequest(url, { ...options, agent: this.#https })
      : httpRequest(url, { ...options, agent: this.#http });
  }
}

function read(
  response: IncomingMessage,
  { url, maxBytes = NETWORK_LIMITS.answerBytes }: HttpRequest,
  settle: (result: Result) => void,
  fail: (reason: HttpFailure['reason'], detail: string) => void,
): void {
  const { statusCode: status = 0, headers } = response;
  if (isRedirect(status)) {
    fail('redirect', redirectText(status, headers.location, url));
    return;
  }
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = headers;
  if (encoding.trim().toLowerCase() !== 'identity') {
    const remedy = 'Let the proxy in between leave answers as they are';
    fail('encoded', `answered ${status} with a compressed body, which was not requested. ${remedy}`);
    return;
  }
  const tooLong = (): void =>
    fail('tooLong', `answered ${status} with more than ${maxBytes} bytes, which are not read`);
  if (Number(length) > maxBytes) {
    tooLong();
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) tooLong();
    else chunks.push(chunk);
  });
  response.on('end', () => {
    const seconds = Number(headers['retry-after'] ?? 'none');
    const body = Buffer.concat(chunks, bytes);
    settle({
      type: 'answer',
      status,
      body,
      get text() {
        return body.toString('utf8');
      },
      contentRange: headers['content-range'],
      retryAfterMs: seconds >= 0 ? boundedWait(seconds * 1_000) : undefined,
    });
  });
}

export function isRedirect(status: number): boolean {
  return status >= FIRST_REDIRECT && status <= LAST_REDIRECT;
}

/** What a redirect says and what to do about it: the target's origin, and nothing of its path. */
export function redirectText(status: number, location: string | undefined, from: URL): string {
  const target = location !== undefined && URL.canParse(location, from) ? new URL(location, from) : undefined;
  const where = target === undefined ? 'that names no target' : `to ${originOf(target)}`;
  return `answered ${status}, a redirect ${where}. Redirects are not followed, as credentials would go along: configure the final URL, if it is one you trust`;
}

/** `URL.origin` is "null" for the schemes of WebSockets. */
function originOf({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

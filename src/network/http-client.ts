/**
 * The HTTP client for venues and webhooks. Uses `node:http`, because `fetch` follows redirects with headers and bodies,
 * decompresses without a limit, and takes 80 us more per request. Invariants: the client follows no redirect and
 * retries nothing. It refuses compressed and too long answers. Each request ends by its deadline, however slowly bytes
 * arrive.
 */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Clock } from '../clock/index.ts';
import { timeAfter, toError } from '../domain/index.ts';
import { boundedWait, NETWORK_LIMITS } from './limits.ts';

export interface HttpClientOptions {
  readonly clock: Clock;
  /** Whether connections stay open for the next request. Default false. */
  readonly keepAlive?: boolean;
  /** Maximum number of concurrent requests to one origin. Further requests wait. Default: no limit. */
  readonly maxSockets?: number;
}

export interface HttpRequest {
  readonly url: URL;
  /** JSON text. Default: none. */
  readonly body?: string;
  /** Default: POST with a body, else GET. */
  readonly method?: 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** Time limit for the request and its complete answer, ms. */
  readonly timeoutMs: number;
  /** Ends the request with a failure of reason `network` when it aborts. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum size of the answer. Default `NETWORK_LIMITS.answerBytes`. */
  readonly maxBytes?: number;
}

/** A complete answer with any status except a redirect. */
export interface HttpAnswer {
  readonly type: 'answer';
  readonly status: number;
  readonly body: Buffer;
  /** The body as UTF-8. */
  readonly text: string;
  readonly contentRange: string | undefined;
  /** The header `Retry-After`, at most `NETWORK_LIMITS.longestRetryMs`; undefined unless the header is in seconds. */
  readonly retryAfterMs: number | undefined;
}

export interface HttpFailure {
  readonly type: 'failed';
  /** With `tooLong` or `encoded`, the client received an answer and refused it. */
  readonly reason: 'redirect' | 'tooLong' | 'encoded' | 'timeout' | 'network';
  /** For people. Contains origins, but no path, header or body. */
  readonly problem: string;
  /** `problem` without the request's origin, for URLs that are secrets. */
  readonly detail: string;
  /** False if no byte of the request was sent. */
  readonly isSent: boolean;
  /** Undefined without an answer. */
  readonly status: number | undefined;
  /** Error code of Node or the system, such as ECONNREFUSED. */
  readonly code: string | undefined;
}

/** Errors that occur before any byte of the request is sent. */
const NOT_SENT: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'],
  // A header has invalid characters.
  ...['ERR_INVALID_CHAR', 'ERR_INVALID_HTTP_TOKEN', 'ERR_UNESCAPED_CHARACTERS'],
]);

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

  /** Sends a request once. Never rejects. */
  send(input: HttpRequest): Promise<Result> {
    return new Promise((resolve) => {
      const { url, timeoutMs } = input;
      let request: ClientRequest | undefined;
      let status: number | undefined;
      let isSettled = false;
      const settle = (result: Result): void => {
        if (isSettled) return;
        isSettled = true;
        cancel();
        if (request !== undefined) this.#running.delete(request);
        resolve(result);
        if (result.type === 'failed') request?.destroy();
      };
      const fail = (reason: HttpFailure['reason'], detail: string, { isSent = true, code = '' } = {}): void => {
        const problem = `${url.host} ${detail}`;
        settle({ type: 'failed', reason, problem, detail, isSent, status, code: code === '' ? undefined : code });
      };
      const onError = (error: NodeJS.ErrnoException): void => {
        const { code = '' } = error;
        const isSent = !NOT_SENT.has(code);
        const problem = isSent ? 'broke the connection' : 'cannot be reached';
        fail('network', `${problem} (${code === '' ? error.message : code})`, { isSent, code });
      };
      const cancel = this.#clock.schedule(timeAfter(this.#clock.now(), timeoutMs), () =>
        fail('timeout', `did not answer within ${timeoutMs} ms`),
      );
      try {
        request = this.#request(input);
      } catch (error) {
        // The URL or a header is invalid. Node's message names the header, but does not contain its value.
        onError(toError(error));
        return;
      }
      this.#running.add(request);
      request.on('error', onError);
      request.on('close', () => fail('network', 'ended the connection without an answer'));
      request.on('response', (response) => {
        status = response.statusCode ?? 0;
        response.on('error', onError);
        readAnswer(response, input, settle, fail);
      });
      request.end(input.body);
    });
  }

  /** Aborts running requests and closes all connections. */
  close(): void {
    for (const request of [...this.#running]) request.destroy(new Error('closed'));
    this.#http.destroy();
    this.#https.destroy();
  }

  #request({ url, body, headers, method, signal }: HttpRequest): ClientRequest {
    const bodyHeaders =
      body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const options = {
      maxHeaderSize: NETWORK_LIMITS.headerBytes,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: { accept: 'application/json', ...headers, 'accept-encoding': 'identity', ...bodyHeaders },
      ...(signal !== undefined && { signal }),
    };
    return url.protocol === 'https:'
      ? httpsRequest(url, { ...options, agent: this.#https })
      : httpRequest(url, { ...options, agent: this.#http });
  }
}

function readAnswer(
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
  const refuseLength = (): void =>
    fail('tooLong', `answered ${status} with more than ${maxBytes} bytes, which are not read`);
  if (Number(length) > maxBytes) {
    refuseLength();
    return;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxBytes) refuseLength();
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
  return status >= 300 && status <= 399;
}

/** Describes a redirect and its remedy. Shows the target's origin without its path. */
export function redirectText(status: number, location: string | undefined, from: URL): string {
  const target = location !== undefined && URL.canParse(location, from) ? new URL(location, from) : undefined;
  const targetText = target === undefined ? 'that names no target' : `to ${target.origin}`;
  return `answered ${status}, a redirect ${targetText}. Redirects are not followed, as credentials would go along: configure the final URL, if it is one you trust`;
}

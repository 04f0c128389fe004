/**
 * Injects faults between HTTP clients and the service, like those of proxies, load balancers and bad connections.
 *
 * A request's faults depend only on the seed and on the number of earlier requests. Requests to `/operator`, `/health`
 * and `/metrics` get no faults, so that operators can observe the effect.
 */
import { type IncomingMessage, type ServerResponse, request as send } from 'node:http';
import type { Clock, Random } from '../../clock/index.ts';
import { timeAfter } from '../../domain/index.ts';
import type { Log } from '../graphql/context.ts';
import type { ChaosSettings } from './settings.ts';

export interface HttpChaosOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly settings: ChaosSettings['http'];
  /** An unguessable text. A request with this text comes from this server and gets no faults. */
  readonly secret: string;
}

/** Faults in the order of their draws. Only the first drawn fault applies. */
const FAULTS = [
  'lost_request',
  'rate_limited',
  'bad_gateway',
  'unavailable',
  'html_body',
  'lost_answer',
  'duplicated_request',
] as const;

const SECRET_HEADER = 'x-halfspread-chaos';
const EXEMPT_PATH = /\/(operator|health|metrics)$/;
const ERROR_PAGE =
  '<!doctype html><html><head><title>Error</title></head><body><h1>Something went wrong</h1></body></html>\n';
const STATUS = { rate_limited: 429, bad_gateway: 502, unavailable: 503, html_body: 200 } as const;

/** Implements `HttpOptions.intercept`, which runs before the service. */
export class HttpChaos {
  readonly #options: HttpChaosOptions;
  readonly #releases = new Set<() => void>();
  #requestCount = 0;

  constructor(options: HttpChaosOptions) {
    this.#options = options;
  }

  /** Releases all delayed requests immediately. */
  close(): void {
    for (const release of [...this.#releases]) release();
  }

  readonly intercept = (request: IncomingMessage, response: ServerResponse, pass: () => void): void => {
    const { random, settings, secret, log } = this.#options;
    const [path = ''] = (request.url ?? '').split('?');
    if (request.headers[SECRET_HEADER] === secret || EXEMPT_PATH.test(path)) {
      pass();
      return;
    }
    this.#requestCount += 1;
    const requestRandom = random.fork(`http ${this.#requestCount}`);
    const delayMs = settings.latency_ms + requestRandom.int(settings.jitter_ms + 1);
    const fault = FAULTS.find((name) => requestRandom.uniform() < settings[name]);
    if (fault !== undefined) log.info({ fault, request: this.#requestCount }, 'chaos: injected a fault');
    this.#delay(delayMs, () => this.#applyFault(fault, request, response, pass));
  };

  #applyFault(
    fault: (typeof FAULTS)[number] | undefined,
    request: IncomingMessage,
    response: ServerResponse,
    pass: () => void,
  ): void {
    if (fault === 'lost_request') return void request.destroy();
    if (fault === 'lost_answer') loseAnswer(response);
    else if (fault === 'duplicated_request') this.#repeat(request, response);
    else if (fault !== undefined) {
      request.resume();
      const retryAfter = fault === 'rate_limited' ? { 'retry-after': '1' } : {};
      response.writeHead(STATUS[fault], { 'content-type': 'text/html; charset=utf-8', ...retryAfter }).end(ERROR_PAGE);
      return;
    }
    pass();
  }

  /** Sends the request again after its answer, like a proxy that missed the answer. */
  #repeat(request: IncomingMessage, response: ServerResponse): void {
    const { secret, log } = this.#options;
    const body: Buffer[] = [];
    request.on('data', (chunk: Buffer) => body.push(chunk));
    const { localAddress: host, localPort: port } = request.socket;
    response.once('finish', () => {
      const { method, url: path, headers } = request;
      if (host === undefined || port === undefined) return;
      const repeat = send({ host, port, method, path, headers: { ...headers, [SECRET_HEADER]: secret }, agent: false });
      repeat.on('response', (answer) => answer.resume());
      repeat.on('error', (error) => log.warn({ err: error }, 'chaos: a request could not be repeated'));
      repeat.end(Buffer.concat(body));
    });
  }

  #delay(ms: number, callback: () => void): void {
    if (ms === 0) {
      callback();
      return;
    }
    const { clock } = this.#options;
    const release = (): void => {
      this.#releases.delete(release);
      cancel();
      callback();
    };
    const cancel = clock.schedule(timeAfter(clock.now(), ms), release);
    this.#releases.add(release);
  }
}

/** Drops the answer. The service still executes the request. */
function loseAnswer(response: ServerResponse): void {
  response.write = () => true;
  response.end = () => {
    response.destroy();
    return response;
  };
}

/**
 * Faults between HTTP clients and the service, like those of proxies, load balancers and bad connections.
 *
 * The faults of a request depend only on the seed and on the number of requests before it. Requests to `/operator`,
 * `/health` and `/metrics` get no faults, so that the effect can be observed.
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
  /** Unguessable secret. A request that carries it comes from this server and gets no faults. */
  readonly secret: string;
}

/** Faults in drawing order; the first hit applies. */
const FAULTS = [
  'lost_request',
  'rate_limited',
  'bad_gateway',
  'unavailable',
  'html_body',
  'lost_answer',
  'duplicated_request',
] as const;
type HttpFault = (typeof FAULTS)[number];

const SECRET_HEADER = 'x-halfspread-chaos';
const EXEMPT_PATH = /\/(operator|health|metrics)$/;
const ERROR_PAGE =
  '<!doctype html><html><head><title>Error</title></head><body><h1>Something went wrong</h1></body></html>\n';
const STATUS = { rate_limited: 429, bad_gateway: 502, unavailable: 503, html_body: 200 } as const;

/** Implements `HttpOptions.intercept`, which runs before the service. */
export class HttpChaos {
  readonly #options: HttpChaosOptions;
  readonly #waiting = new Set<() => void>();
  #count = 0;

  constructor(options: HttpChaosOptions) {
    this.#options = options;
  }

  /** Lets delayed requests pass at once. */
  close(): void {
    for (const release of [...this.#waiting]) release();
  }

  readonly intercept = (request: IncomingMessage, response: ServerResponse, pass: () => void): void => {
    const { random, settings, secret, log } = this.#options;
    const [path = ''] = (request.url ?? '').split('?');
    if (request.headers[SECRET_HEADER] === secret || EXEMPT_PATH.test(path)) {
      pass();
      return;
    }
    this.#count += 1;
    const draws = random.fork(`http ${this.#count}`);
    const wait = settings.latency_ms + draws.int(settings.jitter_ms + 1);
    const fault = FAULTS.filter((name) => draws.uniform() < settings[name])[0];
    if (fault !== undefined) log.info({ fault, request: this.#count }, 'chaos: injected a fault');
    this.#after(wait, () => this.#applyFault(fault, request, response, pass));
  };

  #applyFault(
    fault: HttpFault | undefined,
    request: IncomingMessage,
    response: ServerResponse,
    pass: () => void,
  ): void {
    if (fault === 'lost_request') {
      request.destroy();
      return;
    }
    if (fault === 'lost_answer') loseAnswer(response);
    else if (fault === 'duplicated_request') this.#repeat(request, response);
    else if (fault !== undefined) {
      request.resume();
      const headers = {
        'content-type': 'text/html; charset=utf-8',
        ...(fault === 'rate_limited' ? { 'retry-after': '1' } : {}),
      };
      response.writeHead(STATUS[fault], headers).end(ERROR_PAGE);
      return;
    }
    pass();
  }

  /** Repeats a request after its answer, like a proxy that missed the answer. */
  #repeat(request: IncomingMessage, response: ServerResponse): void {
    const { secret, log } = this.#options;
    const body: Buffer[] = [];
    request.on('data', (chunk: Buffer) => body.push(chunk));
    const { localAddress: host, localPort: port } = request.socket;
    response.once('finish', () => {
      const { method, url: path, headers } = request;
      if (host === undefined || port === undefined) return;
      const again = send({ host, port, method, path, headers: { ...headers, [SECRET_HEADER]: secret }, agent: false });
      again.on('response', (answer) => answer.resume());
      again.on('error', (error) => log.warn({ err: error }, 'chaos: a request could not be repeated'));
      again.end(Buffer.concat(body));
    });
  }

  #after(ms: number, then: () => void): void {
    if (ms === 0) {
      then();
      return;
    }
    const { clock } = this.#options;
    const release = (): void => {
      this.#waiting.delete(release);
      cancel();
      then();
    };
    const cancel = clock.schedule(timeAfter(clock.now(), ms), release);
    this.#waiting.add(release);
  }
}

/** Drops the answer of a request that the service executes. */
function loseAnswer(response: ServerResponse): void {
  response.write = () => true;
  response.end = () => {
    response.destroy();
    return response;
  };
}

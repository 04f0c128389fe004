/**
 * Faults between HTTP clients and the service: what proxies, load balancers and bad lines do.
 *
 * The faults of a request depend only on the seed and on the number of requests before it. Requests of operators and
 * for health and metrics get no faults, so that the effect of the faults can be watched.
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
  /** A secret that cannot be guessed. A request that carries it comes from this server and gets no faults. */
  readonly secret: string;
}

/** In the order in which they are drawn; the first hit applies. */
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

const MARK = 'x-halfspread-chaos';
const SPARED = /\/(operator|health|metrics)$/;
const PAGE =
  '<!doctype html><html><head><title>Error</title></head><body><h1>Something went wrong</h1></body></html>\n';
const STATUS = { rate_limited: 429, bad_gateway: 502, unavailable: 503, html_body: 200 } as const;

/** Runs before the service: `HttpOptions.intercept`. */
export class HttpChaos {
  readonly #options: HttpChaosOptions;
  readonly #waiting = new Set<() => void>();
  #count = 0;

  constructor(options: HttpChaosOptions) {
    this.#options = options;
  }

  /** Cancels all timers; delayed requests pass. */
  close(): void {
    for (const now of [...this.#waiting]) now();
  }

  readonly intercept = (request: IncomingMessage, response: ServerResponse, pass: () => void): void => {
    const { random, settings, secret, log } = this.#options;
    const [path = ''] = (request.url ?? '').split('?');
    if (request.headers[MARK] === secret || SPARED.test(path)) {
      pass();
      return;
    }
    this.#count += 1;
    const draws = random.fork(`http ${this.#count}`);
    const wait = settings.latency_ms + draws.int(settings.jitter_ms + 1);
    const fault = FAULTS.filter((name) => draws.uniform() < settings[name])[0];
    if (fault !== undefined) log.info({ fault, request: this.#count }, 'chaos: a fault on purpose');
    this.#after(wait, () => this.#meet(fault, request, response, pass));
  };

  #meet(fault: HttpFault | undefined, request: IncomingMessage, response: ServerResponse, pass: () => void): void {
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
      response.writeHead(STATUS[fault], headers).end(PAGE);
      return;
    }
    pass();
  }

  /** Sends the same request again after the first answer, like a proxy that missed the answer. */
  #repeat(request: IncomingMessage, response: ServerResponse): void {
    const { secret, log } = this.#options;
    const body: Buffer[] = [];
    request.on('data', (chunk: Buffer) => body.push(chunk));
    const { localAddress: host, localPort: port } = request.socket;
    response.once('finish', () => {
      const { method, url: path, headers } = request;
      if (host === undefined || port === undefined) return;
      const again = send({ host, port, method, path, headers: { ...headers, [MARK]: secret }, agent: false });
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
    const now = (): void => {
      this.#waiting.delete(now);
      cancel();
      then();
    };
    const cancel = clock.schedule(timeAfter(clock.now(), ms), now);
    this.#waiting.add(now);
  }
}

/** The service executes the request; the client gets no answer. */
function loseAnswer(response: ServerResponse): void {
  response.write = () => true;
  response.end = () => {
    response.destroy();
    return response;
  };
}

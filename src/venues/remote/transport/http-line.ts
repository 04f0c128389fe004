/**
 * Requests over connections that are kept: node's own client, as `fetch` alone costs 80 us more a request.
 *
 * Nothing is tried again here: who asks knows what may be.
 */
import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Clock } from '../../../clock/index.ts';
import { timeAfter } from '../../../domain/index.ts';
import type { Lost } from './answer.ts';
import type { HttpAnswer } from './answer-codec.ts';
import type { Endpoint } from './endpoint.ts';

/** Longer answers are cut off: nothing that is asked for here comes near. */
const MOST_BYTES = 64 * 1024 * 1024;
/** Faults before a connection stood: no byte of the request has left. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL']);

export class HttpLine {
  readonly #endpoint: Endpoint;
  readonly #clock: Clock;
  readonly #agent: HttpAgent;
  readonly #request: typeof httpRequest;
  readonly #running = new Set<ClientRequest>();

  /** @param mostSockets requests that run at one time; more wait */
  constructor(endpoint: Endpoint, clock: Clock, mostSockets: number) {
    const secure = endpoint.http.protocol === 'https:';
    const options = { keepAlive: true, maxSockets: mostSockets, scheduling: 'lifo' } as const;
    this.#endpoint = endpoint;
    this.#clock = clock;
    this.#agent = secure ? new HttpsAgent(options) : new HttpAgent(options);
    this.#request = secure ? httpsRequest : httpRequest;
  }

  /** Posts JSON. Never rejects. @param timeoutMs to the last byte of the answer */
  post(body: string, headers: Readonly<Record<string, string>>, timeoutMs: number): Promise<HttpAnswer | Lost> {
    return new Promise((resolve) => {
      const request = this.#request(this.#endpoint.http, {
        method: 'POST',
        agent: this.#agent,
        headers: {
          accept: 'application/json',
          ...this.#endpoint.headers,
          ...headers,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        },
      });
      const cancel = this.#clock.schedule(timeAfter(this.#clock.now(), timeoutMs), () => {
        lost(`no answer of ${this.#endpoint.http.host} within ${timeoutMs} ms`, true);
        request.destroy();
      });
      const settle = (answer: HttpAnswer | Lost): void => {
        cancel();
        this.#running.delete(request);
        resolve(answer);
      };
      const lost = (problem: string, sent: boolean): void => settle({ type: 'lost', problem, sent });
      this.#running.add(request);
      request.on('error', (error: NodeJS.ErrnoException) => {
        lost(`${this.#endpoint.http.host}: ${error.message}`, !NOT_SENT.has(error.code ?? ''));
      });
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        let bytes = 0;
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          bytes += chunk.length;
          if (bytes > MOST_BYTES) request.destroy(new Error(`an answer of more than ${MOST_BYTES} bytes`));
        });
        response.on('error', (error) =>
          lost(`the answer of ${this.#endpoint.http.host} broke off: ${error.message}`, true),
        );
        response.on('end', () => {
          const after = Number(response.headers['retry-after']);
          settle({
            status: response.statusCode ?? 0,
            text: Buffer.concat(chunks, bytes).toString('utf8'),
            retryAfterMs: Number.isFinite(after) ? after * 1_000 : undefined,
          });
        });
      });
      request.end(body);
    });
  }

  /** Cuts off what runs. */
  close(): void {
    for (const request of [...this.#running]) request.destroy(new Error('closed'));
    this.#agent.destroy();
  }
}

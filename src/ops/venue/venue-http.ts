/**
 * A minimal GraphQL client over HTTP, for code that must work independently of the bot: watchdog, doctor, kill switch,
 * `--venue`. The bot itself uses `venues/service`.
 */
import { z } from 'zod';
import { type Clock, sleep } from '../../clock/index.ts';
import { Fault, InputFault } from '../../domain/index.ts';
import { type HttpAnswer, HttpClient, type HttpRequest, shortLine, tryParseJson } from '../../network/index.ts';
import type { Operation } from '../../protocol/index.ts';

export interface VenueHttpOptions {
  /** Base URL of the venue or its GraphQL URL. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Default 5,000. */
  readonly timeoutMs?: number;
  /** Returns the text of an operation. Default: the API's text. */
  readonly getText?: (operation: UncheckedOperation) => string;
}

/** An operation whose answer the caller validates. */
export type UncheckedOperation = Operation<unknown, never>;
const GRAPHQL = '/graphql';
const NO_URL = { protocol: '', username: '', password: '' };
const RETRY_WAITS_MS = [200, 1_000] as const;

export class VenueHttp {
  /** Without trailing slash. */
  readonly baseUrl: string;
  readonly graphqlUrl: string;
  readonly #options: VenueHttpOptions;
  /** Opens a connection for each request, because an old connection may be dead and mutations are not repeated. */
  readonly #client: HttpClient;
  #token: string | undefined;

  /** @throws InputFault for an invalid URL */
  constructor(options: VenueHttpOptions) {
    const { url } = options;
    const { protocol, username, password } = URL.canParse(url) ? new URL(url) : NO_URL;
    if (!/^https?:$/.test(protocol)) {
      throw new InputFault('venue.url', url, 'a URL that begins with http:// or https://');
    }
    if (username !== '' || password !== '') {
      throw new InputFault('venue.url', `${protocol}//…@…`, 'a URL without user and password in it');
    }
    const trimmed = url.replace(/\/+$/, '');
    this.baseUrl = trimmed.endsWith(GRAPHQL) ? trimmed.slice(0, -GRAPHQL.length) : trimmed;
    this.graphqlUrl = `${this.baseUrl}${GRAPHQL}`;
    this.#options = options;
    this.#client = new HttpClient({ clock: options.clock });
  }

  setToken(token: string | undefined): void {
    this.#token = token;
  }

  withToken(token: string): VenueHttp {
    const other = new VenueHttp(this.#options);
    other.setToken(token);
    return other;
  }

  /**
   * Repeats a query without an answer up to twice, but not a mutation, which the venue may have executed.
   * @returns the unvalidated value of the operation's field
   * @throws Fault VENUE for a refusal, BLOCKED if the answer is not GraphQL, LINK for no answer or a server error
   */
  request(operation: UncheckedOperation, variables: object = {}): Promise<unknown> {
    const sendOnce = (): Promise<unknown> => this.requestOnce(operation, variables);
    return operation.kind === 'query' ? this.withRetries(sendOnce) : sendOnce();
  }

  /** Sends an operation like `request`, but never repeats it. */
  async requestOnce(operation: UncheckedOperation, variables: object = {}): Promise<unknown> {
    const data = await this.data(this.#options.getText?.(operation) ?? operation.text, variables);
    return Reflect.get(data, operation.field);
  }

  /** Returns this machine's time, epoch ms. */
  now(): number {
    return this.#options.clock.now();
  }

  /** Repeats an idempotent action up to twice if no answer arrives. */
  async withRetries<T>(action: () => Promise<T>): Promise<T> {
    const { clock } = this.#options;
    for (const waitMs of RETRY_WAITS_MS) {
      try {
        return await action();
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'LINK') throw error;
        await sleep(clock, waitMs);
      }
    }
    return action();
  }

  /** Sends a document and returns the `data` of the answer. @throws Fault as `request` */
  async data(query: string, variables: object = {}): Promise<object> {
    const headers = this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` };
    const answer = await this.#send(this.graphqlUrl, { headers, body: JSON.stringify({ query, variables }) });
    const body = parseBody(answer, this.graphqlUrl);
    const [error] = body.errors ?? [];
    if (error !== undefined) {
      const path = error.path ?? [];
      const pathText = path.length === 0 ? '' : ` (${path.join('.')})`;
      throw new Fault('VENUE', `the venue refused: ${error.message}${pathText}${remedyFor(error.message)}`);
    }
    if (body.data === undefined || body.data === null) throw new Fault('VENUE', `${this.graphqlUrl} sent no data`);
    return body.data;
  }

  /** Requests a path below the base URL, such as `/health`. @throws Fault LINK, BLOCKED */
  get(path: string): Promise<HttpAnswer> {
    return this.#send(`${this.baseUrl}${path}`, {});
  }

  async #send(url: string, request: Pick<HttpRequest, 'headers' | 'body'>): Promise<HttpAnswer> {
    const { headers, timeoutMs = 5_000 } = this.#options;
    const allHeaders = { ...headers, ...request.headers };
    const result = await this.#client.send({ timeoutMs, ...request, url: new URL(url), headers: allHeaders });
    if (result.type === 'answer') return result;
    const { reason, detail } = result;
    if (reason === 'timeout' || reason === 'network') throw linkFault(`${url} ${detail}`);
    throw new Fault('BLOCKED', `${url} ${detail}. Check venue.url`);
  }
}

/** A key, or an index of a list. */
const pathStepSchema = z.union([z.string(), z.number()]);
const bodySchema = z
  .object({
    data: z.record(z.string(), z.unknown()).nullable().optional(),
    errors: z
      .array(z.object({ message: z.string().default('no message'), path: z.array(pathStepSchema).nullish() }))
      .optional(),
  })
  .refine(({ data, errors }) => data !== undefined || errors !== undefined);

/** @throws Fault BLOCKED for an answer that is not GraphQL, LINK for a server error */
function parseBody({ status, text }: HttpAnswer, url: string): z.output<typeof bodySchema> {
  if (status >= 500 || status === 429) throw linkFault(`${url} answered ${status}${excerptText(text)}`);
  const body = bodySchema.safeParse(tryParseJson(text)).data;
  if (body !== undefined && (status === 200 || body.errors !== undefined)) return body;
  const kind = /^\s*<(!doctype|html)/i.test(text) ? 'an HTML page' : text.trim() === '' ? 'an empty body' : 'a body';
  const problem = `${url} answered ${status} with ${kind} that is not a GraphQL answer${excerptText(text)}. Check venue.url; a login page, a firewall or a country block may be in between`;
  throw new Fault('BLOCKED', problem);
}

function excerptText(text: string): string {
  const line = shortLine(text);
  return line === '' ? '' : `: ${line}`;
}

function remedyFor(message: string): string {
  if (message === 'UNAUTHORIZED') return '. The credentials are missing, wrong or expired: check `account`';
  if (message.startsWith('forbidden')) return '. Use a key with that scope';
  return '';
}

function linkFault(problem: string): Fault {
  return new Fault('LINK', `${problem}. Check venue.url, the network, and that the venue runs`, { retryable: true });
}

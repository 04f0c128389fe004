/**
 * Reads parts of files at URLs, by range requests.
 *
 * Invariants: no more is read than was asked for; a redirect is not followed, as it could lead anywhere; what broke off is
 * asked for again, after a growing pause; a URL is shown without its query, which may hold a signature.
 */
import { type Clock, sleep } from '../../clock/index.ts';
import { FileFault } from '../../domain/index.ts';
import { type HttpAnswer, HttpClient, type HttpFailure } from '../../network/index.ts';
import { type S3Settings, s3Request } from './s3.ts';

const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
const TIMEOUT_MS = 60_000;
const PARTIAL_CONTENT = 206;
const RANGE_NOT_SATISFIABLE = 416;
/** Too many requests, and faults of the server: it may answer when it is asked again. */
const TRY_AGAIN: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
const REFUSED: ReadonlySet<number> = new Set([401, 403]);
const MISSING = 404;

export interface RemotePart {
  readonly bytes: Buffer;
  /** Of the whole file. */
  readonly total: number;
}

export interface RemoteReaderOptions {
  readonly clock: Clock;
  readonly s3: S3Settings;
  readonly signal?: AbortSignal | undefined;
}

export class RemoteReader {
  readonly #options: RemoteReaderOptions;
  readonly #http: HttpClient;

  constructor(options: RemoteReaderOptions) {
    this.#options = options;
    this.#http = new HttpClient({ clock: options.clock, keepAlive: true });
  }

  /**
   * @param count bytes from `from` on; fewer where the file ends before
   * @throws FileFault when it cannot be read, the file does not reach to `from`, or the answer is not the part that was asked for
   */
  async read(url: URL, from: number, count: number): Promise<RemotePart> {
    let pause = FIRST_PAUSE_MS;
    for (let attempt = 1; ; attempt += 1) {
      this.#options.signal?.throwIfAborted();
      const result = await this.#ask(url, from, count);
      const part = result.type === 'answer' ? partOf(url, result, from, count) : undefined;
      if (part !== undefined) return part;
      const { problem, wait } = retryOf(url, result);
      if (attempt === ATTEMPTS) {
        throw new FileFault(
          shownUrl(url),
          undefined,
          `${problem}, ${ATTEMPTS} times`,
          'Check the server, and run it again: what was downloaded is kept',
        );
      }
      await sleep(this.#options.clock, Math.max(pause, wait));
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  }

  close(): void {
    this.#http.close();
  }

  async #ask(url: URL, from: number, count: number): Promise<HttpAnswer | HttpFailure> {
    const headers = { accept: '*/*', range: `bytes=${from}-${from + count - 1}` };
    const request = url.protocol === 's3:' ? await s3Request(url, headers, this.#options.s3) : { url, headers };
    return this.#http.send({ ...request, timeoutMs: TIMEOUT_MS, maxBytes: count });
  }
}

/** A URL as messages show it. */
export function shownUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

/** Undefined where the server may answer when it is asked again. @throws FileFault for an answer that is final */
function partOf(
  url: URL,
  { status, body, contentRange }: HttpAnswer,
  from: number,
  count: number,
): RemotePart | undefined {
  if (TRY_AGAIN.has(status)) return undefined;
  if (status !== PARTIAL_CONTENT) throw new FileFault(shownUrl(url), undefined, ...statusProblem(status));
  const [, first, last, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(contentRange ?? '') ?? [];
  const expected = Math.min(from + count, Number(total)) - from;
  const isAsked = Number(first) === from && Number(last) === from + expected - 1 && body.length === expected;
  if (isAsked) return { bytes: body, total: Number(total) };
  const problem = `asked for ${count} bytes from byte ${from}, the server sent ${body.length} bytes as "${(contentRange ?? 'no range').slice(0, 60)}"`;
  throw new FileFault(
    shownUrl(url),
    undefined,
    problem,
    'Check that the server has range requests as RFC 9110 has them',
  );
}

function statusProblem(status: number): readonly [problem: string, remedy: string] {
  const problem = `the server answered ${status}`;
  if (status === 200) return [`${problem} with the whole file`, 'Use a server that answers range requests'];
  if (status === MISSING) return [`${problem}: there is no such file`, 'Check the URL'];
  if (status === RANGE_NOT_SATISFIABLE) return [`${problem}: the file is shorter`, 'Check that it was uploaded whole'];
  if (REFUSED.has(status)) {
    const remedy =
      'Check the rights; for a bucket, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the region in remote_tapes';
    return [`${problem}: it may not be read`, remedy];
  }
  return [problem, 'Check the URL'];
}

/** @throws FileFault for a failure that stays */
function retryOf(url: URL, result: HttpAnswer | HttpFailure): { readonly problem: string; readonly wait: number } {
  if (result.type === 'answer') {
    return {
      problem: `the server answered ${result.status}`,
      wait: Math.min(result.retryAfterMs ?? 0, LONGEST_PAUSE_MS),
    };
  }
  if (result.reason === 'network' || result.reason === 'timeout') return { problem: result.detail, wait: 0 };
  throw new FileFault(shownUrl(url), undefined, `the server ${result.detail}`, 'Check the server');
}

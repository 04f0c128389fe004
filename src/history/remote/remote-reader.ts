/**
 * Reads parts of files at URLs, by range requests.
 *
 * Invariants: the reader reads no more bytes than requested. It follows no redirect, which could lead to any server. It
 * repeats an interrupted request after a growing pause. It shows URLs without their query, which may contain a
 * signature.
 */
import { type Clock, sleep } from '../../clock/index.ts';
import { FileFault } from '../../domain/index.ts';
import { type HttpAnswer, HttpClient, type HttpFailure } from '../../network/index.ts';
import { makeS3Request, type S3Settings } from './s3.ts';

const ATTEMPTS = 6;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 30_000;
const TIMEOUT_MS = 60_000;
/** Rate limits and server errors: a later request may succeed. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

export interface RemotePart {
  readonly bytes: Buffer;
  /** Size of the whole file in bytes. */
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
   * Reads at most `count` bytes from offset `from`.
   * @throws FileFault for an unreadable file or an unrequested part
   * @throws the reason of the signal, as soon as it aborts
   */
  async read(url: URL, from: number, count: number): Promise<RemotePart> {
    const { clock, signal } = this.#options;
    let pauseMs = FIRST_PAUSE_MS;
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      const result = await this.#request(url, from, count);
      signal?.throwIfAborted();
      const part = result.type === 'answer' ? parsePart(url, result, from, count) : undefined;
      if (part !== undefined) return part;
      const { problem, waitMs } = describeRetry(url, result);
      if (attempt === ATTEMPTS) {
        const remedy = 'Check the server, and run it again: the download continues';
        throw new FileFault(redactUrl(url), undefined, `${problem}, ${ATTEMPTS} times`, remedy);
      }
      await sleep(clock, Math.max(pauseMs, waitMs), signal);
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    }
  }

  close(): void {
    this.#http.close();
  }

  async #request(url: URL, from: number, count: number): Promise<HttpAnswer | HttpFailure> {
    const { s3, signal } = this.#options;
    const headers = { accept: '*/*', range: `bytes=${from}-${from + count - 1}` };
    const request = url.protocol === 's3:' ? await makeS3Request(url, headers, s3) : { url, headers };
    return this.#http.send({ ...request, timeoutMs: TIMEOUT_MS, maxBytes: count, signal });
  }
}

/** Returns a URL without its query, for messages. */
export function redactUrl({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

/** Returns the part, or undefined if a retry may succeed. @throws FileFault for any other response */
function parsePart(
  url: URL,
  { status, body, contentRange }: HttpAnswer,
  from: number,
  count: number,
): RemotePart | undefined {
  if (RETRYABLE.has(status)) return undefined;
  if (status !== 206) throw new FileFault(redactUrl(url), undefined, ...describeStatus(status));
  const [, first, last, total] = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(contentRange ?? '') ?? [];
  const expected = Math.min(from + count, Number(total)) - from;
  const isRequested = Number(first) === from && Number(last) === from + expected - 1 && body.length === expected;
  if (isRequested) return { bytes: body, total: Number(total) };
  const problem = `requested ${count} bytes from byte ${from}, the server sent ${body.length} bytes as "${(contentRange ?? 'no range').slice(0, 60)}"`;
  const remedy = 'Check that the server supports range requests as in RFC 9110';
  throw new FileFault(redactUrl(url), undefined, problem, remedy);
}

function describeStatus(status: number): readonly [problem: string, remedy: string] {
  const problem = `the server answered ${status}`;
  if (status === 200) return [`${problem} with the whole file`, 'Use a server that answers range requests'];
  if (status === 404) return [`${problem}: there is no such file`, 'Check the URL'];
  if (status === 416) return [`${problem}: the file is shorter`, 'Check that the upload was complete'];
  if (status === 401 || status === 403) {
    const remedy =
      'Check the permissions; for a bucket, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the region in remote_tapes';
    return [`${problem}: access is denied`, remedy];
  }
  return [problem, 'Check the URL'];
}

/** Returns the reason for a retry and the minimum pause. @throws FileFault for a permanent failure */
function describeRetry(
  url: URL,
  result: HttpAnswer | HttpFailure,
): { readonly problem: string; readonly waitMs: number } {
  if (result.type === 'answer') {
    const waitMs = Math.min(result.retryAfterMs ?? 0, MAX_PAUSE_MS);
    return { problem: `the server answered ${result.status}`, waitMs };
  }
  if (result.reason === 'network' || result.reason === 'timeout') return { problem: result.detail, waitMs: 0 };
  throw new FileFault(redactUrl(url), undefined, `the server ${result.detail}`, 'Check the server');
}

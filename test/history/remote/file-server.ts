/** A file server with range requests whose responses a test can replace. */
import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

export interface FileServer {
  readonly url: string;
  /** Contents by path, such as `/folder/a.tape`. */
  readonly files: Map<string, Buffer>;
  /** `path first-last` of each request. */
  readonly requests: string[];
  /** Bytes of files that were sent. */
  sent: number;
  /** @returns true if it has sent the response */
  intercept: (request: IncomingMessage, response: ServerResponse) => boolean;
}

export async function fileServer(): Promise<FileServer> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://host').pathname);
    const [, first = '0', last = '0'] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    served.requests.push(`${path} ${first}-${last}`);
    if (served.intercept(request, response)) return;
    const file = served.files.get(path);
    if (file === undefined) {
      response.writeHead(404).end('not here');
      return;
    }
    const part = file.subarray(Number(first), Number(last) + 1);
    served.sent += part.length;
    const range = `bytes ${first}-${Number(first) + part.length - 1}/${file.length}`;
    response.writeHead(206, { 'content-range': range, 'content-length': part.length }).end(part);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const served: FileServer = {
    url: `http://127.0.0.1:${port}`,
    files: new Map(),
    requests: [],
    sent: 0,
    intercept: () => false,
  };
  return served;
}

/**
 * Returns true if a GET request is signed with this secret, by AWS Signature Version 4 as its documentation describes
 * it ("Authenticating Requests: Using the Authorization Header", Amazon S3 API reference).
 */
export function isSigned(request: IncomingMessage, secret: string): boolean {
  const { authorization = '', 'x-amz-date': date = '', 'x-amz-content-sha256': body = '' } = request.headers;
  const [, scope = '', names = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      authorization,
    ) ?? [];
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const canonical = ['GET', request.url, '', headers.join(''), names, body].join('\n');
  const text = ['AWS4-HMAC-SHA256', date, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
  const key = scope
    .split('/')
    .reduce<Buffer>((own, part) => createHmac('sha256', own).update(part).digest(), Buffer.from(`AWS4${secret}`));
  return createHmac('sha256', key).update(text).digest('hex') === signature;
}

/** A connection between a client and a venue that loses, repeats, cuts and replaces by rule; all else passes unchanged. */
import { createServer, type IncomingMessage, type Server, type ServerResponse, request as send } from 'node:http';
import { type RawData, WebSocket, WebSocketServer } from 'ws';

/** What happens to a message that fits; `up` is what the client sends, `down` what the venue sends. */
export interface Rule {
  readonly direction: 'up' | 'down';
  /** Found in the text of a frame, of a request's body, or of an answer's. */
  readonly match: string | RegExp;
  /**
   * `drop` it never comes; `cut` the connection ends instead of it; `passAndCut` it comes, then the connection ends; `twice`;
   * `page` (of requests over HTTP) something that is no venue answers; `late` (of frames up) the connection ends, and it comes
   * all the same, with `release`; `rewrite` (of frames and answers) it passes with another text; `redirect` (of requests over HTTP)
   * the answer is a 307 to `location`; `endless` (of requests over HTTP) the answer's body never ends.
   */
  readonly fault: 'drop' | 'cut' | 'passAndCut' | 'twice' | 'page' | 'late' | 'rewrite' | 'redirect' | 'endless';
  /** How often; default once. */
  times?: number;
  /** It passes with this text instead; `fault` is `rewrite`. */
  readonly to?: (text: string) => string;
  /** Where a `redirect` points to. */
  readonly location?: string;
}

const PAGE = '<!doctype html><html><body><h1>Bad gateway</h1></body></html>';

export class FaultyProxy {
  #target: URL;
  readonly #http: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'graphql-transport-ws' });
  readonly #pairs = new Set<readonly [WebSocket, WebSocket]>();
  /** Connections to the venue that outlive their client, with what is still to come over them. */
  readonly #late = new Map<WebSocket, string[]>();
  #rules: Rule[] = [];
  /** New WebSockets are refused. */
  isClosedForSockets = false;
  /** What answers in place of the venue. */
  page = { status: 502, text: PAGE };
  /** The last `Authorization` over HTTP. */
  authorization: string | undefined;
  /** Whatever is met, in words. */
  readonly met: string[] = [];
  /** Hears what the client sends, whatever becomes of it, and what reaches the client over a socket. */
  received: (direction: Rule['direction'], text: string) => void = () => {};

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#http = createServer((request, response) => this.#request(request, response));
    this.#http.on('upgrade', (request, socket, head) => {
      if (this.isClosedForSockets) {
        socket.destroy();
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (client) => this.#join(client, request));
    });
  }

  static async open(target: string): Promise<FaultyProxy> {
    const line = new FaultyProxy(target);
    await new Promise<void>((resolve) => void line.#http.listen(0, '127.0.0.1', resolve));
    return line;
  }

  get url(): string {
    const address = this.#http.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  /** From now on another venue answers; WebSockets that are open are cut. @param target its URL */
  changeVenue(target: string): void {
    this.#target = new URL(target);
    this.cutSockets();
  }

  rule(rule: Rule): void {
    this.#rules.push(rule);
  }

  /** Nothing more goes wrong; what is late comes now. */
  heal(): void {
    this.#rules = [];
    this.isClosedForSockets = false;
    this.release();
  }

  /** What is late comes now. */
  release(): void {
    for (const [venue, texts] of this.#late) {
      for (const text of texts) venue.send(text);
      venue.close();
    }
    this.#late.clear();
  }

  /** Every WebSocket is cut now. */
  cutSockets(): void {
    for (const [client] of this.#pairs) client.terminate();
  }

  async close(): Promise<void> {
    if (!this.#http.listening) return;
    this.cutSockets();
    for (const venue of this.#late.keys()) venue.terminate();
    this.#sockets.close();
    this.#http.closeAllConnections();
    await new Promise((resolve) => void this.#http.close(resolve));
  }

  #rule(direction: Rule['direction'], text: string): Rule | undefined {
    const rule = this.#rules.find(
      (each) =>
        each.direction === direction &&
        (typeof each.match === 'string' ? text.includes(each.match) : each.match.test(text)),
    );
    if (rule === undefined) return undefined;
    this.met.push(`${rule.direction} ${rule.fault}`);
    rule.times = (rule.times ?? 1) - 1;
    if (rule.times === 0) this.#rules = this.#rules.filter((each) => each !== rule);
    return rule;
  }

  #join(client: WebSocket, { headers, url = '/' }: IncomingMessage): void {
    const target = new URL(url, this.#target);
    target.protocol = 'ws:';
    const { authorization } = headers;
    const venue = new WebSocket(target, 'graphql-transport-ws', {
      headers: authorization === undefined ? {} : { authorization },
    });
    const pair = [client, venue] as const;
    this.#pairs.add(pair);
    const waiting: string[] = [];
    const up = (text: string): void => {
      if (venue.readyState === WebSocket.OPEN) venue.send(text);
      else waiting.push(text);
    };
    venue.on('open', () => {
      for (const text of waiting.splice(0)) venue.send(text);
    });
    client.on('message', (data) => this.#pass('up', textOf(data), up, pair));
    venue.on('message', (data) => this.#pass('down', textOf(data), (text) => client.send(text), pair));
    const end = (): void => {
      this.#pairs.delete(pair);
      client.terminate();
      // What was handed to the venue's socket before is still written.
      if (!this.#late.has(venue)) venue.close();
    };
    client.on('close', end);
    venue.on('close', end);
    client.on('error', end);
    venue.on('error', end);
  }

  #pass(
    direction: Rule['direction'],
    text: string,
    pass: (text: string) => void,
    [client, venue]: readonly [WebSocket, WebSocket],
  ): void {
    const rule = this.#rule(direction, text);
    const fault = rule?.fault;
    if (direction === 'up' || fault === undefined || fault === 'twice' || fault === 'passAndCut') {
      this.received(direction, text);
    }
    if (fault === undefined || fault === 'passAndCut' || fault === 'twice') pass(text);
    if (fault === 'rewrite') pass(rule?.to?.(text) ?? text);
    if (fault === 'twice') pass(text);
    if (fault === 'late') this.#late.set(venue, [...(this.#late.get(venue) ?? []), text]);
    if (fault === 'cut' || fault === 'passAndCut' || fault === 'late') client.terminate();
  }

  async #request(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await read(request);
    this.authorization = request.headers.authorization ?? this.authorization;
    this.received('up', body);
    const rule = this.#rule('up', body);
    const fault = rule?.fault;
    if (fault === 'redirect') {
      response.writeHead(307, { location: `${rule?.location}${request.url}` }).end();
      return;
    }
    if (fault === 'endless') {
      response.writeHead(200, { 'content-type': 'application/json' });
      writeForEver(response);
      return;
    }
    if (fault === 'cut' || fault === 'drop') {
      request.socket.destroy();
      return;
    }
    if (fault === 'page') {
      response.writeHead(this.page.status, { 'content-type': 'text/html' }).end(this.page.text);
      return;
    }
    const again = fault === 'twice' ? 2 : 1;
    for (let count = 1; count <= again; count += 1) {
      const { status, headers, text } = await this.#forward(request, body);
      if (count < again) continue;
      const answerRule = this.#rule('down', text);
      if (fault === 'passAndCut' || answerRule?.fault === 'cut' || answerRule?.fault === 'drop')
        request.socket.destroy();
      else response.writeHead(status, headers).end(answerRule?.to?.(text) ?? text);
    }
  }

  #forward({ method, url = '/', headers }: IncomingMessage, body: string) {
    const { host: _, connection: __, ...rest } = headers;
    return new Promise<{ status: number; headers: Record<string, string>; text: string }>((resolve) => {
      const failed = (): void => resolve({ status: 502, headers: { 'content-type': 'text/html' }, text: PAGE });
      const forward = send(new URL(url, this.#target), { method, headers: rest, agent: false }, (answer) => {
        read(answer).then((text) => {
          const type = answer.headers['content-type'] ?? 'text/plain';
          resolve({ status: answer.statusCode ?? 502, headers: { 'content-type': type }, text });
        }, failed);
      });
      forward.on('error', failed);
      forward.end(body);
    });
  }
}

/** Spaces before a JSON value that never comes, as fast as they are read, until the client hangs up. */
function writeForEver(response: ServerResponse): void {
  const piece = Buffer.alloc(65_536, ' ');
  const write = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', write);
  write();
}

async function read(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function textOf(data: RawData): string {
  return data.toString();
}

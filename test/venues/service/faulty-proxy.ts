/** A proxy between client and venue that drops, repeats, delays and rewrites messages by rule and passes the rest. */
import { createServer, type IncomingMessage, type Server, type ServerResponse, request as send } from 'node:http';
import { type RawData, WebSocket, WebSocketServer } from 'ws';

/** A fault for messages that match. `up` is from the client to the venue, `down` from the venue to the client. */
export interface Rule {
  readonly direction: 'up' | 'down';
  /** Searched in the text of a frame, a request's body or an answer's body. */
  readonly match: string | RegExp;
  /**
   * `drop`: the message is lost; `cut`: it is lost and the connection ends; `passAndCut`: it passes, then the
   * connection ends; `twice`: it passes twice; `late` (frames up): the connection ends, and `release` sends the
   * message; `rewrite` (frames and answers): it passes with another text. HTTP requests alone: `page`: `page` answers
   * instead of the venue; `redirect`: the answer is a 307 to `location`; `endless`: the answer's body never ends.
   */
  readonly fault: 'drop' | 'cut' | 'passAndCut' | 'twice' | 'page' | 'late' | 'rewrite' | 'redirect' | 'endless';
  /** Number of messages to which the rule applies. Default 1. */
  times?: number;
  /** Returns the text of a `rewrite`. */
  readonly to?: (text: string) => string;
  /** Origin that a `redirect` points to. */
  readonly location?: string;
}

const PAGE = '<!doctype html><html><body><h1>Bad gateway</h1></body></html>';

export class FaultyProxy {
  #target: URL;
  readonly #http: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, handleProtocols: () => 'graphql-transport-ws' });
  readonly #pairs = new Set<readonly [WebSocket, WebSocket]>();
  /** Connections to the venue that outlive their client, with their `late` messages. */
  readonly #late = new Map<WebSocket, string[]>();
  #rules: Rule[] = [];
  /** New WebSockets are refused. */
  refusesSockets = false;
  /** Statuses of HTTP with which new WebSockets are refused, in order. */
  refusals: number[] = [];
  /** Answer of the fault `page`. */
  page = { status: 502, text: PAGE };
  /** The last `Authorization` header over HTTP. */
  authorization: string | undefined;
  /** The faults that were applied, as direction and fault. */
  readonly applied: string[] = [];
  /** Called with each message of the client, before any fault, and with each frame that reaches the client. */
  onMessage: (direction: Rule['direction'], text: string) => void = () => {};

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#http = createServer((request, response) => this.#request(request, response));
    this.#http.on('upgrade', (request, socket, head) => {
      if (this.refusesSockets) {
        socket.destroy();
        return;
      }
      const status = this.refusals.shift();
      if (status !== undefined) {
        // The client may have gone, and this socket has no other listener.
        socket.on('error', () => {});
        socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, (client) => this.#join(client, request));
    });
  }

  static async open(target: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target);
    await new Promise<void>((resolve) => void proxy.#http.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    const address = this.#http.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  /** Forwards to another venue from now on and cuts all WebSockets. @param target its URL */
  changeVenue(target: string): void {
    this.#target = new URL(target);
    this.cutSockets();
  }

  rule(rule: Rule): void {
    this.#rules.push(rule);
  }

  /** Removes all rules and sends the late messages. */
  heal(): void {
    this.#rules = [];
    this.refusesSockets = false;
    this.release();
  }

  /** Sends the late messages. */
  release(): void {
    for (const [venue, texts] of this.#late) {
      for (const text of texts) venue.send(text);
      venue.close();
    }
    this.#late.clear();
  }

  /** Cuts every WebSocket. */
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

  #applyRule(direction: Rule['direction'], text: string): Rule | undefined {
    const rule = this.#rules.find(
      (each) =>
        each.direction === direction &&
        (typeof each.match === 'string' ? text.includes(each.match) : each.match.test(text)),
    );
    if (rule === undefined) return undefined;
    this.applied.push(`${rule.direction} ${rule.fault}`);
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
      // `close`, unlike `terminate`, still writes the messages that were passed before.
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
    const rule = this.#applyRule(direction, text);
    const fault = rule?.fault;
    if (direction === 'up' || fault === undefined || fault === 'twice' || fault === 'passAndCut') {
      this.onMessage(direction, text);
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
    this.onMessage('up', body);
    const rule = this.#applyRule('up', body);
    const fault = rule?.fault;
    if (fault === 'redirect') {
      response.writeHead(307, { location: `${rule?.location}${request.url}` }).end();
      return;
    }
    if (fault === 'endless') {
      response.writeHead(200, { 'content-type': 'application/json' });
      writeForever(response);
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
    const repeats = fault === 'twice' ? 2 : 1;
    for (let count = 1; count <= repeats; count += 1) {
      const { status, headers, text } = await this.#forward(request, body);
      if (count < repeats) continue;
      const answerRule = this.#applyRule('down', text);
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

/** Writes spaces until the client disconnects. */
function writeForever(response: ServerResponse): void {
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

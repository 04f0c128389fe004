/** A fake of Telegram's Bot API on a real socket. It keeps updates until they are confirmed, as the real one does. */
import { createServer, type ServerResponse } from 'node:http';
import { vi } from 'vitest';
import { listenOn } from '../../../src/network/index.ts';
import { afterThisTest } from '../../cleanup.ts';

export const TOKEN = '123456789:AAtestTokenOfABot';

export interface SentMessage {
  readonly chat: string;
  readonly text: string;
}

interface WaitingPoll {
  readonly offset: number;
  readonly response: ServerResponse;
}

export class FakeTelegram {
  readonly sent: SentMessage[] = [];
  /** Offsets of the requests for updates. */
  readonly offsets: number[] = [];
  /** Answers a request in place of the server; false leaves it to the server. */
  intercept: (method: string, response: ServerResponse) => boolean = () => false;
  #updates: { readonly update_id: number }[] = [];
  #next = 1_000;
  #waiting: WaitingPoll | undefined;
  #port = 0;

  static async open(): Promise<FakeTelegram> {
    const fake = new FakeTelegram();
    const server = createServer((request, response) => {
      let text = '';
      request.on('data', (piece) => {
        text += piece;
      });
      request.on('end', () => fake.#handle(request.url ?? '', text === '' ? {} : JSON.parse(text), response));
    });
    fake.#port = await listenOn(server, 0, '127.0.0.1', 'port');
    afterThisTest.add(() => {
      server.closeAllConnections();
      server.close();
    });
    return fake;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get botUrl(): string {
    return `${this.baseUrl}/bot${TOKEN}`;
  }

  /** Sends a message to the bot. */
  receive(text: string, { chat = 42, sender = 42, ageMs = 0 } = {}): void {
    const date = Math.floor((Date.now() - ageMs) / 1_000);
    this.push({ message: { message_id: 1, date, text, chat: { id: chat, type: 'private' }, from: { id: sender } } });
  }

  push(update: object): void {
    this.#updates.push({ ...update, update_id: this.#next });
    this.#next += 1;
    this.#deliver();
  }

  /** The text of an answer of the bot. @param at its index, from 0 */
  async answer(at: number): Promise<string> {
    return vi.waitFor(() => this.sent[at]?.text ?? Promise.reject(new Error(`no answer ${at}`)), { timeout: 60_000 });
  }

  /** The code in a prompt. */
  static codeIn(prompt: string): string {
    return /: (\d{4})$/.exec(prompt)?.[1] ?? '';
  }

  #handle(path: string, body: Readonly<Record<string, unknown>>, response: ServerResponse): void {
    const method = path.replace(`/bot${TOKEN}/`, '');
    if (this.intercept(method, response)) return;
    if (method === 'getUpdates') {
      const offset = Number(body['offset']);
      this.offsets.push(offset);
      const from = offset < 0 ? this.#next + offset : offset;
      this.#updates = this.#updates.filter(({ update_id: id }) => id >= from);
      this.#waiting = { offset, response };
      if (offset < 0 || this.#updates.length > 0) this.#deliver();
    } else if (method === 'sendMessage') {
      this.sent.push({ chat: String(body['chat_id']), text: String(body['text']) });
      response.end('{"ok":true,"result":{}}');
    } else response.writeHead(404).end('{"ok":false,"description":"Not Found"}');
  }

  #deliver(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.response.end(JSON.stringify({ ok: true, result: this.#updates }));
  }
}

/** Receives and sends messages through Telegram's Bot API. Results never contain the URL, which includes the token. */
import { z } from 'zod';
import type { Clock } from '../../clock/index.ts';
import { getMember, HttpClient, shortLine, tryParseJson } from '../../network/index.ts';
import { readRetryAfter, telegramMessage } from '../alerts/target.ts';

export interface ChatMessage {
  readonly chat: string;
  /** Id of the sender; the chat's id if Telegram names no sender. */
  readonly sender: string;
  /** Time of sending by Telegram's clock, epoch ms in whole seconds. */
  readonly sentAt: number;
  readonly text: string;
}

export interface Update {
  readonly id: number;
  /** Undefined for anything but a text message. */
  readonly message: ChatMessage | undefined;
}

/** Why a request failed. `status` is undefined without an answer. */
export interface ApiProblem {
  readonly problem: string;
  readonly status: number | undefined;
  readonly retryAfterMs?: number | undefined;
}

export interface BotApiOptions {
  /** `https://api.telegram.org/bot<token>`. */
  readonly url: string;
  readonly clock: Clock;
  /** How long the server holds a request for messages open, seconds. Default 25. */
  readonly pollSeconds?: number;
  /** Timeout of a request, ms; added to `pollSeconds` in a request for messages. Default 10,000. */
  readonly timeoutMs?: number;
}

/** Maximum number of updates in one answer, which has less than half a megabyte even with the longest texts. */
const MAX_UPDATES = 20;
const MAX_ANSWER_BYTES = 2_097_152;

const okSchema = z.object({ ok: z.literal(true) });
const listSchema = okSchema.extend({ result: z.array(z.unknown()).max(100) });
const idSchema = z.object({ update_id: z.int().min(0) });
const messageSchema = z.object({
  message: z.object({
    date: z.number().min(0),
    text: z.string(),
    chat: z.object({ id: z.int() }),
    from: z.object({ id: z.int() }).optional(),
  }),
});

export class BotApi {
  readonly #options: BotApiOptions;
  readonly #client: HttpClient;

  constructor(options: BotApiOptions) {
    this.#options = options;
    this.#client = new HttpClient({ clock: options.clock, keepAlive: true });
  }

  /** Waits for messages. Never rejects. @param offset first update to return; -1 returns the last one at once */
  async updates(offset: number): Promise<readonly Update[] | ApiProblem> {
    const { pollSeconds = 25, timeoutMs = 10_000 } = this.#options;
    const waitSeconds = offset < 0 ? 0 : pollSeconds;
    const input = { offset, timeout: waitSeconds, limit: MAX_UPDATES, allowed_updates: ['message'] };
    const answer = await this.#post('getUpdates', input, waitSeconds * 1_000 + timeoutMs);
    if ('problem' in answer) return answer;
    const list = listSchema.safeParse(answer.body);
    if (list.success) return list.data.result.flatMap(parseUpdate);
    return { problem: 'its answer contains no updates', status: answer.status };
  }

  /** Sends a text. Never rejects. @returns undefined on success */
  async send(chat: string, text: string): Promise<ApiProblem | undefined> {
    const { timeoutMs = 10_000 } = this.#options;
    const answer = await this.#post('sendMessage', telegramMessage(chat, text), timeoutMs);
    if ('problem' in answer) return answer;
    if (okSchema.safeParse(answer.body).success) return undefined;
    return { problem: "its answer does not have Telegram's format", status: answer.status };
  }

  close(): void {
    this.#client.close();
  }

  async #post(
    method: string,
    input: object,
    timeoutMs: number,
  ): Promise<{ body: unknown; status: number } | ApiProblem> {
    const url = new URL(`${this.#options.url}/${method}`);
    const result = await this.#client.send({ url, body: JSON.stringify(input), timeoutMs, maxBytes: MAX_ANSWER_BYTES });
    const { status } = result;
    if (result.type === 'failed') return { problem: `it ${result.detail}`, status };
    const body = tryParseJson(result.text);
    if (result.status < 300) return { body, status: result.status };
    const reason = getMember(body, 'description');
    const reasonText = typeof reason === 'string' ? ` (${shortLine(reason)})` : '';
    const retryAfterMs = result.retryAfterMs ?? readRetryAfter(body);
    return { problem: `it answered ${result.status}${reasonText}`, status, retryAfterMs };
  }
}

/** Returns an empty list for an update without an id, because the bot cannot confirm the update. */
function parseUpdate(update: unknown): readonly Update[] {
  const identified = idSchema.safeParse(update);
  if (!identified.success) return [];
  const id = identified.data.update_id;
  const textMessage = messageSchema.safeParse(update);
  if (!textMessage.success) return [{ id, message: undefined }];
  const { chat, from, date, text } = textMessage.data.message;
  const sender = String(from?.id ?? chat.id);
  return [{ id, message: { chat: String(chat.id), sender, sentAt: date * 1_000, text } }];
}

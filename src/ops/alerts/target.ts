/** Formats alerts for a target and sends them once. The target's URL and headers are secrets and never shown. */
import { z } from 'zod';
import { formatTime } from '../../domain/index.ts';
import {
  boundedWait,
  escapeControls,
  getMember,
  type HttpAnswer,
  type HttpClient,
  shortLine,
  tryParseJson,
} from '../../network/index.ts';
import { ALERT_LEVELS, type Alert } from './alert.ts';

export const targetSchema = z.strictObject({
  /** Name in messages, such as `alerts.targets[0] (telegram)`. */
  name: z.string(),
  type: z.enum(['telegram', 'slack', 'discord', 'webhook']),
  /** Ends in `/bot<token>/sendMessage` for Telegram. */
  url: z.string(),
  /** Chat id; telegram only. */
  chat: z.string().optional(),
  /** The least urgent level that is sent. */
  level: z.enum(ALERT_LEVELS),
  headers: z.record(z.string(), z.string()).readonly().optional(),
});
export type AlertTarget = Readonly<z.output<typeof targetSchema>>;
type TargetType = AlertTarget['type'];

/** Result of one attempt. After `later`, another attempt may succeed. */
export type Attempt =
  | { readonly type: 'sent'; readonly status: number }
  | { readonly type: 'refused' | 'later'; readonly problem: string; readonly retryAfterMs?: number | undefined };

/** Maximum length of a text, characters. Receivers refuse longer texts. */
const MAX_TEXT_LENGTH: Readonly<Record<TargetType, number>> = {
  telegram: 4_000,
  slack: 4_000,
  discord: 1_900,
  webhook: 16_000,
};
const MAX_ANSWER_BYTES = 1_048_576;

/** Sends an alert once. Never rejects. The result never contains the URL. */
export async function attemptDelivery(
  client: HttpClient,
  target: AlertTarget,
  alert: Alert,
  timeoutMs: number,
): Promise<Attempt> {
  const result = await client.send({
    url: new URL(target.url),
    body: JSON.stringify(createBody(target, alert)),
    headers: target.headers ?? {},
    timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
  });
  if (result.type === 'answer') return readAnswer(target.type, result);
  const { reason, detail, status } = result;
  // The body of a long or encoded answer is not read, but the status is valid.
  if ((reason === 'tooLong' || reason === 'encoded') && status !== undefined) return toAttempt(status, `it ${detail}`);
  return { type: reason === 'timeout' || reason === 'network' ? 'later' : 'refused', problem: `it ${detail}` };
}

function readAnswer(type: TargetType, { status, text, retryAfterMs }: HttpAnswer): Attempt {
  const body = tryParseJson(text);
  // The answer may come from a proxy, which has not sent the alert.
  if (type === 'telegram' && status < 300 && getMember(body, 'ok') !== true)
    return { type: 'later', problem: `it answered ${status} without Telegram's format` };
  const reason =
    getMember(body, 'description') ?? getMember(body, 'message') ?? (body === undefined ? text : undefined);
  const reasonText = typeof reason === 'string' ? shortLine(reason) : '';
  const problem = `it answered ${status}${reasonText === '' ? '' : ` (${reasonText})`}`;
  return toAttempt(status, problem, retryAfterMs ?? readRetryAfter(body));
}

function toAttempt(status: number, problem: string, retryAfterMs?: number): Attempt {
  if (status < 300) return { type: 'sent', status };
  const isTemporary = status >= 500 || status === 429 || status === 408;
  return { type: isTemporary ? 'later' : 'refused', problem, retryAfterMs };
}

/** Returns the wait in an answer's body, ms. Discord and Telegram send `retry_after` in seconds. */
export function readRetryAfter(body: unknown): number | undefined {
  const seconds = getMember(body, 'retry_after') ?? getMember(getMember(body, 'parameters'), 'retry_after');
  return typeof seconds === 'number' ? boundedWait(seconds * 1_000) : undefined;
}

function createBody({ type, chat = '' }: AlertTarget, alert: Alert): object {
  const { kind, level, fields, time } = alert;
  const plain = level === 'info' || type === 'webhook' ? alert.text : `${level.toUpperCase()}: ${alert.text}`;
  const text = shorten(type === 'discord' ? escapeMarkdown(plain) : plain, type);
  switch (type) {
    case 'slack':
      return { text: escapeForTelegramAndSlack(text) };
    case 'discord':
      // The name of a market must not mention a user.
      return { content: text, allowed_mentions: { parse: [] } };
    case 'telegram':
      return { ...telegramMessage(chat, text), disable_notification: level === 'info' };
    case 'webhook':
      return { ...fields, kind, level, text, time: formatTime(time) };
  }
}

/** Returns a message for Telegram. Texts in backticks become code; all other text is shown unchanged. */
export function telegramMessage(chat: string, text: string): object {
  const html = escapeForTelegramAndSlack(shorten(text, 'telegram')).replace(/`([^`\n]+)`/g, '<code>$1</code>');
  return { chat_id: chat, text: html, parse_mode: 'HTML', link_preview_options: { is_disabled: true } };
}

function shorten(text: string, type: TargetType): string {
  const safe = escapeControls(text);
  // Receivers refuse half a surrogate pair.
  return safe.length > MAX_TEXT_LENGTH[type] ? `${safe.slice(0, MAX_TEXT_LENGTH[type]).toWellFormed()}…` : safe;
}

/** Escapes Discord's formatting and links, except for texts in backticks. */
function escapeMarkdown(text: string): string {
  return text.replace(/`[^`\n]+`|[\\*_~|>[\]()#]/g, (found) => (found.length > 1 ? found : `\\${found}`));
}

function escapeForTelegramAndSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

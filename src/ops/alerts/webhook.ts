/** Alerts to people: one text to a webhook, in the shape its receiver takes. The URL is a secret and never told. */
import type { Clock } from '../../clock/index.ts';
import { Fault, timeAfter } from '../../domain/index.ts';

export const WEBHOOK_SHAPES = ['slack', 'discord', 'telegram', 'json'] as const;
export type WebhookShape = (typeof WEBHOOK_SHAPES)[number];

/** Where an alert goes. */
export interface Webhook {
  readonly shape: WebhookShape;
  /** For telegram that of `…/bot<token>/sendMessage`. */
  readonly url: string;
  /** Telegram's chat. */
  readonly chatId?: string | undefined;
}

/** What is told. */
export interface Alert {
  /** One line, for people. */
  readonly text: string;
  /** For programs: shape `json` sends it along. */
  readonly kind: string;
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
}

export interface WebhookOptions {
  readonly clock: Clock;
  /** How often it is tried in all. Default 4. */
  readonly tries?: number;
  /** How long one try may take, ms. Default 5,000. */
  readonly timeoutMs?: number;
  /** Wait before the second try, ms; longer by as much each time. Default 500. */
  readonly firstWaitMs?: number;
  /** Default: the global one. */
  readonly fetch?: typeof fetch;
}

const FIRST_REDIRECT = 300;
const LAST_REFUSAL = 499;
const FIRST_REFUSAL = 400;
const TOO_MANY = 429;

/** The body that a receiver takes. */
export function webhookBody({ shape, chatId }: Webhook, { text, kind, fields }: Alert): object {
  switch (shape) {
    case 'slack':
      return { text };
    case 'discord':
      return { content: text };
    case 'telegram':
      return { chat_id: chatId ?? '', text };
    case 'json':
      return { kind, text, ...fields };
  }
}

/**
 * Sends an alert; tried again where that may help.
 * @throws Fault WEBHOOK that says what came of the last try, without the URL
 */
export async function sendAlert(webhook: Webhook, alert: Alert, options: WebhookOptions): Promise<void> {
  const { clock, tries = 4, timeoutMs = 5_000, firstWaitMs = 500, fetch: send = fetch } = options;
  const body = JSON.stringify(webhookBody(webhook, alert));
  let problem = '';
  for (let tried = 0; tried < tries; tried += 1) {
    if (tried > 0) await waited(clock, firstWaitMs * tried);
    const status = await once(webhook.url, body, { clock, timeoutMs, send });
    if (status === 'sent') return;
    problem = status.problem;
    if (!status.again) break;
  }
  throw new Fault(
    'WEBHOOK',
    `the ${webhook.shape} webhook could not be told: ${problem}. Check its URL and who may post`,
  );
}

interface Try {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly send: typeof fetch;
}

type Outcome = 'sent' | { readonly problem: string; readonly again: boolean };

async function once(url: string, body: string, { clock, timeoutMs, send }: Try): Promise<Outcome> {
  const controller = new AbortController();
  const cancel = clock.schedule(timeAfter(clock.now(), timeoutMs), () => controller.abort());
  const headers = { 'content-type': 'application/json' };
  try {
    const { status } = await send(url, {
      method: 'POST',
      headers,
      body,
      signal: controller.signal,
      redirect: 'manual',
    });
    if (status < FIRST_REDIRECT) return 'sent';
    // Where it points to may be anybody's: what it would be told is not theirs.
    if (status < FIRST_REFUSAL)
      return { problem: `it answered ${status}, a redirect, which is not followed`, again: false };
    return { problem: `it answered ${status}`, again: status > LAST_REFUSAL || status === TOO_MANY };
  } catch (error) {
    // What fetch throws may have the URL in it: only the code is told.
    return { problem: controller.signal.aborted ? `no answer within ${timeoutMs} ms` : codeOf(error), again: true };
  } finally {
    cancel();
  }
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string'
    ? `no connection (${cause.code})`
    : 'no connection';
}

function waited(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.schedule(timeAfter(clock.now(), ms), resolve));
}

/** Alerts to people: one text to a webhook, in the shape that its receiver takes. The URL is a secret and appears in no message. */
import { type Clock, sleep } from '../../clock/index.ts';
import { Fault } from '../../domain/index.ts';
import { HttpClient } from '../../network/index.ts';

export const WEBHOOK_SHAPES = ['slack', 'discord', 'telegram', 'json'] as const;
export type WebhookShape = (typeof WEBHOOK_SHAPES)[number];

export interface Webhook {
  readonly shape: WebhookShape;
  /** For telegram that of `…/bot<token>/sendMessage`. */
  readonly url: string;
  readonly chatId?: string | undefined;
}

export interface Alert {
  readonly text: string;
  /** For programs: shape `json` sends it along. */
  readonly kind: string;
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
}

export interface WebhookOptions {
  readonly clock: Clock;
  /** Number of attempts. Default 4. */
  readonly tries?: number;
  /** Timeout of one attempt, ms. Default 5,000. */
  readonly timeoutMs?: number;
  /** Wait before the second attempt, ms. Each further wait is longer by as much. Default 500. */
  readonly firstWaitMs?: number;
}

const FIRST_FAILURE = 300;
const LAST_REFUSAL = 499;
/** Receivers answer with a few words, which are ignored. */
const ANSWER_BYTES = 1_048_576;
const TOO_MANY = 429;

function webhookBody({ shape, chatId }: Webhook, { text, kind, fields }: Alert): object {
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

/** Sends an alert, with retries. @throws Fault WEBHOOK with the result of the last attempt, without the URL */
export async function sendAlert(webhook: Webhook, alert: Alert, options: WebhookOptions): Promise<void> {
  const { clock, tries = 4, timeoutMs = 5_000, firstWaitMs = 500 } = options;
  const client = new HttpClient({ clock });
  const body = JSON.stringify(webhookBody(webhook, alert));
  let problem = '';
  for (let tried = 0; tried < tries; tried += 1) {
    if (tried > 0) await sleep(clock, firstWaitMs * tried);
    const outcome = await once(client, webhook.url, { body, timeoutMs });
    if (outcome === 'sent') return;
    problem = outcome.problem;
    if (!outcome.again) break;
  }
  throw new Fault(
    'WEBHOOK',
    `the ${webhook.shape} webhook failed: ${problem}. Check its URL and its permission to post`,
  );
}

type Outcome = 'sent' | { readonly problem: string; readonly again: boolean };

/** One attempt. No message contains the URL. */
async function once(
  client: HttpClient,
  url: string,
  { body, timeoutMs }: { readonly body: string; readonly timeoutMs: number },
): Promise<Outcome> {
  const result = await client.send({ url: new URL(url), body, timeoutMs, maxBytes: ANSWER_BYTES });
  if (result.type === 'answer') {
    const { status } = result;
    if (status < FIRST_FAILURE) return 'sent';
    return { problem: `it answered ${status}`, again: status > LAST_REFUSAL || status === TOO_MANY };
  }
  const { reason, detail, status } = result;
  // A receiver that answers with too much, or compressed, has accepted the alert.
  if ((reason === 'tooLong' || reason === 'encoded') && status !== undefined && status < FIRST_FAILURE) return 'sent';
  return { problem: `it ${detail}`, again: reason === 'timeout' || reason === 'network' };
}

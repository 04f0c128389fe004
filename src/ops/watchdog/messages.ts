/** What a bot tells its watchdog, a line of JSON each, over the watchdog's standard input: secrets go no other way. */
import { z } from 'zod';
import { parseJson } from '../../network/index.ts';
import { WEBHOOK_SHAPES } from '../alerts/webhook.ts';

const helloSchema = z.strictObject({
  type: z.literal('hello'),
  pid: z.int().min(1),
  url: z.string(),
  headers: z.record(z.string(), z.string()).readonly(),
  token: z.string(),
  /** Without a beat for so long the bot counts as spinning; ms. */
  silenceMs: z.int().min(100),
  webhooks: z
    .array(z.object({ shape: z.enum(WEBHOOK_SHAPES), url: z.string(), chatId: z.string().optional() }))
    .readonly(),
  /** Command lines for people, whole: one that lets the bot trade again, one that cancels every order of the account. */
  commands: z.strictObject({ resume: z.string(), cancelAll: z.string() }).readonly(),
  /** File that says at the next start why trading was killed. */
  marker: z.string(),
  /** Text by name of the operations that it sends, where a venue has other words for them. */
  texts: z.record(z.string(), z.string()).readonly().default({}),
});

const messageSchema = z.discriminatedUnion('type', [
  helloSchema,
  z.strictObject({ type: z.literal('token'), token: z.string() }),
  z.strictObject({ type: z.literal('beat') }),
  /** The bot ends in good order, and the venue has not confirmed that no order is open. */
  z.strictObject({ type: z.literal('handOver') }),
  /** The bot ends in good order and has cancelled everything itself. */
  z.strictObject({ type: z.literal('bye') }),
]);

export type WatchdogHello = z.output<typeof helloSchema>;
export type WatchdogMessage = z.output<typeof messageSchema>;

/** Undefined for what is none of these. */
export function readWatchdogMessage(line: string): WatchdogMessage | undefined {
  try {
    const found = messageSchema.safeParse(parseJson(line));
    return found.success ? found.data : undefined;
  } catch {
    return undefined;
  }
}

/** Messages of a bot to its watchdog: lines of JSON on the watchdog's standard input. No other channel carries secrets. */
import { z } from 'zod';
import { parseJson } from '../../network/index.ts';
import { targetSchema } from '../alerts/target.ts';

const helloSchema = z.strictObject({
  type: z.literal('hello'),
  pid: z.int().min(1),
  url: z.string(),
  headers: z.record(z.string(), z.string()).readonly(),
  token: z.string(),
  /** Time without a beat after which the bot counts as hanging; ms. */
  silenceMs: z.int().min(100),
  /** Receivers of alerts, and the name of the bot in their texts. */
  alerts: z
    .strictObject({
      name: z.string().optional(),
      targets: z.array(targetSchema).readonly(),
    })
    .readonly(),
  /** Complete command lines for operators. */
  commands: z.strictObject({ resume: z.string(), cancelAll: z.string() }).readonly(),
  /** File that stores the reason of a kill for the next start. */
  marker: z.string(),
  /** Texts of operations by name, for a venue with other names. */
  texts: z.record(z.string(), z.string()).readonly().default({}),
});

const messageSchema = z.discriminatedUnion('type', [
  helloSchema,
  z.strictObject({ type: z.literal('token'), token: z.string() }),
  z.strictObject({ type: z.literal('beat') }),
  /** The bot ended, and the venue has not confirmed that no order is open. */
  z.strictObject({ type: z.literal('handOver') }),
  /** The bot ended and has cancelled every order itself. */
  z.strictObject({ type: z.literal('finished') }),
]);

export type WatchdogHello = z.output<typeof helloSchema>;
export type WatchdogMessage = z.output<typeof messageSchema>;

/** @returns undefined for an invalid message */
export function readWatchdogMessage(line: string): WatchdogMessage | undefined {
  try {
    const found = messageSchema.safeParse(parseJson(line));
    return found.success ? found.data : undefined;
  } catch {
    return undefined;
  }
}

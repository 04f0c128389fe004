/**
 * Messages of a bot to its watchdog: lines of JSON on the watchdog's standard input. No other channel carries secrets. The bot
 * sends the settings, then regular beats from the event loop, and the end of the run.
 */
import { z } from 'zod';
import { type Clock, repeatEvery } from '../../clock/index.ts';
import { tryParseJson } from '../../network/index.ts';
import { targetSchema } from '../alerts/target.ts';

const helloSchema = z.strictObject({
  type: z.literal('hello'),
  pid: z.int().min(1),
  url: z.string(),
  headers: z.record(z.string(), z.string()).readonly(),
  token: z.string(),
  /** Time without a beat after which the watchdog treats the bot as hanging, ms. */
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
  return messageSchema.safeParse(tryParseJson(line)).data;
}

/** Number of beats within `silenceMs`. */
const BEATS = 5;

/** The bot's side of the watchdog. Sends nothing after the end of the run. */
export class WatchdogFeed {
  readonly #write: (line: string) => void;
  readonly #clock: Clock;
  #stopBeats: () => void = () => {};
  #isOver = false;

  /** @param write writes to the watchdog's standard input */
  constructor(write: (line: string) => void, clock: Clock) {
    this.#write = write;
    this.#clock = clock;
  }

  start(hello: Omit<WatchdogHello, 'type'>): void {
    this.#send({ type: 'hello', ...hello });
    const beat = (): void => this.#send({ type: 'beat' });
    beat();
    this.#stopBeats = repeatEvery(this.#clock, Math.max(Math.floor(hello.silenceMs / BEATS), 10), beat);
  }

  sendToken(token: string): void {
    this.#send({ type: 'token', token });
  }

  /** Ends the watchdog after the bot has ended and cancelled its orders. */
  finish(): void {
    this.#end('finished');
  }

  /** Hands over to the watchdog after the bot has ended, because orders may be open. */
  handOver(): void {
    this.#end('handOver');
  }

  #end(type: 'finished' | 'handOver'): void {
    this.#send({ type });
    this.#stopBeats();
    this.#isOver = true;
  }

  #send(message: WatchdogMessage): void {
    if (!this.#isOver) this.#write(`${JSON.stringify(message)}\n`);
  }
}

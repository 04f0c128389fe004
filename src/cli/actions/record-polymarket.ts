/** `halfspread record polymarket`: captures of public streams, for `halfspread import polymarket`. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { recordPolymarket } from '../../app/record-polymarket.ts';
import { steadyClock } from '../../clock/index.ts';
import { formatTime, timeAfter } from '../../domain/index.ts';
import { listenForInterrupt } from '../interrupt.ts';
import type { Session } from '../output/terminal.ts';

const positive = (max: number) => {
  const expected = `expected a number above 0, at most ${max}`;
  return z.coerce.number(expected).positive(expected).max(max, expected);
};
const url = (protocol: RegExp, example: string) => z.url({ protocol, error: `expected a URL such as ${example}` });

const optionsSchema = z.object({
  out: z.string().min(1),
  top: z.coerce.number().int().min(1).max(5_000).default(100),
  tag: z
    .string()
    .regex(/^\d{1,10}$/, 'expected the number of a tag of Gamma')
    .optional(),
  seconds: positive(1e9).optional(),
  rotateMinutes: positive(1_440),
  rotateMb: positive(100_000),
  refreshMinutes: positive(1_440),
  gammaUrl: url(/^https?$/, 'https://gamma-api.polymarket.com'),
  wsUrl: url(/^wss?$/, 'wss://ws-subscriptions-clob.polymarket.com/ws'),
  json: z.boolean().default(false),
});

/** Records until a signal, or for a duration. @param names slugs and condition ids; none: the most traded markets */
export async function recordPolymarketStreams(
  { terminal }: Session,
  names: readonly string[],
  given: unknown,
): Promise<void> {
  const { out, top, tag, seconds, json, ...options } = optionsSchema.parse(given);
  const folder = resolve(terminal.cwd, out);
  const interruption = listenForInterrupt();
  const clock = steadyClock();
  let cancel = (): void => {};
  const stop = new Promise<void>((done) => {
    interruption.signal.addEventListener('abort', () => done());
    if (seconds !== undefined) cancel = clock.schedule(timeAfter(clock.now(), seconds * 1_000), done);
  });
  const log = (text: string): void => void terminal.err.write(`${formatTime(clock.now())} ${text}\n`);
  try {
    const found = await recordPolymarket({
      folder,
      choice: { names, tag, most: top },
      gammaUrl: options.gammaUrl,
      wsUrl: options.wsUrl,
      rotateMs: options.rotateMinutes * 60_000,
      rotateBytes: options.rotateMb * 1_000_000,
      refreshMs: options.refreshMinutes * 60_000,
      log,
      stop,
      onStart: (markets) => log(`recording ${markets} markets to ${out}`),
    });
    const { markets, frames, losses } = found;
    const text = `${frames} frames of ${markets} markets, ${losses} connections lost. Make tapes: npx halfspread import polymarket ${out}/*.gz --markets ${out}/polymarket-markets.json\n`;
    terminal.out.write(json ? `${JSON.stringify(found)}\n` : text);
  } finally {
    cancel();
    interruption.release();
  }
}

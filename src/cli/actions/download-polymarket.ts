/** `halfspread download polymarket`: past trades and prices as tapes. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { downloadPolymarket } from '../../app/download-polymarket.ts';
import type { Session } from '../output/terminal.ts';
import { showImport } from './show-import.ts';

const url = (example: string) => z.url({ protocol: /^https?$/, error: `expected a URL such as ${example}` });

const optionsSchema = z.object({
  out: z.string().min(1),
  top: z.coerce.number().int().min(1).max(5_000).default(10),
  tag: z
    .string()
    .regex(/^\d{1,10}$/, 'expected the number of a tag of Gamma')
    .optional(),
  prices: z.boolean().default(false),
  gammaUrl: url('https://gamma-api.polymarket.com'),
  clobUrl: url('https://clob.polymarket.com'),
  dataUrl: url('https://data-api.polymarket.com'),
  json: z.boolean().default(false),
});

/** @param names slugs and condition ids; none: the most traded markets */
export async function downloadHistory(session: Session, names: readonly string[], given: unknown): Promise<void> {
  const { terminal } = session;
  const { out, top, tag, prices, json, ...urls } = optionsSchema.parse(given);
  const folder = resolve(terminal.cwd, out);
  const what = prices ? 'prices' : 'trades';
  const settings = {
    ...urls,
    folder,
    what,
    choice: { names, tag, most: top },
    log: (text: string) => void terminal.err.write(`${text}\n`),
  } as const;
  await showImport(session, {
    folder,
    name: `polymarket-${what}`,
    json,
    unit: prices ? 'rows' : 'messages',
    run: (onProgress) => downloadPolymarket(settings, onProgress),
  });
}

import { basename, resolve } from 'node:path';
import { z } from 'zod';
import { importKalshi, importPolymarket } from '../../history/index.ts';
import type { Session } from '../output/terminal.ts';
import { showImport } from './show-import.ts';

const optionsSchema = z.object({
  out: z.string().min(1),
  name: z.string().min(1).optional(),
  markets: z.string().min(1).optional(),
  description: z.string().min(1).optional(),
  licence: z.string().min(1).optional(),
  pairWindow: z.coerce.number().int().min(0).max(60_000).optional(),
  yesPrices: z.boolean().optional(),
  separate: z.boolean().default(false),
  force: z.boolean().default(false),
  json: z.boolean().default(false),
});

/** Imports captures of a venue's public streams. */
export async function importCapturesOf(
  session: Session,
  venue: 'polymarket' | 'kalshi',
  files: readonly string[],
  given: unknown,
): Promise<void> {
  const { cwd } = session.terminal;
  const { out, name, markets, pairWindow, yesPrices, json, ...about } = optionsSchema.parse(given);
  const [first = ''] = files;
  const options = {
    files: files.map((file) => resolve(cwd, file)),
    folder: resolve(cwd, out),
    name: name ?? `${venue}-${basename(first).replace(/\..*$/, '')}`,
    markets: markets === undefined ? undefined : resolve(cwd, markets),
    ...about,
    pairWindowMs: pairWindow,
  };
  await showImport(session, {
    folder: options.folder,
    name: options.name,
    json,
    unit: 'messages',
    run: (onProgress) =>
      venue === 'polymarket'
        ? importPolymarket({ ...options, onProgress })
        : importKalshi({ ...options, onProgress, usesYesPrices: yesPrices }),
  });
}

import type { Clock } from '../../clock/index.ts';
import { errorMessage, FileFault, InputFault } from '../../domain/index.ts';
import type { TapeManifest } from '../../tape/index.ts';
import { parseCondition } from '../catalogue/condition.ts';
import { INDEX_NAME, type IndexedTape, parseIndex } from '../catalogue/index-file.ts';
import { MANIFEST_FIELDS, MARKET_FIELDS, MarketFacts } from '../catalogue/market-facts.ts';
import { TapeFile } from '../tape-file.ts';
import { downloadTape } from './download-tape.ts';
import { RemoteReader, redactUrl } from './remote-reader.ts';
import type { S3Settings } from './s3.ts';
import { TapeCache } from './tape-cache.ts';

const REMOTE = /^(https?|s3):\/\//;
const MAX_INDEX_BYTES = 64 * 1_048_576;

/** An entry of a backtest's `tapes`: a path or URL of a tape or folder, or a folder with a condition. */
export type TapeEntry = string | { readonly folder: string; readonly where?: string | undefined };

export interface FetchTapesOptions {
  readonly clock: Clock;
  /** Folder of the downloaded copies; created if missing. */
  readonly cacheFolder: string;
  /** Maximum size of all copies, bytes. */
  readonly maxBytes: number;
  readonly s3: S3Settings;
  /** Start of the run, epoch ms, for conditions. */
  readonly from: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with a tape's URL, its downloaded bytes and its size. */
  readonly onProgress?: (url: string, done: number, total: number) => void;
}

export function isRemote(entry: TapeEntry): boolean {
  return REMOTE.test(typeof entry === 'string' ? entry : entry.folder);
}

/**
 * Downloads tapes at URLs, and returns the entries with paths instead of URLs. Cached tapes are not downloaded again. A
 * folder's tape is downloaded only if its manifest may meet the condition.
 * @throws FileFault for a file that cannot be read or differs from its index
 * @throws InputFault for an invalid URL or condition
 */
export async function fetchRemoteTapes(
  entries: readonly TapeEntry[],
  options: FetchTapesOptions,
): Promise<readonly TapeEntry[]> {
  if (!entries.some(isRemote)) return entries;
  const cache = new TapeCache(options.cacheFolder, options.maxBytes, options.clock);
  const reader = new RemoteReader(options);
  const download = (url: URL): Promise<string> =>
    downloadTape(url, { reader, cache, onBytes: (done, total) => options.onProgress?.(redactUrl(url), done, total) });
  try {
    const local: TapeEntry[] = [];
    for (const [at, entry] of entries.entries()) {
      if (!isRemote(entry)) local.push(entry);
      else if (typeof entry === 'string' && !entry.endsWith('/'))
        local.push(await download(parseUrl(`tapes[${at}]`, entry)));
      else {
        const { folder, where } = typeof entry === 'string' ? { folder: entry, where: undefined } : entry;
        const base = parseUrl(`tapes[${at}]`, folder.endsWith('/') ? folder : `${folder}/`);
        const chosen = await chooseTapes(base, reader, makeManifestTest(`tapes[${at}].where`, where, options.from));
        const tapes: { file: string; path: string }[] = [];
        for (const { file, manifest } of chosen) {
          const path = await download(new URL(encodeURIComponent(file), base));
          if (TapeFile.open(path).manifest.contentHash !== manifest.contentHash) {
            const remedy = 'Make the index again with `npx halfspread tape list`, and upload both';
            throw new FileFault(
              redactUrl(base),
              file,
              'the tape is not the one that the index of the folder lists',
              remedy,
            );
          }
          tapes.push({ file, path });
        }
        local.push({ folder: cache.linkFolder(base.href, tapes), where });
      }
    }
    return local;
  } finally {
    reader.close();
  }
}

function parseUrl(field: string, text: string): URL {
  const expected = 'a URL such as https://host/folder/name.tape or s3://bucket/folder/';
  if (!URL.canParse(text)) throw new InputFault(field, text, expected);
  const url = new URL(text);
  if (url.username === '' && url.password === '') return url;
  const withoutUser = 'a URL without a user name and password, because configurations are shown and shared';
  throw new InputFault(field, redactUrl(url), withoutUser);
}

/** Reads a folder's index and returns the tapes that may meet the condition. */
async function chooseTapes(
  base: URL,
  reader: RemoteReader,
  test: (manifest: TapeManifest) => boolean,
): Promise<readonly IndexedTape[]> {
  const { bytes, total } = await reader.read(new URL(INDEX_NAME, base), 0, MAX_INDEX_BYTES);
  const fault = (problem: string, remedy: string): FileFault =>
    new FileFault(redactUrl(base), INDEX_NAME, problem, remedy);
  if (total > bytes.length)
    throw fault(`the index has ${total} bytes; the limit is ${MAX_INDEX_BYTES}`, 'Split the folder');
  let tapes: readonly IndexedTape[];
  try {
    tapes = parseIndex(bytes.toString('utf8'));
  } catch (cause) {
    const remedy = 'Make the index with `npx halfspread tape list`, and upload it beside the tapes';
    throw fault(`this is not an index of tapes (${errorMessage(cause)})`, remedy);
  }
  const chosen = tapes.filter(({ manifest }) => test(manifest));
  if (chosen.length > 0) return chosen;
  throw fault(`none of its ${tapes.length} tapes can meet the condition`, 'Change the condition');
}

/** Returns a test whether a manifest's market may meet the condition. If the condition needs rows, every market may. */
function makeManifestTest(
  field: string,
  where: string | undefined,
  from: number | undefined,
): (manifest: TapeManifest) => boolean {
  const condition = where === undefined ? undefined : parseCondition(field, where, MARKET_FIELDS);
  if (condition === undefined || ![...condition.fields].every((name) => MANIFEST_FIELDS.has(name))) return () => true;
  return (manifest) => {
    // None of these fields needs rows, so the path is not read.
    const facts = new MarketFacts('', manifest, from);
    return manifest.markets.some((_, market) => condition.matches((name) => facts.get(market, name)));
  };
}

/** Lists the HTML pages in a folder of reports, and the databases in a folder of studies. */
import { closeSync, openSync, readdirSync, readSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Report, Study } from '../generated/schema-types.ts';

const MAX_FILES = 500;
/** Bytes at the beginning of a page that are searched for its title. */
const HEAD_BYTES = 4_096;
const FILE_NAMES = { page: /^[^./\\\p{C}%][^/\\\p{C}%]*\.html$/u, study: /^[^./\\\p{C}%][^/\\\p{C}%]*\.study$/u };
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Returns reports, newest first. Empty if the folder does not exist. */
export function listReports(folder: string): readonly Report[] {
  return listFiles(folder, FILE_NAMES.page, (name, path, { mtimeMs, size }) => {
    const url = `/reports/${encodeURIComponent(name)}`;
    return { id: name, title: readTitle(path) ?? name, time: mtimeMs, bytes: size, url };
  });
}

/** Returns studies, newest first. Empty if the folder does not exist. */
export function listStudies(folder: string, findRun: (path: string) => Study['run']): readonly Study[] {
  return listFiles(folder, FILE_NAMES.study, (name, path, { mtimeMs, size }) => {
    // The latest writes of a running study are in the database's write-ahead log.
    const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
    const time = Math.max(mtimeMs, log?.mtimeMs ?? 0);
    const url = `/studies/${encodeURIComponent(name)}`;
    const bytes = size + (log?.size ?? 0);
    return { id: name, title: name.replace(/\.study$/, ''), time, bytes, url, run: findRun(path) };
  });
}

/** Returns the path of a page or of a study's database; undefined if the file does not exist. */
export function findPath(folder: string, name: string, type: keyof typeof FILE_NAMES): string | undefined {
  const path = join(folder, name);
  return FILE_NAMES[type].test(name) && statSync(path, { throwIfNoEntry: false })?.isFile() === true ? path : undefined;
}

function listFiles<Entry extends { readonly time: number }>(
  folder: string,
  pattern: RegExp,
  toEntry: (name: string, path: string, stats: Stats) => Entry,
): readonly Entry[] {
  let names: readonly string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  const entries = names.flatMap((name) => {
    const path = join(folder, name);
    try {
      const stats = pattern.test(name) ? statSync(path) : undefined;
      return stats?.isFile() === true ? [toEntry(name, path, stats)] : [];
    } catch {
      // The file was removed after listing.
      return [];
    }
  });
  return entries.toSorted((a, b) => b.time - a.time).slice(0, MAX_FILES);
}

function readTitle(path: string): string | undefined {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    const count = readSync(file, bytes, 0, HEAD_BYTES, 0);
    const title = /<title>([^<]{1,200})<\/title>/.exec(bytes.toString('utf8', 0, count))?.[1];
    return title?.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
  } finally {
    closeSync(file);
  }
}

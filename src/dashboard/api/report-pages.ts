/** The HTML pages in a folder of reports. */
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../generated/schema-types.ts';

const MOST_PAGES = 500;
/** Bytes at the beginning of a page in which its title is looked for. */
const HEAD_BYTES = 4_096;
/** Names that can be a path's last part and nothing else. */
const PAGE_NAME = /^[\w][\w .,:+@()-]*\.html$/;

/** The newest first; none without the folder. */
export function reportPages(folder: string): readonly Report[] {
  let names: readonly string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  const pages = names.filter((name) => PAGE_NAME.test(name)).flatMap((name) => pageOf(folder, name));
  return pages.toSorted((a, b) => b.time - a.time).slice(0, MOST_PAGES);
}

/** Path of a page; undefined for a name that no page can have. */
export function pagePath(folder: string, name: string): string | undefined {
  return PAGE_NAME.test(name) ? join(folder, name) : undefined;
}

function pageOf(folder: string, name: string): readonly Report[] {
  const path = join(folder, name);
  try {
    const stat = statSync(path);
    if (!stat.isFile()) return [];
    const url = `/reports/${encodeURIComponent(name)}`;
    return [{ id: name, title: titleOf(path) ?? name, time: stat.mtimeMs, bytes: stat.size, url }];
  } catch {
    // It was removed between the two looks.
    return [];
  }
}

function titleOf(path: string): string | undefined {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(HEAD_BYTES);
    const count = readSync(file, bytes, 0, HEAD_BYTES, 0);
    return /<title>([^<]{1,200})<\/title>/.exec(bytes.toString('utf8', 0, count))?.[1];
  } finally {
    closeSync(file);
  }
}

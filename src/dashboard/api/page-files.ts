/** Serves the built page from memory, so that no request reads a path. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { FastifyReply } from 'fastify';
import { FileFault } from '../../domain/index.ts';

export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  /** Whether the file's name contains a hash of its content. */
  readonly isImmutable: boolean;
}

const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Reads files by URL path: `/`, `/assets/…`. @throws FileFault if the page was not built */
export function readPage(folder: string): ReadonlyMap<string, PageFile> {
  if (!existsSync(join(folder, 'index.html')))
    throw new FileFault(folder, undefined, 'the page of the dashboard is not built', 'Run `npm run build:web`');
  const files = new Map<string, PageFile>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    const type = TYPES[extname(name)];
    if (type === undefined || !statSync(path).isFile()) continue;
    const file = { type, bytes: readFileSync(path), isImmutable: name.startsWith('assets') };
    files.set(name === 'index.html' ? '/' : `/${name.replaceAll('\\', '/')}`, file);
  }
  return files;
}

export function sendFile(reply: FastifyReply, { type, bytes, isImmutable }: PageFile): FastifyReply {
  const cache = isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache';
  return reply
    .headers({ 'content-type': type, 'cache-control': cache, 'content-security-policy': PAGE_POLICY })
    .send(bytes);
}

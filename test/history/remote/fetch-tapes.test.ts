/** Downloads tapes from correct and faulty servers over real sockets. */

import { existsSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { type Clock, wallClock } from '../../../src/clock/index.ts';
import { timeAfter } from '../../../src/domain/index.ts';
import {
  DEFAULT_RECIPE,
  fetchRemoteTapes,
  findTapes,
  generateTape,
  openTapeFolder,
  TapeFile,
} from '../../../src/history/index.ts';
import type { FetchTapesOptions, TapeEntry } from '../../../src/history/remote/fetch-tapes.ts';
import type { S3Settings } from '../../../src/history/remote/s3.ts';
import { scratchFolder } from '../scratch.ts';
import { type FileServer, fileServer, isSigned } from './file-server.ts';

const wall = wallClock();
/** A clock whose pauses and timeouts are a hundred times shorter. */
const fastClock: Clock = {
  now: () => wall.now(),
  schedule: (when, fire) => wall.schedule(timeAfter(wall.now(), Math.max(0, when - wall.now()) / 100), fire),
};
const MANY = 1_000_000_000;
const SECRET = 'a-secret-key';

async function fixture() {
  const [server, folder] = [await fileServer(), scratchFolder()];
  const cache = join(folder, 'cache');
  const putTape = (path: string, seed: number): Buffer => {
    const file = join(folder, `${seed}.tape`);
    generateTape({ ...DEFAULT_RECIPE, seed, events: 2_000, tickBps: seed === 2 ? 50 : 100 }, file);
    const bytes = readFileSync(file);
    server.files.set(path, bytes);
    return bytes;
  };
  const fetch = (
    entries: readonly TapeEntry[],
    {
      maxBytes = MANY,
      s3 = {},
      ...options
    }: Partial<Omit<FetchTapesOptions, 's3'>> & { s3?: Partial<S3Settings> } = {},
  ) =>
    fetchRemoteTapes(entries, {
      clock: fastClock,
      ...options,
      cacheFolder: cache,
      maxBytes,
      s3: { endpoint: undefined, region: 'eu-central-1', credentials: undefined, ...s3 },
      from: undefined,
    });
  return { server, folder, cache, putTape, fetch };
}

/** A folder of tapes with its index on the server, as `tape list` and a copy make it. */
function putFolder(server: FileServer, from: string, path: string): void {
  openTapeFolder(from);
  for (const name of readdirSync(from)) {
    if (name.endsWith('.tape') || name === '.tapes-index')
      server.files.set(`${path}${name}`, readFileSync(join(from, name)));
  }
}

describe('a tape at a URL', () => {
  it('is downloaded once, and has the same bytes', async () => {
    const { server, putTape, fetch } = await fixture();
    const bytes = putTape('/a.tape', 1);
    const [path] = await fetch([`${server.url}/a.tape`]);
    expect(readFileSync(String(path)).equals(bytes)).toBe(true);
    const { sent } = server;
    expect(await fetch([`${server.url}/a.tape`])).toEqual([path]);
    // Header, trailer and footer.
    expect(server.sent - sent).toBeLessThan(bytes.length / 2);
  });

  it('returns local paths unchanged without a request', async () => {
    const { server, fetch } = await fixture();
    const entries = ['a.tape', { folder: 'tapes', where: 'rows > 1' }];
    expect(await fetch(entries)).toBe(entries);
    expect(server.requests).toEqual([]);
  });

  it('is continued after a killed download', async () => {
    const { server, putTape, fetch, cache } = await fixture();
    const bytes = putTape('/a.tape', 1);
    await fetch([`${server.url}/a.tape`]);
    const [name = ''] = readdirSync(join(cache, 'tapes'));
    const half = Math.floor(bytes.length / 2);
    writeFileSync(join(cache, 'parts', name), bytes.subarray(0, half));
    rmSync(join(cache, 'tapes', name));
    server.requests.length = 0;
    const [path] = await fetch([`${server.url}/a.tape`]);
    expect(server.requests.at(-1)).toBe(`/a.tape ${half}-${bytes.length - 1}`);
    expect(readFileSync(String(path)).equals(bytes)).toBe(true);
    expect(readdirSync(join(cache, 'parts'))).toEqual([]);
  });

  it('is requested again when the server is busy or closes the connection', async () => {
    const { server, putTape, fetch } = await fixture();
    const bytes = putTape('/a.tape', 1);
    let requests = 0;
    server.intercept = (_, response) => {
      requests += 1;
      if (requests % 3 === 0) return false;
      if (requests % 3 === 1) response.writeHead(503).end();
      else response.writeHead(206, { 'content-length': 16 }).write('half', () => response.destroy());
      return true;
    };
    const [path] = await fetch([`${server.url}/a.tape`]);
    expect(readFileSync(String(path)).equals(bytes)).toBe(true);
  });

  it('fails after six attempts', async () => {
    const { server, putTape, fetch } = await fixture();
    putTape('/a.tape', 1);
    server.intercept = (_, response) => response.writeHead(503).end() !== undefined;
    await expect(fetch([`${server.url}/a.tape`])).rejects.toThrow(/answered 503, 6 times\. Check the server/);
    expect(server.requests).toHaveLength(6);
  });

  it('is not waited for after an abort, neither for an answer nor in a pause', async () => {
    const { server, fetch } = await fixture();
    const abortDuring = (wait: 'request' | 'pause'): Promise<unknown> => {
      const controller = new AbortController();
      // No timer fires. The time limit of a request is a minute, the first pause is a quarter of a second.
      const schedule: Clock['schedule'] = (when) => {
        const isPause = when - wall.now() < 1_000;
        if (isPause === (wait === 'pause')) setImmediate(() => controller.abort(new Error(`stopped in a ${wait}`)));
        return () => {};
      };
      return fetch([`${server.url}/a.tape`], { clock: { now: wall.now, schedule }, signal: controller.signal });
    };
    server.intercept = () => true;
    await expect(abortDuring('request')).rejects.toThrow('stopped in a request');
    server.intercept = (_, response) => response.writeHead(503).end() !== undefined;
    await expect(abortDuring('pause')).rejects.toThrow('stopped in a pause');
  });

  it.each([
    ['https://me:hidden@host/a.tape', /without a user name and password/],
    ['s3:///a.tape', /s3:\/\/bucket\/key/],
    ['http://', /a URL such as/],
  ])('is refused as %s', async (url, message) => {
    const { fetch } = await fixture();
    const fault = fetch([url]);
    await expect(fault).rejects.toThrow(message);
    await expect(fault).rejects.not.toThrow(/hidden/);
  });
});

describe('a faulty server', () => {
  const FAULTS: readonly (readonly [
    what: string,
    prepare: (server: FileServer, bytes: Buffer) => void,
    message: RegExp,
  ])[] = [
    [
      'wrong bytes in the middle',
      ({ files }, bytes) => {
        const wrong = Buffer.from(bytes);
        wrong.writeUInt8(wrong.readUInt8(100) ^ 1, 100);
        files.set('/a.tape', wrong);
      },
      /the downloaded tape differs from its footer/,
    ],
    ['a page', ({ files }) => void files.set('/a.tape', Buffer.from('<html>'.repeat(100))), /this is not a tape/],
    ['half of a tape', ({ files }, bytes) => void files.set('/a.tape', bytes.subarray(0, 2_000)), /cut short/],
    [
      'an endless body',
      (server) => {
        server.intercept = (_, response) => {
          response.writeHead(206, { 'content-range': 'bytes 0-15/1000' });
          const pour = (): void => {
            while (!response.destroyed && response.write('x'.repeat(65_536)));
            if (!response.destroyed) response.once('drain', pour);
          };
          pour();
          return true;
        };
      },
      /with more than 16 bytes, which are not read/,
    ],
    [
      'a redirect to another host',
      (server) => {
        server.intercept = (_, response) =>
          response.writeHead(302, { location: 'http://169.254.169.254/secret' }).end() !== undefined;
      },
      /answered 302, a redirect to http:\/\/169\.254\.169\.254\. Redirects are not followed/,
    ],
    [
      'the whole file instead of a range',
      (server) => {
        server.intercept = (_, response) => response.writeHead(200).end('all of it') !== undefined;
      },
      /answered 200 with the whole file\. Use a server that answers range requests/,
    ],
    [
      'a different range',
      (server) => {
        server.intercept = (_, response) =>
          response.writeHead(206, { 'content-range': 'bytes 5-20/1000' }).end('x'.repeat(16)) !== undefined;
      },
      /requested 16 bytes from byte 0, the server sent 16 bytes as "bytes 5-20\/1000"/,
    ],
    [
      'a refusal of access',
      (server) => {
        server.intercept = (_, response) => response.writeHead(403).end() !== undefined;
      },
      /answered 403: access is denied\. Check the permissions/,
    ],
  ];

  it.each(FAULTS)('is refused when it sends %s', async (_, prepare, message) => {
    const { server, putTape, fetch, cache } = await fixture();
    prepare(server, putTape('/a.tape', 1));
    const fault = fetch([`${server.url}/a.tape?signature=hidden`]);
    await expect(fault).rejects.toThrow(message);
    await expect(fault).rejects.not.toThrow(/hidden/);
    expect(readdirSync(join(cache, 'tapes'))).toEqual([]);
    expect(readdirSync(join(cache, 'parts'))).toEqual([]);
  });
});

describe('a folder at a URL', () => {
  it('provides the tapes of its index that may match the condition', async () => {
    const { server, folder, putTape, fetch } = await fixture();
    for (const seed of [1, 2, 3]) putTape(`/unused/${seed}`, seed);
    putFolder(server, folder, '/tapes/');
    const where = 'tick_bps = 50';
    const [entry] = await fetch([{ folder: `${server.url}/tapes`, where }]);
    if (entry === undefined || typeof entry === 'string') throw new Error('no folder');
    const found = findTapes({ ...entry, where, from: undefined, settingNames: { folder: 'tapes', where: 'where' } });
    expect(found.tapes.map(({ tape }) => tape.path)).toEqual([join(entry.folder, '2.tape')]);
    expect(server.requests.filter((path) => path.includes('/tapes/1.tape'))).toEqual([]);
    // Without a condition it provides all tapes, also from the cache.
    const [all] = await fetch([`${server.url}/tapes/`]);
    if (all === undefined || typeof all === 'string') throw new Error('no folder');
    expect(openTapeFolder(all.folder).tapes.map(({ file }) => file)).toEqual(['1.tape', '2.tape', '3.tape']);
  });

  it.each([
    ['none', undefined, /there is no such file/],
    ['a page', Buffer.from('<html>\n'), /not an index of tapes/],
  ])('is refused with this index: %s', async (_, index, message) => {
    const { server, fetch } = await fixture();
    if (index !== undefined) server.files.set('/tapes/.tapes-index', index);
    await expect(fetch([`${server.url}/tapes/`])).rejects.toThrow(message);
  });

  it('is refused when the index names a file outside of the folder', async () => {
    const { server, folder, putTape, fetch } = await fixture();
    putTape('/unused', 1);
    putFolder(server, folder, '/tapes/');
    const [, body = ''] = String(server.files.get('/tapes/.tapes-index')).split('\n');
    const forged = body.replace('1.tape', '../../1.tape');
    server.files.set(
      '/tapes/.tapes-index',
      Buffer.from(`${JSON.stringify({ version: 1, crc32: crc32(forged) })}\n${forged}`),
    );
    await expect(fetch([`${server.url}/tapes/`])).rejects.toThrow(/not an entry of the index/);
  });

  it('is refused when a tape differs from its entry in the index', async () => {
    const { server, folder, putTape, fetch } = await fixture();
    putTape('/unused', 1);
    putFolder(server, folder, '/tapes/');
    putTape('/tapes/1.tape', 2);
    await expect(fetch([`${server.url}/tapes/`])).rejects.toThrow(/not the one that the index of the folder lists/);
  });
});

describe('the cache', () => {
  it('removes the least recently used tapes, but none of this run', async () => {
    const { server, putTape, fetch } = await fixture();
    const sizes = [1, 2, 3].map((seed) => putTape(`/${seed}.tape`, seed).length);
    const limit = { maxBytes: Math.max(...sizes) * 2.5 };
    const [first] = await fetch([`${server.url}/1.tape`], limit);
    const [second] = await fetch([`${server.url}/2.tape`], limit);
    utimesSync(String(second), 1, 1);
    await fetch([`${server.url}/1.tape`, `${server.url}/3.tape`], limit);
    expect([existsSync(String(first)), existsSync(String(second))]).toEqual([true, false]);
    const all = [1, 2, 3].map((seed) => `${server.url}/${seed}.tape`);
    await expect(fetch(all, limit)).rejects.toThrow(/do not fit into \d+ bytes\. Raise `remote_tapes.max_gb`/);
  });

  it('keeps its tapes when a server announces one that does not fit', async () => {
    const { server, putTape, fetch } = await fixture();
    for (const seed of [1, 2]) putTape(`/${seed}.tape`, seed);
    const [first] = await fetch([`${server.url}/1.tape`]);
    await expect(fetch([`${server.url}/2.tape`], { maxBytes: 100 })).rejects.toThrow(/do not fit into 100 bytes/);
    expect(existsSync(String(first))).toBe(true);
  });

  it('reports that its folder cannot be created', async () => {
    const { server, putTape, fetch, cache } = await fixture();
    putTape('/1.tape', 1);
    writeFileSync(cache, 'a file');
    await expect(fetch([`${server.url}/1.tape`])).rejects.toThrow(/is not a folder\. Set XDG_CACHE_HOME/);
  });
});

describe('a bucket', () => {
  it('is read with signed requests', async () => {
    const { server, putTape, fetch } = await fixture();
    const bytes = putTape('/my-tapes/some folder/a.tape', 1);
    server.intercept = (request, response) => {
      if (isSigned(request, SECRET)) return false;
      response.writeHead(403).end();
      return true;
    };
    const s3 = (secretAccessKey: string) => ({
      s3: { endpoint: server.url, credentials: { accessKeyId: 'ME', secretAccessKey, sessionToken: undefined } },
    });
    const [path] = await fetch(['s3://my-tapes/some folder/a.tape'], s3(SECRET));
    expect(TapeFile.open(String(path)).bytes).toBe(bytes.length);
    const wrong = fetch(['s3://my-tapes/some folder/a.tape'], s3('another-key'));
    await expect(wrong).rejects.toThrow(/s3:\/\/my-tapes\/some%20folder\/a.tape: the server answered 403/);
    await expect(wrong).rejects.not.toThrow(/another-key/);
  });
});

/** Outlets that write from one room: what a socket was given stays what it was. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FlushList, Outlet } from '../../../src/server/streams/socket/outlet.ts';

const MOST = { soft: 1e9, hard: 1e9 };
/** Of 4 kB, all of one size. */
const frameOf = (name: string, at: number): readonly [Buffer, Buffer] => [
  Buffer.from(`${name} ${String(at).padStart(6, '0')} `),
  Buffer.alloc(4_000, `${at % 10}`),
];

describe('outlets that are flushed together', () => {
  let ends: { readonly near: Socket; readonly far: Socket }[] = [];
  let list: FlushList;

  beforeEach(async () => {
    list = new FlushList();
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    ends = [];
    for (let each = 0; each < 2; each += 1) {
      const far = connect(port, '127.0.0.1');
      const [near] = await once(server, 'connection');
      ends.push({ near, far });
    }
    server.close();
  });

  afterEach(() => {
    for (const { near, far } of ends) {
      near.destroy();
      far.destroy();
    }
  });

  const outletOn = (socket: Socket): Outlet =>
    new Outlet({ socket, isOpen: () => true, tooSlow: (what) => expect.unreachable(what) }, list, MOST);

  /** The payloads of so many frames. */
  const received = async (socket: Socket, frames: number, each: number): Promise<string[]> => {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of socket) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= frames * each) break;
    }
    const all = Buffer.concat(chunks);
    return Array.from({ length: frames }, (_, at) => all.toString('latin1', at * each + 4, (at + 1) * each));
  };

  const said = (name: string, frames: number): string[] =>
    Array.from({ length: frames }, (_, at) => Buffer.concat(frameOf(name, at)).toString());

  it('send each socket its own messages, also one that reads later than the others', async () => {
    const [one, two] = ends.map(({ near }) => outletOn(near));
    const frames = 3_000;
    for (let at = 0; at < frames; at += 1) {
      one?.frame(...frameOf('one', at), '');
      two?.frame(...frameOf('two', at), '');
      list.flush();
    }
    // Far more than the system takes: the rest waits in the sockets.
    expect(ends.every(({ near }) => near.writableLength > 0)).toBe(true);
    const size = 4 + Buffer.concat(frameOf('one', 0)).length;
    const [first, second] = await Promise.all(ends.map(({ far }) => received(far, frames, size)));
    expect(first).toEqual(said('one', frames));
    expect(second).toEqual(said('two', frames));
  });

  it('write through a replaced `write` of a socket, which may hold data back', async () => {
    const held: Uint8Array[] = [];
    const [one, two] = ends.map(({ near }) => outletOn(near));
    const [first] = ends;
    if (first === undefined) throw new Error('no socket');
    first.near.write = (chunk: unknown): boolean => {
      if (chunk instanceof Uint8Array) held.push(chunk);
      return true;
    };
    for (let at = 0; at < 3; at += 1) {
      one?.frame(...frameOf('one', at), '');
      two?.frame(...frameOf('two', at), '');
      list.flush();
    }
    expect(held.map((bytes) => Buffer.from(bytes).toString('latin1', 4))).toEqual(said('one', 3));
    expect(list.counts.frames).toBe(6);
  });
});

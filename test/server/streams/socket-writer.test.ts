/** Writers that share a write buffer must not change data that a socket has not sent yet. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FlushList, SocketWriter } from '../../../src/server/streams/socket/socket-writer.ts';

const NO_LIMITS = { soft: 1e9, hard: 1e9 };
/** Two parts of a frame of 4 kB. All frames have the same size. */
const frameOf = (name: string, at: number): readonly [Buffer, Buffer] => [
  Buffer.from(`${name} ${String(at).padStart(6, '0')} `),
  Buffer.alloc(4_000, `${at % 10}`),
];

describe('writers that are flushed together', () => {
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

  const writerOn = (socket: Socket): SocketWriter =>
    new SocketWriter(
      { socket, isOpen: () => true, closeAsSlow: (field) => expect.unreachable(field) },
      list,
      NO_LIMITS,
    );

  /** Reads the payloads of frames. @param frameSize size of a frame, bytes */
  const readFrames = async (socket: Socket, frames: number, frameSize: number): Promise<string[]> => {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of socket) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= frames * frameSize) break;
    }
    const all = Buffer.concat(chunks);
    return Array.from({ length: frames }, (_, at) => all.toString('latin1', at * frameSize + 4, (at + 1) * frameSize));
  };

  const expectedFrames = (name: string, frames: number): string[] =>
    Array.from({ length: frames }, (_, at) => Buffer.concat(frameOf(name, at)).toString());

  it('send each socket its own messages, also when sockets read late', async () => {
    const [firstWriter, secondWriter] = ends.map(({ near }) => writerOn(near));
    const frames = 3_000;
    for (let at = 0; at < frames; at += 1) {
      firstWriter?.queueFrame(...frameOf('one', at), '');
      secondWriter?.queueFrame(...frameOf('two', at), '');
      list.flush();
    }
    // More than the system buffers hold, so data waits in the sockets.
    expect(ends.every(({ near }) => near.writableLength > 0)).toBe(true);
    const size = 4 + Buffer.concat(frameOf('one', 0)).length;
    const [first, second] = await Promise.all(ends.map(({ far }) => readFrames(far, frames, size)));
    expect(first).toEqual(expectedFrames('one', frames));
    expect(second).toEqual(expectedFrames('two', frames));
  });

  it('send all data of a socket through its `write` method, even if a test replaces the method', async () => {
    const writtenChunks: Uint8Array[] = [];
    const [firstWriter, secondWriter] = ends.map(({ near }) => writerOn(near));
    const [first] = ends;
    if (first === undefined) throw new Error('no socket');
    first.near.write = (chunk: unknown): boolean => {
      if (chunk instanceof Uint8Array) writtenChunks.push(chunk);
      return true;
    };
    for (let at = 0; at < 3; at += 1) {
      firstWriter?.queueFrame(...frameOf('one', at), '');
      secondWriter?.queueFrame(...frameOf('two', at), '');
      list.flush();
    }
    expect(writtenChunks.map((bytes) => Buffer.from(bytes).toString('latin1', 4))).toEqual(expectedFrames('one', 3));
    expect(list.counts.frames).toBe(6);
  });
});

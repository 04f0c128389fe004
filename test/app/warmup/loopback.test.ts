import { Server } from 'node:net';
import process from 'node:process';
import { describe, expect, it, vi } from 'vitest';
import { Loopback } from '../../../src/app/warmup/loopback.ts';
import { nextEventLoopTurn } from '../../../src/clock/index.ts';

/** Open sockets of this process. */
function sockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap' || name === 'TCPServerWrap').length;
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextEventLoopTurn();
}

describe('the loopback connection', () => {
  it('accepts any number of frames, because they are read and dropped', async () => {
    const loopback = await Loopback.open();
    const frame = Buffer.alloc(64 * 1024, 7);
    // 64 MB, which is more than the system buffers for a connection.
    for (let count = 0; count < 1_000; count += 1) {
      loopback.write(frame);
      await nextEventLoopTurn();
    }
    loopback.close();
  });

  it('buffers bytes that the system does not accept at once, and accepts no more until they are written', async () => {
    const loopback = await Loopback.open();
    const frame = Buffer.alloc(16 * 1024 * 1024);
    expect(loopback.write(frame)).toBe(false);
    // Not accepted, so the caller still owns the bytes.
    expect(loopback.write(frame)).toBe(true);
    loopback.close();
  });

  it('leaves nothing open after its end and accepts nothing more', async () => {
    const before = sockets();
    const loopback = await Loopback.open();
    loopback.close();
    loopback.close();
    expect(loopback.write(Buffer.alloc(10))).toBe(true);
    await until(() => sockets() <= before);
  });

  it('accepts no other client', async () => {
    const listen = vi.spyOn(Server.prototype, 'listen');
    const loopback = await Loopback.open();
    const [server] = listen.mock.contexts;
    listen.mockRestore();
    expect(server).toMatchObject({ listening: false });
    loopback.close();
  });
});

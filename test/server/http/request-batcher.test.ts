import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { nextTurn } from '../../../src/clock/index.ts';
import { type BatchedRequest, RequestBatcher } from '../../../src/server/http/request-batcher.ts';
import { OWNER } from '../graphql/stub-venue.ts';
import { type Running, runServer } from './running-server.ts';

describe('RequestBatcher', () => {
  it('reads all requests of a turn, then runs them in order, and leaves later ones to the next turn', async () => {
    const turn = new RequestBatcher();
    const seen: string[] = [];
    const request = (name: string, more: () => void = () => undefined): BatchedRequest => ({
      read: () => void seen.push(`read ${name}`),
      run: () => {
        seen.push(`run ${name}`);
        more();
      },
    });
    turn.add(request('a', () => turn.add(request('c'))));
    turn.add(request('b'));
    expect(seen).toEqual([]);
    await nextTurn();
    expect(seen).toEqual(['read a', 'read b', 'run a', 'run b']);
    await nextTurn();
    expect(seen.slice(4)).toEqual(['read c', 'run c']);
  });
});

describe('requests of one event-loop turn', () => {
  let running: Running | undefined;
  afterEach(() => running?.server.close(0));

  it('are authorized after the previous one has run, so a session that it ended is refused', async () => {
    const seen: string[] = [];
    let isOver = false;
    running = await runServer({
      identify: () => {
        seen.push('identified');
        return isOver ? undefined : OWNER;
      },
      resolvers: {
        Query: {
          me: () => {
            seen.push('run');
            isOver = true;
            return null;
          },
        },
      },
    });
    const body = '{"query":"{ me { id } }"}';
    const request = `POST /graphql HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const socket = connect(running.server.port, '127.0.0.1').setEncoding('latin1');
    socket.write(request + request);
    let received = '';
    while (received.split('HTTP/1.1 200').length < 3 || !received.includes('UNAUTHORIZED')) {
      const [chunk] = await once(socket, 'data');
      received += String(chunk);
    }
    socket.destroy();
    expect(seen).toEqual(['identified', 'run', 'identified']);
  });
});

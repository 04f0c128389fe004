/** Follows a report of a running bot until it ends. */
import type { Socket } from 'node:net';
import { Fault } from '../../domain/index.ts';
import { NETWORK_LIMITS, parseJson } from '../../network/index.ts';
import { addressText, type BotAddress } from './bot-address.ts';
import { CONTROL_VERSION, responseSchema, splitLines } from './commands.ts';
import { connectTo } from './control-client.ts';

export interface BotWatch {
  /** Takes each report, the first one at once. Not checked: the reader decides what it needs of it. */
  report(result: unknown): void;
  /** The connection ended, or the bot refuses. Called once; nothing follows. */
  ended(fault: Fault): void;
}

type WatchCommand =
  | { readonly command: 'watch' }
  | { readonly command: 'watch-market'; readonly args: { readonly market: string } };

/** A bot sends something each second. Another machine that is lost, or its network, ends no connection. */
const SILENT_MS = 10_000;

/** @returns ends the watch. @throws Fault NO_BOT when no bot listens, CONTROL when it cannot be reached */
export async function watchBot(address: BotAddress, request: WatchCommand, watch: BotWatch): Promise<() => void> {
  const socket = await connectTo(address);
  let isOver = false;
  const end = (fault: Fault): void => {
    if (isOver) return;
    isOver = true;
    socket.destroy();
    watch.ended(fault);
  };
  follow(socket, watch, end);
  if (typeof address !== 'string') {
    socket.setTimeout(SILENT_MS, () => {
      end(new Fault('CONTROL', `${addressText(address)}: nothing came for ${SILENT_MS} ms`));
    });
  }
  socket.write(`${JSON.stringify({ v: CONTROL_VERSION, id: 1, ...request })}\n`);
  return () => {
    isOver = true;
    socket.destroy();
  };
}

function follow(socket: Socket, watch: BotWatch, end: (fault: Fault) => void): void {
  const take = splitLines(NETWORK_LIMITS.controlAnswer, (line) => {
    const response = responseSchema.safeParse(parseJson(line));
    if (!response.success) throw new Fault('CONTROL', 'what answers there is no halfspread bot');
    if (!response.data.ok) throw new Fault('CONTROL', response.data.error.message);
    watch.report(response.data.result);
  });
  socket.on('data', (piece: string) => {
    try {
      take(piece);
    } catch (cause) {
      end(cause instanceof Fault ? cause : new Fault('CONTROL', 'the bot sent what is no report', { cause }));
    }
  });
  socket.on('error', (cause) =>
    end(new Fault('CONTROL', `the connection to the bot broke (${cause.message})`, { cause })),
  );
  socket.on('close', () => end(new Fault('CONTROL', 'the bot closed the connection')));
}

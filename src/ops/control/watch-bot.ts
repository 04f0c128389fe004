import type { Socket } from 'node:net';
import { Fault } from '../../domain/index.ts';
import { NETWORK_LIMITS, parseJson } from '../../network/index.ts';
import { addressText, type BotAddress } from './bot-address.ts';
import { CONTROL_VERSION, responseSchema, splitLines } from './commands.ts';
import { connectTo } from './control-client.ts';

export interface BotWatch {
  /** Receives each report, unvalidated. The first one arrives at once. */
  report(result: unknown): void;
  /** Called once, when the connection ends or the bot refuses. No report follows. */
  ended(fault: Fault): void;
}

type WatchCommand =
  | { readonly command: 'watch' }
  | { readonly command: 'watch-market'; readonly args: { readonly market: string } };

/** A bot sends a report at least each second. A lost machine or network does not close the connection. */
const SILENT_MS = 10_000;

/** Receives reports of a running bot. @returns ends the watch. @throws Fault NO_BOT if no bot listens, CONTROL if it cannot be reached */
export async function watchBot(address: BotAddress, request: WatchCommand, watch: BotWatch): Promise<() => void> {
  const socket = await connectTo(address);
  let isEnded = false;
  const end = (fault: Fault): void => {
    if (isEnded) return;
    isEnded = true;
    socket.destroy();
    watch.ended(fault);
  };
  follow(socket, watch, end);
  if (typeof address !== 'string') {
    socket.setTimeout(SILENT_MS, () => {
      end(new Fault('CONTROL', `${addressText(address)}: no report arrived for ${SILENT_MS} ms`));
    });
  }
  socket.write(`${JSON.stringify({ v: CONTROL_VERSION, id: 1, ...request })}\n`);
  return () => {
    isEnded = true;
    socket.destroy();
  };
}

function follow(socket: Socket, watch: BotWatch, end: (fault: Fault) => void): void {
  const take = splitLines(NETWORK_LIMITS.controlAnswer, (line) => {
    const response = responseSchema.safeParse(parseJson(line));
    if (!response.success) throw new Fault('CONTROL', 'the process that answers there is no halfspread bot');
    if (!response.data.ok) throw new Fault('CONTROL', response.data.error.message);
    watch.report(response.data.result);
  });
  socket.on('data', (piece: string) => {
    try {
      take(piece);
    } catch (cause) {
      end(cause instanceof Fault ? cause : new Fault('CONTROL', 'the bot sent an invalid report', { cause }));
    }
  });
  socket.on('error', (cause) =>
    end(new Fault('CONTROL', `the connection to the bot broke (${cause.message})`, { cause })),
  );
  socket.on('close', () => end(new Fault('CONTROL', 'the bot closed the connection')));
}

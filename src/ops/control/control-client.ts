/** Sends a command to a running bot over its control socket. */
import { connect, type Socket } from 'node:net';
import type { Clock } from '../../clock/index.ts';
import { Fault, timeAfter } from '../../domain/index.ts';
import { NETWORK_LIMITS, parseJson } from '../../network/index.ts';
import { CONTROL_VERSION, type ControlCommand, responseSchema, splitLines } from './commands.ts';

export interface ControlRequest {
  readonly command: ControlCommand;
  readonly args?: Readonly<Record<string, unknown>>;
}

/** Waiting for a kill's verification or a new market's first book takes seconds. */
const TIMEOUT_MS = 30_000;
const NOT_LISTENING = new Set(['ENOENT', 'ECONNREFUSED', 'ENOTSOCK']);

/** @throws Fault NO_BOT when no bot listens, CONTROL_INPUT for wrong arguments, CONTROL for any other refusal or no answer */
export async function askBot(path: string, { command, args = {} }: ControlRequest, clock: Clock): Promise<unknown> {
  const socket = await connectTo(path);
  try {
    socket.write(`${JSON.stringify({ v: CONTROL_VERSION, id: 1, command, args })}\n`);
    const response = responseSchema.safeParse(jsonOf(await firstLine(socket, clock)));
    if (!response.success) throw new Fault('CONTROL', `${path}: what answers there is no halfspread bot`);
    const answer = response.data;
    if (answer.ok) return answer.result;
    const { code, message } = answer.error;
    throw new Fault(code === 'INPUT' ? 'CONTROL_INPUT' : 'CONTROL', message);
  } finally {
    socket.destroy();
  }
}

/** @throws Fault NO_BOT */
export function connectTo(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => resolve(socket));
    socket.once('error', (cause: NodeJS.ErrnoException) => {
      const isAbsent = NOT_LISTENING.has(cause.code ?? '');
      const problem = isAbsent ? 'no bot runs there' : `it cannot be reached (${cause.message})`;
      reject(new Fault(isAbsent ? 'NO_BOT' : 'CONTROL', `${path}: ${problem}`, { cause }));
    });
  });
}

function firstLine(socket: Socket, clock: Clock): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = (): void =>
      reject(new Fault('CONTROL', `the bot did not answer within ${TIMEOUT_MS} ms: it hangs or is overloaded`));
    const cancel = clock.schedule(timeAfter(clock.now(), TIMEOUT_MS), late);
    socket.setEncoding('utf8');
    const take = splitLines(NETWORK_LIMITS.controlAnswer, resolve);
    socket.on('data', (piece: string) => {
      try {
        take(piece);
      } catch (error) {
        reject(error);
      }
    });
    socket.once('error', (cause) =>
      reject(new Fault('CONTROL', `the connection to the bot broke (${cause.message})`, { cause })),
    );
    socket.once('close', () => {
      cancel();
      reject(new Fault('CONTROL', 'the bot closed the connection before it answered'));
    });
  });
}

function jsonOf(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}

/** Reports that are sent to one client again and again, until it goes. */
import type { Socket } from 'node:net';
import { type Clock, repeatEvery } from '../../clock/index.ts';
import { InputFault } from '../../domain/index.ts';
import { CONTROL_VERSION } from './commands.ts';

/** Reports that one client may watch at the same time. */
const MOST_WATCHES = 16;
/** A report that stays the same is sent so often: it says that the bot lives. */
const AT_LEAST_MS = 1_000;

export class Watches {
  readonly #socket: Socket;
  readonly #clock: Clock;
  readonly #stops: (() => void)[] = [];

  constructor(socket: Socket, clock: Clock) {
    this.#socket = socket;
    this.#clock = clock;
    socket.once('close', () => {
      for (const stop of this.#stops) stop();
    });
  }

  /**
   * Sends a report now, then each change of it, not more often than it says.
   * @param id of the command that asked for it: each answer carries it
   * @param json makes the report
   * @throws InputFault for too many reports
   */
  add(id: number, everyMs: number, json: () => string): void {
    if (this.#stops.length === MOST_WATCHES) {
      throw new InputFault('command', 'watch', `at most ${MOST_WATCHES} reports on one connection`);
    }
    let sent = '';
    let sentAt = 0;
    const send = (): void => {
      // What a slow client has not read yet is not followed by more.
      if (this.#socket.destroyed || this.#socket.writableLength > 0) return;
      const report = json();
      const now = this.#clock.now();
      if (report === sent && now - sentAt < AT_LEAST_MS) return;
      sent = report;
      sentAt = now;
      this.#socket.write(`{"v":${CONTROL_VERSION},"id":${id},"ok":true,"result":${report}}\n`);
    };
    send();
    this.#stops.push(repeatEvery(this.#clock, everyMs, send));
  }
}

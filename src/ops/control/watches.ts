import type { Socket } from 'node:net';
import { type Clock, repeatEvery } from '../../clock/index.ts';
import { InputFault } from '../../domain/index.ts';
import { CONTROL_VERSION } from './commands.ts';

/** Most reports that one client can watch. */
const MAX_WATCHES = 16;
/** An unchanged report is sent again after this time, as a sign that the bot runs. */
const AT_LEAST_MS = 1_000;

/** Sends reports to one client until it disconnects. */
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
   * Sends a report now, and again when it has changed, at most every `everyMs`.
   * @param id id of the command; part of each answer
   * @param json creates the report
   * @throws InputFault for too many reports
   */
  add(id: number, everyMs: number, json: () => string): void {
    if (this.#stops.length === MAX_WATCHES) {
      throw new InputFault('command', 'watch', `at most ${MAX_WATCHES} reports on one connection`);
    }
    let sent = '';
    let sentAt = 0;
    const send = (): void => {
      // A slow client gets no further report until it has read the last one.
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

import { appendFile } from 'node:fs/promises';
import { formatTime } from '../../domain/index.ts';
import type { Log } from '../graphql/context.ts';
import type { Outbox } from './ports.ts';

/** Only the server's user may read the file. */
const PRIVATE = 0o600;

/** Appends each mail to a file as one line of JSON. */
export function fileOutbox(file: string): Outbox {
  return {
    send: ({ to, code, expiresAt }) =>
      appendFile(file, `${JSON.stringify({ to, code, expiresAt: formatTime(expiresAt) })}\n`, { mode: PRIVATE }),
  };
}

/** Writes codes to the log, for local venues. */
export function logOutbox(log: Log): Outbox {
  return {
    async send({ to, code, expiresAt }) {
      log.info({ to, code, expiresAt: formatTime(expiresAt) }, 'e-mail with a code, not sent');
    },
  };
}

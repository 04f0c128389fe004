/** What a doctor says: one line each, and what to do about it. */
export type FindingStatus = 'ok' | 'warn' | 'fail';

export interface Finding {
  readonly name: string;
  readonly status: FindingStatus;
  readonly message: string;
  readonly remedy?: string;
}

export function ok(name: string, message: string): Finding {
  return { name, status: 'ok', message };
}

export function warn(name: string, message: string, remedy: string): Finding {
  return { name, status: 'warn', message, remedy };
}

export function fail(name: string, message: string, remedy: string): Finding {
  return { name, status: 'fail', message, remedy };
}

/** Formats numbers of the page: U+2212 for minus, an en dash for a missing value. */

export const MISSING = '–';
const MINUS = '−';
const DOLLAR = 1_000_000;
const SHARE = 1_000_000;

type Maybe = number | null | undefined;

/** Formatters by decimals. Creating one takes as long as formatting a hundred numbers. */
const formats: Intl.NumberFormat[] = [];

/** `1,234.50`. */
export function grouped(value: number, decimals: number): string {
  formats[decimals] ??= new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return formats[decimals].format(value);
}

/** `1 market`, `3 markets`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `+` or `−` before the size; nothing before a number that rounds to 0. */
function signed(value: number, decimals: number, before = ''): string {
  const text = grouped(Math.abs(value), decimals);
  const isZero = !/[1-9]/.test(text);
  return `${isZero ? '' : value < 0 ? MINUS : '+'}${before}${text}`;
}

/** A balance: `14,212.40`. */
export function money(micros: Maybe): string {
  if (micros === null || micros === undefined) return MISSING;
  return `${micros < 0 ? MINUS : ''}${grouped(Math.abs(micros / DOLLAR), 2)}`;
}

/** A change: `+48.32`. */
export function change(micros: Maybe): string {
  return micros === null || micros === undefined ? MISSING : signed(micros / DOLLAR, 2);
}

/** A change with its unit: `+$48.32`. */
export function dollarChange(micros: Maybe): string {
  return micros === null || micros === undefined ? MISSING : signed(micros / DOLLAR, 2, '$');
}

/** Shares: whole from 10 up, else two decimals. */
export function shares(micros: Maybe): string {
  if (micros === null || micros === undefined) return MISSING;
  const value = Math.abs(micros) / SHARE;
  return `${micros < 0 ? MINUS : ''}${grouped(value, value >= 10 || value === 0 ? 0 : 2)}`;
}

export function position(micros: Maybe): string {
  if (micros === null || micros === undefined) return MISSING;
  const text = shares(Math.abs(micros));
  return micros > 0 ? `+${text}` : micros < 0 ? `${MINUS}${text}` : text;
}

/** Decimals of a price in cents for a tick in bps: 100 bps are whole cents; 0 for a market without one tick. */
export function priceDecimals(tickBps: number): number {
  if (tickBps <= 0) return 2;
  return tickBps % 100 === 0 ? 0 : tickBps % 10 === 0 ? 1 : 2;
}

/** A price in cents: `62.5`. */
export function cents(bps: Maybe, decimals: number): string {
  return bps === null || bps === undefined ? MISSING : grouped(bps / 100, decimals);
}

/** 0 to 1 as `97.3`. */
export function percent(part: Maybe, decimals = 1): string {
  return part === null || part === undefined ? MISSING : grouped(part * 100, decimals);
}

/** `0.2 s`, `9.4 s`, `2 m`, `3 h 5 m`, `19 d 4 h`. */
export function age(ms: Maybe): string {
  if (ms === null || ms === undefined) return MISSING;
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} m`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** `book 0.2 s old`. */
export function bookAge(ms: number | null): string {
  return ms === null ? 'no book yet' : `book ${age(ms)} old`;
}

/** `14:32:08`, UTC. */
export function clockTime(time: Maybe): string {
  return time === null || time === undefined ? MISSING : new Date(time).toISOString().slice(11, 19);
}

/** `2026-11-26 14:32:08`, UTC. */
export function dayTime(time: Maybe): string {
  return time === null || time === undefined ? MISSING : new Date(time).toISOString().slice(0, 19).replace('T', ' ');
}

/** Bps of $1 with a sign: `+12.4`. */
export function bpsChange(bps: Maybe): string {
  return bps === null || bps === undefined ? MISSING : signed(bps, 1);
}

/** `gain` or `loss` for a total of real money; nothing for simulated money, which is never green or red. */
export function gainClass(micros: Maybe, isReal = true): string {
  if (!isReal || micros === null || micros === undefined || Math.abs(micros) < DOLLAR / 200) return '';
  return micros > 0 ? 'gain' : 'loss';
}

/** Formats numbers of the page, with U+2212 for minus and an en dash for a missing value. */
export const MISSING = '–';
const MINUS = '−';
const DOLLAR = 1_000_000;
const SHARE = 1_000_000;

type Maybe = number | null | undefined;

function formatter<Options extends readonly unknown[]>(format: (value: number, ...options: Options) => string) {
  return (value: Maybe, ...options: Options): string =>
    value === null || value === undefined ? MISSING : format(value, ...options);
}

/** Cached formats, by decimals. Creating a format takes as long as formatting a hundred numbers. */
const formats: Intl.NumberFormat[] = [];

/** Formats a number with separators: `1,234.50`. */
export function grouped(value: number, decimals: number): string {
  formats[decimals] ??= new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return formats[decimals].format(value);
}

/** Formats a count with its noun: `1 market`, `3 markets`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Prefixes `+` or `−`; no sign for a number that rounds to 0. */
function signed(value: number, decimals: number, unit = ''): string {
  const text = grouped(Math.abs(value), decimals);
  const isZero = !/[1-9]/.test(text);
  return `${isZero ? '' : value < 0 ? MINUS : '+'}${unit}${text}`;
}

/** A balance: `14,212.40`. */
export const money = formatter((micros) => `${micros < 0 ? MINUS : ''}${grouped(Math.abs(micros / DOLLAR), 2)}`);

/** A change: `+48.32`. */
export const change = formatter((micros) => signed(micros / DOLLAR, 2));

/** A change with its unit: `+$48.32`. */
export const dollarChange = formatter((micros) => signed(micros / DOLLAR, 2, '$'));

/** Shares: no decimals from 10 shares, two decimals below. */
export const shares = formatter((micros) => {
  const value = Math.abs(micros) / SHARE;
  return `${micros < 0 ? MINUS : ''}${grouped(value, value >= 10 || value === 0 ? 0 : 2)}`;
});

export const position = formatter((micros) => `${micros > 0 ? '+' : ''}${shares(micros)}`);

/** Returns the decimals of a price in cents. @param tickBps 100 is a whole cent; 0 for a market without a fixed tick */
export function priceDecimals(tickBps: number): number {
  if (tickBps <= 0) return 2;
  return tickBps % 100 === 0 ? 0 : tickBps % 10 === 0 ? 1 : 2;
}

/** A price in cents: `62.5`. */
export const cents = formatter((bps, decimals: number) => grouped(bps / 100, decimals));

/** A fraction from 0 to 1 in percent: `97.3`. */
export const percent = formatter((part, decimals: number = 1) => grouped(part * 100, decimals));

/** A duration: `0.2 s`, `9.4 s`, `2 m`, `3 h 5 m`, `19 d 4 h`. */
export const age = formatter((ms) => {
  const seconds = Math.max(0, ms) / 1_000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ${minutes % 60} m`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
});

/** Describes the age of a book: `book 0.2 s old`. */
export function bookAge(ms: number | null): string {
  return ms === null ? 'no book yet' : `book ${age(ms)} old`;
}

/** A time of day in UTC: `14:32:08`. */
export const clockTime = formatter((time) => new Date(time).toISOString().slice(11, 19));

/** A date and time in UTC: `2026-11-26 14:32:08`. */
export const dayTime = formatter((time) => new Date(time).toISOString().slice(0, 19).replace('T', ' '));

/** Bps of $1 with a sign: `+12.4`. */
export const bpsChange = formatter((bps) => signed(bps, 1));

/** Returns `gain` or `loss` for real money; an empty text for simulated money, which is never green or red. */
export function gainClass(micros: Maybe, isReal = true): string {
  if (!isReal || micros === null || micros === undefined || Math.abs(micros) < DOLLAR / 200) return '';
  return micros > 0 ? 'gain' : 'loss';
}

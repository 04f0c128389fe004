/** Formats log lines for terminals. Files and pipes get the JSON unchanged. */
import { harmlessLine, parseJson } from '../../network/index.ts';

const LEVELS: ReadonlyMap<unknown, string> = new Map([
  [20, 'debug '],
  [40, 'WARN '],
  [50, 'ERROR '],
  [60, 'FATAL '],
]);

/** Returns `10:28:59 trading  account=0x… markets=5` in UTC, with stacks below. Returns a line unchanged if it is no JSON object. */
export function readableLine(line: string): string {
  const fields = objectOf(line);
  if (fields === undefined) return line;
  const { level, time, msg, ...rest } = fields;
  const stacks: string[] = [];
  const shown = Object.entries(rest).map(([name, value]) => {
    const stack = stackOf(value);
    if (stack !== undefined) stacks.push(stack);
    return stack === undefined ? harmlessLine(`${name}=${valueText(value)}`) : '';
  });
  const head = `${clockText(time)} ${LEVELS.get(level) ?? ''}${harmlessLine(String(msg ?? ''))}`;
  const members = shown.filter((text) => text !== '').join(' ');
  return [members === '' ? head : `${head}  ${members}`, ...stacks].map((text) => `${text}\n`).join('');
}

function objectOf(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseJson(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function clockText(time: unknown): string {
  const moment = new Date(typeof time === 'number' ? time : Number.NaN);
  return Number.isNaN(moment.getTime()) ? '--:--:--' : moment.toISOString().slice(11, 19);
}

/** Returns the stack of a logged error. */
function stackOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('stack' in value)) return undefined;
  return String(value.stack)
    .split('\n')
    .map((line) => `    ${harmlessLine(line)}`)
    .join('\n');
}

function valueText(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

import type { EpochMs } from '../../domain/index.ts';

export const ALERT_LEVELS = ['info', 'warning', 'critical'] as const;
export type AlertLevel = (typeof ALERT_LEVELS)[number];

/** The default level of each kind. docs/alerts.md describes the kinds. */
export const ALERT_KINDS = {
  kill: 'critical',
  watchdog: 'critical',
  fault: 'critical',
  disagreement: 'critical',
  trade_conflict: 'critical',
  stuck: 'critical',
  strategy: 'warning',
  fill_reversed: 'warning',
  fee: 'warning',
  log: 'warning',
  commands: 'warning',
  selection: 'info',
  market: 'info',
  recovery: 'info',
  end: 'info',
  summary: 'info',
  quiet: 'info',
  test: 'info',
} as const satisfies Readonly<Record<string, AlertLevel>>;
export type AlertKind = keyof typeof ALERT_KINDS;

export type AlertFields = Readonly<Record<string, string | number>>;

export interface Alert {
  readonly kind: AlertKind;
  readonly level: AlertLevel;
  /** One line that names the next step. The daily summary has several lines. */
  readonly text: string;
  readonly fields: AlertFields;
  readonly time: EpochMs;
}

/** Raises an alert. Returns at once and never throws. */
export type SendAlert = (kind: AlertKind, text: string, fields: AlertFields) => void;

/** Returns the level. An end that may leave open orders is critical. A recovery with lost data is a warning. */
export function alertLevel(kind: AlertKind, fields: AlertFields): AlertLevel {
  if (kind === 'end' && fields['open'] !== 0) return 'critical';
  if (kind === 'recovery' && fields['gap'] !== undefined) return 'warning';
  return ALERT_KINDS[kind];
}

export function isAtLeast(level: AlertLevel, minimum: AlertLevel): boolean {
  return ALERT_LEVELS.indexOf(level) >= ALERT_LEVELS.indexOf(minimum);
}

import { Children, type CSSProperties, type ReactNode } from 'react';
import type { Bot, BotKind, Health, LimitUse } from '../generated/schema-types.ts';
import type { Dialog } from './dialogs.tsx';
import { percent } from './format.ts';

export interface ViewProps {
  readonly bots: readonly Bot[];
  /** Epoch ms of the dashboard's machine. */
  readonly now: number;
  readonly onOpen: (dialog: Dialog) => void;
}

const ICONS = {
  on: <circle cx="6" cy="6" r="4" />,
  half: <path d="M6 2a4 4 0 1 0 0 8a4 4 0 0 0 0-8zm0 1.2a2.8 2.8 0 0 1 0 5.6z" fillRule="evenodd" />,
  off: <path d="M6 2a4 4 0 1 0 0 8a4 4 0 0 0 0-8zm0 1.4a2.6 2.6 0 1 1 0 5.2a2.6 2.6 0 0 1 0-5.2z" fillRule="evenodd" />,
  pause: <path d="M2.5 2h2.4v8H2.5zM7.1 2h2.4v8H7.1z" />,
  warn: <path d="M6 .8L11.8 11H.2zM5.4 4.4v3.4h1.2V4.4zm0 4.3v1.2h1.2V8.7z" fillRule="evenodd" />,
  kill: <path d="M6 .8a5.2 5.2 0 1 0 0 10.4A5.2 5.2 0 0 0 6 .8zM3.2 5.3h5.6v1.4H3.2z" fillRule="evenodd" />,
  ok: <path d="M4.7 9.7L1.2 6.2l1.1-1.1l2.4 2.4l5-5l1.1 1.1z" />,
  arrow: <path d="M2 5.4h5.6L5.3 3.1l.9-.9L10 6L6.2 9.8l-.9-.9l2.3-2.3H2z" />,
} as const;
type IconName = keyof typeof ICONS;

/** @param label text for screen readers. Default: the icon is decorative */
export function Icon({ name, label }: { readonly name: IconName; readonly label?: string }) {
  const isHidden = label === undefined;
  return (
    <svg
      className="icon"
      viewBox="0 0 12 12"
      role={isHidden ? undefined : 'img'}
      aria-label={label}
      aria-hidden={isHidden}
    >
      {ICONS[name]}
    </svg>
  );
}

/** Custom properties for the style sheet, such as the width of a bar. */
export function cssVars(values: Readonly<Record<`--${string}`, string>>): CSSProperties {
  return values as CSSProperties;
}

interface PanelProps {
  readonly title: ReactNode;
  readonly meta?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

export function Panel({ title, meta, children, className = '' }: PanelProps) {
  return (
    <section className={`panel ${className}`}>
      <header>
        {typeof title === 'string' ? <h2>{title}</h2> : title}
        {meta !== undefined && <span className="meta">{meta}</span>}
      </header>
      {children}
    </section>
  );
}

interface MetricProps {
  readonly label: string;
  readonly className?: string;
  readonly isHero?: boolean;
  readonly children: ReactNode;
  readonly context?: ReactNode;
}

export function Metric({ label, className = '', isHero = false, children, context }: MetricProps) {
  return (
    <div className={isHero ? 'hero' : undefined}>
      <dt>{label}</dt>
      <dd className={className}>{children}</dd>
      {context !== undefined && <dd className="context">{context}</dd>}
    </div>
  );
}

export function KindTag({ kind }: { readonly kind: BotKind }) {
  return <span className={`mode ${kind.toLowerCase()}`}>{kind}</span>;
}

/** Shows the used part of a limit: number, bar, tick at 80 %. @param part 0 to 1 and above; null without a limit */
export function LimitMeter({ part }: { readonly part: number | null }) {
  if (part === null) return <span className="faint">no limit</span>;
  const level = part > 1 ? 'breached' : part >= 0.8 ? 'close' : '';
  return (
    <div className={`limit-use ${level}`}>
      <span>{percent(part, 0)}%</span>
      <span className="meter" style={cssVars({ '--value': `${Math.min(100, part * 100)}%` })}>
        <i />
      </span>
    </div>
  );
}

export function Sparkline({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  if (values.length < 2) return <span className="faint">–</span>;
  const low = Math.min(...values);
  const span = Math.max(...values) - low || 1;
  const y = (value: number): string => (44 - ((value - low) / span) * 40).toFixed(1);
  const x = (index: number): string => ((index / (values.length - 1)) * 200).toFixed(1);
  return (
    <svg className="sparkline" viewBox="0 0 200 48" preserveAspectRatio="none" role="img" aria-label={label}>
      <path className="first-value" d={`M0 ${y(values[0] ?? 0)}h200`} />
      <path d={`M${values.map((value, index) => `${x(index)} ${y(value)}`).join('L')}`} />
    </svg>
  );
}

/** Returns the items of a list with unique keys: equal names are numbered. */
export function withKeys<Item>(
  items: readonly Item[],
  getName: (item: Item) => string,
): readonly (readonly [string, Item])[] {
  const seen = new Map<string, number>();
  return items.map((item) => {
    const name = getName(item);
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    return [`${name}#${count}`, item];
  });
}

/** The head of a column. A plain text has no class. */
type Head = string | { readonly className?: string; readonly text?: ReactNode };

export function numeric(...texts: readonly string[]): readonly Head[] {
  return texts.map((text) => ({ className: 'num', text }));
}

interface TableProps {
  readonly label: string;
  readonly className?: string;
  readonly heads?: readonly Head[];
  /** Content after the table in its region. */
  readonly more?: ReactNode;
  /** Replaces the table if it has no children. */
  readonly empty?: ReactNode;
  /** Whether the children are heads and bodies instead of rows. */
  readonly hasBodies?: boolean;
  readonly children: ReactNode;
}

/** A table in a scrollable region. Its rows are the children. */
export function Table({ label, className, heads, more, empty, hasBodies = false, children }: TableProps) {
  if (empty !== undefined && Children.count(children) === 0) return <Empty>{empty}</Empty>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keys.
    <section className="scroll" aria-label={label} tabIndex={0}>
      <table className={className}>
        <caption className="visually-hidden">{label}</caption>
        {heads !== undefined && (
          <thead>
            <tr>
              {withKeys(heads, () => '').map(([key, head]) => {
                const { className, text }: Exclude<Head, string> = typeof head === 'string' ? { text: head } : head;
                return (
                  <th key={key} className={className}>
                    {text}
                  </th>
                );
              })}
            </tr>
          </thead>
        )}
        {hasBodies ? children : <tbody>{children}</tbody>}
      </table>
      {more}
    </section>
  );
}

/** Returns the used part of a limit, 0 to 1 and above; null without a limit. */
export function limitPart(use: LimitUse | undefined): number | null {
  if (use === undefined || use.limit === null) return null;
  return use.limit === 0 ? 1 : use.used / use.limit;
}

interface BotChoiceProps {
  readonly bots: readonly Bot[];
  readonly value: string;
  readonly onChange: (bot: string) => void;
  readonly hasAllOption?: boolean;
}

export function BotChoice({ bots, value, onChange, hasAllOption = false }: BotChoiceProps) {
  return (
    <select aria-label="Bot" value={value} onChange={(event) => onChange(event.target.value)}>
      {hasAllOption && <option value="">All bots</option>}
      {bots.map(({ id }) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </select>
  );
}

export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className="empty">{children}</p>;
}

export const HEALTH_LABELS = {
  QUOTING: { text: 'Quoting', icon: 'on', tone: 'ok' },
  ONE_SIDED: { text: 'One side', icon: 'half', tone: 'warn' },
  IDLE: { text: 'No quotes', icon: 'off', tone: '' },
  STALE: { text: 'Stale', icon: 'warn', tone: 'warn' },
  PAUSED: { text: 'Paused', icon: 'pause', tone: '' },
  REDUCING: { text: 'Reducing', icon: 'half', tone: 'warn' },
  KILLED: { text: 'Killed', icon: 'kill', tone: 'danger' },
  LINK_DOWN: { text: 'No venue', icon: 'off', tone: 'danger' },
  COMPARING: { text: 'Comparing', icon: 'warn', tone: 'warn' },
  UNREACHABLE: { text: 'No answer', icon: 'off', tone: 'danger' },
} as const satisfies Record<Health, { readonly text: string; readonly icon: IconName; readonly tone: string }>;

export function HealthTag({ bot }: { readonly bot: Bot }) {
  const { text, icon, tone } = HEALTH_LABELS[bot.health];
  return (
    <span className={`tag ${tone}`} title={bot.healthReason ?? undefined}>
      <Icon name={icon} />
      {text}
    </span>
  );
}

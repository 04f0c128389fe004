import { useMemo } from 'react';
import { acknowledgeMutation } from '../../generated/documents.ts';
import type { Bot } from '../../generated/schema-types.ts';
import { mutate } from '../client.ts';
import { age, clockTime, counted } from '../format.ts';
import { Icon, Panel, Table } from '../parts.tsx';

const RANKS = { CRITICAL: 0, WARNING: 1, INFO: 2 } as const;
const ALERT_ICONS = { CRITICAL: ['kill', 'danger'], WARNING: ['warn', 'warn'], INFO: ['ok', 'ok'] } as const;
const MAX_ALERTS = 50;

export function AlertsPanel({ bots, now }: { readonly bots: readonly Bot[]; readonly now: number }) {
  const alerts = useMemo(() => {
    return bots
      .flatMap(({ id, state }) => state?.alerts.map((alert) => ({ ...alert, bot: id })) ?? [])
      .toSorted(
        (a, b) => Number(a.acknowledged) - Number(b.acknowledged) || RANKS[a.level] - RANKS[b.level] || b.time - a.time,
      )
      .slice(0, MAX_ALERTS);
  }, [bots]);
  const unacknowledged = alerts.filter(({ acknowledged }) => !acknowledged);
  const critical = unacknowledged.filter(({ level }) => level === 'CRITICAL').length;
  const warnings = unacknowledged.filter(({ level }) => level === 'WARNING').length;
  const title = (
    <>
      <h2>Alerts</h2>
      <span role="status" style={{ display: 'contents' }}>
        {critical > 0 && <span className="tag danger">{critical} critical</span>}
        {warnings > 0 && <span className="tag warn">{counted(warnings, 'warning')}</span>}
      </span>
    </>
  );
  return (
    <Panel title={title} meta="worst first">
      <Table label="Alerts, worst first" empty="No alert since the bots started." className="alert-table">
        {alerts.map(({ bot, id, level, time, text, count, acknowledged }) => (
          <tr key={`${bot}/${id}`}>
            <td className={ALERT_ICONS[level][1]}>
              <Icon name={ALERT_ICONS[level][0]} label={level.toLowerCase()} />
            </td>
            <td className="dim nowrap">{clockTime(time)}</td>
            <td className="bold nowrap">{bot}</td>
            <td className="message">
              {text}
              {count > 1 && ` (${count} times)`}
            </td>
            <td className="num dim">{age(now - time)}</td>
            <td className="num">
              {acknowledged ? (
                <span className="faint">seen</span>
              ) : (
                <button
                  type="button"
                  className="btn mini"
                  aria-label={`Ack: ${text}`}
                  onClick={() => void mutate(acknowledgeMutation, { bot, alert: id })}
                >
                  Ack
                </button>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

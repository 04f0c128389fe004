import { useEffect, useMemo, useState } from 'react';
import { logQuery, logSubscription } from '../generated/documents.ts';
import type { Bot, LogLevel, LogLine } from '../generated/schema-types.ts';
import { useApiQuery, useApiSubscription } from './client.ts';
import { clockTime } from './format.ts';
import { BotChoice, Panel, Table, withKeys } from './parts.tsx';

const MAX_ROWS = 500;
const TONES: Readonly<Record<LogLevel, string>> = { DEBUG: 'faint', INFO: 'dim', WARN: 'warn', ERROR: 'danger' };
const LEVELS: readonly LogLevel[] = ['DEBUG', 'INFO', 'WARN', 'ERROR'];

export function LogView({ bots }: { readonly bots: readonly Bot[] }) {
  const [bot, setBot] = useState(bots[0]?.id ?? '');
  const [level, setLevel] = useState<LogLevel>('INFO');
  const [text, setText] = useState('');
  const chooseLevel = (name: string): void => setLevel(LEVELS.find((each) => each === name) ?? 'INFO');
  return (
    <main className="list-page">
      <Panel title="Log" meta="newest first, since the bot's process started">
        <div className="filters">
          <BotChoice bots={bots} value={bot} onChange={setBot} />
          <select aria-label="Level" value={level} onChange={(event) => chooseLevel(event.target.value)}>
            {LEVELS.map((each) => (
              <option key={each} value={each}>
                {each.toLowerCase()} and above
              </option>
            ))}
          </select>
          <input aria-label="Text" placeholder="Text" value={text} onChange={(event) => setText(event.target.value)} />
        </div>
        <LogTable key={`${bot}/${level}`} bot={bot} level={level} text={text} />
      </Panel>
    </main>
  );
}

function LogTable({ bot, level, text }: { readonly bot: string; readonly level: LogLevel; readonly text: string }) {
  const { data, problem } = useApiQuery(logQuery, { bot, level, first: MAX_ROWS });
  const update = useApiSubscription(logSubscription, { bot, level });
  const [added, setAdded] = useState<readonly LogLine[]>([]);
  useEffect(() => {
    if (update !== undefined) setAdded((before) => [update.log, ...before].slice(0, MAX_ROWS));
  }, [update]);
  const lines = useMemo(() => {
    const all = [...added, ...(data?.log ?? [])];
    const fits = ({ message, fields }: LogLine): boolean =>
      `${message} ${fields}`.toLowerCase().includes(text.toLowerCase());
    return all.filter(fits).slice(0, MAX_ROWS);
  }, [added, data, text]);
  return (
    <Table label="Lines of the log" empty={problem ?? 'No line.'} className="log" heads={['UTC', 'Level', 'Message']}>
      {withKeys(lines, (line) => `${line.time}/${line.message}`).map(([key, line]) => (
        <tr key={key}>
          <td className="dim nowrap">{clockTime(line.time)}</td>
          <td className={`bold ${TONES[line.level]}`}>{line.level.toLowerCase()}</td>
          <td>
            {line.message} <small>{line.fields === '{}' ? '' : line.fields}</small>
          </td>
        </tr>
      ))}
    </Table>
  );
}

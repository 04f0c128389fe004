import { useMemo, useState } from 'react';
import { logQuery, logSubscription } from '../generated/documents.ts';
import type { Bot, LogLevel, LogLine, Subscription } from '../generated/schema-types.ts';
import { useApiQuery, useCollectedSubscription, useStream } from './client.ts';
import { clockTime } from './format.ts';
import { BotChoice, Panel, Table, withKeys } from './parts.tsx';

const MAX_ROWS = 500;
const TONES: Readonly<Record<LogLevel, string>> = { DEBUG: 'faint', INFO: 'dim', WARN: 'warn', ERROR: 'danger' };
const LEVELS: readonly LogLevel[] = ['DEBUG', 'INFO', 'WARN', 'ERROR'];

export function LogView({ bots }: { readonly bots: readonly Bot[] }) {
  const [bot, setBot] = useState(bots[0]?.id ?? '');
  const [level, setLevel] = useState<LogLevel>('INFO');
  const [text, setText] = useState('');
  const { connections } = useStream();
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
        {/* A new connection reads the log again, because the stream sends at most 2,000 of the lines meanwhile. */}
        <LogTable key={`${bot}/${level}/${connections}`} bot={bot} level={level} text={text} />
      </Panel>
    </main>
  );
}

function LogTable({ bot, level, text }: { readonly bot: string; readonly level: LogLevel; readonly text: string }) {
  const { data, problem } = useApiQuery(logQuery, { bot, level, first: MAX_ROWS });
  // The stream begins after the last line of the query, so that it neither misses nor repeats a line.
  const after = data?.log[0]?.seq ?? 0;
  const isPaused = data === undefined && problem === undefined;
  const added = useCollectedSubscription(logSubscription, { variables: { bot, level, after }, isPaused }, addLine);
  const lines = useMemo(() => {
    const all = [...(added ?? []), ...(data?.log ?? [])];
    // Lines with the number 0 say that lines are late or missing.
    const fits = ({ seq, message, fields }: LogLine): boolean =>
      seq === 0 || `${message} ${fields}`.toLowerCase().includes(text.toLowerCase());
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

/** Adds a line before the others. Skips a line that is sent again because the connection was lost. */
function addLine(lines: readonly LogLine[] = [], { log }: Pick<Subscription, 'log'>): readonly LogLine[] {
  const newest = lines.find(({ seq }) => seq > 0);
  // A new process numbers its lines from 1.
  const isNew = log.seq === 0 || newest === undefined || log.seq > newest.seq || log.time > newest.time;
  return isNew ? [log, ...lines].slice(0, MAX_ROWS) : lines;
}

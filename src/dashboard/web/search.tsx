/** Finds a market, a bot or a command by its name. */
import { type KeyboardEvent, useEffect, useState } from 'react';
import type { Bot, BotAction } from '../generated/schema-types.ts';
import { ACTION_WORDS, type Dialog, DialogFrame } from './dialogs.tsx';
import { withKeys } from './parts.tsx';
import { marketLink } from './route.ts';

const MAX_FOUND = 30;
const ACTIONS: readonly BotAction[] = ['PAUSE', 'RESUME', 'REDUCE', 'FLATTEN', 'KILL', 'CANCEL_ALL'];

interface Found {
  readonly text: string;
  readonly choose: () => void;
}

interface SearchBoxProps {
  readonly bots: readonly Bot[];
  readonly onClose: () => void;
  readonly onOpen: (dialog: Dialog) => void;
}

export function SearchBox({ bots, onClose, onOpen }: SearchBoxProps) {
  const [text, setText] = useState('');
  const [selected, setSelected] = useState(0);
  useEffect(() => {
    // Newer browsers return a promise.
    void document.getElementById(`found-${selected}`)?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const found = findEntries(bots, text, onOpen);
  const choose = (each: Found | undefined): void => {
    if (each === undefined) return;
    onClose();
    each.choose();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setSelected(Math.min(found.length - 1, selected + 1));
    else if (event.key === 'ArrowUp') setSelected(Math.max(0, selected - 1));
    else if (event.key === 'Enter') choose(found[selected]);
    // Tab must not move the focus, because arrow keys choose.
    else if (event.key !== 'Tab') return;
    event.preventDefault();
  };
  return (
    <DialogFrame aria-label="Find" onKeyDown={onKey} onClose={onClose}>
      <input
        role="combobox"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant={found[selected] === undefined ? undefined : `found-${selected}`}
        aria-label="Market, bot or command"
        placeholder="Market, bot or command"
        value={text}
        autoComplete="off"
        onChange={(event) => {
          setText(event.target.value);
          setSelected(0);
        }}
      />
      <div id="found" className="found" role="listbox" aria-label="Found">
        {withKeys(found, ({ text: name }) => name).map(([key, each], index) => (
          <button
            key={key}
            type="button"
            role="option"
            id={`found-${index}`}
            tabIndex={-1}
            aria-selected={index === selected}
            className="btn quiet"
            onClick={() => choose(each)}
          >
            {each.text}
          </button>
        ))}
        {found.length === 0 && <p className="empty">No market, bot or command has this name.</p>}
      </div>
    </DialogFrame>
  );
}

function findEntries(bots: readonly Bot[], text: string, onOpen: (dialog: Dialog) => void): readonly Found[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const isMatch = (name: string): boolean => words.every((word) => name.toLowerCase().includes(word));
  const found: Found[] = [];
  const addMatching = (name: string, choose: () => void): void => {
    if (found.length < MAX_FOUND && isMatch(name)) found.push({ text: name, choose });
  };
  for (const bot of bots) {
    for (const action of ACTIONS)
      addMatching(`${ACTION_WORDS[action]} ${bot.id}`, () => onOpen({ type: 'action', bot, action }));
    addMatching(`Add a market to ${bot.id}`, () => onOpen({ type: 'add market', bot }));
  }
  for (const bot of bots) {
    for (const { slug, question } of bot.state?.markets ?? []) {
      if (found.length >= MAX_FOUND) break;
      addMatching(`${question} · ${bot.id}`, () => {
        location.hash = marketLink(bot.id, slug);
      });
      if (words.includes('remove'))
        addMatching(`Remove ${slug} from ${bot.id}`, () => onOpen({ type: 'remove market', bot, market: slug }));
    }
  }
  return found;
}

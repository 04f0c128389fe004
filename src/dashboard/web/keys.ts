/** Keyboard shortcuts. Keys of bot actions only open a dialog. Keys without ⌘ or Ctrl can be switched off. */
import { useEffect, useRef } from 'react';
import type { BotAction } from '../generated/schema-types.ts';
import { VIEWS } from './route.ts';

export const KEY_LIST: readonly (readonly [string, string])[] = [
  ['g f', 'Fleet'],
  ['g m', 'Market'],
  ['g r', 'Risk'],
  ['g o', 'Orders and fills'],
  ['g l', 'Log'],
  ['g h', 'History'],
  ['⌘K or /', 'Find a market, bot or command'],
  ['[ and ]', 'Market before and after'],
  ['1 to 4', 'Range of the chart'],
  ['p', 'Pause the bot, or resume it'],
  ['d', 'Reduce'],
  ['x', 'Flatten'],
  ['⇧K', 'Kill the bot'],
  ['⇧⌥K', 'Kill all'],
  ['⌘↵', 'Apply changed parameters'],
  ['Esc', 'Close'],
  ['?', 'This list'],
];

const ACTIONS: Readonly<Record<string, BotAction>> = { p: 'PAUSE', d: 'REDUCE', x: 'FLATTEN' };

export interface KeyActions {
  /** Disables all keys while a dialog is open. */
  readonly isBusy: boolean;
  go(view: string): void;
  act(action: BotAction): void;
  killAll(): void;
  step(by: 1 | -1): void;
  setRange(index: number): void;
  search(): void;
  help(): void;
}

export function areSingleKeysOn(): boolean {
  return localStorage.getItem('keys') !== 'off';
}

export function setSingleKeys(isOn: boolean): void {
  if (isOn) localStorage.removeItem('keys');
  else localStorage.setItem('keys', 'off');
}

export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  useEffect(() => {
    let isAfterG = false;
    const onKey = (event: KeyboardEvent): void => {
      const { key, code, shiftKey, altKey, ctrlKey, metaKey, target } = event;
      const current = latest.current;
      if (current.isBusy) return;
      if ((metaKey || ctrlKey) && key.toLowerCase() === 'k') {
        event.preventDefault();
        current.search();
        return;
      }
      const isTyping = target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
      if (isTyping || metaKey || ctrlKey || !areSingleKeysOn()) return;
      const view = isAfterG ? VIEWS.find((name) => name[0] === key) : undefined;
      isAfterG = key === 'g';
      const action = ACTIONS[key];
      if (code === 'KeyK' && shiftKey && altKey) current.killAll();
      else if (code === 'KeyK' && shiftKey) current.act('KILL');
      else if (altKey) return;
      else if (view !== undefined) current.go(view);
      else if (action !== undefined) current.act(action);
      else if (key === '[' || key === ']') current.step(key === ']' ? 1 : -1);
      else if (/^[1-4]$/.test(key)) current.setRange(Number(key) - 1);
      else if (key === '/') current.search();
      else if (key === '?') current.help();
      else return;
      // Prevents typing the key into the field of the opened dialog.
      event.preventDefault();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** Keyboard shortcuts. A key opens a dialog, it never acts at once. Keys without ⌘ or Ctrl can be switched off. */
import { useEffect, useRef } from 'react';
import type { BotAction } from '../generated/schema-types.ts';

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
  ['p', 'Pause the bot'],
  ['d', 'Reduce'],
  ['x', 'Flatten'],
  ['⇧K', 'Kill the bot'],
  ['⇧⌥K', 'Kill all'],
  ['⌘↵', 'Apply changed parameters'],
  ['Esc', 'Close'],
  ['?', 'This list'],
];

const VIEWS: Readonly<Record<string, string>> = {
  f: 'fleet',
  m: 'market',
  r: 'risk',
  o: 'orders',
  l: 'log',
  h: 'history',
};
const ACTIONS: Readonly<Record<string, BotAction>> = { p: 'PAUSE', d: 'REDUCE', x: 'FLATTEN' };

export interface KeyActions {
  /** While a dialog is open no key does anything here. */
  readonly isBusy: boolean;
  go(view: string): void;
  act(action: BotAction): void;
  killAll(): void;
  /** To the next market, or to the one before. */
  step(by: 1 | -1): void;
  setRange(range: number): void;
  search(): void;
  help(): void;
}

/** Whether shortcuts of a single key work in this browser. */
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
    let isGoing = false;
    const onKey = (event: KeyboardEvent): void => {
      const { key, code, shiftKey, altKey, ctrlKey, metaKey, target } = event;
      const now = latest.current;
      if (now.isBusy) return;
      if ((metaKey || ctrlKey) && key.toLowerCase() === 'k') {
        event.preventDefault();
        now.search();
        return;
      }
      const isTyping = target instanceof HTMLElement && /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName);
      if (isTyping || metaKey || ctrlKey || !areSingleKeysOn()) return;
      if (code === 'KeyK' && shiftKey) {
        if (altKey) now.killAll();
        else now.act('KILL');
        return;
      }
      if (altKey) return;
      const view = VIEWS[key];
      if (isGoing && view !== undefined) now.go(view);
      else if (ACTIONS[key] !== undefined) now.act(ACTIONS[key]);
      else if (key === '[' || key === ']') now.step(key === ']' ? 1 : -1);
      else if (/^[1-4]$/.test(key)) now.setRange(Number(key) - 1);
      else if (key === '/') {
        event.preventDefault();
        now.search();
      } else if (key === '?') now.help();
      isGoing = key === 'g';
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

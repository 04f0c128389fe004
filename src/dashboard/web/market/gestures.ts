/** Moves and zooms the chart by drag, wheel and keys. */
import { type HTMLAttributes, type RefObject, useEffect, useRef } from 'react';
import { moveRange, type Range, zoomRange } from './chart-range.ts';

export const KEY_ZOOM = 1.5;
const KEY_ZOOMS = new Map([
  ['+', 1 / KEY_ZOOM],
  ['=', 1 / KEY_ZOOM],
  ['-', KEY_ZOOM],
]);
/** Moves by keys, in parts of the width. */
const KEY_MOVES = new Map([
  ['ArrowLeft', -0.2],
  ['ArrowRight', 0.2],
]);
/** Zoom per pixel of the wheel. A notch has about 100 pixels. */
const WHEEL_ZOOM = 1.002;

export interface GestureInput {
  readonly range: Range;
  readonly now: number;
  readonly onRange: (range: Range) => void;
  /** Receives the pointer's part of the width, 0 to 1; undefined after the pointer has left. */
  readonly onPoint: (part: number | undefined) => void;
}

interface Gestures {
  readonly props: HTMLAttributes<HTMLDivElement> & { readonly ref: RefObject<HTMLDivElement | null> };
  zoom(factor: number): void;
}

export function useGestures(input: GestureInput): Gestures {
  const latest = useRef(input);
  latest.current = input;
  const element = useRef<HTMLDivElement>(null);
  const drag = useRef<{ readonly x: number; readonly range: Range }>(undefined);
  useEffect(() => {
    const shown = element.current;
    // React's wheel listeners are passive and cannot prevent a zoom of the page.
    const onWheel = (event: WheelEvent): void => onWheelTurn(event, latest.current);
    shown?.addEventListener('wheel', onWheel, { passive: false });
    return () => shown?.removeEventListener('wheel', onWheel);
  }, []);
  const { range, now, onRange, onPoint } = input;
  const endDrag = (): void => {
    drag.current = undefined;
  };
  return {
    zoom: (factor) => onRange(zoomRange(range, factor, 1, now)),
    props: {
      ref: element,
      role: 'group',
      tabIndex: 0,
      'aria-label': 'Chart: the arrow keys move it, plus and minus zoom it, End follows the current time',
      onPointerDown(event) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, range };
      },
      onPointerMove(event) {
        onPoint(partOfWidth(event.currentTarget, event.clientX));
        if (drag.current === undefined) return;
        const parts = (drag.current.x - event.clientX) / drawingWidth(event.currentTarget);
        if (parts !== 0) onRange(moveRange(drag.current.range, parts, now));
      },
      onPointerUp: endDrag,
      onPointerCancel: endDrag,
      onPointerLeave: () => onPoint(undefined),
      onKeyDown(event) {
        const next = rangeByKey(event.key, range, now);
        if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
        event.preventDefault();
        onRange(next);
      },
    },
  };
}

function rangeByKey(key: string, range: Range, now: number): Range | undefined {
  const [parts, factor] = [KEY_MOVES.get(key), KEY_ZOOMS.get(key)];
  if (parts !== undefined) return moveRange(range, parts, now);
  if (factor !== undefined) return zoomRange(range, factor, 0.5, now);
  return key === 'End' ? { from: now - (range.until - range.from), until: now } : undefined;
}

/** Moves the chart by a sideways turn, and zooms by a pinch or with Ctrl or ⌘. Any other turn scrolls the page. */
function onWheelTurn(event: WheelEvent, { range, now, onRange }: GestureInput): void {
  const { deltaX, deltaY, ctrlKey, metaKey } = event;
  const isZoom = ctrlKey || metaKey;
  if (!isZoom && Math.abs(deltaX) <= Math.abs(deltaY)) return;
  event.preventDefault();
  const shown = event.currentTarget;
  if (!(shown instanceof Element)) return;
  if (!isZoom) onRange(moveRange(range, deltaX / drawingWidth(shown), now));
  else onRange(zoomRange(range, WHEEL_ZOOM ** deltaY, partOfWidth(shown, event.clientX), now));
}

function partOfWidth(element: Element, clientX: number): number {
  return Math.min(1, Math.max(0, (clientX - element.getBoundingClientRect().left) / drawingWidth(element)));
}

/** Width of the drawing, without the axis beside it. */
function drawingWidth(element: Element): number {
  return (element.firstElementChild ?? element).getBoundingClientRect().width;
}

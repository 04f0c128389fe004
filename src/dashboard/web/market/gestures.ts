/** Moving and zooming the chart: drag, wheel, keys. */
import { type HTMLAttributes, type PointerEvent, type RefObject, useEffect, useRef } from 'react';
import { moved, type Range, zoomed } from './chart-range.ts';

/** Steps of keys: move in parts of the width, and zoom factor. */
const KEY_STEP = 0.2;
export const KEY_ZOOM = 1.5;
/** Zoom per pixel of the wheel. A notch has about 100 pixels. */
const WHEEL_ZOOM = 1.002;

export interface GestureInput {
  readonly range: Range;
  readonly now: number;
  readonly onRange: (range: Range) => void;
  /** Part of the width, 0 to 1, that the pointer is at; undefined when it has left. */
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
    const onWheel = (event: WheelEvent): void => turnWheel(event, latest.current);
    shown?.addEventListener('wheel', onWheel, { passive: false });
    return () => shown?.removeEventListener('wheel', onWheel);
  }, []);
  const { range, now, onRange, onPoint } = input;
  const endDrag = (): void => {
    drag.current = undefined;
  };
  return {
    zoom: (factor) => onRange(zoomed(range, factor, 1, now)),
    props: {
      ref: element,
      role: 'group',
      tabIndex: 0,
      'aria-label': 'Chart: the arrow keys move it, plus and minus zoom it, End goes on with now',
      onPointerDown(event) {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, range };
      },
      onPointerMove(event) {
        onPoint(placeOf(event));
        if (drag.current === undefined) return;
        const parts = (drag.current.x - event.clientX) / widthOf(event.currentTarget);
        if (parts !== 0) onRange(moved(drag.current.range, parts, now));
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
  switch (key) {
    case 'ArrowLeft':
      return moved(range, -KEY_STEP, now);
    case 'ArrowRight':
      return moved(range, KEY_STEP, now);
    case '+':
    case '=':
      return zoomed(range, 1 / KEY_ZOOM, 0.5, now);
    case '-':
      return zoomed(range, KEY_ZOOM, 0.5, now);
    case 'End':
      return { from: now - (range.until - range.from), until: now };
    default:
      return undefined;
  }
}

/** Sideways it moves the chart; with Ctrl or ⌘, and by two fingers, it zooms. Else it scrolls the page. */
function turnWheel(event: WheelEvent, { range, now, onRange }: GestureInput): void {
  const { deltaX, deltaY, ctrlKey, metaKey } = event;
  const isZoom = ctrlKey || metaKey;
  if (!isZoom && Math.abs(deltaX) <= Math.abs(deltaY)) return;
  event.preventDefault();
  const shown = event.currentTarget;
  if (!(shown instanceof Element)) return;
  if (!isZoom) onRange(moved(range, deltaX / widthOf(shown), now));
  else onRange(zoomed(range, WHEEL_ZOOM ** deltaY, placeIn(shown, event.clientX), now));
}

function placeOf(event: PointerEvent): number {
  return placeIn(event.currentTarget, event.clientX);
}

function placeIn(element: Element, clientX: number): number {
  return Math.min(1, Math.max(0, (clientX - element.getBoundingClientRect().left) / widthOf(element)));
}

/** Width of the drawing, without the axis beside it. */
function widthOf(element: Element): number {
  return (element.firstElementChild ?? element).getBoundingClientRect().width;
}

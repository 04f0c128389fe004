/** Formats rows as columns that fit the width of a terminal. */
import { escapeLine } from '../../network/index.ts';

/** A column of a table, and how it shrinks. */
export interface Column {
  readonly title: string;
  readonly cells: readonly string[];
  /** Shorter forms of the cells. */
  readonly short?: readonly string[] | undefined;
  /** Whether cells may be shortened in the middle. */
  readonly shrinks?: boolean;
  /** Position in the order in which columns are dropped, from 1. Default: never dropped. */
  readonly dropOrder?: number | undefined;
}

const COLUMN_SPACING = 2;
/** Minimum width of a shortened cell while there are columns to drop, characters. */
const PREFERRED_CELL_WIDTH = 26;
/** Minimum width of a shortened cell after all optional columns are dropped, characters. */
const MIN_CELL_WIDTH = 12;
const ELLIPSIS = '…';

/**
 * Formats columns as wide as their cells. If a row exceeds `width`, uses short cells. If that does not suffice,
 * shortens cells in the middle, then drops columns and lists their titles below. Cuts rows that are still too long.
 * @param width characters a line; Infinity for a file or a pipe
 */
export function columnsText(columns: readonly Column[], width: number): string {
  if (totalWidth(columns) <= width) return formatColumns(columns, width);
  const short = columns.map((column) => (column.short === undefined ? column : { ...column, cells: column.short }));
  const orders = short.map(({ dropOrder }) => dropOrder ?? 0).filter((order) => order > 0);
  for (const dropped of [0, ...orders.toSorted((one, other) => one - other)]) {
    const kept = short.filter(({ dropOrder }) => dropOrder === undefined || dropOrder > dropped);
    const fitting = fitColumns(kept, width, dropped === Math.max(0, ...orders) ? MIN_CELL_WIDTH : PREFERRED_CELL_WIDTH);
    if (fitting === undefined) continue;
    const droppedTitles = short.filter((column) => !kept.includes(column)).map(({ title }) => title);
    const note = `not shown: ${droppedTitles.join(', ')} (a wider terminal, or --json)`;
    return `${formatColumns(fitting, width)}${droppedTitles.length === 0 ? '' : `${wrapLines(note, 0, width)}\n`}`;
  }
  const kept = short.filter(({ dropOrder }) => dropOrder === undefined);
  return formatColumns(fitColumns(kept, width, 0) ?? kept, width);
}

/** A column of `rowsText`: its title, the cell of a row, and how it shrinks. */
export type RowColumn<Row> = readonly [title: string, cell: (row: Row) => string, shrinking?: Partial<Column>];

/** Formats a line for each row, as `columnsText` does. Control characters are escaped. */
export function rowsText<Row>(rows: readonly Row[], columns: readonly RowColumn<Row>[], width: number): string {
  const textColumns = columns.map(([title, cell, shrinking]) => {
    return { title, cells: rows.map((row) => escapeLine(cell(row))), ...shrinking };
  });
  return columnsText(textColumns, width);
}

/** Shortens the columns that may shrink. Returns undefined if cells would get narrower than `minCellWidth`. */
function fitColumns(columns: readonly Column[], width: number, minCellWidth: number): readonly Column[] | undefined {
  if (totalWidth(columns) <= width) return columns;
  const shrinking = columns.filter(({ shrinks }) => shrinks === true);
  for (let size = Math.max(0, ...shrinking.map(columnWidth)) - 1; size >= Math.max(1, minCellWidth); size -= 1) {
    const shortened = columns.map((column) =>
      column.shrinks === true ? { ...column, cells: column.cells.map((cell) => cutMiddle(cell, size)) } : column,
    );
    if (totalWidth(shortened) <= width) return shortened;
  }
  return undefined;
}

/** Shortens a cell in the middle, because slugs often differ only in the last word. */
export function cutMiddle(cell: string, width: number): string {
  if (cell.length <= width) return cell;
  const headLength = Math.ceil((width - 1) / 2);
  return `${cell.slice(0, headLength)}${ELLIPSIS}${cell.slice(cell.length - (width - 1 - headLength))}`;
}

function columnWidth({ title, cells }: Column): number {
  return Math.max(title.length, ...cells.map((cell) => cell.length));
}

function totalWidth(columns: readonly Column[]): number {
  return columns.reduce((sum, column) => sum + columnWidth(column) + COLUMN_SPACING, -COLUMN_SPACING);
}

function formatColumns(columns: readonly Column[], width: number): string {
  const sizes = columns.map(columnWidth);
  const line = (cells: readonly string[]): string => {
    const padded = cells.map((cell, index) => cell.padEnd(sizes[index] ?? 0));
    const text = padded.join(' '.repeat(COLUMN_SPACING)).trimEnd();
    return `${text.length > width ? `${text.slice(0, width - 1)}${ELLIPSIS}` : text}\n`;
  };
  const rows = Array.from({ length: columns[0]?.cells.length ?? 0 }, (_, row) =>
    line(columns.map(({ cells }) => cells[row] ?? '')),
  );
  return [line(columns.map(({ title }) => title)), ...rows].join('');
}

/** Wraps each line. @param indent spaces before continuation lines @param width characters a line, or Infinity */
export function wrapLines(lines: string, indent: number, width: number): string {
  if (width < indent + MIN_CELL_WIDTH) return lines;
  return lines.replace(/^.*$/gm, (line) => {
    const parts: string[] = [];
    let rest = line;
    while (rest.length > width) {
      const breakAt = rest.lastIndexOf(' ', width);
      if (breakAt <= indent) break;
      parts.push(rest.slice(0, breakAt));
      rest = `${' '.repeat(indent)}${rest.slice(breakAt + 1)}`;
    }
    return [...parts, rest].join('\n');
  });
}

/** The rule for the length of comment lines, which the formatter does not wrap. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fault, listSources } from './source-tree.ts';

const MAX_LENGTH = 120;
const FOLDERS = ['src', 'test', 'bench'];
/** Generated files, the planted violations, and strategies, whose text is part of the hash of a run. */
const EXEMPT = /\/generated\/|^test\/fixtures\/|^bench\/strategies\//;
/** Comments that follow code on a line do not count. */
const COMMENT_LINE = /^\s*(\/\/|\/\*|\*)/;

/** Violations in all files below `root`. */
export function commentFaults(root: string): readonly Fault[] {
  return listSources(root, FOLDERS)
    .filter((path) => !EXEMPT.test(path))
    .flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((text, index) => {
          if (text.length <= MAX_LENGTH || !COMMENT_LINE.test(text)) return [];
          const detail = `${text.length} characters, ${MAX_LENGTH} at most`;
          return [{ rule: 'comment', path, line: index + 1, detail }];
        }),
    );
}

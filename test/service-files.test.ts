/** Files that run halfspread as a service: docker-compose.yml, Dockerfile and the systemd unit. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';
import process from 'node:process';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { version } from '../src/package-files.ts';
import { makeQueueName } from '../src/research/queue/index.ts';
import { parseCommandLine } from './silent-program.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const serviceSchema = z.object({
  profiles: z.array(z.string()).min(1),
  image: z.string(),
  command: z.array(z.string()).optional(),
  ports: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
  stop_grace_period: z.string().optional(),
});
const { services } = z
  .object({ services: z.record(z.string(), serviceSchema) })
  .parse(parse(read('docker-compose.yml'), { merge: true }));
const entries = Object.entries(services);

describe('docker-compose.yml', () => {
  it('has a profile for each use, and starts nothing without one', () => {
    const profiles = new Set(entries.flatMap(([, { profiles }]) => profiles));
    expect([...profiles].toSorted()).toEqual(['demo', 'live', 'observe', 'research']);
  });

  it('runs existing commands without privileges and on a read-only file system', async () => {
    const own = entries.filter(([, { image }]) => image === 'halfspread');
    expect(own.map(([name]) => name)).toEqual(['demo', 'bot', 'dashboard', 'worker']);
    for (const [, { command = [], cap_drop, read_only }] of own) {
      await expect(parseCommandLine(command)).resolves.toBeUndefined();
      expect({ cap_drop, read_only }).toEqual({ cap_drop: ['ALL'], read_only: true });
    }
    expect(services['bot']?.stop_grace_period).toBe('60s');
  });

  it('pins versions of images, publishes ports on loopback only, and mounts folders that exist', () => {
    for (const [name, { image, ports, volumes }] of entries) {
      if (image !== 'halfspread') expect(image).toMatch(/:v?\d/);
      for (const port of ports) expect(`${name} ${port}`).toMatch(/ 127\.0\.0\.1:/);
      for (const volume of volumes) {
        const [folder = ''] = volume.split(':');
        // Users create the folders of their bots and reports.
        if (folder.startsWith('./') && folder !== './bots' && folder !== './reports')
          expect([folder, existsSync(join(ROOT, folder))]).toEqual([folder, true]);
      }
    }
  });
});

describe('ops/kubernetes/workers.yaml', () => {
  const job = parse(read('ops/kubernetes/workers.yaml'));

  it('is a valid Job of the Kubernetes schema', () => {
    expect(() => new Job(job).validate()).not.toThrow();
    const wrong = { ...job, spec: { ...job.spec, parallelism: 'many' } };
    expect(() => new Job(wrong).validate()).toThrow(/parallelism must be integer/);
  });

  it('runs an existing command, and waits for it to end', async () => {
    const { containers, terminationGracePeriodSeconds } = job.spec.template.spec;
    await expect(parseCommandLine(containers[0].args)).resolves.toBeUndefined();
    expect(terminationGracePeriodSeconds).toBeGreaterThan(600);
  });
});

describe('ops/kubernetes/workers-by-queue.yaml', () => {
  const [deployment, , scaled] = parseAllDocuments(read('ops/kubernetes/workers-by-queue.yaml')).map((document) =>
    document.toJS(),
  );

  it('is a valid Deployment of the Kubernetes schema with the pods of workers.yaml', () => {
    expect(() => new Deployment(deployment).validate()).not.toThrow();
    const { restartPolicy, ...pod } = parse(read('ops/kubernetes/workers.yaml')).spec.template.spec;
    expect(deployment.spec.template.spec).toEqual(pod);
    expect(deployment.spec.template.metadata.labels).toEqual(deployment.spec.selector.matchLabels);
  });

  it('scales with the queue of this version', () => {
    expect(scaled.spec.scaleTargetRef.name).toBe(deployment.metadata.name);
    const queue = makeQueueName(version(), process.versions.node);
    expect(scaled.spec.triggers[0].metadata.listName).toBe(`bull:${queue}:wait`);
    expect(read('docs/many-machines.md')).toContain(`redis-cli llen bull:${queue}:wait`);
  });
});

describe('Dockerfile', () => {
  it('runs halfspread itself, so that it receives SIGTERM, without root and with a health check', () => {
    const text = read('Dockerfile');
    expect(text).toMatch(/^ENTRYPOINT \["\/node_modules\/\.bin\/halfspread"\]$/m);
    expect(text).toMatch(/^USER [1-9]\d*$/m);
    expect(text).toMatch(/^HEALTHCHECK /m);
    expect(text).toMatch(/^STOPSIGNAL SIGTERM$/m);
  });

  it('does not run npm in the root folder, where it fails with `Tracker "idealTree" already exists`', () => {
    const folders = read('Dockerfile').matchAll(/^(?:WORKDIR (\S+)|FROM .*|RUN npm .*)$/gm);
    let folder = '/';
    for (const [line, workdir] of folders) {
      if (line.startsWith('FROM')) folder = '/';
      folder = workdir ?? folder;
      if (line.startsWith('RUN')) expect({ line, folder }).not.toMatchObject({ folder: '/' });
    }
    expect(folder).not.toBe('/');
  });

  it('leaves databases and secrets out of the image', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const pattern of ['**/.env', '**/.env.*', '**/*.db', '**/*.key', '.git']) expect(ignored).toContain(pattern);
  });

  it('includes all sources of the package in the image', () => {
    const patterns = read('.dockerignore').trim().split('\n');
    const sources = ['bin', 'config', 'packaging', 'src', 'strategies'].flatMap((folder) =>
      globSync(`${folder}/**/*.*`, { cwd: ROOT }),
    );
    expect(sources.length).toBeGreaterThan(500);
    const isIgnored = (path: string): boolean =>
      patterns.some((pattern) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`));
    expect(sources.filter(isIgnored)).toEqual([]);
  });
});

describe('the systemd unit', () => {
  const unit = read('ops/systemd/halfspread@.service');

  it('runs an existing command without npx', async () => {
    const [, line = ''] = /^ExecStart=\S+\/\.bin\/halfspread (.*)$/m.exec(unit) ?? [];
    await expect(parseCommandLine(line.replaceAll('%i', 'bot').split(' '))).resolves.toBeUndefined();
  });

  it('does not kill the watchdog with the bot, and does not restart after errors that a restart cannot fix', () => {
    expect(unit).toMatch(/^KillMode=process$/m);
    expect(unit).toMatch(/^RestartPreventExitStatus=2 3 4$/m);
    expect(unit).toMatch(/^NoNewPrivileges=yes$/m);
  });

  it('uses the Node of the project before that of the system', () => {
    for (const name of ['halfspread@', 'halfspread-record'])
      expect(read(`ops/systemd/${name}.service`)).toMatch(
        /^Environment=PATH=\/srv\/halfspread\/node_modules\/\.bin:\S+:\/usr\/bin:\/bin$/m,
      );
  });

  it('of the recorder runs an existing command', async () => {
    const [, line = ''] =
      /^ExecStart=\S+\/\.bin\/halfspread (.*)$/m.exec(read('ops/systemd/halfspread-record.service')) ?? [];
    expect(line).toMatch(/^record polymarket /);
    await expect(parseCommandLine(line.split(' '))).resolves.toBeUndefined();
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { load } from 'js-yaml';
import { createDataSource } from '../../ormconfig';
import { EventSubscribers } from '../../src/platform/outbox/event-subscribers';
import { createSubscription } from '../../src/platform/outbox/subscription';
import { Metrics } from '../../src/platform/health/metrics';
import { createDatabase } from '../support/database';
import { ROOT } from '../support/gala-process';
import { startGala } from '../support/start-gala';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const dashboard = JSON.parse(read('deploy/grafana-dashboard.json'));
const alerts = load(read('deploy/alerts.yaml')) as any;

/** By name, as they stand behind `# TYPE`; of histograms also what Prometheus makes of them. */
const exposed = new Set<string>();
const labels = new Map<string, Set<string>>();
beforeAll(async () => {
  const database = await createDatabase();
  const dataSource = await createDataSource({ url: database.url, poolSize: 1 }).initialize();
  await createSubscription(dataSource.createQueryRunner(), 'anyone', ['lead.created']);
  await dataSource.destroy();
  @Module({})
  class Subscribing {
    constructor(subscribers: EventSubscribers) {
      subscribers.add({ name: 'anyone', handle: () => Promise.resolve() });
    }
  }
  const gala = await startGala({ databaseUrl: database.url, extensions: [{ module: Subscribing }] });
  await gala.anonymous.get('/health/live');
  const text = await gala.app.get(Metrics, { strict: false }).render();
  for (const [, name, type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    exposed.add(name!);
    if (type === 'histogram') for (const end of ['bucket', 'count', 'sum']) exposed.add(`${name}_${end}`);
  }
  for (const [, name, pairs] of text.matchAll(/^(\w+)\{([^}]*)\}/gm)) {
    const known = labels.get(name!) ?? new Set();
    for (const [, label] of pairs!.matchAll(/(\w+)="/g)) known.add(label!);
    labels.set(name!, known);
  }
  await gala.stop();
  await database.drop();
});

const expressions: [string, string][] = [
  ...dashboard.panels.flatMap(({ title, targets }: any) => targets.map(({ expr }: any) => [title, expr])),
  ...alerts.groups.flatMap(({ rules }: any) => rules.map(({ alert, expr }: any) => [alert, expr])),
];

/** Added by Prometheus itself. */
const OF_PROMETHEUS = ['up'];

test.each(expressions)('%s asks for what /metrics says: %s', (_, expression) => {
  const named = [...expression.matchAll(/\b(?:gala|process|nodejs)_\w+|\bup\b/g)].map(([name]) => name);
  expect(named).not.toEqual([]);
  expect(named.filter((name) => !exposed.has(name) && !OF_PROMETHEUS.includes(name))).toEqual([]);
});

test('labels that requests are told apart by are there', () => {
  expect([...labels.get('gala_http_requests_total')!].sort()).toEqual(['method', 'route', 'status']);
  expect([...labels.get('gala_http_request_duration_seconds_bucket')!].sort()).toEqual([
    'le',
    'method',
    'route',
  ]);
});

test('every metric of Gala’s own is on the dashboard', () => {
  const shown = JSON.stringify(dashboard);
  const own = [...exposed].filter((name) => /^gala_/.test(name) && !/_(bucket|count|sum)$/.test(name));
  expect(own.filter((name) => !shown.includes(name))).toEqual([]);
});

interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

test('panels don’t overlap, and have numbers of their own', () => {
  const places: Place[] = dashboard.panels.map(({ gridPos }: any) => gridPos);
  expect(new Set(dashboard.panels.map(({ id }: any) => id)).size).toBe(places.length);
  for (const one of places) {
    expect(one.x + one.w).toBeLessThanOrEqual(24);
    const isClashing = (other: Place) =>
      one.x < other.x + other.w &&
      other.x < one.x + one.w &&
      one.y < other.y + other.h &&
      other.y < one.y + one.h;
    expect(places.filter((other) => other !== one && isClashing(other))).toEqual([]);
  }
});

test('every alert says how urgent it is and what to do', () => {
  for (const { rules } of alerts.groups) {
    for (const rule of rules) {
      expect(rule).toMatchObject({
        for: expect.stringMatching(/^\d+m$/),
        labels: { severity: expect.stringMatching(/^(warning|critical)$/) },
        annotations: { summary: expect.any(String), action: expect.any(String) },
      });
    }
  }
});

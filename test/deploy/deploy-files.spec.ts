import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, loadAll } from 'js-yaml';
import { loadConfiguration } from '../../src/platform/config/load-configuration';
import { ROOT } from '../support/gala-process';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** The variables that the loader asks for. */
const known = new Set<string>();
loadConfiguration(
  new Proxy<Record<string, string>>(
    {},
    {
      get(_, name) {
        known.add(String(name));
        return undefined;
      },
    },
  ),
);

describe('compose.yaml', () => {
  const { services, volumes } = load(read('compose.yaml')) as any;

  test('gives Gala variables that it knows, with values that it takes', () => {
    const { environment } = services.gala;
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    const values = {
      PUBLIC_URL: 'https://api.example.com',
      POSTGRES_PASSWORD: 'abc',
      ENCRYPTION_KEY: 'a'.repeat(64),
    };
    expect(() => loadConfiguration(interpolated(environment, values))).not.toThrow();
    expect(loadConfiguration(interpolated(environment, values))).toMatchObject({
      databaseUrl: 'postgres://gala:abc@postgres:5432/gala',
      redisUrl: 'redis://redis:6379',
    });
  });

  test('asks for what it can’t do without, and has a database that goes with it', () => {
    expect(() => interpolated(services.gala.environment, {})).toThrow('POSTGRES_PASSWORD');
    expect(() => interpolated(services.gala.environment, { POSTGRES_PASSWORD: 'abc' })).toThrow(
      'ENCRYPTION_KEY',
    );
    expect(Object.keys(services).sort()).toEqual(['gala', 'postgres', 'redis']);
    expect(Object.keys(services.gala.depends_on).every((name) => services[name].healthcheck)).toBe(true);
    expect(services.postgres.environment).toMatchObject({ POSTGRES_USER: 'gala', POSTGRES_DB: 'gala' });
    const [volume] = services.postgres.volumes[0].split(':');
    expect(volumes).toHaveProperty(volume);
  });

  test('keeps the service read-only and without rights', () => {
    expect(services.gala).toMatchObject({ read_only: true, cap_drop: ['ALL'], ulimits: { nofile: 65536 } });
  });
});

/** As `docker compose` fills in `${NAME:-default}` and `${NAME:?message}`. */
function interpolated(
  environment: Record<string, string>,
  values: Record<string, string>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, text]) => [
      name,
      text.replace(/\$\{(\w+):([-?])([^}]*)\}/g, (_, variable: string, kind: string, rest: string) => {
        const value = values[variable];
        if (!value && kind === '?') throw new Error(`${variable} is missing: ${rest}`);
        return value || rest;
      }),
    ]),
  );
}

describe('deploy/kubernetes.yaml', () => {
  const objects = loadAll(read('deploy/kubernetes.yaml')) as any[];
  const ofKind = (kind: string) => objects.find((object) => object.kind === kind);
  const pod = ofKind('Deployment').spec.template;
  const container = pod.spec.containers[0];

  test('gives variables that are known, with values that are taken', () => {
    const { data } = ofKind('ConfigMap');
    const named = [
      ...Object.keys(data),
      ...read('deploy/kubernetes.yaml').matchAll(/--from-literal=(\w+)/g),
    ].map((name) => (typeof name === 'string' ? name : name[1]!));
    expect(named.filter((name) => !known.has(name))).toEqual([]);
    expect(() => loadConfiguration(data)).not.toThrow();
    expect(
      String(container.ports.find(({ name }: { name: string }) => name === 'metrics').containerPort),
    ).toBe(data.METRICS_PORT);
  });

  test('runs without rights, within limits, on a file system that it can’t change', () => {
    expect(pod.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    expect(container.securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.resources).toMatchObject({
      limits: { memory: expect.any(String) },
      requests: { cpu: expect.any(String) },
    });
    const mounted = container.volumeMounts.map(({ name }: { name: string }) => name).sort();
    expect(pod.spec.volumes.map(({ name }: { name: string }) => name).sort()).toEqual(mounted);
  });

  test('asks the right paths whether it lives and is ready', () => {
    expect(container.readinessProbe.httpGet.path).toBe('/health/ready');
    expect(container.livenessProbe.httpGet.path).toBe('/health/live');
    expect(container.startupProbe.httpGet.path).toBe('/health/live');
  });

  test('finds its pods', () => {
    for (const kind of ['Service', 'PodDisruptionBudget', 'Deployment']) {
      const { selector } = ofKind(kind).spec;
      expect(pod.metadata.labels).toMatchObject(selector.matchLabels ?? selector);
    }
  });
});

describe('docs/operating.md', () => {
  test('has every variable of the loader, and no other', () => {
    const table = read('docs/operating.md')
      .split('\n')
      .filter((line) => line.startsWith('| `'));
    const documented = table.flatMap((line) =>
      [...line.split('|')[1]!.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => name),
    );
    // OTEL_…: OpenTelemetry's own names, which its packages read.
    const own = documented.filter((name) => !name!.startsWith('OTEL_'));
    expect(own.sort()).toEqual([...known].sort());
  });
});

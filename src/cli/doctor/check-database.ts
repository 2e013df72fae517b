import type { DatabaseFacts } from '../../platform/persistence/inspect-database';
import { type Finding, findingsOf } from './finding';

const database = findingsOf('database');
const schema = findingsOf('schema');
const clock = findingsOf('clock');
const webhooks = findingsOf('webhooks');

const OLDEST = 15;
const NEWEST_TRIED = 18;
/** Of one instance. */
const CONNECTIONS = 15;
const SKEW_TO_MENTION_MS = 1000;
const SKEW_TOO_FAR_MS = 30_000;
const LAG_TO_MENTION_SECONDS = 300;

/** `expected` are the migrations of this version, by name. */
export function checkDatabase(facts: DatabaseFacts, expected: readonly string[]): Finding[] {
  return [
    checkServer(facts),
    checkRights(facts),
    checkRoom(facts),
    checkSchema(facts, expected),
    checkClock(facts),
    checkBacklog(facts),
  ].flat();
}

function checkServer({ version, encoding, isReplica, hasIcu, missingExtensions }: DatabaseFacts): Finding[] {
  const major = Math.floor(version / 10_000);
  const name = `PostgreSQL ${major}.${version % 10_000}`;
  const findings: Finding[] = [];
  if (major < OLDEST) {
    findings.push(
      database.problem(`It is ${name}.`, `Upgrade it to PostgreSQL ${OLDEST} to ${NEWEST_TRIED}.`),
    );
  } else if (major > NEWEST_TRIED) {
    findings.push(
      database.warning(`It is ${name}, which this version was not tested with.`, 'Look for a newer Gala.'),
    );
  }
  if (encoding !== 'UTF8') {
    findings.push(
      database.problem(
        `Its encoding is ${encoding}.`,
        "Make a new one: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.",
      ),
    );
  }
  if (isReplica) {
    findings.push(
      database.problem('It is a replica and can’t be written to.', 'Point DATABASE_URL at the primary.'),
    );
  }
  if (!hasIcu) {
    findings.push(
      database.problem('It was built without ICU.', 'Use a build with ICU, as all common packages are.'),
    );
  }
  if (missingExtensions.length > 0) {
    findings.push(
      database.problem(
        `Its server lacks the extensions ${missingExtensions.join(', ')}.`,
        'Install PostgreSQL’s contrib package on its server.',
      ),
    );
  }
  return findings.length > 0 ? findings : [database.ok(`${name} can be reached.`)];
}

function checkRights({ mayCreateTables }: DatabaseFacts): Finding[] {
  if (mayCreateTables) return [];
  return [
    database.problem(
      'The user of DATABASE_URL may not create tables, and so not bring the schema up to date.',
      'Make it the owner: ALTER DATABASE … OWNER TO …, or GRANT CREATE ON SCHEMA public TO ….',
    ),
  ];
}

function checkRoom({ connections: { used, most } }: DatabaseFacts): Finding[] {
  if (most - used >= CONNECTIONS) return [];
  return [
    database.warning(
      `${used} of ${most} connections are taken, and each instance wants up to ${CONNECTIONS}.`,
      'Raise max_connections, or run fewer instances.',
    ),
  ];
}

function checkSchema({ migrations }: DatabaseFacts, expected: readonly string[]): Finding[] {
  if (!migrations) return [schema.ok('The database is empty: the schema is made at the first start.')];
  const pending = expected.filter((name) => !migrations.includes(name));
  const others = migrations.filter((name) => !expected.includes(name));
  const findings: Finding[] = [];
  if (pending.length > 0) {
    findings.push(
      schema.warning(
        `Migrations are pending: ${pending.join(', ')}.`,
        'Start this version, or run `gala migrate`; older instances go on working.',
      ),
    );
  }
  if (others.length > 0) {
    findings.push(
      schema.warning(
        `The database knows migrations that this version doesn’t: ${others.join(', ')}.`,
        'That is as it should be with extensions, or while a newer version takes over. Otherwise run the newer version here, too.',
      ),
    );
  }
  return findings.length > 0 ? findings : [schema.ok('The schema is up to date.')];
}

function checkClock({ clockAheadMs }: DatabaseFacts): Finding[] {
  const apart = Math.abs(clockAheadMs);
  if (apart < SKEW_TO_MENTION_MS) return [clock.ok('The clocks of this machine and of the database agree.')];
  const message = `The database’s clock is ${(apart / 1000).toFixed(1)} s ${clockAheadMs > 0 ? 'ahead of' : 'behind'} this machine’s.`;
  const remedy = 'Let NTP set both clocks: time limits, one-time codes and webhook signatures go by them.';
  return [apart < SKEW_TOO_FAR_MS ? clock.warning(message, remedy) : clock.problem(message, remedy)];
}

function checkBacklog({ backlog }: DatabaseFacts): Finding[] {
  if (!backlog) return [];
  const { due, lagSeconds } = backlog;
  if (lagSeconds < LAG_TO_MENTION_SECONDS)
    return [webhooks.ok(`Deliveries that wait for an attempt: ${due}.`)];
  return [
    webhooks.warning(
      `${due} webhook deliveries are due, the oldest for ${lagSeconds} s.`,
      'If no service is running, start one. If one is, look for slow endpoints in its metrics and log, or add an instance.',
    ),
  ];
}

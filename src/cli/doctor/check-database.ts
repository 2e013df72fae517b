import type { DatabaseFacts } from './database-facts';
import { type Finding, findingsOf } from './finding';

const database = findingsOf('database');
const schema = findingsOf('schema');
const subscriptions = findingsOf('subscriptions');
const clock = findingsOf('clock');
const webhooks = findingsOf('webhooks');
const mails = findingsOf('mails');

const OLDEST_VERSION = 15;
const NEWEST_TESTED_VERSION = 18;
const CONNECTIONS_PER_INSTANCE = 17;
const SKEW_WARNING_MS = 1000;
const SKEW_PROBLEM_MS = 30_000;
const LAG_WARNING_SECONDS = 300;
const MAIL_WARNING_SECONDS = 900;

/** What this version and its extensions expect of a database. */
export interface Expected {
  readonly migrations: readonly string[];
  readonly subscribers: readonly string[];
}

export function checkDatabase(facts: DatabaseFacts, expected: Expected): Finding[] {
  return [
    checkServer(facts),
    checkPermissions(facts),
    checkConnections(facts),
    checkReplication(facts),
    checkSchema(facts, expected),
    checkSubscriptions(facts, expected),
    checkClock(facts),
    checkBacklog(facts),
    checkMails(facts),
  ].flat();
}

function checkServer({ version, encoding, isReplica, hasIcu, missingExtensions }: DatabaseFacts): Finding[] {
  const major = Math.floor(version / 10_000);
  const name = `PostgreSQL ${major}.${version % 10_000}`;
  const findings: Finding[] = [];
  if (major < OLDEST_VERSION) {
    findings.push(
      database.problem(
        `${name} is too old.`,
        `Upgrade to PostgreSQL ${OLDEST_VERSION} to ${NEWEST_TESTED_VERSION}.`,
      ),
    );
  } else if (major > NEWEST_TESTED_VERSION) {
    findings.push(
      database.warning(
        `This version of Gala is not tested with ${name}.`,
        'Check for a newer version of Gala.',
      ),
    );
  }
  if (encoding !== 'UTF8') {
    findings.push(
      database.problem(
        `The encoding is ${encoding}.`,
        "Create a database with: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.",
      ),
    );
  }
  if (isReplica) {
    findings.push(database.problem('The server is a read-only replica.', 'Set DATABASE_URL to the primary.'));
  }
  if (!hasIcu) {
    findings.push(
      database.problem(
        'PostgreSQL was built without ICU.',
        'Use a build with ICU; all common packages have it.',
      ),
    );
  }
  if (missingExtensions.length > 0) {
    findings.push(
      database.problem(
        `The server lacks the extensions ${missingExtensions.join(', ')}.`,
        'Install PostgreSQL’s contrib package on the server.',
      ),
    );
  }
  return findings.length > 0 ? findings : [database.ok(`${name} is reachable.`)];
}

function checkPermissions({ mayCreateTables }: DatabaseFacts): Finding[] {
  if (mayCreateTables) return [];
  return [
    database.problem(
      'The user of DATABASE_URL may not create tables, so it can’t migrate the schema.',
      'Make that user the owner: ALTER DATABASE … OWNER TO …, or GRANT CREATE ON SCHEMA public TO ….',
    ),
  ];
}

function checkConnections({ connections: { used, most } }: DatabaseFacts): Finding[] {
  if (most - used >= CONNECTIONS_PER_INSTANCE) return [];
  return [
    database.warning(
      `${used} of ${most} connections are in use, and each instance needs up to ${CONNECTIONS_PER_INSTANCE}.`,
      'Raise max_connections, or run fewer instances.',
    ),
  ];
}

/** With synchronous replication, a commit is acknowledged once a standby has it; it waits while there is none. */
function checkReplication({ synchronous: { isWanted, standbys } }: DatabaseFacts): Finding[] {
  if (!isWanted) return [];
  if (standbys > 0) return [database.ok(`Commits wait for a synchronous standby; ${standbys} can answer.`)];
  return [
    database.problem(
      'Commits wait for a synchronous standby, and none is connected, so no write can succeed.',
      'Start a standby, or take it out of synchronous_standby_names; Patroni does that unless synchronous_mode_strict is set.',
    ),
  ];
}

function checkSchema({ migrations }: DatabaseFacts, expected: Expected): Finding[] {
  if (!migrations) return [schema.ok('The database is empty; the first start creates the schema.')];
  const pending = expected.migrations.filter((name) => !migrations.includes(name));
  const others = migrations.filter((name) => !expected.migrations.includes(name));
  const findings: Finding[] = [];
  if (pending.length > 0) {
    findings.push(
      schema.warning(
        `Migrations are pending: ${pending.join(', ')}.`,
        'Start this version, or run `gala migrate`; older instances keep working.',
      ),
    );
  }
  if (others.length > 0) {
    findings.push(
      schema.warning(
        `The database has migrations that this version doesn’t know: ${others.join(', ')}.`,
        'This is normal during an upgrade, and after an extension was removed. Otherwise, upgrade this instance too, or name its extensions in gala.config.js.',
      ),
    );
  }
  return findings.length > 0 ? findings : [schema.ok('The schema is up to date.')];
}

/** A subscription without its subscriber queues events forever. */
function checkSubscriptions(facts: DatabaseFacts, { subscribers }: Expected): Finding[] {
  if (facts.subscriptions.length === 0) return [];
  const abandoned = facts.subscriptions.filter(({ subscriber }) => !subscribers.includes(subscriber));
  if (abandoned.length === 0) return [subscriptions.ok('Every subscription has a subscriber.')];
  return abandoned.map(({ subscriber, waiting, sqlToDrop: [dropTrigger, deleteQueue] }) =>
    subscriptions.warning(
      `No module handles the events of the subscription ${subscriber}; ${waiting} of them are waiting.`,
      `If its extension is in use, name it in gala.config.js. If it was removed, drop its subscription with two commands, each in its own transaction. First, and again if it times out: ${dropTrigger} Then: ${deleteQueue}`,
    ),
  );
}

function checkClock({ clockAheadMs }: DatabaseFacts): Finding[] {
  const apart = Math.abs(clockAheadMs);
  if (apart < SKEW_WARNING_MS) return [clock.ok('The clocks of this machine and the database agree.')];
  const message = `The database’s clock is ${(apart / 1000).toFixed(1)} s ${clockAheadMs > 0 ? 'ahead of' : 'behind'} this machine’s.`;
  const remedy = 'Synchronise both with NTP: expiry, one-time codes and webhook signatures depend on them.';
  return [apart < SKEW_PROBLEM_MS ? clock.warning(message, remedy) : clock.problem(message, remedy)];
}

function checkBacklog({ backlog }: DatabaseFacts): Finding[] {
  if (!backlog) return [];
  const { due, lagSeconds } = backlog;
  if (lagSeconds < LAG_WARNING_SECONDS) return [webhooks.ok(`Deliveries due: ${due}.`)];
  return [
    webhooks.warning(
      `${due} webhook deliveries are due, the oldest for ${lagSeconds} s.`,
      'Start the service if it isn’t running. Otherwise, look for slow endpoints in its metrics and log, or add an instance.',
    ),
  ];
}

function checkMails({ mails: backlog }: DatabaseFacts): Finding[] {
  if (!backlog) return [];
  const { waiting, oldestSeconds, failed } = backlog;
  const findings: Finding[] = [];
  if (oldestSeconds >= MAIL_WARNING_SECONDS) {
    findings.push(
      mails.warning(
        `${waiting} emails are waiting, the oldest for ${oldestSeconds} s.`,
        'Start the service if it isn’t running. Otherwise, the mail server doesn’t accept them: its replies are in the log.',
      ),
    );
  }
  if (failed > 0) {
    findings.push(
      mails.warning(
        `${failed} emails of the last seven days could not be sent.`,
        'Look for "an email could not be sent" in the log, which names the mail server’s reply.',
      ),
    );
  }
  return findings.length > 0 ? findings : [mails.ok(`Emails waiting: ${waiting}.`)];
}

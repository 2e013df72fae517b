import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

/** Each table belongs to one room, which alone names it in its SQL. */
const OWNERS: Record<string, string[]> = {
  platform: [
    ...[
      'deleted_events',
      'encryption_key',
      'event_epochs',
      'events',
      'exports_under_way',
      'extension_settings',
      'form_submissions',
    ],
    'idempotency_keys',
    'outgoing_mails',
    'subscriber_events',
  ],
  activities: ['activities'],
  accounts: ['password_resets', 'recovery_codes', 'sessions', 'users'],
  'api-keys': ['api_keys'],
  'audit-log': ['audit_log'],
  brand: ['brands'],
  calendar: ['calendar_events', 'calendar_feeds', 'calendar_occupancies', 'spaces'],
  files: ['file_contents', 'file_counts', 'file_uses', 'files'],
  holds: ['hold_claims', 'hold_queues', 'holds'],
  imports: ['import_batches', 'import_chunks', 'import_files', 'import_rows', 'imports'],
  leads: [
    ...['lead_assignees', 'lead_assignments', 'lead_counts', 'lead_fields', 'lead_stage_changes', 'leads'],
    ...['lost_reasons', 'stages'],
  ],
  messages: [
    ...['message_channels', 'message_opt_outs', 'message_settings', 'message_templates', 'message_users'],
    'messages',
  ],
  oauth: [
    ...['oauth_access_tokens', 'oauth_apps', 'oauth_codes', 'oauth_grants', 'oauth_installations'],
    'oauth_refresh_tokens',
  ],
  proposals: ['proposal_numbers', 'proposal_visitors', 'proposals'],
  reports: [
    ...['first_responses_to_tell', 'lead_journeys', 'lead_journeys_beginning', 'lead_stage_spells'],
    'response_targets',
  ],
  'request-log': ['request_log'],
  tasks: ['task_mail_refusals', 'tasks'],
  webhooks: ['event_types', 'webhook_attempts', 'webhook_deliveries', 'webhook_endpoints'],
  workspaces: ['invitations', 'memberships', 'workspaces'],
};

/** Where one room's SQL names another's table, and why a call of its use cases won't do. */
const ALLOWED: [room: string, table: string, reason: string][] = [
  [
    'calendar',
    'memberships',
    'A feed ends with its membership: one statement makes it and holds the membership.',
  ],
  ['calendar', 'hold_claims', 'Workspaces without holds pay for no statement more when they book a space.'],
  ['calendar', 'hold_queues', 'A booking locks the queue before its spaces, in one statement.'],
  ['calendar', 'holds', 'A reading of the calendar tells whether holds were due, and has to be repeated.'],
  ['calendar', 'workspaces', 'Spaces are counted while their workspace is locked.'],
  [
    'files',
    'proposals',
    'An instance of the release before images sends a proposal during an upgrade, and publishes none of its images.',
  ],
  [
    'leads',
    'memberships',
    'An owner is held while a lead is given to them, and turns skip members who are paused.',
  ],
  [
    'leads',
    'workspaces',
    'Stages, lost reasons and custom fields are counted while their workspace is locked.',
  ],
  ['messages', 'workspaces', 'A channel is connected while its workspace is locked.'],
  ['oauth', 'users', 'The list of installed apps shows who installed each.'],
  [
    'proposals',
    'leads',
    'The pipeline sums proposals by the stage of their leads in the database, and the list is searched by their names.',
  ],
  [
    'proposals',
    'workspaces',
    'A link to a proposal has no workspace; expiry needs the time zone of all of them.',
  ],
  ['reports', 'leads', 'Figures of the leads with a tag look at the tags of each lead in the database.'],
  ['reports', 'proposals', 'The value of won leads is added up in the database.'],
  ['tasks', 'memberships', 'A refusal of emails ends with its membership.'],
  ['webhooks', 'deleted_events', 'The change feed refuses positions before deleted events.'],
  ['webhooks', 'event_epochs', 'Positions of the change feed carry the key of their epoch.'],
  [
    'webhooks',
    'events',
    'Deliveries and the event log read what the outbox appended, and delete it after 30 days.',
  ],
  ['webhooks', 'oauth_installations', 'An app’s endpoint is added while the installation can’t be removed.'],
  ['webhooks', 'workspaces', 'Endpoints are counted while their workspace is locked.'],
  ['workspaces', 'users', 'Members are listed by the e-mail addresses of their accounts.'],
];

interface Use {
  room: string;
  table: string;
}

/** The tables that a source file names: in SQL, where keywords are upper case, in mappings, and in arguments. */
function tablesIn(file: string): string[] {
  const source = file.replace(/^\s*(?:\/?\*|\/\/).*$/gm, '');
  const queries = new Set(
    [...source.matchAll(/\b(\w+)(?: \([\w, ]+\))? AS (?:MATERIALIZED )?\(/g)].map(([, name]) => name!),
  );
  const inSql = source.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE)\s+([a-z]\w*)\b(?![(.])/g);
  const named = source.matchAll(/\b(?:tableName: |table: |table = |from: |super\()'([a-z_]+)'/g);
  const names = [...inSql, ...named].map(([, name]) => name!);
  return [...new Set(names)].filter((name) => !queries.has(name) && !name.startsWith('pg_'));
}

function usesIn(room: string, folder: string): Use[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .flatMap((name) => tablesIn(readFileSync(join(ROOT, folder, name), 'utf8')))
    .map((table) => ({ room, table }));
}

const uses = [
  ...readdirSync(join(ROOT, 'src/modules')).flatMap((room) => usesIn(room, `src/modules/${room}`)),
  ...[
    'encryption',
    'exports',
    'extension-settings',
    'form-submissions',
    'idempotency',
    'mail',
    'outbox',
  ].flatMap((folder) => usesIn('platform', `src/platform/${folder}`)),
];
const describeUse = ({ room, table }: Use) => `${room} names ${table}`;

test('every table that SQL names has one owner', () => {
  const owned = Object.values(OWNERS).flat();
  expect(new Set(owned).size).toBe(owned.length);
  expect([...new Set(uses.map(({ table }) => table))].sort()).toEqual(owned.sort());
});

test('a room’s SQL names its own tables, and those of others that are allowed', () => {
  const foreign = uses.filter(({ room, table }) => !OWNERS[room]?.includes(table)).map(describeUse);
  expect([...new Set(foreign)].sort()).toEqual(
    ALLOWED.map(([room, table]) => describeUse({ room, table })).sort(),
  );
});

test.each([
  ['SELECT * FROM leads WHERE id = $1', ['leads']],
  ['SELECT FROM a JOIN b ON true LEFT JOIN c USING (id)', ['a', 'b', 'c']],
  ['WITH old AS MATERIALIZED (DELETE FROM a) INSERT INTO b SELECT * FROM old', ['a', 'b']],
  ['INSERT INTO a (id) SELECT id FROM unnest($1) ON CONFLICT DO UPDATE SET id = 1', ['a']],
  ['UPDATE a SET x = extract(epoch FROM now()) WHERE x IS DISTINCT FROM $1 FOR NO KEY UPDATE', ['a']],
  [`tableName: 'a'`, ['a']],
])('the tables of %s', (text, tables) => {
  expect(tablesIn(text)).toEqual(tables);
});

import type { INestApplicationContext } from '@nestjs/common';
import { type Command, Option } from 'commander';
import { NotFound } from '../kernel/errors';
import type { ApiKeyId, WorkspaceId } from '../kernel/ids';
import { type Mode, MODES } from '../kernel/principal';
import { ApiKeyRepository, type ApiKeyView, CreateApiKey, RevokeApiKey } from '../modules/api-keys';
import { WorkspaceRepository } from '../modules/workspaces';
import { apiKeyId, futureInstant, name, scopeList, workspaceId } from './arguments';
import { withApp } from './context';
import { print, table, visible } from './output';

interface CreateOptions {
  workspace: WorkspaceId;
  mode: Mode;
  name: string;
  scopes?: string[];
  expiresAt?: Date;
  json?: boolean;
}

export function addApiKeyCommands(program: Command): void {
  const apiKey = program.command('api-key').description('Create, list and revoke API keys');
  const workspaceOption = () =>
    new Option('--workspace <id>', 'the workspace’s id').argParser(workspaceId).makeOptionMandatory();

  apiKey
    .command('create')
    .description('Create an API key; it is shown only once')
    .addOption(workspaceOption())
    .addOption(new Option('--mode <mode>', 'live data or the sandbox').choices(MODES).makeOptionMandatory())
    .requiredOption('--name <name>', 'a label for people', name)
    .option('--scopes <scopes>', 'its scopes, separated by commas; may be repeated', scopeList)
    .option('--expires-at <time>', 'when it expires, RFC 3339', futureInstant)
    .option('--json', 'print JSON: {"key": …, …}')
    .action(async ({ workspace, mode, json, ...input }: CreateOptions) => {
      const issued = await withApp(async (app) => {
        await refuseUnknownWorkspace(app, workspace);
        return app
          .get(CreateApiKey, { strict: false })
          .byOperator(
            { workspaceId: workspace, mode },
            { name: input.name, scopes: input.scopes ?? [], expiresAt: input.expiresAt ?? null },
          );
      });
      const key = { ...issued.key.view(), key: issued.token };
      print(
        key,
        json,
        () => `Created the ${mode} key ${key.id}. It is shown only once, so store it now.\n\n  ${key.key}\n`,
      );
    });

  apiKey
    .command('list')
    .description('List a workspace’s keys of both modes, oldest first')
    .addOption(workspaceOption())
    .option('--json', 'print a JSON array')
    .action(async ({ workspace, json }: { workspace: WorkspaceId; json?: boolean }) => {
      const keys = await withApp(async (app) => {
        await refuseUnknownWorkspace(app, workspace);
        return app.get(ApiKeyRepository, { strict: false }).all(workspace);
      });
      print(keys, json, () => (keys.length === 0 ? 'This workspace has no keys yet.' : describe(keys)));
    });

  apiKey
    .command('revoke')
    .description('Revoke a key; later requests with it are refused')
    .addOption(workspaceOption())
    .argument('<key>', 'the key’s id', apiKeyId)
    .option('--json', 'print the key as JSON')
    .action(async (id: ApiKeyId, { workspace, json }: { workspace: WorkspaceId; json?: boolean }) => {
      const key = await withApp(async (app) => {
        const found = (await app.get(ApiKeyRepository, { strict: false }).all(workspace)).find(
          (each) => each.id === id,
        );
        if (!found) throw new NotFound('API key in this workspace');
        return app
          .get(RevokeApiKey, { strict: false })
          .byOperator({ workspaceId: workspace, mode: found.mode }, id);
      });
      print(key, json, () => `Revoked the key ${key.id} (${visible(key.name)}, …${key.last4}).`);
    });
}

async function refuseUnknownWorkspace(app: INestApplicationContext, id: WorkspaceId): Promise<void> {
  const workspace = await app.get(WorkspaceRepository, { strict: false }).find(id);
  if (!workspace) throw new NotFound('workspace');
}

function describe(keys: ApiKeyView[]): string {
  const state = ({ revokedAt, expiresAt }: ApiKeyView) => {
    if (revokedAt) return `revoked ${revokedAt.toISOString()}`;
    if (!expiresAt) return 'active';
    return `${expiresAt <= new Date() ? 'expired' : 'active until'} ${expiresAt.toISOString()}`;
  };
  return table(
    ['ID', 'MODE', 'NAME', 'LAST 4', 'SCOPES', 'LAST USED', 'STATE'],
    keys.map((key) => [
      key.id,
      key.mode,
      key.name,
      key.last4,
      key.scopes.join(',') || '-',
      key.lastUsedAt?.toISOString() ?? 'never',
      state(key),
    ]),
  );
}

import { type Command, Option } from 'commander';
import type { AppId } from '../kernel/ids';
import { type App, ManageApps } from '../modules/oauth';
import { appId, name, scopeList } from './arguments';
import { withApp } from './context';
import { print, table } from './output';

interface Settings {
  name?: string;
  redirectUri?: string[];
  scopes?: string[];
  /** False: none any more. */
  origin?: string[] | false;
  json?: boolean;
}

type NewApp = Omit<Required<Settings>, 'origin'> & { origin?: string[]; public?: boolean };

export function addOAuthAppCommands(program: Command): void {
  const oauthApp = program
    .command('oauth-app')
    .description('Manage the apps that customers can install by OAuth 2.0');
  const redirectUris = () =>
    new Option(
      '--redirect-uri <uri...>',
      'an allowed redirect URI, compared character by character; may be repeated',
    );

  const origins = () =>
    new Option(
      '--origin <origin...>',
      'an origin whose web pages may use its tokens (CORS), such as https://app.example.com; may be repeated',
    );

  oauthApp
    .command('create')
    .description('Register an app; its secret is shown only once')
    .requiredOption('--name <name>', 'its name on the consent page', name)
    .addOption(redirectUris().makeOptionMandatory())
    .requiredOption(
      '--scopes <scopes>',
      'the scopes that it may request, separated by commas; may be repeated',
      scopeList,
    )
    .addOption(origins())
    .option('--public', 'the app can’t keep a secret (on a phone, in a browser), so it must use PKCE')
    .option('--json', 'print JSON: {"clientId": …, "clientSecret": …}')
    .action(async (options: NewApp) => {
      const { app, secret } = await withApp((context) =>
        context.get(ManageApps, { strict: false }).register(
          {
            ...{ name: options.name, redirectUris: options.redirectUri, scopes: options.scopes },
            allowedOrigins: options.origin,
          },
          { isPublic: options.public ?? false },
        ),
      );
      print({ ...viewOf(app), clientSecret: secret }, options.json, () => describeNew(app, secret));
    });

  oauthApp
    .command('list')
    .description('List the registered apps, oldest first')
    .option('--json', 'print a JSON array')
    .action(async ({ json }: Settings) => {
      const apps = await withApp((context) => context.get(ManageApps, { strict: false }).list());
      print(apps.map(viewOf), json, () => (apps.length === 0 ? 'No app is registered yet.' : describe(apps)));
    });

  oauthApp
    .command('update')
    .description('Change an app’s name, redirect URIs, scopes or origins')
    .argument('<client-id>', 'the app’s id', appId)
    .option('--name <name>', 'its new name', name)
    .addOption(redirectUris())
    .option('--scopes <scopes>', 'its new scopes; existing tokens lose removed ones at once', scopeList)
    .addOption(origins())
    .option('--no-origin', 'remove all its origins')
    .option('--json', 'print the app as JSON')
    .action(async (id: AppId, { json, redirectUri, origin, ...rest }: Settings) => {
      const settings = {
        ...rest,
        ...(redirectUri && { redirectUris: redirectUri }),
        ...(origin !== undefined && { allowedOrigins: origin || [] }),
      };
      const app = await withApp((context) => context.get(ManageApps, { strict: false }).change(id, settings));
      print(viewOf(app), json, () => `Changed the app ${app.id}.`);
    });

  oauthApp
    .command('rotate-secret')
    .description('Create a new secret for an app; the old one stops working at once')
    .argument('<client-id>', 'the app’s id', appId)
    .option('--json', 'print JSON: {"clientId": …, "clientSecret": …}')
    .action(async (id: AppId, { json }: Settings) => {
      const { app, secret } = await withApp((context) =>
        context.get(ManageApps, { strict: false }).rotateSecret(id),
      );
      print(
        { ...viewOf(app), clientSecret: secret },
        json,
        () => `The new secret of ${app.id} is shown only once, so store it now.\n\n  ${secret}\n`,
      );
    });

  oauthApp
    .command('delete')
    .description('Delete an app and remove it from every workspace; its tokens stop working at once')
    .argument('<client-id>', 'the app’s id', appId)
    .option('--json', 'print the app as JSON')
    .action(async (id: AppId, { json }: Settings) => {
      const app = await withApp((context) => context.get(ManageApps, { strict: false }).delete(id));
      print(viewOf(app), json, () => `Deleted the app ${app.id}.`);
    });
}

function viewOf({ id, name: appName, redirectUris, scopes, allowedOrigins, isPublic, createdAt }: App) {
  const type = isPublic ? 'public' : 'confidential';
  return { clientId: id, name: appName, type, redirectUris, scopes, allowedOrigins, createdAt };
}

function describeNew(app: App, secret: string | null): string {
  const rest = secret
    ? `Its secret is shown only once, so store it now.\n\n  client_id      ${app.id}\n  client_secret  ${secret}\n`
    : `It is a public client, which must use PKCE.\n\n  client_id  ${app.id}\n`;
  return `Registered the app. ${rest}`;
}

function describe(apps: App[]): string {
  return table(
    ['CLIENT ID', 'NAME', 'TYPE', 'SCOPES', 'REDIRECT URIS', 'ORIGINS'],
    apps
      .map(viewOf)
      .map(({ clientId, name: appName, type, scopes, redirectUris, allowedOrigins }) => [
        ...[clientId, appName, type, scopes.join(',')],
        ...[redirectUris.join(' '), allowedOrigins.join(' ')],
      ]),
  );
}

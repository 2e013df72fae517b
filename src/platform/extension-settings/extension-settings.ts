import { Injectable } from '@nestjs/common';
import { type FieldProblem, ValidationFailed } from '../../kernel/errors';
import { newId, toUuid } from '../../kernel/ids';
import type { WorkspaceRef } from '../../kernel/principal';
import { UnitOfWork } from '../../kernel/unit-of-work';
import { SecretBox } from '../encryption/secret-box';
import { structuralProblems } from '../http/input-problems';
import { Database } from '../persistence/database';
import { IN_WORKSPACE, workspaceKey } from '../persistence/workspace-key';

/** Of all settings of one extension in a workspace, as JSON. */
const MAX_BYTES = 16 * 1024;

/** What an extension stores for each workspace and mode: an object of JSON values. */
export interface SettingsDefinition<Settings extends object> {
  /** Part of the key, so it stays the same over versions. */
  readonly name: string;
  /** For settings that a workspace hasn't changed, those of later versions too. */
  readonly defaults: Settings;
  /** Fields that are encrypted. */
  readonly secrets?: readonly (keyof Settings & string)[];
  /** What is wrong with settings that are to be stored. */
  readonly problems: (settings: Settings) => readonly FieldProblem[];
}

/** The settings of one extension. */
export interface WorkspaceSettings<Settings extends object> {
  get(ref: WorkspaceRef): Promise<Settings>;
  /**
   * Changes the given fields, and returns all. Of two changes at once to different fields both take effect.
   *
   * @throws ValidationFailed for problems, and for more than 16 KiB of JSON
   */
  change(ref: WorkspaceRef, changes: Partial<Settings>): Promise<Settings>;
}

interface Row {
  id: string;
  value: object;
  sealedSecrets: Buffer | null;
}

/** Settings that extensions store for each workspace and mode, without a table of their own. */
@Injectable()
export class ExtensionSettings {
  private readonly names = new Set<string>();

  constructor(
    private readonly database: Database,
    private readonly unitOfWork: UnitOfWork,
    private readonly secretBox: SecretBox,
  ) {
    secretBox.keptIn({ table: 'extension_settings', column: 'sealed_secrets', placeOf });
  }

  define<Settings extends object>(definition: SettingsDefinition<Settings>): WorkspaceSettings<Settings> {
    const { name, defaults } = definition;
    if (this.names.has(name)) {
      throw new Error(`Two extensions define settings with the name ${name}. Rename one of them.`);
    }
    this.names.add(name);
    return {
      get: async (ref) => {
        const row = await this.find(ref, name, '');
        return { ...structuredClone(defaults), ...(row && this.read<Settings>(row)) };
      },
      change: (ref, changes) => this.unitOfWork.run(() => this.change(ref, definition, changes)),
    };
  }

  private async change<Settings extends object>(
    ref: WorkspaceRef,
    { name, defaults, secrets = [], problems }: SettingsDefinition<Settings>,
    changes: Partial<Settings>,
  ): Promise<Settings> {
    await this.database.sql(
      `INSERT INTO extension_settings (workspace_id, mode, extension, id, value) VALUES ($1, $2, $3, $4, '{}')
       ON CONFLICT DO NOTHING`,
      [...workspaceKey(ref), name, toUuid(newId('set'))],
    );
    const row = (await this.find(ref, name, 'FOR NO KEY UPDATE'))!;
    const given = Object.entries<unknown>(changes as Record<string, unknown>).filter(
      ([, value]) => value !== undefined,
    );
    const changed = { ...this.read<Settings>(row), ...Object.fromEntries(given) };
    const settings = { ...structuredClone(defaults), ...changed } as Settings;
    refuse([...structuralProblems(changed), ...sizeProblems(changed)]);
    refuse(problems(settings));
    const isSecret = ([field]: [string, unknown]) => (secrets as readonly string[]).includes(field);
    const all = Object.entries<unknown>(changed);
    const open = JSON.stringify(Object.fromEntries(all.filter((entry) => !isSecret(entry))));
    const secret = JSON.stringify(Object.fromEntries(all.filter(isSecret)));
    const sealed = secrets.length > 0 ? await this.secretBox.seal(secret, placeOf(row.id)) : null;
    await this.database.sql(
      'UPDATE extension_settings SET value = $2::jsonb, sealed_secrets = $3 WHERE id = $1',
      [row.id, open, sealed],
    );
    return settings;
  }

  private async find(ref: WorkspaceRef, name: string, lock: string): Promise<Row | undefined> {
    const [row] = await this.database.sql<Row>(
      `SELECT id, value, sealed_secrets AS "sealedSecrets" FROM extension_settings
       WHERE ${IN_WORKSPACE} AND extension = $3 ${lock}`,
      [...workspaceKey(ref), name],
    );
    return row;
  }

  private read<Settings>({ id, value, sealedSecrets }: Row): Partial<Settings> {
    const secrets = sealedSecrets && (JSON.parse(this.secretBox.open(sealedSecrets, placeOf(id))) as object);
    return { ...value, ...secrets };
  }
}

function placeOf(uuid: string): string {
  return `extension settings ${uuid}`;
}

function sizeProblems(settings: object): FieldProblem[] {
  const excess = Buffer.byteLength(JSON.stringify(settings)) - MAX_BYTES;
  const [longest = ''] = Object.entries(settings)
    .map(([field, value]) => ({ field, length: JSON.stringify(value).length }))
    .sort((one, other) => other.length - one.length)
    .map(({ field }) => field);
  return excess > 0
    ? [{ field: longest, message: `is too long: settings hold at most ${MAX_BYTES} bytes` }]
    : [];
}

function refuse([first, ...more]: readonly FieldProblem[]): void {
  if (first) throw new ValidationFailed(first, ...more);
}

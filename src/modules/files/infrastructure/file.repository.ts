import { Injectable } from '@nestjs/common';
import { type FileId, fromUuid, toUuid } from '../../../kernel/ids';
import type { PageRequest, Slice } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { Database } from '../../../platform/persistence/database';
import type { EntityStatements } from '../../../platform/persistence/entity-statements';
import { readSlice } from '../../../platform/persistence/keyset';
import { Parameters } from '../../../platform/persistence/parameters';
import { IN_WORKSPACE, workspaceKey } from '../../../platform/persistence/workspace-key';
import {
  type FileContent,
  FileRepository,
  type FileUse,
  type FileUser,
} from '../application/file-repository';
import { type EncodedImage, MAX_FILES, MAX_STORED_BYTES, type StoredFile } from '../domain/file';
import { FileSchema } from './file.schema';

const ID_PREFIXES = { proposal: 'prop', brand: 'ws' } as const satisfies Record<FileUser['kind'], string>;
/** During an upgrade an instance of a release without images may send a proposal, and publishes none of its images. */
const IS_SENT = `EXISTS (SELECT FROM proposals p WHERE p.workspace_id = u.workspace_id AND p.mode = u.mode
  AND p.id = u.user_id AND p.status <> 'draft')`;
const IS_SHOWN = `EXISTS (SELECT FROM file_uses u WHERE u.workspace_id = f.workspace_id AND u.mode = f.mode
  AND u.file_id = f.id AND (u.is_public OR u.kind = 'proposal' AND ${IS_SENT}))`;

interface ContentRow {
  renditions: StoredFile['renditions'];
  content: Buffer;
}

/** Keeps images in the database: backups contain them, and instances share no disk. */
@Injectable()
export class PostgresFileRepository extends FileRepository {
  private readonly statements: EntityStatements<StoredFile>;

  constructor(private readonly database: Database) {
    super();
    this.statements = database.statements(FileSchema);
  }

  async add(file: StoredFile, image: EncodedImage): Promise<boolean> {
    // Locks the counts until the transaction ends: uploads at the same time can't exceed them together.
    const counted = await this.database.sql(
      `INSERT INTO file_counts AS counts (workspace_id, mode, files, bytes) VALUES ($1, $2, 1, $3)
       ON CONFLICT (workspace_id, mode) DO UPDATE SET files = counts.files + 1, bytes = counts.bytes + excluded.bytes
         WHERE counts.files < ${MAX_FILES} AND counts.bytes + excluded.bytes <= ${MAX_STORED_BYTES}
       RETURNING 1`,
      [...workspaceKey(file), file.bytes],
    );
    if (counted.length === 0) return false;
    await this.database.query(this.statements.insert(file));
    for (const { name, content } of image.renditions) {
      await this.database.sql(
        'INSERT INTO file_contents (workspace_id, mode, file_id, rendition, content) VALUES ($1, $2, $3, $4, $5)',
        [...workspaceKey(file, file.id), name, content],
      );
    }
    return true;
  }

  async hasRoom(ref: WorkspaceRef): Promise<boolean> {
    const [row] = await this.database.sql<{ full: boolean }>(
      `SELECT files >= ${MAX_FILES} OR bytes >= ${MAX_STORED_BYTES} AS full FROM file_counts WHERE ${IN_WORKSPACE}`,
      workspaceKey(ref),
    );
    return !row?.full;
  }

  async find(ref: WorkspaceRef, id: FileId): Promise<StoredFile | undefined> {
    const [row] = await this.database.sql<object>(this.statements.selectByKey, workspaceKey(ref, id));
    return row && this.statements.read(row);
  }

  async findAll(ref: WorkspaceRef, ids: readonly FileId[]): Promise<StoredFile[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.sql<object>(
      `${this.statements.select} WHERE ${IN_WORKSPACE} AND id = ANY ($3::uuid[])`,
      [...workspaceKey(ref), ids.map(toUuid)],
    );
    return rows.map(this.statements.read);
  }

  list(ref: WorkspaceRef, request: PageRequest<'createdAt'>): Promise<Slice<StoredFile>> {
    const parameters = new Parameters();
    const conditions = parameters.inWorkspace(ref);
    const source = this.statements.sortedBy('createdAt');
    return readSlice(this.database, { ...source, conditions, parameters, request }, this.statements.read);
  }

  async lock(ref: WorkspaceRef, id: FileId): Promise<StoredFile | undefined> {
    const text = `${this.statements.selectByKey} FOR UPDATE`;
    const [row] = await this.database.sql<object>(text, workspaceKey(ref, id));
    return row && this.statements.read(row);
  }

  async hold(ref: WorkspaceRef, ids: readonly FileId[]): Promise<Set<FileId>> {
    const rows = await this.database.sql<{ id: string }>(
      `SELECT id FROM files WHERE ${IN_WORKSPACE} AND id = ANY ($3::uuid[]) ORDER BY id FOR KEY SHARE`,
      [...workspaceKey(ref), ids.map(toUuid)],
    );
    return new Set(rows.map(({ id }) => fromUuid('file', id)));
  }

  async delete(file: StoredFile): Promise<void> {
    await this.database.sql(
      `WITH gone AS (DELETE FROM files WHERE ${IN_WORKSPACE} AND id = $3 RETURNING bytes)
       UPDATE file_counts SET files = files - 1, bytes = file_counts.bytes - gone.bytes FROM gone WHERE ${IN_WORKSPACE}`,
      workspaceKey(file, file.id),
    );
  }

  async content(ref: WorkspaceRef, id: FileId, rendition: string): Promise<FileContent | undefined> {
    const [row] = await this.database.sql<ContentRow>(
      `SELECT f.renditions, c.content FROM files f
       JOIN file_contents c ON c.workspace_id = f.workspace_id AND c.mode = f.mode AND c.file_id = f.id
       WHERE f.workspace_id = $1 AND f.mode = $2 AND f.id = $3 AND c.rendition = $4`,
      [...workspaceKey(ref, id), rendition],
    );
    return row && contentOf(row, rendition);
  }

  async publicContent(token: string, rendition: string): Promise<FileContent | undefined> {
    const [row] = await this.database.sql<ContentRow>(
      `SELECT f.renditions, c.content FROM files f
       JOIN file_contents c ON c.workspace_id = f.workspace_id AND c.mode = f.mode AND c.file_id = f.id
       WHERE f.public_token = $1 AND c.rendition = $2 AND ${IS_SHOWN}`,
      [token, rendition],
    );
    return row && contentOf(row, rendition);
  }

  async usesOf(ref: WorkspaceRef, id: FileId, atMost: number): Promise<FileUse[]> {
    const rows = await this.database.sql<{ kind: FileUser['kind']; user_id: string; is_public: boolean }>(
      `SELECT kind, user_id, is_public FROM file_uses WHERE ${IN_WORKSPACE} AND file_id = $3
       ORDER BY kind, user_id LIMIT $4`,
      [...workspaceKey(ref, id), atMost],
    );
    return rows.map(({ kind, user_id: user, is_public: isPublic }) => ({
      ...{ kind, isPublic },
      id: fromUuid(ID_PREFIXES[kind], user),
    }));
  }

  async replaceUses(
    ref: WorkspaceRef,
    { kind, id }: FileUser,
    ids: readonly FileId[],
    isPublic: boolean,
  ): Promise<void> {
    const key = [...workspaceKey(ref), kind, toUuid(id), ids.map(toUuid)];
    await this.database.sql(
      `DELETE FROM file_uses WHERE ${IN_WORKSPACE} AND kind = $3 AND user_id = $4 AND file_id <> ALL ($5::uuid[])`,
      key,
    );
    if (ids.length === 0) return;
    await this.database.sql(
      `INSERT INTO file_uses (workspace_id, mode, kind, user_id, file_id, is_public)
       SELECT $1, $2, $3, $4, id, $6 FROM unnest($5::uuid[]) AS id ON CONFLICT DO NOTHING`,
      [...key, isPublic],
    );
  }

  async publish(ref: WorkspaceRef, { kind, id }: FileUser): Promise<void> {
    await this.database.sql(
      `UPDATE file_uses SET is_public = true WHERE ${IN_WORKSPACE} AND kind = $3 AND user_id = $4`,
      [...workspaceKey(ref), kind, toUuid(id)],
    );
  }
}

function contentOf({ renditions, content }: ContentRow, name: string): FileContent | undefined {
  const rendition = renditions.find((each) => each.name === name);
  return rendition && { ...rendition, content };
}

import { Injectable } from '@nestjs/common';
import { NotFound } from '../../../kernel/errors';
import type { FileId } from '../../../kernel/ids';
import { type Page, pageOf, type PageRequest } from '../../../kernel/page';
import type { WorkspaceRef } from '../../../kernel/principal';
import { FILE_TOKEN, type FileView, type PageFile, type StoredFile } from '../domain/file';
import { FileViews, type ImagePath, type ShownImage } from './file-links';
import { type FileContent, FileRepository } from './file-repository';

@Injectable()
export class FileQueries {
  constructor(
    private readonly files: FileRepository,
    private readonly views: FileViews,
  ) {}

  async get(ref: WorkspaceRef, id: FileId): Promise<FileView> {
    const file = await this.files.find(ref, id);
    if (!file) throw new NotFound('file');
    return this.views.of(file);
  }

  list(ref: WorkspaceRef, request: PageRequest<'createdAt'>): Promise<Page<FileView>> {
    return this.listAs(ref, request, (file) => this.views.of(file));
  }

  listForPages(ref: WorkspaceRef, request: PageRequest<'createdAt'>): Promise<Page<PageFile>> {
    return this.listAs(ref, request, (file) => this.views.forPages(file));
  }

  /** The newest, and those that are named. */
  async choices(ref: WorkspaceRef, named: readonly FileId[], atMost: number): Promise<PageFile[]> {
    const newest = await this.files.list(ref, {
      ...{ page: 1, limit: atMost, fingerprint: '', isUncounted: true },
      sort: { field: 'createdAt', descending: true },
    });
    const missing = named.filter((id) => !newest.items.some((file) => file.id === id));
    const files = [...newest.items, ...(await this.files.findAll(ref, missing))];
    return files.map((file) => this.views.forPages(file));
  }

  /** Those of the files that there are, as pages show them. */
  async shown(
    ref: WorkspaceRef,
    ids: readonly FileId[],
    pathOf?: ImagePath,
  ): Promise<ReadonlyMap<FileId, ShownImage>> {
    if (ids.length === 0) return new Map();
    const files = await this.files.findAll(ref, [...new Set(ids)]);
    return new Map(files.map((file) => [file.id, this.views.shown(file, pathOf)]));
  }

  async content(ref: WorkspaceRef, id: FileId, rendition: string): Promise<FileContent> {
    const content = await this.files.content(ref, id, rendition);
    if (!content) throw new NotFound('file');
    return content;
  }

  /** @throws NotFound, too, while nothing public shows the file */
  async publicContent(token: string, rendition: string): Promise<FileContent> {
    const content = FILE_TOKEN.test(token) ? await this.files.publicContent(token, rendition) : undefined;
    if (!content) throw new NotFound('file');
    return content;
  }

  private async listAs<View extends FileView>(
    ref: WorkspaceRef,
    request: PageRequest<'createdAt'>,
    view: (file: StoredFile) => View,
  ): Promise<Page<View>> {
    const { items, ...rest } = await this.files.list(ref, request);
    const slice = { ...rest, items: items.map(view) };
    return pageOf(request, slice, ({ createdAt, id }) => ({ value: createdAt.toISOString(), id }));
  }
}

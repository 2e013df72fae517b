import createClient from 'openapi-fetch';
// The types of its CommonJS build can't be imported by name.
import type { FetchOptions } from 'openapi-fetch' with { 'resolution-mode': 'import' };
import type {
  FilterKeys,
  HttpMethod,
  PathsWithMethod,
  RequiredKeysOf,
  ResponseObjectMap,
  SuccessResponse,
} from 'openapi-typescript-helpers';
import { batchesOf, type BulkInput, type BulkResult, joined } from './bulk.js';
import { errorFrom } from './errors.js';
import { type Import, importCsv, type ImportCsvOptions } from './import-csv.js';
import type { paths } from './schema.js';
import { transport, type TransportOptions } from './transport.js';

export interface GalaOptions extends Partial<TransportOptions> {
  /** The address of the Gala service, without `/v1`. */
  baseUrl: string;
  token: TransportOptions['token'];
}

type Init<Paths, Path extends keyof Paths, Method extends HttpMethod> = FetchOptions<
  FilterKeys<Paths[Path], Method>
>;
type Arguments<Options> = RequiredKeysOf<Options> extends never ? [init?: Options] : [init: Options];
type Answer<Paths, Path extends keyof Paths, Method extends HttpMethod> =
  Paths[Path] extends Record<Method, infer Operation extends Record<string | number, unknown>>
    ? SuccessResponse<ResponseObjectMap<Operation>>
    : never;

/** As long as the server waits for a file. */
const UPLOAD_TIMEOUT_MS = 15 * 60_000;

/** A path that returns pages of a list. */
export type ListPath<Paths extends object = paths> = {
  [Path in PathsWithMethod<Paths, 'get'>]: Answer<Paths, Path, 'get'> extends { pagination: unknown }
    ? Path
    : never;
}[PathsWithMethod<Paths, 'get'>];
export type ItemOf<Path extends ListPath<Paths>, Paths extends object = paths> =
  Answer<Paths, Path, 'get'> extends { data: (infer Item)[] } ? Item : never;

interface Page {
  data: unknown[];
  pagination: { nextCursor: string | null };
}
type Changes<Paths extends object> = Answer<Paths, Extract<'/v1/changes', keyof Paths>, 'get'>;

interface Progress {
  position: string;
  hasMore: boolean;
}
interface LooseInit {
  params?: { query?: Record<string, unknown> };
}
interface LooseAnswer {
  data?: unknown;
  error?: unknown;
  response: Response;
}

/**
 * A client of the API, for the workspace and mode of its token. Every call resolves to the response body, or rejects with a
 * `GalaError`, or with a `ConnectionError` if no answer arrived.
 *
 * `Paths` are the paths that openapi-typescript generates from a service's /openapi.json. The default is Gala's own, without
 * extensions.
 */
export class Gala<Paths extends object = paths> {
  private readonly uploading: typeof globalThis.fetch;
  private readonly request: (method: string, path: string, init?: object) => Promise<LooseAnswer>;

  constructor({ baseUrl, ...options }: GalaOptions) {
    const defaults = { maxRetries: 3, timeoutMs: 30_000, maxWaitMs: 65_000, fetch: globalThis.fetch };
    const client = createClient<paths>({
      baseUrl: baseUrl.replace(/\/+$/, ''),
      fetch: transport({ ...defaults, ...options }),
      // As OpenAPI has it by default: parameters with names of their own, such as `custom.room`, are given as an object.
      querySerializer: { object: { style: 'form', explode: true } },
    });
    this.uploading = transport({
      ...defaults,
      ...options,
      timeoutMs: UPLOAD_TIMEOUT_MS,
    }) as typeof this.uploading;
    this.request = client.request as unknown as typeof this.request;
  }

  get<Path extends PathsWithMethod<Paths, 'get'>>(
    path: Path,
    ...[init]: Arguments<Init<Paths, Path, 'get'>>
  ): Promise<Answer<Paths, Path, 'get'>> {
    return this.call('get', path, init);
  }

  post<Path extends PathsWithMethod<Paths, 'post'>>(
    path: Path,
    ...[init]: Arguments<Init<Paths, Path, 'post'>>
  ): Promise<Answer<Paths, Path, 'post'>> {
    return this.call('post', path, init);
  }

  patch<Path extends PathsWithMethod<Paths, 'patch'>>(
    path: Path,
    ...[init]: Arguments<Init<Paths, Path, 'patch'>>
  ): Promise<Answer<Paths, Path, 'patch'>> {
    return this.call('patch', path, init);
  }

  delete<Path extends PathsWithMethod<Paths, 'delete'>>(
    path: Path,
    ...[init]: Arguments<Init<Paths, Path, 'delete'>>
  ): Promise<Answer<Paths, Path, 'delete'>> {
    return this.call('delete', path, init);
  }

  /** Iterates over every item of a list, and fetches pages as needed. */
  async *list<Path extends ListPath<Paths>>(
    path: Path,
    ...[init]: Arguments<Init<Paths, Path, 'get'>>
  ): AsyncGenerator<ItemOf<Path, Paths>, void, undefined> {
    const given: LooseInit = init ?? {};
    let cursor: string | null | undefined;
    do {
      const query = { limit: 100, ...given.params?.query, ...(cursor && { cursor }) };
      const page = await this.call<Page>('get', path, { ...given, params: { ...given.params, query } });
      yield* page.data as ItemOf<Path, Paths>[];
      cursor = page.pagination.nextCursor;
    } while (cursor);
  }

  /**
   * Iterates over the answers of the change feed until it has no more for now. Store each `position` once its events are
   * processed, and give the last one as `after` next time.
   *
   * @param after a position; by default the oldest event kept comes first
   * @param types such as `lead.*`; by default all that the token may read
   */
  async *changes({ after, types }: { after?: string; types?: readonly string[] } = {}): AsyncGenerator<
    Changes<Paths>,
    void,
    undefined
  > {
    let position = after;
    let hasMore = true;
    while (hasMore) {
      const query = {
        limit: 100,
        ...(position && { after: position }),
        ...(types && { types: types.join() }),
      };
      const answer = await this.call<Changes<Paths> & Progress>('get', '/v1/changes', { params: { query } });
      ({ position, hasMore } = answer);
      yield answer;
    }
  }

  /**
   * Writes any number of leads, in requests of up to a hundred that are sent one after the other. Resolves to a result for each
   * item, in their order. An item that fails leaves the others as they are. If a request fails, it rejects, and the leads of the
   * requests before it are stored.
   */
  async bulk({ items, ...options }: BulkInput): Promise<BulkResult> {
    let all: BulkResult = { created: 0, updated: 0, unchanged: 0, failed: 0, results: [] };
    for (const batch of batchesOf(items)) {
      const body = { ...options, items: batch };
      all = joined(all, await this.call<BulkResult>('post', '/v1/leads/bulk', { body }));
    }
    return all;
  }

  /**
   * Imports leads from a CSV file: uploads it, waits until it has been checked, starts the import, and waits until every row has
   * a result. Rows with a problem fail alone: see `failed` of the result, and `GET /v1/imports/{id}/failed.csv`.
   *
   * @param file as text it is sent as UTF-8, otherwise byte for byte
   * @throws ImportError if the file can’t be read or leaves a question open, such as the order of its dates
   */
  importCsv(file: Blob | string | Uint8Array<ArrayBuffer>, options: ImportCsvOptions = {}): Promise<Import> {
    const at = (id: string) => ({
      params: { path: { id } },
      ...(options.signal && { signal: options.signal }),
    });
    const uploading = (body: Blob) => ({
      body,
      bodySerializer: (blob: Blob) => blob,
      headers: { 'Content-Type': 'text/csv' },
      fetch: this.uploading,
    });
    return importCsv(
      {
        create: (body) => this.call<Import>('post', '/v1/imports', { body }),
        upload: (id, blob) =>
          this.call<Import>('post', '/v1/imports/{id}/file', { ...at(id), ...uploading(blob) }),
        start: (id) => this.call<Import>('post', '/v1/imports/{id}/start', at(id)),
        get: (id) => this.call<Import>('get', '/v1/imports/{id}', at(id)),
      },
      file,
      options,
    );
  }

  private async call<Result>(method: string, path: PropertyKey, init: object | undefined): Promise<Result> {
    const { data, error, response } = await this.request(method, path as string, init);
    if (!response.ok) throw errorFrom(response, error);
    return data as Result;
  }
}
